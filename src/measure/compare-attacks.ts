import { callNative, runNative } from '../native.js';
import type { RunOptions } from '../run-options.js';
import type { Interval } from './intervals.js';

/** The largest number of segments whose scores are kept for resampling; beyond it only McNemar's test is made. */
export const COMPARED_SEGMENTS = 2 ** 20;

/** A quantity of which the means of two attacks are compared. */
export type ComparedQuantity = 's_src' | 'd_tgt' | 's_tgt';

/** A test of the difference of two means over the same segments. */
export interface MeanComparison {
  readonly quantity: ComparedQuantity;
  /** Mean of the first attack − mean of the second one. */
  readonly difference: number;
  /** Percentile interval of the difference (paired bootstrap). */
  readonly interval: Interval;
  /** Two-sided p-value of the paired bootstrap. */
  readonly bootstrapP: number;
  /** Two-sided p-value of approximate randomisation. */
  readonly randomizationP: number;
  /** Both p-values, corrected over all pairs of attacks (Holm 1979). */
  readonly bootstrapPHolm: number;
  readonly randomizationPHolm: number;
}

/** McNemar's exact test of the segments on which two attacks are successful. */
export interface SuccessComparison {
  /** Segments on which only the first attack is successful. */
  readonly firstOnly: number;
  /** Segments on which only the second attack is successful. */
  readonly secondOnly: number;
  /** Exact two-sided p-value. */
  readonly p: number;
  /** The same, corrected over all pairs of attacks (Holm 1979). */
  readonly pHolm: number;
}

/** Two attacks on the same segments. */
export interface AttackComparison {
  readonly first: string;
  readonly second: string;
  /** Empty when there are more than {@link COMPARED_SEGMENTS} segments. */
  readonly means: readonly MeanComparison[];
  /** Null unless both sides were measured. */
  readonly success: SuccessComparison | null;
}

/** How the tests are made. */
export interface ComparisonOptions extends Pick<RunOptions, 'signal'> {
  /** Confidence of the intervals, strictly between 0 and 1. */
  readonly confidence: number;
  readonly seed: number;
}

/** Resamples of the paired bootstrap, and trials of approximate randomisation: sacreBLEU's numbers. */
export const BOOTSTRAP_RESAMPLES = 1000;
export const RANDOMIZATION_TRIALS = 10_000;

/** Keeps what the paired tests need of each segment: a byte for success, and the scores while there are few. */
export class AttackLines {
  readonly #names: readonly string[];
  readonly #scores: ReadonlyMap<ComparedQuantity, readonly Float64Array[][]>;
  readonly #successes: Uint8Array[][];
  #segments = 0;

  /** @param names One name an attack, in the order of the attacks. */
  constructor(names: readonly string[]) {
    this.#names = names;
    this.#successes = names.map(() => []);
    const quantities = ['s_src', 'd_tgt', 's_tgt'] as const;
    this.#scores = new Map(quantities.map((quantity) => [quantity, names.map(() => [])]));
  }

