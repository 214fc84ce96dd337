/**
 * A number with a fixed number of decimals, as Python's `format(value, '.3f')` writes it: exact ties go to the even
 * digit, where JavaScript's `toFixed` goes up. Never `-0.000`.
 *
 * @param value A finite number.
 * @param decimals How many, up to 20.
 * @example formatFixed(0.0625, 3); // '0.062'
 */
export function formatFixed(value: number, decimals: number): string {
  const shifted = value * 10 ** decimals;
  // A tie is an odd number of halves of the last digit; such a number times 2^(decimals + 1) is an odd integer.
  const halves = value * 2 ** (decimals + 1);
  const tie = Number.isInteger(halves) && Math.abs(halves % 2) === 1;
  const even = 2 * Math.round(shifted / 2);
  const text = (tie ? even / 10 ** decimals : value).toFixed(decimals);
  return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text;
}

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
  return String(value === 0 ? 0 : value);
}
