import { relativeDecrease } from './measure/relative-decrease.js';
import { ERROR_CODES, TeapotError } from './errors.js';
import { callNative } from './native.js';
import { BUILT_IN_SCORERS } from './score/built-in-scorers.js';
import { NativeScorer } from './score/native-scorer.js';
import { checkPairs, referencesOf } from './score/pairs.js';
import { checkOptions } from './score/parameters.js';
import type { ParameterDefinition, ParameterValues } from './score/parameters.js';
import { createScorer } from './score/registry.js';
import { checkedScores } from './score/score-corpus.js';
import type { Reference, ScoreOptions, Scorer } from './score/scorer.js';
import { version } from './version.js';

/** Parameters of chrF, with sacreBLEU's defaults. */
export interface ChrfOptions {
  /** Longest character n-gram. Default 6. */
  readonly charOrder?: number;
  /** Longest word n-gram; 2 makes chrF++. Default 0. */
  readonly wordOrder?: number;
  /** Weight of recall against precision. Default 2. */
  readonly beta?: number;
  /** Compare lowercased texts. Default false. */
  readonly lowercase?: boolean;
  /** Keep whitespace in character n-grams. Default false. */
  readonly whitespace?: boolean;
  /** Epsilon smoothing instead of effective order. Default false. */
  readonly epsSmoothing?: boolean;
}

/** Parameters of BLEU, with teapot-nlp's defaults. */
export interface BleuOptions {
  /** Default `13a`. */
  readonly tokenizer?: '13a' | 'none' | 'char' | 'intl' | 'zh';
  /** Default `floor`. */
  readonly smoothing?: 'floor' | 'add-k' | 'exp' | 'none';
  /** Value of `floor` (default 0.01) and `add-k` (default 1). */
  readonly smoothValue?: number;
  /** Longest word n-gram. Default 4. */
  readonly maxOrder?: number;
  /** Leave out orders for which the hypothesis is too short. Default true. */
  readonly effectiveOrder?: boolean;
  /** Compare lowercased texts. Default false. */
  readonly lowercase?: boolean;
}

/** Parameters of exact match. */
export interface ExactMatchOptions {
  /** Compare lowercased texts. Default false. */
  readonly lowercase?: boolean;
  /** Leave trailing whitespace out of the comparison. Default false. */
  readonly strip?: boolean;
}

/** Parameters of METEOR 1.5, which runs in Java. */
export interface MeteorClassOptions {
  /** Path of meteor-1.5.jar; the folder `data` lies beside it. */
  readonly jar: string;
  /** Language of the texts: en, fr, de, es, cz, … */
  readonly language: string;
  /** How a jar is run. Default `java -Xmx2G -jar`. */
  readonly javaCommand?: string;
}

/** A metric as a class, in the shape of teapot-nlp's. */
abstract class MetricClass {
  readonly #make: () => Scorer | Promise<Scorer>;
  #scorer: Scorer | Promise<Scorer> | undefined;

  protected constructor(make: () => Scorer | Promise<Scorer>) {
    this.#make = make;
  }

