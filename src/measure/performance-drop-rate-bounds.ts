import { requireNumber } from './number.js';

/** What a drop rate can have been before its scores were rounded. */
export interface DropRateBounds {
  /** The lowest drop rate; null when it has no lower bound, since the original score may have been 0. */
  readonly low: number | null;
  /** The highest drop rate; null when the original score was certainly 0. */
  readonly high: number | null;
}

/**
 * The drop rates that are possible when both scores were rounded to a number of decimals.
 *
 * With h = ½ · 10^−decimals the true scores lie in [score − h, score + h], and not below 0, so
 *
 * low = 1 − (attacked + h) / (original − h), high = 1 − (attacked − h) / (original + h)
 *
 * A score of `0.24` (BLEU with two decimals) leaves ±2 % of it open; a log must not be quoted more precisely than that.
 *
 * @param original the printed original score, at least 0.
 * @param attacked the printed attacked score, at least 0, on the same scale.
 * @param decimals how many decimals were printed, at least 0.
 * @returns the bounds; `low` is null when original ≤ h.
 * @throws {TeapotError} `ERR_TEAPOT_INVALID_OPTION` when a score is NaN.
 * @example performanceDropRateBounds(0.24, 0.2, 2); // { low: 0.1276…, high: 0.2040… }
 */
export function performanceDropRateBounds(original: number, attacked: number, decimals: number): DropRateBounds {
  requireNumber(original, 'The original score');
  requireNumber(attacked, 'The attacked score');
  const half = 0.5 * 10 ** -decimals;
  const least = original - half;
  const most = original + half;
  return {
    low: least > 0 ? 1 - (attacked + half) / least : null,
    high: most > 0 ? 1 - Math.max(0, attacked - half) / most : null,
  };
}
