import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SHARED = new URL('../../../shared/', import.meta.url);

/** Whether the test data beside the repository is there. CI must have it; elsewhere tests that need it are skipped. */
export function hasShared(): boolean {
  const found = existsSync(SHARED);
  if (!found && process.env['CI'] === 'true') throw new Error('the shared test data is missing');
  if (!found) process.stderr.write('skipped: the shared test data is not there\n');
  return found;
}

/** The path of a file of the shared test data. */
export function sharedPath(path: string): string {
  return fileURLToPath(new URL(path, SHARED));
}

/** The names of the folders in a folder of the shared test data. */
export function sharedFolders(path: string): string[] {
  return hasShared() ? readdirSync(sharedPath(path)).toSorted() : [];
}

/** A JSON file of the shared test data. */
export function sharedJson<T>(path: string): T {
  return JSON.parse(readFileSync(sharedPath(path), 'utf8')) as T;
}
