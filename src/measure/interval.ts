import { runNative } from '../native.js';
import type { RunOptions } from '../score/scorer.js';
import { DEFAULT_BOOTSTRAP } from './bootstrap.js';
import { normalQuantile } from './normal.js';
import type { Interval } from './summary.js';

/** Resamples of the bootstrap, and its seed unless another one is given: as in sacreBLEU. */
export const { resamples: RESAMPLES, seed: DEFAULT_SEED } = DEFAULT_BOOTSTRAP;

/**
 * Above this number of segments the normal interval is taken: it then agrees with the bootstrap's to the digits that are
 * printed, and a bootstrap would draw RESAMPLES times as many numbers.
 */
export const BOOTSTRAP_LIMIT = 2 ** 18;

/** How intervals are taken. */
export interface IntervalOptions extends Pick<RunOptions, 'signal'> {
  /** For example 0.95; strictly between 0 and 1. */
  readonly confidence: number;
  /** Default 12,345. */
  readonly seed?: number | undefined;
}

/**
 * The percentile bootstrap interval of a mean, or of a success rate when the scores are 0 and 1.
 *
 * @param scores Fractions in [0, 1], at least one; their order doesn't matter.
 * @throws {TeapotError} the native core's errors; the signal's reason.
 * @see Efron 1979; sacreBLEU 2.6.0 for the position of the ends.
 */
export async function bootstrapInterval(scores: Float64Array, options: IntervalOptions): Promise<Interval> {
  const { confidence, seed = DEFAULT_SEED } = options;
  const { lower, upper } = await runNative(
    (binding, cancellation) => binding.bootstrapMean(scores, { confidence, seed, resamples: RESAMPLES }, cancellation),
    options.signal === undefined ? {} : { signal: options.signal },
  );
  return { low: lower, high: upper };
}

/**
 * The interval of a mean by the central limit theorem: mean ± z · std / √N.
 *
 * @param mean Of N scores, a fraction.
 * @param std Their sample standard deviation.
 * @param n N, large.
 * @returns Ends inside [0, 1].
 */
export function normalInterval(mean: number, std: number, n: number, confidence: number): Interval {
  const half = (normalQuantile(0.5 + confidence / 2) * std) / Math.sqrt(n);
  return { low: Math.max(0, mean - half), high: Math.min(1, mean + half) };
}
