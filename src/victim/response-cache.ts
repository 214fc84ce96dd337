import { setTimeout } from 'node:timers/promises';

import { ERROR_CODES, TeapotError } from '../errors.js';
import { callNative } from '../native.js';
import type { AnswerFile } from '../native.js';
import type { Answer } from './victim.js';

/** Keeps answers by key; the first answer put under a key stays. */
export interface AnswerStore {
  /** The answer under a key, or undefined. */
  get(key: string): Answer | undefined;
  /** Keeps an answer, unless there is one already; returns the one that is kept. */
  put(key: string, answer: Answer): Answer;
}

/**
 * Keeps answers for the life of the process.
 *
 * @param most The most answers that are kept, from 1: beyond, the oldest one is forgotten and its question is asked again. Default
 *   Infinity.
 */
export function memoryStore(most = Number.POSITIVE_INFINITY): AnswerStore {
  const answers = new Map<string, Answer>();
  return {
    get: (key) => answers.get(key),
    put(key, answer) {
      const kept = answers.get(key);
      if (kept !== undefined) return kept;
      answers.set(key, answer);
      const [oldest] = answers.size > most ? answers.keys() : [];
      if (oldest !== undefined) answers.delete(oldest);
      return answer;
    },
  };
}

/** How long one process waits for another that is making the same file, and how often it looks. */
const BUSY_MS = 15_000;
const LOOK_MS = 20;

/**
 * Answers of victims in a SQLite file: they outlive the run, so that a killed run goes on where it was.
 *
 * `put` returns when the answer is in the file: it survives the death of the process at any moment (write-ahead log with
 * `synchronous = NORMAL`; 26 µs a put, where an fsync each would be 6 ms). After a power failure the last answers may be
 * missing and are asked again; the file is never damaged. Several processes may use one file at once; the first answer to a
 * question stays, so that all of them see the same.
 *
 * The file holds hashes of the questions and the answers: no key of an endpoint, no text of a question.
 */
export class ResponseCache implements AnswerStore {
  readonly #path: string;
  readonly #file: AnswerFile;
  #isOpen = true;

  private constructor(path: string, file: AnswerFile) {
    this.#path = path;
    this.#file = file;
  }

  /**
   * Opens a cache; makes the file when there is none.
   *
   * @param path Its folder must exist. `-wal` and `-shm` files stand beside it while it is open, and belong to it.
   * @throws {UsageError} `ERR_TEAPOT_FORMAT` when the file is something else, or a cache of another version.
   * @throws {TeapotError} `ERR_TEAPOT_READ` when it can't be opened.
   */
  static async open(path: string): Promise<ResponseCache> {
    for (const until = performance.now() + BUSY_MS; ;) {
      const file = callNative((binding) => binding.AnswerFile.open(path));
      if (file !== null) return new ResponseCache(path, file);
      if (performance.now() > until) {
        throw new TeapotError(ERROR_CODES.READ, `${path} can't be opened as a cache: another process holds it`);
      }
      await setTimeout(LOOK_MS);
    }
  }

  /** @throws {TeapotError} `ERR_TEAPOT_READ` when the file can't be read any more. */
  get(key: string): Answer | undefined {
    this.#checkOpen();
    try {
      const answer = this.#file.get(key);
      return answer === null ? undefined : (JSON.parse(answer) as Answer);
    } catch (cause) {
      throw new TeapotError(ERROR_CODES.READ, `${this.#path} can't be read: ${reason(cause)}`, { cause });
    }
  }

  /** @throws {TeapotError} `ERR_TEAPOT_WRITE` when the file can't be written: the disk is full, another process holds it. */
  put(key: string, answer: Answer): Answer {
    this.#checkOpen();
    try {
      if (this.#file.put(key, JSON.stringify(answer))) return answer;
    } catch (cause) {
      throw new TeapotError(ERROR_CODES.WRITE, `${this.#path} can't be written: ${reason(cause)}`, { cause });
    }
    return this.get(key) ?? answer;
  }

  /** The number of answers in the file. */
  get size(): number {
    this.#checkOpen();
    return this.#file.count();
  }

  /**
   * Closes the cache, so that all of it is in the one file and a copy of that is complete. The `-wal` and `-shm` files beside it may stay
   * until the process ends. Safe to call twice.
   */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#file.close();
  }

  #checkOpen(): void {
    if (!this.#isOpen) throw new TeapotError(ERROR_CODES.INTERNAL, `${this.#path} was closed`);
  }
}

function reason(cause: unknown): string {
  return cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
}