  /**
   * Scores N hypotheses against N references.
   *
   * @param hypotheses N texts.
   * @param references N references: one text or several each.
   * @returns N fractions in [0, 1], same order; empty for no pair.
   * @throws {UsageError} `ERR_TEAPOT_LENGTH_MISMATCH` naming both lengths, `ERR_TEAPOT_INVALID_OPTION` for a parameter
   *   out of range or something that is no array of texts; `TeapotError` `ERR_TEAPOT_SCORER` when METEOR fails.
   */
  async score(
    hypotheses: readonly string[],
    references: readonly Reference[],
    options: ScoreOptions = {},
  ): Promise<Float64Array> {
    this.#scorer ??= this.#make();
    return (await this.#scorer).score(hypotheses, references, options);
  }

  /**
   * Relative decrease of the score under attack: max(0, base − attacked) / base, 0 where the base score is 0.
   *
   * @param attacked N outputs for the attacked inputs.
   * @param base N outputs for the original inputs.
   * @param references N references.
   * @returns N fractions in [0, 1].
   * @throws As {@link MetricClass.score}.
   */
  async rdScore(
    attacked: readonly string[],
    base: readonly string[],
    references: readonly Reference[],
    options: ScoreOptions = {},
  ): Promise<Float64Array> {
    const attackedScores = await this.score(attacked, references, options);
    const baseScores = await this.score(base, references, options);
    return baseScores.map((score, index) => relativeDecrease(score, attackedScores[index] ?? Number.NaN));
  }
}

/**
 * chrF, the F score of character n-grams, as sacreBLEU 2.6.0 has it for sentences.
 *
 * @example await new ChrF().score(['tea'], ['tea']); // Float64Array [1]
 */
export class ChrF extends MetricClass {
  /** @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for an option that is unknown or out of range. */
  constructor(options: ChrfOptions = {}) {
    const scorer = nativeScorer('chrf', options);
    super(() => scorer);
  }
}

/**
 * Sentence BLEU with teapot-nlp's parameters, clamped to [0, 1].
 *
 * @example await new BLEU().score(['we drink tea'], ['we drink coffee']); // Float64Array [0.14938…]
 */
export class BLEU extends MetricClass {
  /** @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for an option that is unknown, out of range or without effect. */
  constructor(options: BleuOptions = {}) {
    const scorer = nativeScorer('bleu', options);
    super(() => scorer);
  }
}

/**
 * Exact match: 1 when the texts are equal, otherwise 0.
 *
 * @example await new ExactMatch().score(['yes'], ['no']); // Float64Array [0]
 */
export class ExactMatch extends MetricClass {
  /** @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for an option that is unknown or out of range. */
  constructor(options: ExactMatchOptions = {}) {
    const scorer = nativeScorer('zero_one', { strip: false, ...options });
    super(() => scorer);
  }
}

/** METEOR 1.5 through its jar. Each call starts one Java process: give it a whole corpus at once. */
export class METEOR extends MetricClass {
  /** @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for an option that is unknown or no text. */
  constructor(options: MeteorClassOptions) {
    const text = { name: '', type: 'text', help: '' } as const;
    checkOptions('METEOR', { jar: text, language: text, javaCommand: text }, { ...options });
    const flags = { 'meteor-jar': options.jar, 'java-command': options.javaCommand };
    super(() => createScorer('meteor', { language: options.language, flags }));
  }
}

/** Options of the library by the names of the parameters that the command line has for them. */
const OPTION_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  chrf: {
    charOrder: 'char_order',
    wordOrder: 'word_order',
    beta: 'beta',
    lowercase: 'lowercase',
    whitespace: 'whitespace',
    epsSmoothing: 'eps',
  },
  bleu: {
    tokenizer: 'tokenize',
    smoothing: 'smooth',
    smoothValue: 'value',
    maxOrder: 'order',
    effectiveOrder: 'effective_order',
    lowercase: 'lowercase',
  },
  zero_one: { lowercase: 'lowercase', strip: 'strip' },
};

/** Scorers that were made, by key and options: a call of {@link chrf} a segment must not read its options again. */
const nativeScorers = new Map<string, NativeScorer>();

/** So many are kept. */
const KEPT_SCORERS = 64;

/**
 * A native metric with options as a program gives them, checked by the definitions of the command line.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` naming the option.
 */
function nativeScorer(key: string, options: object): NativeScorer {
  const name = `${key} ${JSON.stringify(options, plain)}`;
  const known = nativeScorers.get(name);
  if (known !== undefined) return known;
  const scorer = makeNativeScorer(key, { ...options });
  if (nativeScorers.size >= KEPT_SCORERS) nativeScorers.clear();
  nativeScorers.set(name, scorer);
  return scorer;
}

/** Values that JSON would leave out or mix up, as texts that no option has. */
function plain(_: string, value: unknown): unknown {
  if (typeof value === 'number') return `number ${value}`;
  return ['function', 'symbol', 'bigint'].includes(typeof value) ? `a ${typeof value}` : value;
}

