import { sampleCorrelation } from 'simple-statistics';

import { studentTwoSidedP } from './student.js';

/** A coefficient of correlation. */
export type CorrelationName = 'pearson' | 'spearman' | 'kendall';

/** The coefficients, in the order of tables. */
export const CORRELATIONS: readonly CorrelationName[] = ['pearson', 'spearman', 'kendall'];

/**
 * The correlation of two lists of numbers: how far one tells the order (Spearman, Kendall) or the value (Pearson) of the other.
 *
 * Pearson: r = Σ(x − x̄)(y − ȳ) / √(Σ(x − x̄)² Σ(y − ȳ)²). Spearman: Pearson of the ranks, ties sharing their mean rank. Kendall:
 * τ-b = (P − Q) / √((P + Q + X)(P + Q + Y)), with P and Q the concordant and discordant pairs, X and Y those tied in one list only.
 *
 * @param x N finite numbers.
 * @param y N finite numbers, aligned.
 * @returns In [−1, 1]; null for fewer than two pairs, or when one list has one value only.
 * @see SciPy's `pearsonr`, `spearmanr`, `kendalltau` (variant b), which give the same.
 */
export function correlation(name: CorrelationName, x: readonly number[], y: readonly number[]): number | null {
  if (x.length < 2 || isConstant(x) || isConstant(y)) return null;
  switch (name) {
    case 'pearson':
      return pearson(x, y);
    case 'spearman':
      return pearson(ranksOf(x), ranksOf(y));
    case 'kendall':
      return kendall(x, y);
  }
}

/** The ranks from 1; equal values share the mean of their ranks. */
export function ranksOf(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).toSorted((a, b) => at(values, a) - at(values, b));
  const ranks: number[] = Array.from({ length: values.length });
  for (let start = 0; start < order.length;) {
    let end = start + 1;
    while (end < order.length && at(values, at(order, end)) === at(values, at(order, start))) end += 1;
    for (let index = start; index < end; index += 1) ranks[at(order, index)] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}

/** A test whether one of two metrics correlates more with people than the other. */
export interface WilliamsTest {
  /** Student's t with N − 3 degrees of freedom; above 0 when the first metric correlates more. */
  readonly t: number;
  /** Two-sided. */
  readonly pValue: number;
}

/**
 * Williams' test of two dependent correlations that share a variable: r(human, a) and r(human, b) over the same items.
 *
 * @param n items.
 * @param ha r(human, a), Pearson.
 * @param hb r(human, b).
 * @param ab r(a, b).
 * @returns null for fewer than four items, or when a and b are the same up to scale.
 * @see Williams 1959, Regression Analysis; Graham and Baldwin 2014, "Testing for Significance of Increased Correlation with
 *   Human Judgment".
 */
export function williamsTest(n: number, ha: number, hb: number, ab: number): WilliamsTest | null {
  if (n < 4) return null;
  const k = 1 - ha * ha - hb * hb - ab * ab + 2 * ha * hb * ab;
  const spread = (2 * Math.max(k, 0) * (n - 1)) / (n - 3) + ((ha + hb) / 2) ** 2 * (1 - ab) ** 3;
  if (!(spread > 0)) return null;
  const t = ((ha - hb) * Math.sqrt((n - 1) * (1 + ab))) / Math.sqrt(spread);
  return { t, pValue: studentTwoSidedP(t, n - 3) };
}

function pearson(x: readonly number[], y: readonly number[]): number {
  return Math.max(-1, Math.min(1, sampleCorrelation([...x], [...y])));
}

/** Knight's algorithm: discordant pairs are the exchanges of a merge sort. */
function kendall(x: readonly number[], y: readonly number[]): number {
  const n = x.length;
  const order = x.map((_, index) => index).toSorted((a, b) => at(x, a) - at(x, b) || at(y, a) - at(y, b));
  const byX = order.map((index) => at(x, index));
  const byY = order.map((index) => at(y, index));
  const all = pairs(n);
  const tiedX = tiedPairs(byX);
  const tiedBoth = tiedPairs(byX.map((value, index) => `${value},${at(byY, index)}`));
  const discordant = sortCounting(byY);
  const tiedY = tiedPairs(byY);
  const difference = all - tiedX - tiedY + tiedBoth - 2 * discordant;
  return Math.max(-1, Math.min(1, difference / Math.sqrt(all - tiedX) / Math.sqrt(all - tiedY)));
}

/** Pairs of equal neighbours' runs. */
function tiedPairs(values: readonly unknown[]): number {
  let sum = 0;
  for (let start = 0; start < values.length;) {
    let end = start + 1;
    while (end < values.length && values[end] === values[start]) end += 1;
    sum += pairs(end - start);
    start = end;
  }
  return sum;
}

function pairs(n: number): number {
  return (n * (n - 1)) / 2;
}

/** Sorts in place; returns how many pairs stood in the wrong order. */
function sortCounting(values: number[]): number {
  let exchanges = 0;
  const room: number[] = Array.from({ length: values.length });
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length);
      const end = Math.min(start + 2 * width, values.length);
      let [left, right] = [start, middle];
      for (let target = start; target < end; target += 1) {
        if (right >= end || (left < middle && at(values, left) <= at(values, right))) {
          room[target] = at(values, left);
          left += 1;
        } else {
          room[target] = at(values, right);
          right += 1;
          exchanges += middle - left;
        }
      }
      for (let target = start; target < end; target += 1) values[target] = at(room, target);
    }
  }
  return exchanges;
}

function isConstant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? Number.NaN;
}
