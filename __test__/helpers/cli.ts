import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** The built command line: what a user runs. */
export const MAIN = join(ROOT, 'dist/cli/main.js');

/** What a run left behind. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a run differs from the usual one. */
export interface CliOptions {
  readonly cwd?: string;
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments of node itself. */
  readonly node?: readonly string[];
}

/** Runs the built command line in a process of its own. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  requireFreshBuild();
  const child = spawn(process.execPath, [...(options.node ?? []), MAIN, ...args], {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, NO_COLOR: undefined, ...options.env },
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin ?? '');
  const code = await new Promise<number | null>((done, fail) => {
    child.on('error', fail).on('close', done);
  });
  return { code, ...output };
}

/** Makes an empty folder that is removed after the tests of the file; `write` puts files into it. */
export function temporaryFolder(): { readonly path: string; readonly write: (files: FileContents) => void } {
  const path = mkdtempSync(join(tmpdir(), 'teapot-cli-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    write: (files) => {
      for (const [name, contents] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        writeFileSync(join(path, name), contents);
      }
    },
  };
}

/** File name to contents. */
export type FileContents = Readonly<Record<string, string | Uint8Array>>;

let checked = false;

/** A stale build would test yesterday's program. */
function requireFreshBuild(): void {
  if (checked) return;
  const built = statSync(MAIN, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newest = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);
  if (newest > built) throw new Error('dist/ is older than src/: npm run build:ts');
  checked = true;
}
