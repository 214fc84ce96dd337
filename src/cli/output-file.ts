import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { ERROR_CODES, TeapotError } from '../errors.js';

/**
 * A file that appears under its name only when it is complete: it is written beside it and renamed at the end. A failed
 * run leaves no half file and destroys no old one.
 */
export class OutputFile {
  readonly #path: string;
  readonly #temporary: string | undefined;
  readonly #stream: WriteStream;
  #failure: Error | undefined;

  private constructor(path: string, temporary: string | undefined, stream: WriteStream) {
    this.#path = path;
    this.#temporary = temporary;
    this.#stream = stream;
    stream.on('error', (error) => {
      this.#failure ??= error;
    });
  }

  /**
   * Opens a file for writing, at the start of a run: a path that can't be written is found before the work.
   *
   * @param path A device or a pipe (`/dev/stdout`) is written directly.
   * @throws {TeapotError} `ERR_TEAPOT_WRITE` when it can't be opened.
   */
  static async open(path: string): Promise<OutputFile> {
    try {
      const existing = await stat(path).catch(() => undefined);
      if (existing?.isDirectory() === true) throw new Error('it is a directory');
      const direct = existing !== undefined && !existing.isFile();
      // Through a link, so that the link stays and its target is replaced.
      const target = existing === undefined ? path : await realpath(path);
      const hidden = `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`;
      const temporary = direct ? undefined : join(dirname(target), hidden);
      const stream = createWriteStream(temporary ?? target, { flags: temporary === undefined ? 'w' : 'wx' });
      await once(stream, 'open');
      return new OutputFile(target, temporary, stream);
    } catch (cause) {
      throw writeError(path, cause);
    }
  }

  /** Writes text; waits while the disk is slower than the work. */
  async write(text: string): Promise<void> {
    if (this.#failure !== undefined) throw writeError(this.#path, this.#failure);
    if (!this.#stream.write(text)) await Promise.race([once(this.#stream, 'drain'), this.#failed()]);
  }

  /** Completes the file: from now on it has its name. */
  async commit(): Promise<void> {
    try {
      this.#stream.end();
      await finished(this.#stream);
      if (this.#temporary !== undefined) await rename(this.#temporary, this.#path);
    } catch (cause) {
      throw writeError(this.#path, cause);
    }
  }

  /** Gives the file up: nothing stays of it. Safe to call at any time, also after `commit`. */
  async discard(): Promise<void> {
    if (this.#stream.closed && this.#failure === undefined) return;
    this.#stream.destroy();
    if (this.#temporary !== undefined) await rm(this.#temporary, { force: true });
  }

  async #failed(): Promise<never> {
    const [error] = (await once(this.#stream, 'error')) as [Error];
    throw writeError(this.#path, error);
  }
}

function writeError(path: string, cause: unknown): TeapotError {
  const reason =
    cause instanceof Error ? cause.message.replace(/^[A-Z]+: /, '').replace(/, \w+ '.*'$/s, '') : String(cause);
  return new TeapotError(ERROR_CODES.WRITE, `${path} can't be written: ${reason}.`, { cause });
}
