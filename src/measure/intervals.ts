import { runNative } from '../native.js';
import type { RunOptions } from '../run-options.js';
import { extremes } from './extremes.js';
import { normalQuantile } from './normal.js';

/** An interval that holds the true value with the stated confidence. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** How intervals are drawn. */
export interface BootstrapSettings {
  /** The share of resamples inside the interval, strictly between 0 and 1. */
  readonly confidence: number;
  /** Resamples, at least 1. */
  readonly resamples: number;
  /** Seed of the generator, an integer of at least 0. */
  readonly seed: number;
}

/** What every command takes unless it is told otherwise; resamples and seed are sacreBLEU's. */
export const DEFAULT_BOOTSTRAP: BootstrapSettings = { confidence: 0.95, resamples: 1000, seed: 12_345 };

/**
 * Above this number of segments the normal interval is taken: it then agrees with the bootstrap's to the digits that are
 * printed, and a bootstrap would draw a thousand times as many numbers.
 */
export const BOOTSTRAP_LIMIT = 2 ** 18;

/** How the intervals of a summary are taken. */
export interface IntervalOptions extends Pick<RunOptions, 'signal'> {
  /** For example 0.95; strictly between 0 and 1. */
  readonly confidence: number;
  /** Default 12,345. */
  readonly seed?: number | undefined;
}

/**
 * The percentile bootstrap interval of a mean.
 *
 * @param scores Fractions in [0, 1], at least one; their order doesn't matter.
 * @throws {TeapotError} the native core's errors; the signal's reason.
 * @see Efron 1979, "Bootstrap methods: another look at the jackknife"; sacreBLEU 2.6.0 for the position of the ends.
 */
export async function bootstrapInterval(
  scores: Float64Array,
  settings: BootstrapSettings,
  options: RunOptions = {},
): Promise<Interval> {
  const { lower, upper } = await runNative(
    (binding, cancellation) => binding.bootstrapMean(scores, { ...settings }, cancellation),
    options,
  );
  return { low: lower, high: upper };
}

/**
 * The percentile bootstrap interval of a mean of any numbers (drop rates may be negative).
 *
 * The native kernel takes numbers in [0, 1]: values are mapped there and the interval back, which changes no mean.
 *
 * @param values N finite numbers.
 * @returns null for fewer than two values: one value has no spread.
 */
export async function meanInterval(
  values: readonly number[],
  settings: BootstrapSettings,
  options: RunOptions = {},
): Promise<Interval | null> {
  if (values.length < 2) return null;
  const [low, high] = extremes(values);
  const span = high - low;
  if (span === 0) return { low, high };
  const mapped = Float64Array.from(values, (value) => (value - low) / span);
  const interval = await bootstrapInterval(mapped, settings, options);
  return { low: low + interval.low * span, high: low + interval.high * span };
}

/**
 * The percentile bootstrap interval of 1 − Σ attacked / Σ original.
 *
 * @param originals N scores of at least 0, on any scale.
 * @param attacked N scores on the same scale.
 * @returns null for fewer than two pairs, and when the originals sum to 0 in every resample.
 */
export async function dropRateInterval(
  originals: readonly number[],
  attacked: readonly number[],
  settings: BootstrapSettings,
  options: RunOptions = {},
): Promise<Interval | null> {
  const scale = Math.max(extremes(originals)[1], extremes(attacked)[1]);
  const least = Math.min(extremes(originals)[0], extremes(attacked)[0]);
  // A negative score is no performance: there is no interval to speak of.
  if (originals.length < 2 || scale === 0 || least < 0) return null;
  const [left, right] = [originals, attacked].map((scores) => Float64Array.from(scores, (score) => score / scale));
  if (left === undefined || right === undefined) return null;
  const { interval } = await runNative(
    (binding, cancellation) => binding.bootstrapPerformanceDropRate(left, right, { ...settings }, cancellation),
    options,
  );
  return interval === undefined || interval === null ? null : { low: interval.lower, high: interval.upper };
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

/**
 * Wilson's score interval of a rate: unlike the bootstrap's it has a width where nothing, or everything, succeeded.
 *
 * (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n)
 *
 * @param successes k, an integer from 0 to n.
 * @param n At least 1.
 * @param confidence Strictly between 0 and 1.
 * @returns Ends inside [0, 1].
 * @see Wilson 1927, "Probable inference, the law of succession, and statistical inference".
 * @example wilsonInterval(0, 5, 0.95); // { low: 0, high: 0.434… }
 */
export function wilsonInterval(successes: number, n: number, confidence: number): Interval {
  const z = normalQuantile(0.5 + confidence / 2);
  const [rate, weight] = [successes / n, (z * z) / n];
  const center = rate + weight / 2;
  const half = z * Math.sqrt((rate * (1 - rate)) / n + weight / (4 * n));
  return {
    low: successes === 0 ? 0 : Math.max(0, (center - half) / (1 + weight)),
    high: successes === n ? 1 : Math.min(1, (center + half) / (1 + weight)),
  };
}
