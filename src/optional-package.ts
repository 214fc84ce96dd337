import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ERROR_CODES, UsageError } from './errors.js';
import { packagesOfModels } from './model-folder.js';

/**
 * Finds a package that teapot can use but does not install: in the current folder, beside teapot, or among those that
 * `teapot models --setup` installed.
 *
 * @returns The folder of the package; undefined when nobody has installed it.
 */
export function packageFolder(name: string): string | undefined {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url, packagesOfModels()]) {
    const folders = createRequire(from).resolve.paths(name) ?? [];
    for (const folder of folders) {
      try {
        return dirname(createRequire(from).resolve(join(folder, name, 'package.json')));
      } catch {
        // Not there: the next place, or none.
      }
    }
  }
  return undefined;
}

/** Tells whether all of these packages are installed. */
export function areInstalled(names: readonly string[]): boolean {
  return names.every((name) => packageFolder(name) !== undefined);
}

/** Name and version of a package, for signatures; `undefined` stands for the version when it is not installed. */
export async function packageVersion(name: string): Promise<string> {
  const folder = packageFolder(name);
  const text = folder === undefined ? '{}' : await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
  return `${name}@${String((Object(JSON.parse(text)) as { readonly version?: unknown }).version)}`;
}

/**
 * Loads such a package.
 *
 * @param what What needs it, for the message.
 * @param install The command that installs it.
 * @throws {UsageError} `ERR_TEAPOT_RESOURCE` when it is not installed or can't be loaded here.
 */
export async function importPackage(name: string, what: string, install: string): Promise<unknown> {
  const folder = packageFolder(name);
  if (folder === undefined) {
    throw new UsageError(ERROR_CODES.RESOURCE, `${what} needs the package ${name}, which is not installed: ${install}`);
  }
  try {
    const entry = createRequire(join(folder, 'package.json')).resolve(name);
    return (await import(pathToFileURL(entry).href)) as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    throw new UsageError(
      ERROR_CODES.RESOURCE,
      `${what}: the package ${name} in ${folder} can't be loaded (${reason}): ${install}`,
      { cause },
    );
  }
}
