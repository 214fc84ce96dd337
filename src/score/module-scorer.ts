import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unlessAborted } from '../abort.js';
import { ERROR_CODES, TeapotError, UsageError } from '../errors.js';
import { checkPairs, clampScore, describe, placeOf, referencesOf, scoreComplaint } from './pairs.js';
import type { ParameterValue } from './parameters.js';
import type { Reference, ScoreOptions, Scorer } from './scorer.js';

/** A value that may also come later. */
export type Awaitable<T> = T | Promise<T>;

/** What scores pairs in a user's module: one of the two functions. */
export interface ModuleScoring {
  /** Scores one pair: a number from 0 to 1. */
  scoreSentence?(hypothesis: string, reference: string): Awaitable<number>;
  /** Scores many pairs at once (at most 2,048): as many numbers from 0 to 1. Preferred when both are there. */
  scoreBatch?(hypotheses: readonly string[], references: readonly string[]): Awaitable<ArrayLike<number>>;
  /** Ends what the scorer started. */
  close?(): Awaitable<void>;
}

/** An option of a scorer in a user's module: a parameter of its key, and a flag of the command line. */
export interface ModuleOption {
  /** How the value is read; `choice` needs `choices`. Default is the type of `default`, or `text`. */
  readonly type?: 'integer' | 'number' | 'boolean' | 'choice' | 'text';
  /** The value when none is given. */
  readonly default?: ParameterValue;
  /** Smallest number, inclusive. */
  readonly minimum?: number;
  /** Largest number, inclusive. */
  readonly maximum?: number;
  /** Every value of a choice. */
  readonly choices?: readonly string[];
  /** One sentence for `-h` and `teapot list scorers`. */
  readonly help?: string;
}

/** A scorer as a user's module exports it. */
export interface ModuleScorer extends ModuleScoring {
  /** The key for `--s-src` and `--s-tgt`: lower case letters, digits, `_`, `+`, `-`. */
  readonly key: string;
  /** The name in headings. Default is the key. */
  readonly name?: string;
  /** One sentence for `teapot list scorers`. */
  readonly description?: string;
  /** Own options, by name (snake_case): `key:name=value`, and `--name` on the command line. */
  readonly options?: Readonly<Record<string, ModuleOption>>;
  /** Makes the scorer from the values of its options; left out when the definition itself scores. */
  create?(
    options: Readonly<Record<string, ParameterValue | undefined>>,
    context: { readonly language: string | undefined },
  ): Awaitable<ModuleScoring>;
}

/** How many pairs a module is given at once. */
const BATCH_PAIRS = 2048;

/**
 * Loads a module of scorers (`--custom-scores-source`).
 *
 * Scorers are the default export (one, or an array) and every named export that is an object with a `key`; other exports are the
 * module's own business.
 *
 * @param source Path of the ES module, relative to the current folder, or a `file:` URL.
 * @returns The definitions, checked, in the order default export, named exports.
 * @throws {UsageError} `ERR_TEAPOT_READ` when the module can't be loaded (its own error is the cause),
 *   `ERR_TEAPOT_FORMAT` when it exports no scorer or one that is not complete; both name the module.
 */
