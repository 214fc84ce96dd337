import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { unlessAborted } from '../abort.js';
import { ERROR_CODES, UsageError } from '../errors.js';
import { describe, quote } from '../score/pairs.js';
import { fileDigest } from '../digest.js';
import { DEFAULT_SILENCE_MS } from '../score/line-program.js';
import { readAnswer } from './read-answer.js';
import { endsRun, VictimError } from './victim-error.js';
import type { Answer, AnswerOptions, Victim } from './victim.js';

/** A value that may also come later. */
type Awaitable<T> = T | Promise<T>;

/** What a module may give as an answer: an output, or an output with scores. */
export type ModuleAnswer = string | number | Answer;

/** What the module of a victim exports, by name or as its default; a default function is `answer`. */
export interface ModuleVictim {
  /** Answers one input. */
  answer?(input: string, options: ModuleAnswerOptions): Awaitable<ModuleAnswer>;
  /** Answers many inputs at once, in their order. Preferred when both are there. */
  answerBatch?(inputs: readonly string[], options: ModuleAnswerOptions): Awaitable<readonly ModuleAnswer[]>;
  /** The most inputs of one call of `answerBatch`. Default 64. */
  readonly batchSize?: number;
  /** What records call `model`. Default is the module's path. */
  readonly name?: string;
  /** What else can change the answers (the version of a model file, a setting): part of cache keys. */
  readonly signature?: string;
  /** True when its answers cost nothing and are always the same: then no run keeps them. Default false. */
  readonly isFree?: boolean;
  /** Ends what the module started. */
  close?(): Awaitable<void>;
}

/** What a module is told beside the inputs. */
export interface ModuleAnswerOptions {
  /** Aborts when the answer is not wanted any more. */
  readonly signal: AbortSignal | undefined;
  /** Which repetition of the question this is, from 0. */
  readonly repeat: number;
}

const DEFAULT_BATCH = 64;

/**
 * Loads a victim that is an ES module with `answer(input)` or `answerBatch(inputs)`, sync or async.
 *
 * The signature covers the text of the module itself; for what it reads besides, it exports `signature`.
 *
 * @param source Path relative to the current folder, or a `file:` URL.
 * @param silenceMs How long one call may take, in milliseconds. Default 300,000.
 * @throws {UsageError} `ERR_TEAPOT_READ` when the module can't be loaded (its own error is the cause); `ERR_TEAPOT_FORMAT`
 *   when it exports no victim.
 */
