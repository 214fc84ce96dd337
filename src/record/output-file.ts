import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { ERROR_CODES, TeapotError } from '../errors.js';

/** The name of standard output among files. */
export const STDOUT = '-';

/**
 * Writes a file so that a failed run leaves no half file and destroys no old one: the data goes to a temporary file
 * beside it, which gets the name at the end. A name ending in `.gz` or `.zst` is compressed; `-` is standard output.
 *
 * @param path A path, or `-`. A device or pipe (`/dev/null`) is written directly.
 * @param chunks What to write; when it throws, nothing is kept and the error goes on.
 * @throws {TeapotError} `ERR_TEAPOT_WRITE` with the path when it can't be written.
 */
export async function writeFileSafely(
  path: string,
  chunks: AsyncIterable<string | Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  if (path === STDOUT) {
    await writeStdout(chunks);
    return;
  }
  const target = await resolveTarget(path);
  const file = target.isSpecial
    ? target.path
    : join(dirname(target.path), `.${basename(target.path)}.${process.pid}.tmp`);
  // The error of the data goes on as it is; only that of the file gets the file's name.
  let dataError: { readonly error: unknown } | undefined;
  async function* guarded(): AsyncGenerator<string | Uint8Array> {
    try {
      yield* chunks;
    } catch (error) {
      dataError = { error };
      throw error;
    }
  }
  try {
    await pipeline([Readable.from(guarded()), ...compressors(path), createWriteStream(file)], { signal });
    if (!target.isSpecial) await rename(file, target.path);
  } catch (cause) {
    if (!target.isSpecial) await rm(file, { force: true });
    if (dataError !== undefined) throw dataError.error;
    signal?.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TeapotError(ERROR_CODES.WRITE, `${path}: can't be written: ${reason}`, { cause });
  }
}

/** Follows links, so that the file they point to is replaced and not the link. */
async function resolveTarget(path: string): Promise<{ readonly path: string; readonly isSpecial: boolean }> {
  try {
    const target = await realpath(path);
    return { path: target, isSpecial: !(await stat(target)).isFile() };
  } catch {
    return { path, isSpecial: false };
  }
}

function compressors(path: string): NodeJS.ReadWriteStream[] {
  return /\.gz$/iu.test(path) ? [createGzip()] : [];
}

async function writeStdout(chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
  for await (const chunk of chunks) {
    if (process.stdout.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      process.stdout.once('drain', resolve);
    });
  }
}
