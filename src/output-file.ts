import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PassThrough, Transform } from 'node:stream';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { ERROR_CODES, TeapotError } from './errors.js';
import { native } from './native.js';

/** The name of standard output among files. */
export const STDOUT = '-';

/**
 * A file that appears under its name only when it is complete: it is written beside it and renamed at the end. A failed
 * run leaves no half file and destroys no old one. A name ending in `.gz` or `.zst` is compressed.
 */
export class OutputFile {
  readonly #path: string;
  readonly #temporary: string | undefined;
  readonly #stream: Writable;
  /** Settles when all that was written is in the file. */
  readonly #done: Promise<void>;
  #failure: Error | undefined;
  #isOpen = true;

  private constructor(path: string, temporary: string | undefined, stream: Writable, done: Promise<void>) {
    this.#path = path;
    this.#temporary = temporary;
    this.#stream = stream;
    this.#done = done;
    done.catch((error: Error) => {
      this.#failure ??= error;
    });
  }

  /**
   * Opens a file for writing, at the start of a run: a path that can't be written is found before the work.
   *
   * @param path A device or a pipe (`/dev/stdout`) is written directly; `-` is standard output.
   * @throws {TeapotError} `ERR_TEAPOT_WRITE` when it can't be opened.
   */
  static async open(path: string): Promise<OutputFile> {
    if (path === STDOUT) return new OutputFile(path, undefined, process.stdout, Promise.resolve());
    try {
      const existing = await stat(path).catch(() => undefined);
      if (existing?.isDirectory() === true) throw new Error('it is a directory');
      const direct = existing !== undefined && !existing.isFile();
      // Through a link, so that the link stays and its target is replaced.
      const target = existing === undefined || direct ? path : await realpath(path);
      const hidden = `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`;
      const temporary = direct ? undefined : join(dirname(target), hidden);
      const file = createWriteStream(temporary ?? target, { flags: temporary === undefined ? 'w' : 'wx' });
      await once(file, 'open');
      const head = compressor(path);
      return new OutputFile(target, temporary, head, pipeline(head, file));
    } catch (cause) {
      throw writeError(path, cause);
    }
  }

  /** Writes text (as UTF-8) or bytes; waits while the disk is slower than the work. */
  async write(data: string | Uint8Array): Promise<void> {
    if (this.#failure !== undefined) throw writeError(this.#path, this.#failure);
    if (!this.#stream.write(data)) await Promise.race([once(this.#stream, 'drain'), this.#failed()]);
  }

  /** Completes the file: from now on it has its name. */
  async commit(): Promise<void> {
    if (this.#path === STDOUT) return;
    try {
      this.#stream.end();
      await this.#done;
      if (this.#temporary !== undefined) await rename(this.#temporary, this.#path);
      this.#isOpen = false;
    } catch (cause) {
      throw writeError(this.#path, cause);
    }
  }

  /** Gives the file up: nothing stays of it. Safe to call at any time, also after `commit`. */
  async discard(): Promise<void> {
    if (!this.#isOpen || this.#path === STDOUT) return;
    this.#isOpen = false;
    this.#stream.destroy();
    await this.#done.catch(() => undefined);
    if (this.#temporary !== undefined) await rm(this.#temporary, { force: true });
  }

  async #failed(): Promise<never> {
    try {
      await this.#done;
    } catch (cause) {
      throw writeError(this.#path, cause);
    }
    // The file is complete: nobody waits for room in it.
    return new Promise(() => {});
  }
}

/**
 * Writes a whole stream to a file, safely as {@link OutputFile} does.
 *
 * @param chunks What to write; when it throws, nothing is kept and its error goes on.
 * @throws {TeapotError} `ERR_TEAPOT_WRITE` with the path when it can't be written.
 */
export async function writeFileSafely(
  path: string,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  const file = await OutputFile.open(path);
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      await file.write(chunk);
    }
    await file.commit();
  } finally {
    await file.discard();
  }
}

function compressor(path: string): Transform {
  if (/\.gz$/iu.test(path)) return createGzip();
  return /\.zst$/iu.test(path) ? createZstd() : new PassThrough();
}

function createZstd(): Transform {
  const { ZstdEncoder } = native();
  const encoder = new ZstdEncoder();
  return new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => done(null, encoder.write(chunk)),
    flush: (done) => done(null, encoder.finish()),
  });
}

function writeError(path: string, cause: unknown): TeapotError {
  const reason =
    cause instanceof Error ? cause.message.replace(/^[A-Z]+: /, '').replace(/, \w+ '.*'$/s, '') : String(cause);
  return new TeapotError(ERROR_CODES.WRITE, `${path} can't be written: ${reason}.`, { cause });
}
