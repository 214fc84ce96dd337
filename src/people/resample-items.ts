import type { Interval } from '../measure/intervals.js';
import { randomOf } from '../random.js';

/** Draws of all resamples together: above, there are fewer resamples, but never fewer than {@link LEAST_RESAMPLES}. */
const MOST_DRAWS = 2_000_000;
const LEAST_RESAMPLES = 200;

/** How intervals over items are drawn. */
export interface ResampleSettings {
  /** For example 0.95. */
  readonly confidence: number;
  readonly resamples: number;
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
}

/** How many resamples are drawn of so many items. */
export function resampleCount(items: number, { resamples }: Pick<ResampleSettings, 'resamples'>): number {
  return Math.min(resamples, Math.max(LEAST_RESAMPLES, Math.floor(MOST_DRAWS / Math.max(1, items))));
}

/**
 * Percentile bootstrap over items: the same drawn items for every statistic, so that intervals can be compared.
 *
 * @param items how many there are.
 * @param statistics what is computed of the drawn items' places; null where it is undefined.
 * @returns An interval a statistic, in order; null where fewer than half of the resamples define it, or with fewer than two items.
 * @see Efron and Tibshirani 1993.
 */
export function itemIntervals(
  items: number,
  statistics: (places: readonly number[]) => readonly (number | null)[],
  settings: ResampleSettings,
): readonly (Interval | null)[] {
  const count = resampleCount(items, settings);
  const drawn: (readonly (number | null)[])[] = [];
  if (items >= 2) {
    for (let resample = 0; resample < count; resample += 1) {
      settings.signal?.throwIfAborted();
      const random = randomOf(settings.seed, resample);
      drawn.push(statistics(Array.from({ length: items }, () => random.below(items))));
    }
  }
  const width = statistics([]).length;
  return Array.from({ length: width }, (_, index) => {
    const values = drawn.flatMap((row) => row[index] ?? []).toSorted((a, b) => a - b);
    if (values.length * 2 <= count) return null;
    const tail = (1 - settings.confidence) / 2;
    return { low: quantile(values, tail), high: quantile(values, 1 - tail) };
  });
}

/** By linear interpolation, as numpy's default. */
function quantile(sorted: readonly number[], p: number): number {
  const place = p * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below] ?? 0;
  return low + (place - below) * ((sorted[below + 1] ?? low) - low);
}
