import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';

import { decompress } from './compressed.js';
import { ERROR_CODES, TeapotError, UsageError } from '../errors.js';
import { readBlocks, readLines } from './lines.js';
import type { LineOptions, SourceBlock, SourceLine } from './lines.js';
import { isLatin1, transcode } from './transcode.js';

/** The name of standard input among files. */
export const STDIN = '-';

/** How much of a file is looked at to tell what it is, in bytes. */
const HEAD_BYTES = 64 * 1024;

/** How much is read at a time, in bytes. */
const CHUNK_BYTES = 256 * 1024;

/** Options of {@link openSource}. */
export interface SourceOptions {
  /** Name of the encoding: `utf-8` (default), `latin-1`, or any label that `TextDecoder` knows. */
  readonly encoding?: string | undefined;
  /** Stands for standard input when the path is `-`. Default `process.stdin`. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  /** Called with every portion of the file's own bytes as they are read, before they are decompressed: for a hash. */
  readonly onBytes?: ((bytes: Uint8Array) => void) | undefined;
  /** Stops the reading. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called once, at the end, with the number of bytes 0x80 to 0x9F of a file that is read as latin-1: they are control
   * characters there, and letters and quotes in windows-1252.
   */
  readonly onControlBytes?: ((count: number) => void) | undefined;
}

/** A file, or standard input, as a stream of decompressed UTF-8 that can be looked at before it is read. */
export interface SourceFile {
  /** The file as the user named it; `<stdin>` for standard input. */
  readonly name: string;
  /** The path, or undefined for standard input. */
  readonly path: string | undefined;
  /** The first part of the text (up to 64 KiB), without a byte order mark; the last line may be cut off. */
  head(): Promise<string>;
  /** All bytes: decompressed, UTF-8 unless the encoding was named. Can be read once. */
  chunks(): AsyncIterable<Uint8Array>;
  /** All text in blocks of whole lines; see {@link readBlocks}. Can be read once, instead of `chunks`. */
  blocks(options?: Omit<LineOptions, 'file'>): AsyncIterable<SourceBlock>;
  /** All lines, in batches; see {@link readLines}. Can be read once, instead of `chunks`. */
  lines(options?: Omit<LineOptions, 'file'>): AsyncIterable<readonly SourceLine[]>;
}

/**
 * Opens a file (plain, gzip or zstd, told by its first bytes) or standard input (`-`).
 *
 * Nothing is read before the first `head`, `chunks` or `lines`.
 *
 * @param path A path, or `-`.
 * @throws {TeapotError} On reading: `ERR_TEAPOT_READ` when the file can't be opened or read, `ERR_TEAPOT_FORMAT` when
 *   compressed data is damaged or cut off; both name the file.
 */
export function openSource(path: string, options: SourceOptions = {}): SourceFile {
  const name = path === STDIN ? '<stdin>' : path;
  const raw = path === STDIN ? standardInput(options) : fileChunks(path, options.signal);
  const plain = toUtf8(decompress(seen(named(raw, name), options.onBytes), name), name, options);
  const iterator = plain[Symbol.asyncIterator]();
  const peeked: Uint8Array[] = [];
  let ended = false;

  async function head(): Promise<string> {
    let bytes = peeked.reduce((sum, chunk) => sum + chunk.length, 0);
    while (!ended && bytes < HEAD_BYTES) {
      const next = await iterator.next();
      if (next.done === true) ended = true;
      else {
        peeked.push(next.value);
        bytes += next.value.length;
      }
    }
    return withoutBom(Buffer.concat(peeked).subarray(0, HEAD_BYTES).toString('utf8'));
  }

  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      while (peeked.length > 0) yield peeked.shift() as Uint8Array;
      while (!ended) {
        const next = await iterator.next();
        if (next.done === true) ended = true;
        else yield next.value;
      }
    } finally {
      // A reader that stops early closes the file.
      await iterator.return?.(undefined);
    }
  }

  return {
    name,
    path: path === STDIN ? undefined : path,
    head,
    chunks,
    blocks: (lineOptions) => readBlocks(chunks(), { ...lineOptions, file: name }),
    lines: (lineOptions) => readLines(chunks(), { ...lineOptions, file: name }),
  };
}

/** Reads a small file whole, for formats that are one JSON document. */
export async function readText(source: SourceFile, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source.chunks()) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new UsageError(
        ERROR_CODES.FORMAT,
        `${source.name}: one JSON document of more than ${maxBytes} bytes: write it as JSONL, one object a line`,
      );
    }
    parts.push(chunk);
  }
  return withoutBom(Buffer.concat(parts).toString('utf8'));
}

function withoutBom(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Opens the file at the first read: an error of a stream that nobody reads yet would end the process. */
async function* fileChunks(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: CHUNK_BYTES, signal }) as AsyncIterable<Uint8Array>;
}

async function* standardInput({ stdin, signal }: SourceOptions): AsyncGenerator<Uint8Array> {
  // Waiting for a pipe ends as soon as the signal says so, not at the next chunk.
  const chunks = stdin ?? (signal === undefined ? process.stdin : addAbortSignal(signal, process.stdin));
  for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
    signal?.throwIfAborted();
    yield chunk;
  }
}

async function* seen(chunks: AsyncIterable<Uint8Array>, onBytes: SourceOptions['onBytes']): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes?.(chunk);
    yield chunk;
  }
}

/** Gives the errors of the file system the name of the file and a code. */
async function* named(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name === 'AbortError') throw cause;
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') throw new UsageError(ERROR_CODES.READ, `${name}: no such file`, { cause });
    if (code === 'EISDIR') throw new UsageError(ERROR_CODES.READ, `${name}: a directory, not a file`, { cause });
    throw new TeapotError(ERROR_CODES.READ, `${name}: can't be read: ${cause.message}`, { cause });
  }
}

/** Turns any encoding into UTF-8; UTF-8 itself passes as it is, so that bad bytes are found with their place. */
async function* toUtf8(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  { encoding = 'utf-8', onControlBytes }: SourceOptions,
): AsyncGenerator<Uint8Array> {
  const label = encoding.toLowerCase();
  if (label === 'utf-8' || label === 'utf8') {
    yield* chunks;
    return;
  }
  if (isLatin1(label)) {
    // The web's label "latin1" means windows-1252; here it is what it says.
    let controls = 0;
    for await (const chunk of chunks) {
      for (const byte of chunk) if (byte >= 0x80 && byte <= 0x9f) controls += 1;
      yield Buffer.from(Buffer.from(chunk).toString('latin1'), 'utf8');
    }
    if (controls > 0) onControlBytes?.(controls);
    return;
  }
  yield* transcode(chunks, encoding, name);
}
