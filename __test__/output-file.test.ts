import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { fileIdentity, OutputFile, writeFileSafely } from '../src/output-file.js';

const folder = mkdtempSync(join(tmpdir(), 'teapot-output-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A new empty folder. */
function fresh(): string {
  return mkdtempSync(join(folder, 'case-'));
}

const mode = (path: string): number => statSync(path).mode & 0o7777;

describe('OutputFile', () => {
  it('F21: a file keeps its mode', async () => {
    const path = join(fresh(), 'a.txt');
    writeFileSync(path, 'old');
    chmodSync(path, 0o600);
    await writeFileSafely(path, ['new']);
    expect([mode(path), readFileSync(path, 'utf8')]).toEqual([0o600, 'new']);
    chmodSync(path, 0o666);
    await writeFileSafely(path, ['newer']);
    expect(mode(path)).toBe(0o666);
  });

  it('F21: a hard link is written through: all names have the new content', async () => {
    const cwd = fresh();
    const [path, other] = [join(cwd, 'a.txt'), join(cwd, 'b.txt')];
    writeFileSync(path, 'a long old content');
    linkSync(path, other);
    await writeFileSafely(path, ['new']);
    expect([readFileSync(path, 'utf8'), readFileSync(other, 'utf8')]).toEqual(['new', 'new']);
    expect(statSync(path).ino).toBe(statSync(other).ino);
    expect(readdirSync(cwd)).toHaveLength(2);
  });

  it('F21: a hard link keeps its content when the run fails', async () => {
    const cwd = fresh();
    const path = join(cwd, 'a.txt');
    writeFileSync(path, 'old');
    linkSync(path, join(cwd, 'b.txt'));
    const file = await OutputFile.open(path);
    await file.write('half');
    await file.discard();
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(cwd)).toHaveLength(2);
  });

  it('F21: the target of a dangling link is created, and the link stays', async () => {
    const cwd = fresh();
    mkdirSync(join(cwd, 'deep'));
    symlinkSync('second', join(cwd, 'first'));
    symlinkSync(join('deep', 'target.txt'), join(cwd, 'second'));
    await writeFileSafely(join(cwd, 'first'), ['new']);
    expect(readFileSync(join(cwd, 'deep/target.txt'), 'utf8')).toBe('new');
    expect(lstatSync(join(cwd, 'first')).isSymbolicLink()).toBe(true);
  });

  it('a circle of links is an error', async () => {
    const cwd = fresh();
    symlinkSync('b', join(cwd, 'a'));
    symlinkSync('a', join(cwd, 'b'));
    await expect(OutputFile.open(join(cwd, 'a'))).rejects.toMatchObject({ code: 'ERR_TEAPOT_WRITE' });
  });

  it('F20: one file is not written twice at a time, under whatever name', async () => {
    const cwd = fresh();
    const path = join(cwd, 'a.txt');
    symlinkSync('a.txt', join(cwd, 'link'));
    const file = await OutputFile.open(path);
    await expect(OutputFile.open(join(cwd, 'link'))).rejects.toMatchObject({
      name: 'UsageError',
      message: `${join(cwd, 'link')}: is written already as ${path}; give each output its own file.`,
    });
    await file.commit();
    await writeFileSafely(join(cwd, 'link'), ['later']);
    expect(readFileSync(path, 'utf8')).toBe('later');
  });

  it('F32: a full disk is an error of the file, from write or commit', async () => {
    const file = await OutputFile.open('/dev/full');
    const writing = async (): Promise<void> => {
      for (let part = 0; part < 100; part += 1) await file.write('x'.repeat(100_000));
      await file.commit();
    };
    await expect(writing()).rejects.toMatchObject({
      code: 'ERR_TEAPOT_WRITE',
      message: "/dev/full can't be written: no space left on device.",
    });
    await file.discard();
  });

  it('F76: temporary files of dead processes are removed, those of living ones stay', async () => {
    const cwd = fresh();
    const file = await OutputFile.open(join(cwd, 'mine.txt'));
    const [mine = ''] = readdirSync(cwd);
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    const other = fresh();
    const named = (id: number): string => mine.replace(`-${process.pid}-`, `-${id}-`);
    for (const name of [named(dead), named(process.ppid), '.teapot-x.tmp']) writeFileSync(join(other, name), 'half');
    await writeFileSafely(join(other, 'a.txt'), ['new']);
    expect(readdirSync(other).toSorted()).toEqual(['.teapot-x.tmp', named(process.ppid), 'a.txt'].toSorted());
    await file.discard();
    expect(existsSync(join(cwd, mine))).toBe(false);
  });
});

describe('fileIdentity', () => {
  it('F20: is one for all names of a file, there or not yet', async () => {
    const cwd = fresh();
    mkdirSync(join(cwd, 'sub'));
    symlinkSync('sub', join(cwd, 'way'));
    writeFileSync(join(cwd, 'sub/there'), '');
    linkSync(join(cwd, 'sub/there'), join(cwd, 'hard'));
    for (const name of ['there', 'not-yet']) {
      const identity = await fileIdentity(join(cwd, 'sub', name));
      expect(identity).toBeDefined();
      expect(await fileIdentity(join(cwd, 'way', '..', 'sub', '.', name))).toBe(identity);
      expect(await fileIdentity(join(cwd, 'way', name))).toBe(identity);
    }
    expect(await fileIdentity(join(cwd, 'hard'))).toBe(await fileIdentity(join(cwd, 'sub/there')));
    expect(await fileIdentity(join(cwd, 'sub', basename(cwd)))).not.toBe(await fileIdentity(join(cwd, 'sub/there')));
    expect(await fileIdentity('/dev/null')).toBeUndefined();
  });
});
