import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

import { ERROR_CODES, TeapotError, UsageError } from '../errors.js';

/**
 * Decompresses a stream that is gzip, told by its first bytes; anything else passes unchanged.
 *
 * A gzip file may have several members, as `cat a.gz b.gz` makes, and zero bytes behind the last one.
 *
 * @param chunks The file's bytes.
 * @param name The file's name, for errors; the ending `.gz` without gzip data is one.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` when the data is damaged or cut off.
 */
export async function* decompress(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < 4) {
    const next = await iterator.next();
    if (next.done === true) break;
    first.push(next.value);
    bytes += next.value.length;
  }
  const magic = Buffer.concat(first).subarray(0, 4);
  const all = joined(first, iterator);
  if (magic[0] === 0x1f && magic[1] === 0x8b) {
    yield* gunzip(all, name);
    return;
  }
  if (/\.gz$/iu.test(name))
    throw new UsageError(ERROR_CODES.FORMAT, `${name}: not gzip data, though the name ends in .gz`);
  yield* all;
}

async function* joined(first: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* gunzip(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const input = Readable.from(chunks, { objectMode: false });
  const output = createGunzip({ chunkSize: 256 * 1024 });
  // An error of the file itself goes through the decompressor, so that the reader below sees it.
  input.on('error', (error) => output.destroy(error));
  input.pipe(output);
  try {
    yield* output as AsyncIterable<Uint8Array>;
  } catch (cause) {
    if (cause instanceof TeapotError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(ERROR_CODES.FORMAT, `${name}: damaged or cut off gzip data: ${reason}`, { cause });
  } finally {
    input.destroy();
    output.destroy();
  }
}
