import { ERROR_CODES, UsageError } from '../errors.js';
import type { ON_ERROR } from './vocabulary.js';

/** What happens at a line or row that can't be read. */
export type OnError = (typeof ON_ERROR)[number];

/** How many bad lines the error of `collect` shows; all are counted. */
const SHOWN_ERRORS = 20;

/** Does with the bad lines of one file what `--on-error` says. */
export class BadLines {
  readonly #file: string;
  readonly #onError: OnError;
  readonly #onBadLine: ((error: UsageError) => void) | undefined;
  readonly #shown: string[] = [];
  #count = 0;

  /**
   * @param onError `stop` throws at the first bad line; `skip` goes on; `collect` goes on and throws one error about all
   *   bad lines at the end.
   * @param onBadLine Called with the error of every bad line.
   */
  constructor(file: string, onError: OnError = 'stop', onBadLine?: (error: UsageError) => void) {
    this.#file = file;
    this.#onError = onError;
    this.#onBadLine = onBadLine;
  }

  /**
   * Takes the error of one line.
   *
   * @throws {UsageError} that error, for `stop`.
   */
  add(error: UsageError): void {
    this.#onBadLine?.(error);
    if (this.#onError === 'stop') throw error;
    this.#count += 1;
    if (this.#shown.length < SHOWN_ERRORS) this.#shown.push(error.message);
  }

  /**
   * To be called at the end of the file.
   *
   * @throws {UsageError} `ERR_TEAPOT_FORMAT` with all bad lines, for `collect` when there were any.
   */
  end(): void {
    if (this.#onError !== 'collect' || this.#count === 0) return;
    const more = this.#count > this.#shown.length ? `\n… and ${this.#count - this.#shown.length} more` : '';
    const lines = this.#count === 1 ? '1 line' : `${this.#count} lines`;
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${this.#file}: ${lines} can't be read:\n${this.#shown.join('\n')}${more}`,
    );
  }
}
