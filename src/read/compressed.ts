import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

import { ERROR_CODES, TeapotError, UsageError } from '../errors.js';
import { native } from '../native.js';

/**
 * Decompresses a stream that is gzip or zstd, told by its first bytes; anything else passes unchanged.
 *
 * A file may have several members or frames, as `cat a.gz b.gz` makes; a gzip file also zero bytes behind the last one.
 *
 * @param chunks The file's bytes.
 * @param name The file's name, for errors; the ending `.gz` or `.zst` without such data is one.
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
  if (isZstd(magic)) {
    yield* unzstd(all, name);
    return;
  }
  const claimed = /\.(gz|zst)$/iu.exec(name)?.[1]?.toLowerCase();
  if (claimed !== undefined) {
    const format = claimed === 'gz' ? 'gzip' : 'zstd';
    throw new UsageError(ERROR_CODES.FORMAT, `${name}: not ${format} data, though the name ends in .${claimed}`);
  }
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
  const counts = { bytes: 0, lastNonZero: 0 };
  const input = Readable.from(counted(chunks, counts), { objectMode: false });
  const output = createGunzip({ chunkSize: 256 * 1024 });
  // An error of the file itself goes through the decompressor, so that the reader below sees it.
  input.on('error', (error) => output.destroy(error));
  input.pipe(output);
  try {
    yield* output as AsyncIterable<Uint8Array>;
    // Zero bytes may pad the end; what stands after them is lost on the decompressor.
    input.unpipe(output);
    for await (const _ of input) if (counts.lastNonZero > output.bytesWritten) break;
    if (counts.lastNonZero > output.bytesWritten) {
      const message = `${name}: after ${output.bytesWritten} bytes of gzip data come zero bytes and then more data: the file is damaged, or several files were put together`;
      throw new UsageError(ERROR_CODES.FORMAT, message);
    }
  } catch (cause) {
    if (cause instanceof TeapotError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(ERROR_CODES.FORMAT, `${name}: damaged or cut off gzip data: ${reason}`, { cause });
  } finally {
    input.destroy();
    output.destroy();
  }
}

/** Counts bytes, and remembers where the last one that is not zero ends. */
async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  counts: { bytes: number; lastNonZero: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    let end = chunk.length;
    while (end > 0 && chunk[end - 1] === 0) end -= 1;
    if (end > 0) counts.lastNonZero = counts.bytes + end;
    counts.bytes += chunk.length;
    yield chunk;
  }
}

/** The magic number of a frame, or one of the sixteen of frames that are skipped. */
function isZstd(magic: Buffer): boolean {
  if (magic.length < 4) return false;
  const number = magic.readUInt32LE();
  return number === 0xfd2f_b528 || (number & 0xffff_fff0) === 0x184d_2a50;
}

async function* unzstd(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const { ZstdDecoder } = native();
  const decoder = new ZstdDecoder();
  for await (const chunk of chunks) {
    let offset = 0;
    let more = true;
    while (offset < chunk.length || more) {
      const step = stepOf(decoder, chunk, offset, name);
      offset += step.consumed;
      more = step.more;
      if (step.output.length > 0) yield step.output;
    }
  }
  if (!decoder.isComplete) throw new UsageError(ERROR_CODES.FORMAT, `${name}: zstd data that is cut off`);
}

function stepOf(
  decoder: InstanceType<ReturnType<typeof native>['ZstdDecoder']>,
  chunk: Uint8Array,
  offset: number,
  name: string,
): { readonly consumed: number; readonly output: Uint8Array; readonly more: boolean } {
  try {
    return decoder.step(chunk, offset);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(ERROR_CODES.FORMAT, `${name}: damaged zstd data: ${reason}`, { cause });
  }
}