export async function loadModuleVictim(source: string, silenceMs = DEFAULT_SILENCE_MS): Promise<Victim> {
  const url = source.startsWith('file:') ? source : pathToFileURL(isAbsolute(source) ? source : resolve(source)).href;
  let namespace: Readonly<Record<string, unknown>>;
  try {
    namespace = (await import(url)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new UsageError(ERROR_CODES.READ, `${source} can't be loaded as a module: ${firstLine(cause)}`, { cause });
  }
  const victim = checkExports(source, namespace);
  const version = (await fileDigest(fileURLToPath(url))) ?? '';
  const signature = JSON.stringify(['module', source, version, victim.signature ?? '']);
  return new VictimOfModule(source, victim, signature, silenceMs);
}

function checkExports(source: string, namespace: Readonly<Record<string, unknown>>): ModuleVictim {
  const main = namespace['default'];
  const exported =
    typeof main === 'function' ? { ...namespace, answer: main } : typeof main === 'object' ? main : namespace;
  const victim = Object(exported) as Readonly<Record<keyof ModuleVictim, unknown>>;
  for (const member of ['answer', 'answerBatch', 'close'] as const) {
    if (victim[member] !== undefined && typeof victim[member] !== 'function') {
      throw format(source, `${member} is ${describe(victim[member])}, expected a function`);
    }
  }
  if (victim.answer === undefined && victim.answerBatch === undefined) {
    throw format(
      source,
      'exports no victim; expected `export function answer(input) { return "label"; }` or answerBatch',
    );
  }
  for (const member of ['name', 'signature'] as const) {
    if (victim[member] !== undefined && typeof victim[member] !== 'string') {
      throw format(source, `${member} is ${describe(victim[member])}, expected a text`);
    }
  }
  if (victim.isFree !== undefined && typeof victim.isFree !== 'boolean') {
    throw format(source, `isFree is ${describe(victim.isFree)}, expected true or false`);
  }
  const { batchSize } = victim;
  if (batchSize !== undefined && !(Number.isSafeInteger(batchSize) && (batchSize as number) > 0)) {
    throw format(source, `batchSize is ${describe(batchSize)}, expected a count from 1`);
  }
  return victim as ModuleVictim;
}

/** A user's module behind our interface; everything it answers is checked. */
class VictimOfModule implements Victim {
  readonly kind = 'module';
  readonly name: string;
  readonly signature: string;
  readonly isFree: boolean;
  readonly #source: string;
  readonly #victim: ModuleVictim;
  readonly #silenceMs: number;

  constructor(source: string, victim: ModuleVictim, signature: string, silenceMs: number) {
    this.name = victim.name ?? source;
    this.signature = signature;
    this.isFree = victim.isFree === true;
    this.#source = source;
    this.#victim = victim;
    this.#silenceMs = silenceMs;
  }

  async answer(inputs: readonly string[], options: AnswerOptions = {}): Promise<readonly Answer[]> {
    const { signal, repeat = 0 } = options;
    const isBatch = this.#victim.answerBatch !== undefined;
    const size = isBatch ? (this.#victim.batchSize ?? DEFAULT_BATCH) : 1;
    const answers: Answer[] = [];
    for (let start = 0; start < inputs.length; start += size) {
      signal?.throwIfAborted();
      const batch = inputs.slice(start, start + size);
      try {
        const asked = this.#ask(batch, isBatch, { signal, repeat });
        // What is there already needs no wait: one for each text costs more than many a victim.
        const values = asked instanceof Promise ? await asked : asked;
        for (const [index, input] of batch.entries()) {
          const answer = readAnswer(values[index]);
          if (typeof answer === 'string') {
            const error = this.#error(`${answer}, to ${quote(input)}`);
            if (options.onFailure === undefined) throw error;
            options.onFailure(start + index, error);
            continue;
          }
          answers[start + index] = answer;
          options.onAnswer?.(start + index, answer);
        }
      } catch (error) {
        // Which of several inputs a batch failed at, it doesn't say.
        if (options.onFailure === undefined || endsRun(error) || batch.length > 1) throw error;
        options.onFailure(start, error as VictimError);
      }
      options.onProgress?.(Math.min(start + size, inputs.length), inputs.length);
    }
    return answers;
  }

  async close(): Promise<void> {
    await this.#victim.close?.();
  }

  /** Asks the module: the answers, or a promise of them where the module gave one. */
  #ask(
    batch: readonly string[],
    isBatch: boolean,
    options: ModuleAnswerOptions,
  ): readonly unknown[] | Promise<readonly unknown[]> {
    try {
      const [first = ''] = batch;
      const answering: unknown = isBatch
        ? this.#victim.answerBatch?.(batch, options)
        : this.#victim.answer?.(first, options);
      return isPromise(answering)
        ? this.#awaited(answering, batch, isBatch, options)
        : this.#checked(answering, batch, isBatch);
    } catch (cause) {
      throw this.#failure(cause, batch, isBatch, options);
    }
  }

  async #awaited(
    answering: Promise<unknown>,
    batch: readonly string[],
    isBatch: boolean,
    options: ModuleAnswerOptions,
  ): Promise<readonly unknown[]> {
    let values: unknown;
    try {
      values = await this.#inTime(unlessAborted<unknown>(answering, options.signal), batch);
    } catch (cause) {
      throw this.#failure(cause, batch, isBatch, options);
    }
    return this.#checked(values, batch, isBatch);
  }

  /** What is thrown for what the module threw. */
  #failure(cause: unknown, batch: readonly string[], isBatch: boolean, { signal }: ModuleAnswerOptions): VictimError {
    signal?.throwIfAborted();
    if (cause instanceof VictimError) return cause;
    const what = isBatch ? `answerBatch failed at ${batch.length} inputs from` : 'answer failed at';
    return this.#error(`${what} ${quote(batch[0] ?? '')}: ${firstLine(cause)}`, cause);
  }

  #checked(values: unknown, batch: readonly string[], isBatch: boolean): readonly unknown[] {
    if (!isBatch) return [values];
    if (!Array.isArray(values)) {
      throw this.#error(`answerBatch returned ${describe(values)}, expected an array of ${batch.length} answers`);
    }
    if (values.length !== batch.length) {
      throw this.#error(`answerBatch returned ${values.length} answers to ${batch.length} inputs`);
    }
    return values as unknown[];
  }

  /** A promise that is never settled would otherwise hold the run for ever. */
  async #inTime(answering: Promise<unknown>, batch: readonly string[]): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const what = `gave no answer within ${this.#silenceMs / 1000} s to ${quote(batch[0] ?? '')}`;
        reject(new VictimError('victim', `Victim module:${this.#source} ${what}: does its promise ever settle?`));
      }, this.#silenceMs);
      // Where nothing else is left to wait for, the process need not wait for this either.
      timer.unref();
    });
    try {
      return await Promise.race([answering, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #error(what: string, cause?: unknown): VictimError {
    return new VictimError('input', `Victim module:${this.#source} ${what}`, { cause });
  }
}

function format(source: string, what: string): UsageError {
  return new UsageError(ERROR_CODES.FORMAT, `${source}: ${what}`);
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function';
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0] ?? '';
}
