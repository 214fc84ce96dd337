import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Reference files outside of the package; absent from a published checkout. */
const ROOT = resolve(import.meta.dirname, '../../shared');

/**
 * Whether the reference files are there. Without them tests that need them are skipped; in CI that is a failure.
 */
export const hasShared = existsSync(ROOT);

if (!hasShared && process.env['CI'] === 'true') throw new Error(`reference files are missing: ${ROOT}`);

/** The path of a reference file. */
export function shared(path: string): string {
  return resolve(ROOT, path);
}

/** A reference file that is JSON. */
export function sharedJson<T>(path: string): T {
  return JSON.parse(readFileSync(shared(path), 'utf8')) as T;
}

/** The names in a folder of reference files, sorted; none when the files are absent. */
export function sharedNames(path: string): string[] {
  return hasShared ? readdirSync(shared(path)).toSorted() : [];
}