export async function loadScorerModule(source: string): Promise<readonly ModuleScorer[]> {
  const url = source.startsWith('file:') ? source : pathToFileURL(isAbsolute(source) ? source : resolve(source)).href;
  let namespace: Readonly<Record<string, unknown>>;
  try {
    namespace = (await import(url)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new UsageError(ERROR_CODES.READ, `${source} can't be loaded as a module of scorers: ${firstLine(cause)}`, {
      cause,
    });
  }
  const { default: main, ...named } = namespace;
  const found: unknown[] = Array.isArray(main) ? [...main] : main === undefined ? [] : [main];
  for (const value of Object.values(named)) {
    if (typeof value === 'object' && value !== null && 'key' in value) found.push(value);
  }
  const unique = [...new Set(found)];
  if (unique.length === 0) {
    throw format(source, 'exports no scorer; expected `export default [{ key, name, scoreSentence(hyp, ref) { … } }]`');
  }
  const keys = new Set<string>();
  return unique.map((value, index) => {
    const scorer = checkDefinition(source, value, index);
    if (keys.has(scorer.key)) throw format(source, `defines the key "${scorer.key}" twice`);
    keys.add(scorer.key);
    return scorer;
  });
}

function checkDefinition(source: string, value: unknown, index: number): ModuleScorer {
  const place = `scorer ${index + 1}`;
  if (typeof value !== 'object' || value === null) {
    throw format(source, `${place}: found ${describe(value)}, expected { key, name, scoreSentence(hyp, ref) { … } }`);
  }
  const fields = value as Readonly<Record<string, unknown>>;
  const { key, name, options } = fields as { key?: unknown; name?: unknown; options?: unknown };
  if (typeof key !== 'string' || !/^[a-z][a-z0-9_+-]*$/.test(key) || key === 'exec') {
    throw format(source, `${place}: key is ${describe(key)}, expected lower case letters, digits, "_", "+" or "-"`);
  }
  if (name !== undefined && (typeof name !== 'string' || name === '' || /[\r\n\t]/.test(name))) {
    throw format(source, `scorer "${key}": name is ${describe(name)}, expected a text of one line`);
  }
  for (const member of ['create', 'scoreSentence', 'scoreBatch', 'close']) {
    const method = fields[member];
    if (method !== undefined && typeof method !== 'function') {
      throw format(source, `scorer "${key}": ${member} is ${describe(method)}, expected a function`);
    }
  }
  if (fields['create'] === undefined && fields['scoreSentence'] === undefined && fields['scoreBatch'] === undefined) {
    throw format(source, `scorer "${key}" has none of create, scoreSentence and scoreBatch`);
  }
  checkOptions(source, key, options);
  return value as ModuleScorer;
}

function checkOptions(source: string, key: string, options: unknown): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw format(
      source,
      `scorer "${key}": options are ${describe(options)}, expected { name: { type, default, help } }`,
    );
  }
  for (const [name, option] of Object.entries(options as Record<string, unknown>)) {
    const place = `scorer "${key}", option "${name}"`;
    if (!/^[a-z][a-z0-9_]*$/.test(name)) {
      throw format(source, `${place}: expected a name of lower case letters, digits and "_"`);
    }
    if (typeof option !== 'object' || option === null) {
      throw format(source, `${place}: found ${describe(option)}, expected { type, default, help }`);
    }
    const { type, choices } = option as ModuleOption;
    const types = ['integer', 'number', 'boolean', 'choice', 'text'];
    if (type !== undefined && !types.includes(type)) {
      throw format(source, `${place}: type is ${describe(type)}, expected one of ${types.join(', ')}`);
    }
    if (type === 'choice' && (!Array.isArray(choices) || choices.length === 0)) {
      throw format(source, `${place}: a choice needs choices: ['…']`);
    }
  }
}

/** Makes a {@link Scorer} of a definition and the values of its options. */
export async function createModuleScorer(
  source: string,
  definition: ModuleScorer,
  values: Readonly<Record<string, ParameterValue | undefined>>,
  context: { readonly language: string | undefined; readonly signature: string },
): Promise<Scorer> {
  const who = `Scorer ${definition.key} of ${source}`;
  if (definition.create === undefined) return new ScorerOfModule(who, definition, definition, context.signature);
  let scoring: unknown;
  try {
    scoring = await definition.create(values, { language: context.language });
  } catch (cause) {
    throw new TeapotError(ERROR_CODES.SCORER, `${who}: create failed: ${firstLine(cause)}`, { cause });
  }
  const { scoreSentence, scoreBatch } = Object(scoring) as ModuleScoring;
  if (typeof scoreSentence !== 'function' && typeof scoreBatch !== 'function') {
    throw new TeapotError(
      ERROR_CODES.SCORER,
      `${who}: create returned ${describe(scoring)}, expected an object with scoreSentence or scoreBatch`,
    );
  }
  return new ScorerOfModule(who, definition, scoring as ModuleScoring, context.signature);
}

/** A user's scorer behind our interface: batches, progress, abort between pairs, and a check of everything it answers. */
class ScorerOfModule implements Scorer {
  readonly key: string;
  readonly name: string;
  readonly signature: string;
  readonly #who: string;
  readonly #scoring: ModuleScoring;

  constructor(who: string, definition: ModuleScorer, scoring: ModuleScoring, signature: string) {
    this.key = definition.key;
    this.name = definition.name ?? definition.key;
    this.signature = signature;
    this.#who = who;
    this.#scoring = scoring;
  }

