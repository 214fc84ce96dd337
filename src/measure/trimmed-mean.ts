import { mean } from 'simple-statistics';

import { ERROR_CODES, TeapotError } from '../errors.js';

/**
 * The mean without the extremes: of N sorted values the lowest and the highest ⌊N · share⌋ are left out.
 *
 * One prompt whose original score is almost 0 moves the mean of drop rates by whole units; a trimmed mean doesn't follow.
 *
 * @param values any numbers, in any order.
 * @param share the share that is cut at each end, from 0 up to but not including 0.5; 0.1 is usual.
 * @returns the mean of what is left; null when there are no values.
 * @throws {TeapotError} `ERR_TEAPOT_INVALID_OPTION` when the share is out of its range.
 * @see Wilcox 2012, "Introduction to Robust Estimation and Hypothesis Testing", section 3.3.
 * @example trimmedMean([0, 1, 2, 3, 400], 0.2); // 2
 */
export function trimmedMean(values: readonly number[], share: number): number | null {
  if (!(share >= 0 && share < 0.5)) {
    throw new TeapotError(ERROR_CODES.INVALID_OPTION, `The trimmed share must be in [0, 0.5), found ${share}.`);
  }
  if (values.length === 0) return null;
  const cut = Math.floor(values.length * share);
  const sorted = values.toSorted((a, b) => a - b);
  return mean(sorted.slice(cut, sorted.length - cut));
}
