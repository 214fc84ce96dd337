import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and what is missing above it; one that is there already is fine.
 *
 * Node's own `mkdir` with `recursive` never ends where a file system answers "no such file" for a folder inside one that
 * exists, as `/proc` does.
 *
 * @throws {NodeJS.ErrnoException} when it can't be made, or a file has its name.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(resolve(path));
  if (parent !== resolve(path)) await makeFolder(parent);
  try {
    await mkdir(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