  async score(
    hypotheses: readonly string[],
    references: readonly Reference[],
    options: ScoreOptions = {},
  ): Promise<Float64Array> {
    checkPairs(hypotheses, references, options.place);
    const scores = new Float64Array(hypotheses.length);
    // Several references: one question each, the best answer counts.
    const pairs = references.flatMap((reference, segment) => referencesOf(reference).map((ref) => ({ segment, ref })));
    const place = (index: number): string => placeOf(options, pairs[index]?.segment ?? 0);
    for (let start = 0; start < pairs.length; start += BATCH_PAIRS) {
      const batch = pairs.slice(start, start + BATCH_PAIRS);
      const answers = await this.#ask(
        batch.map(({ segment }) => hypotheses[segment] ?? ''),
        batch.map(({ ref }) => ref),
        (index) => place(start + index),
        options.signal,
      );
      for (const [index, { segment }] of batch.entries()) {
        scores[segment] = Math.max(scores[segment] ?? 0, answers[index] ?? 0);
      }
      options.onProgress?.((batch.at(-1)?.segment ?? 0) + 1, hypotheses.length);
    }
    return scores;
  }

  async close(): Promise<void> {
    await this.#scoring.close?.();
  }

  async #ask(
    hypotheses: readonly string[],
    references: readonly string[],
    place: (index: number) => string,
    signal: AbortSignal | undefined,
  ): Promise<readonly number[]> {
    signal?.throwIfAborted();
    const answers =
      typeof this.#scoring.scoreBatch === 'function'
        ? await this.#askBatch(hypotheses, references, place, signal)
        : await this.#askEach(hypotheses, references, place, signal);
    return answers.map((answer, index) => {
      const complaint = scoreComplaint(answer);
      if (complaint !== undefined) throw this.#error(`${place(index)}: ${complaint}`);
      return clampScore(answer);
    });
  }

  async #askBatch(
    hypotheses: readonly string[],
    references: readonly string[],
    place: (index: number) => string,
    signal: AbortSignal | undefined,
  ): Promise<readonly number[]> {
    const lines = rangeOf(place(0), place(hypotheses.length - 1));
    let answers: unknown;
    try {
      answers = await unlessAborted(this.#scoring.scoreBatch?.(hypotheses, references), signal);
    } catch (cause) {
      signal?.throwIfAborted();
      throw this.#error(`scoreBatch failed at ${lines}: ${firstLine(cause)}`, cause);
    }
    if (!Array.isArray(answers) && !ArrayBuffer.isView(answers)) {
      throw this.#error(`scoreBatch returned ${describe(answers)} for ${lines}, expected an array of numbers`);
    }
    const numbers = Array.from(answers as ArrayLike<number>);
    if (numbers.length !== hypotheses.length) {
      throw this.#error(`scoreBatch returned ${numbers.length} scores for the ${hypotheses.length} pairs of ${lines}`);
    }
    return numbers;
  }

  async #askEach(
    hypotheses: readonly string[],
    references: readonly string[],
    place: (index: number) => string,
    signal: AbortSignal | undefined,
  ): Promise<readonly number[]> {
    const answers: number[] = [];
    for (const [index, hypothesis] of hypotheses.entries()) {
      try {
        const answer = this.#scoring.scoreSentence?.(hypothesis, references[index] ?? '');
        // An await costs more than most scorers: only for what is really a promise.
        answers.push((isPromise(answer) ? await unlessAborted(answer, signal) : answer) as number);
      } catch (cause) {
        signal?.throwIfAborted();
        throw this.#error(`${place(index)}: scoreSentence failed: ${firstLine(cause)}`, cause);
      }
      signal?.throwIfAborted();
    }
    return answers;
  }

  #error(what: string, cause?: unknown): TeapotError {
    return new TeapotError(ERROR_CODES.SCORER, `${this.#who}: ${what}`, cause === undefined ? {} : { cause });
  }
}

/** `lines 1 to 3` of `line 1` and `line 3`; other places as they are. */
function rangeOf(first: string, last: string): string {
  const numbers = [first, last].map((place) => /^line (\d+)$/u.exec(place)?.[1]);
  return numbers.includes(undefined) ? `${first} to ${last}` : `lines ${numbers.join(' to ')}`;
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

function format(source: string, what: string): UsageError {
  return new UsageError(ERROR_CODES.FORMAT, `${source}: ${what}`);
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0] ?? '';
}