  /** Counts the segments of the next batch; call it once a batch, before {@link add}. */
  advance(count: number): void {
    this.#segments += count;
    if (this.#segments > COMPARED_SEGMENTS) {
      for (const attacks of this.#scores.values()) for (const parts of attacks) parts.length = 0;
    }
  }

  /** Adds one attack's part of the batch. */
  add(
    attack: number,
    scores: Readonly<Partial<Record<ComparedQuantity, Float64Array | undefined>>>,
    margin: Float64Array | undefined,
  ): void {
    if (margin !== undefined) this.#successes[attack]?.push(Uint8Array.from(margin, (value) => (value > 0 ? 1 : 0)));
    if (this.#segments > COMPARED_SEGMENTS) return;
    for (const [quantity, attacks] of this.#scores) {
      const part = scores[quantity];
      // A copy: the arrays of a batch are used again for the next one.
      if (part !== undefined) attacks[attack]?.push(part.slice());
    }
  }

  /**
   * Compares every pair of attacks.
   *
   * Paired bootstrap (Koehn 2004) and approximate randomisation (Riezler and Maxwell 2005) for the means of s_src and d_tgt (s_tgt
   * without references), McNemar's exact test for success; p-values of the same test are corrected over all pairs by Holm's method.
   *
   * @returns One comparison a pair, in the order (1, 2), (1, 3), … (2, 3), …; none for a single attack.
   */
  async compare(options: ComparisonOptions): Promise<readonly AttackComparison[]> {
    const pairs = this.#names.flatMap((_, first) =>
      this.#names.slice(first + 1).map((__, offset) => [first, first + 1 + offset] as const),
    );
    const means: MeanComparison[][] = pairs.map(() => []);
    for (const [quantity, attacks] of this.#scores) {
      const columns = attacks.map(concat);
      if (columns.some(({ length }) => length === 0)) continue;
      const tests: Omit<MeanComparison, 'bootstrapPHolm' | 'randomizationPHolm'>[] = [];
      for (const [first, second] of pairs) {
        tests.push(await compareMeans(quantity, columns[first], columns[second], options));
      }
      const bootstrap = holm(tests.map(({ bootstrapP }) => bootstrapP));
      const randomization = holm(tests.map(({ randomizationP }) => randomizationP));
      for (const [pair, test] of tests.entries()) {
        const corrected = {
          bootstrapPHolm: bootstrap[pair] ?? test.bootstrapP,
          randomizationPHolm: randomization[pair] ?? test.randomizationP,
        };
        means[pair]?.push(Object.assign(corrected, test));
      }
    }
    const successes = this.#compareSuccesses(pairs);
    return pairs.map(([first, second], pair) => ({
      first: this.#names[first] ?? '',
      second: this.#names[second] ?? '',
      means: means[pair] ?? [],
      success: successes[pair] ?? null,
    }));
  }

  #compareSuccesses(pairs: readonly (readonly [number, number])[]): readonly SuccessComparison[] {
    const columns = this.#successes.map((parts) => Buffer.concat(parts));
    if (columns.some(({ length }) => length === 0)) return [];
    const tests = pairs.map(([first, second]) => {
      const [left, right] = [columns[first] ?? Buffer.alloc(0), columns[second] ?? Buffer.alloc(0)];
      return callNative((binding) => binding.mcnemar(left, right));
    });
    const corrected = holm(tests.map(({ pValue }) => pValue));
    return tests.map(({ leftOnly, rightOnly, pValue }, pair) => ({
      firstOnly: leftOnly,
      secondOnly: rightOnly,
      p: pValue,
      pHolm: corrected[pair] ?? pValue,
    }));
  }
}

async function compareMeans(
  quantity: ComparedQuantity,
  first: Float64Array = new Float64Array(),
  second: Float64Array = new Float64Array(),
  { confidence, seed, signal }: ComparisonOptions,
): Promise<Omit<MeanComparison, 'bootstrapPHolm' | 'randomizationPHolm'>> {
  const run = signal === undefined ? {} : { signal };
  const bootstrap = await runNative(
    (binding, cancellation) =>
      binding.pairedBootstrap(first, second, { resamples: BOOTSTRAP_RESAMPLES, confidence, seed }, cancellation),
    run,
  );
  const randomization = await runNative(
    (binding, cancellation) =>
      binding.approximateRandomization(first, second, { resamples: RANDOMIZATION_TRIALS, seed }, cancellation),
    run,
  );
  return {
    quantity,
    difference: bootstrap.difference,
    interval: { low: bootstrap.interval.lower, high: bootstrap.interval.upper },
    bootstrapP: bootstrap.pValue,
    randomizationP: randomization.pValue,
  };
}

/**
 * Corrects p-values of several tests by Holm's method.
 *
 * @returns As many, in the same order, each at most 1.
 * @see Holm 1979, "A simple sequentially rejective multiple test procedure".
 */
export function holm(pValues: number[]): number[] {
  return callNative((binding) => binding.holm(pValues));
}

function concat(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
