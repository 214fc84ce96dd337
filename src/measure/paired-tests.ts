import { callNative, runNative } from '../native.js';
import type { RunOptions } from '../run-options.js';
import type { BootstrapSettings, Interval } from './intervals.js';

/** McNemar's exact test of two systems on the same items. */
export interface McNemarTest {
  /** Items on which only the first one succeeds. */
  readonly firstOnly: number;
  /** Items on which only the second one succeeds. */
  readonly secondOnly: number;
  /** Exact two-sided p-value: 1 when the two numbers are equal or both 0. */
  readonly pValue: number;
}

/**
 * McNemar's exact test: do two systems succeed on different items more often than chance lets them?
 *
 * @param first whether the first one succeeds on each of N items.
 * @param second the same of the second one, aligned.
 * @returns null without items.
 * @throws {TeapotError} `ERR_TEAPOT_LENGTH_MISMATCH` when the lengths differ.
 * @see McNemar 1947; Fay 2010, "Two-sided exact tests and matching confidence intervals for discrete data".
 */
export function mcnemarTest(first: readonly boolean[], second: readonly boolean[]): McNemarTest | null {
  if (first.length === 0 && second.length === 0) return null;
  const { leftOnly, rightOnly, pValue } = callNative((binding) =>
    binding.mcnemar(Uint8Array.from(first, Number), Uint8Array.from(second, Number)),
  );
  return { firstOnly: leftOnly, secondOnly: rightOnly, pValue };
}

/** Paired bootstrap of a difference of means. */
export interface PairedBootstrapTest {
  /** Mean of the second − mean of the first. */
  readonly difference: number;
  readonly interval: Interval;
  /** Two-sided p-value. */
  readonly pValue: number;
}

/**
 * Paired bootstrap: is the difference of two means over the same items more than chance?
 *
 * @param first N finite numbers (any range: both lists are mapped to [0, 1] for the native kernel, and back).
 * @param second N numbers, aligned.
 * @returns null without items.
 * @throws {TeapotError} `ERR_TEAPOT_LENGTH_MISMATCH` when the lengths differ.
 * @see Koehn 2004, "Statistical significance tests for machine translation evaluation".
 */
export async function pairedBootstrapTest(
  first: readonly number[],
  second: readonly number[],
  settings: BootstrapSettings,
  options: RunOptions = {},
): Promise<PairedBootstrapTest | null> {
  if (first.length === 0 && second.length === 0) return null;
  let low = Infinity;
  let high = -Infinity;
  for (const value of [...first, ...second]) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const span = high - low || 1;
  const left = Float64Array.from(first, (value) => (value - low) / span);
  const right = Float64Array.from(second, (value) => (value - low) / span);
  const test = await runNative(
    (binding, cancellation) => binding.pairedBootstrap(right, left, { ...settings }, cancellation),
    options,
  );
  return {
    difference: test.difference * span,
    interval: { low: test.interval.lower * span, high: test.interval.upper * span },
    pValue: test.pValue,
  };
}
