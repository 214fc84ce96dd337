import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** A folder for every test of a file, removed after it. */
export function useTempFolder(): { path: (name: string) => string; write: (name: string, text: string) => string } {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'teapot test ')); // with a blank: paths must survive quoting
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const path = (name: string): string => join(folder, name);
  return {
    path,
    write: (name, text) => {
      writeFileSync(path(name), text);
      return path(name);
    },
  };
}

/** Whether a process with this id runs (a zombie counts as running). */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a condition holds; fails after five seconds. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 5000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('the condition did not come to hold');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const ROOT = resolve(import.meta.dirname, '../..');

/** Compiles a module of `src` and what it imports into a folder, for tests in a Node.js of their own; returns its path. */
export function compile(module: string, folder: string): string {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = [
    '--target',
    'es2023',
    '--module',
    'nodenext',
    '--skipLibCheck',
    '--rootDir',
    ROOT,
    '--outDir',
    folder,
  ];
  execFileSync(process.execPath, [compiler, '--ignoreConfig', ...options, '--types', 'node', join(ROOT, module)]);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return join(folder, relative(ROOT, join(ROOT, module)).replace(/\.ts$/, '.js'));
}