function makeNativeScorer(key: string, options: Readonly<Record<string, unknown>>): NativeScorer {
  const definition = BUILT_IN_SCORERS.find((one) => one.key === key);
  const definitions: Record<string, ParameterDefinition> = {};
  const values: Record<string, ParameterValues[string]> = {};
  const given = new Set<string>();
  for (const [option, parameter] of Object.entries(OPTION_NAMES[key] ?? {})) {
    const one = definition?.parameters.find(({ name }) => name === parameter);
    if (one === undefined) continue;
    definitions[option] = one;
    const value = options[option];
    if (value !== undefined) given.add(parameter);
    values[parameter] = value === undefined ? one.default : (value as ParameterValues[string]);
  }
  checkOptions(key, definitions, options);
  const scorer = definition?.create(values, { version: version() }, given);
  if (scorer instanceof NativeScorer) return scorer;
  throw new TeapotError(ERROR_CODES.INTERNAL, `${key} is no native metric.`);
}

/**
 * Scores N pairs by any scorer.
 *
 * @param metric As on the command line (`chrf`, `bleu:tokenize=zh`, `edit:unit=word`, a registered key, `exec:…`), or a scorer.
 * @param hypotheses N texts.
 * @param references N references: one text or several each.
 * @returns N fractions in [0, 1], same order; empty for no pair.
 * @throws {UsageError} `ERR_TEAPOT_UNKNOWN_SCORER`, `ERR_TEAPOT_INVALID_OPTION`, `ERR_TEAPOT_LENGTH_MISMATCH`; the
 *   signal's reason.
 * @example await scoreBatch('chrf', ['te', 'tea'], ['tea', 'tea']); // Float64Array [0.636…, 1]
 */
export async function scoreBatch(
  metric: string | Scorer,
  hypotheses: readonly string[],
  references: readonly Reference[],
  options: ScoreOptions = {},
): Promise<Float64Array> {
  if (typeof metric !== 'string') {
    return checkedScores(metric, await metric.score(hypotheses, references, options), hypotheses.length);
  }
  const scorer = await createScorer(metric);
  try {
    return await scorer.score(hypotheses, references, options);
  } finally {
    await scorer.close?.();
  }
}

/**
 * chrF of one pair, at once.
 *
 * @param hypothesis A text.
 * @param reference A text, or several.
 * @returns A fraction in [0, 1]; 0 when a side is blank.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for a parameter out of range.
 * @see Popović 2015, "chrF"; sacreBLEU 2.6.0, `sentence_chrf`.
 * @example chrf('te', 'tea'); // 0.6363636363636364
 */
export function chrf(hypothesis: string, reference: Reference, options: ChrfOptions = {}): number {
  return scoreOne(nativeScorer('chrf', options), hypothesis, reference);
}

/**
 * BLEU of one pair, at once, with teapot-nlp's parameters.
 *
 * @returns A fraction in [0, 1]; 0 when no word matches.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for a parameter out of range.
 * @see Papineni et al. 2002; sacreBLEU 2.6.0, `sentence_bleu(smooth_method="floor", smooth_value=0.01)`.
 * @example bleu('we drink tea', 'we drink coffee'); // 0.14938015821857212
 */
export function bleu(hypothesis: string, reference: Reference, options: BleuOptions = {}): number {
  return scoreOne(nativeScorer('bleu', options), hypothesis, reference);
}

/**
 * Whether two texts are equal: 1 or 0.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when something is no text.
 * @example exactMatch('Yes', 'yes', { lowercase: true }); // 1
 */
export function exactMatch(hypothesis: string, reference: Reference, options: ExactMatchOptions = {}): number {
  return scoreOne(nativeScorer('zero_one', { strip: false, ...options }), hypothesis, reference);
}

function scoreOne({ native }: NativeScorer, hypothesis: string, reference: Reference): number {
  checkPairs([hypothesis], [reference]);
  return callNative((binding) => binding.scoreSentence(native, hypothesis, [...referencesOf(reference)]));
}
