import { Unzip, UnzipInflate, UnzipPassThrough } from 'fflate';
import type { UnzipDecoder } from 'fflate';

import { ERROR_CODES, UsageError } from '../../../errors.js';
import { native } from '../../../native.js';

/** How much all files of an archive may unpack to: they are held in memory. */
const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024;

/** Zstandard (method 93) in an archive, by the decoder of the core. */
class UnzipZstd implements UnzipDecoder {
  static readonly compression = 93;
  ondata: UnzipDecoder['ondata'] = () => {};
  readonly #decoder = new (native().ZstdDecoder)();

  push(chunk: Uint8Array, final: boolean): void {
    try {
      let offset = 0;
      let more = true;
      while (offset < chunk.length || more) {
        const step = this.#decoder.step(chunk, offset);
        offset += step.consumed;
        more = step.more;
        if (step.output.length > 0) this.ondata(null, new Uint8Array(step.output), false);
      }
      if (final && !this.#decoder.isComplete) throw new Error('the Zstandard data is cut off');
    } catch (cause) {
      this.ondata(cause as Error as never, new Uint8Array(), true);
      return;
    }
    if (final) this.ondata(null, new Uint8Array(), true);
  }
}

/** Whether a file is an archive: it starts as one. */
export function isArchive(head: string): boolean {
  return head.startsWith('PK\u0003\u0004');
}

/**
 * Unpacks an archive (stored, Deflate, Zstandard) as a stream, file by file; the list at its end isn't needed, so that an
 * archive that was cut off gives the files before the cut.
 *
 * @param name Its name, for errors.
 * @returns The texts by their names in the archive, and whether the archive ends where it should.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` when a file is packed in another way, is damaged, or all are too large.
 */
export async function unpack(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): Promise<{ readonly files: ReadonlyMap<string, string>; readonly isComplete: boolean }> {
  const files = new Map<string, string>();
  const open = new Set<string>();
  let bytes = 0;
  let tail = Buffer.alloc(0);
  const unzip = new Unzip((file) => {
    const parts: Uint8Array[] = [];
    open.add(file.name);
    file.ondata = (error, data, final) => {
      if (error !== null) throw damaged(name, `${file.name}: ${error.message}`, error);
      bytes += data.length;
      if (bytes > MAX_UNPACKED_BYTES) throw damaged(name, `its files unpack to more than ${MAX_UNPACKED_BYTES} bytes`);
      parts.push(data);
      if (!final) return;
      open.delete(file.name);
      // A file that was written anew counts as it was written last.
      files.set(file.name, Buffer.concat(parts).toString('utf8'));
    };
    try {
      file.start();
    } catch (cause) {
      if (cause instanceof UsageError) throw cause;
      throw damaged(name, `${file.name}: ${(cause as Error).message}`, cause);
    }
  });
  for (const decoder of [UnzipPassThrough, UnzipInflate, UnzipZstd]) unzip.register(decoder);
  for await (const chunk of chunks) {
    try {
      unzip.push(chunk);
    } catch (cause) {
      if (cause instanceof UsageError) throw cause;
      throw damaged(name, (cause as Error).message, cause);
    }
    tail = Buffer.concat([tail, chunk]).subarray(-65_558);
  }
  return { files, isComplete: open.size === 0 && tail.includes('PK\u0005\u0006') };
}

function damaged(name: string, reason: string, cause?: unknown): UsageError {
  return new UsageError(ERROR_CODES.FORMAT, `${name}: no archive that can be read: ${reason}`, { cause });
}
