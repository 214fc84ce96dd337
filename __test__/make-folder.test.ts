import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../src/make-folder.js';
import { temporaryFolder } from './helpers/cli.js';

const folder = temporaryFolder();

describe('makeFolder', () => {
  it('makes what is missing above, also twice and from several places at once', async () => {
    const path = join(folder.path, 'a/b/c');
    await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(path, 'd'))]);
    await makeFolder(path);
    expect(statSync(join(path, 'd')).isDirectory()).toBe(true);
  });

  it('refuses a name that a file has', async () => {
    writeFileSync(join(folder.path, 'file'), '');
    await expect(makeFolder(join(folder.path, 'file'))).rejects.toThrow('EEXIST');
    await expect(makeFolder(join(folder.path, 'file/below'))).rejects.toThrow(/EEXIST|ENOTDIR/);
  });

  // Node's recursive mkdir never ends there.
  it.skipIf(!existsSync('/proc/self'))('refuses a file system that makes no folders', async () => {
    await expect(makeFolder('/proc/teapot')).rejects.toThrow('ENOENT');
  });
});
