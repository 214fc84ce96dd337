import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { afterAll, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A checkout that was never built, without the packages of npm. */
function checkout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'teapot-prepare-'));
  folders.push(folder);
  for (const path of [
    'scripts',
    'src',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'Cargo.toml',
    'Cargo.lock',
  ]) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  }
  cpSync(join(ROOT, 'crates'), join(folder, 'crates'), {
    recursive: true,
    filter: (path) => !/\/(?:target|fuzz)$|\.node$/u.test(path),
  });
  return folder;
}

function prepare(folder: string, env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/prepare.mjs'], {
    cwd: folder,
    env: { ...process.env, npm_command: 'ci', ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('without cargo one line says what is missing and how to get it', () => {
  const { status, stdout, stderr } = prepare(checkout(), { PATH: dirname(process.execPath) });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^teapot: error: .*cargo was not found: install Rust 1\.95.*\n$/u);
});

test('npm exec leaves an existing build alone, even with changed sources and without cargo', () => {
  const folder = checkout();
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
  const addon = readdirSync(join(ROOT, 'crates/teapot-napi')).find((name) => name.endsWith('.node')) ?? '';
  cpSync(join(ROOT, 'crates/teapot-napi', addon), join(folder, 'crates/teapot-napi', addon));
  writeFileSync(join(folder, 'src/errors.ts'), 'broken(');
  const before = statSync(join(folder, 'dist/cli/main.js')).mtimeMs;
  expect(prepare(folder, { npm_command: 'exec', PATH: dirname(process.execPath) })).toEqual({
    status: 0,
    stdout: '',
    stderr: '',
  });
  expect(statSync(join(folder, 'dist/cli/main.js')).mtimeMs).toBe(before);
});

test('a current build is not built again', () => {
  const folder = checkout();
  // Stand-ins for npm and cargo write down that they were called, and leave what the build leaves.
  const bin = join(folder, 'bin');
  cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
  spawnSync('mkdir', ['-p', bin]);
  writeFileSync(join(bin, 'cargo'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  writeFileSync(
    join(bin, 'npm'),
    '#!/bin/sh\necho "$@" >>calls.txt\nmkdir -p dist/cli\ntouch dist/index.js dist/cli/main.js crates/teapot-napi/teapot.node\n',
    { mode: 0o755 },
  );
  const env = { PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin` };
  expect(prepare(folder, env).status).toBe(0);
  expect(existsSync(join(folder, 'calls.txt'))).toBe(true);
  rmSync(join(folder, 'calls.txt'));
  expect(prepare(folder, env)).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(existsSync(join(folder, 'calls.txt'))).toBe(false);
  writeFileSync(join(folder, 'src/errors.ts'), 'changed');
  expect(prepare(folder, env).status).toBe(0);
  expect(existsSync(join(folder, 'calls.txt'))).toBe(true);
});
