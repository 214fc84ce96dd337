import { extremes } from './extremes.js';
import { runNative } from '../native.js';
import type { RunOptions } from '../run-options.js';
import type { Interval } from './summary.js';

/** How intervals are drawn. */
export interface BootstrapSettings {
  /** The share of resamples inside the interval, strictly between 0 and 1. */
  readonly confidence: number;
  /** Resamples, at least 1. */
  readonly resamples: number;
  /** Seed of the generator, an integer of at least 0. */
  readonly seed: number;
}

/** What every command takes unless it is told otherwise. */
export const DEFAULT_BOOTSTRAP: BootstrapSettings = { confidence: 0.95, resamples: 1000, seed: 12_345 };

/**
 * The percentile bootstrap interval of a mean of any numbers (drop rates may be negative).
 *
 * The native kernel takes numbers in [0, 1]: values are mapped there and the interval back, which changes no mean.
 *
 * @param values N finite numbers.
 * @returns null without values; an interval of no width when all are equal.
 * @see Efron 1979, "Bootstrap methods: another look at the jackknife".
 */
export async function meanInterval(
  values: readonly number[],
  settings: BootstrapSettings,
  options: RunOptions = {},
): Promise<Interval | null> {
  const [low, high] = extremes(values);
  if (values.length === 0) return null;
  const span = high - low;
  if (span === 0) return { low, high };
  const mapped = Float64Array.from(values, (value) => (value - low) / span);
  const { lower, upper } = await runNative(
    (binding, cancellation) => binding.bootstrapMean(mapped, { ...settings }, cancellation),
    options,
  );
  return { low: low + lower * span, high: low + upper * span };
}

/**
 * The percentile bootstrap interval of 1 − Σ attacked / Σ original.
 *
 * @param originals N scores of at least 0, on any scale.
 * @param attacked N scores on the same scale.
 * @returns null without scores, and when the originals sum to 0 in every resample.
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
  if (originals.length === 0 || scale === 0 || least < 0) return null;
  const [left, right] = [originals, attacked].map((scores) => Float64Array.from(scores, (score) => score / scale));
  if (left === undefined || right === undefined) return null;
  const { interval } = await runNative(
    (binding, cancellation) => binding.bootstrapPerformanceDropRate(left, right, { ...settings }, cancellation),
    options,
  );
  return interval === undefined || interval === null ? null : { low: interval.lower, high: interval.upper };
}
