import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

/*
 * Every page of docs/ is run as a reader would run it: its `sh` blocks in order, in an empty folder that sees the
 * examples, with `npx teapot` meaning this checkout. A `text` block right behind an `sh` block is what the block prints on
 * stdout. A block whose language is `sh skip` is not run; a comment in the page must say why.
 */

const ROOT = resolve(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'dist/cli/main.js');
const DOCS = join(ROOT, 'docs');

if (!existsSync(MAIN)) throw new Error('the command line is not built: npm run build:ts');

const bin = mkdtempSync(join(tmpdir(), 'teapot-docs-bin-'));
writeFileSync(
  join(bin, 'npx'),
  `#!/bin/sh\n[ "$1" = teapot ] || { echo "docs run npx teapot only" >&2; exit 127; }\nshift\nexec "${process.execPath}" "${MAIN}" "$@"\n`,
);
chmodSync(join(bin, 'npx'), 0o755);
const folders: string[] = [bin];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface Block {
  readonly line: number;
  readonly script: string;
  readonly output: string | undefined;
}

/** The `sh` blocks of a page, each with the `text` block that follows it. */
function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  for (const match of page.matchAll(/^```sh\n(.*?)^```$(?:\n\n?```text\n(.*?)^```$)?/gms)) {
    const line = page.slice(0, match.index).split('\n').length;
    blocks.push({ line, script: match[1] ?? '', output: match[2] });
  }
  return blocks;
}

const pages = readdirSync(DOCS).filter((name) => name.endsWith('.md'));

describe.each(pages)('docs/%s', (name) => {
  const blocks = blocksOf(readFileSync(join(DOCS, name), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'teapot-docs-'));
  folders.push(folder);
  symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'teapot-nlp'));

  test('has commands', () => {
    expect(blocks.length).toBeGreaterThan(0);
  });

  test.each(blocks)(
    'line $line',
    ({ script, output }) => {
      const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 60_000,
        env: { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`, NO_COLOR: '1' },
      });
      expect(status, `${script}\n${stdout}\n${stderr}`).toBe(0);
      expect(stdout).toBe(output ?? stdout);
    },
    60_000,
  );
});
