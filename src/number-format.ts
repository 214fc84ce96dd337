/** More decimals than any double has beyond the ones that are asked for: the expansion is exact. */
const EXACT_DECIMALS = 80;

/**
 * Formats a number with a fixed number of decimals: the one rounding rule of everything that is printed.
 *
 * Correctly rounded from the double, an exact tie to the even digit, as C's `%.2f` and Python's `format` do (JavaScript's
 * `toFixed` rounds a tie up: 0.125 gives 0.13).
 *
 * @param value any finite number.
 * @param decimals how many decimals, 0 to 20.
 * @param negativeZero whether a negative number that rounds to zero keeps its sign (`-0.00`). Default false.
 */
export function formatFixed(value: number, decimals: number, negativeZero = false): string {
  const magnitude = Math.abs(value);
  let text = magnitude.toFixed(decimals);
  const exact = magnitude.toFixed(Math.min(100, decimals + EXACT_DECIMALS));
  const point = exact.indexOf('.');
  const isTie = /^50*$/u.test(exact.slice(point + 1 + decimals));
  if (isTie) {
    const down = exact.slice(0, decimals === 0 ? point : point + 1 + decimals);
    if (Number(down.at(-1)) % 2 === 0) text = down;
  }
  const isNegative = value < 0 || Object.is(value, -0);
  return isNegative && (negativeZero || Number(text) !== 0) ? `-${text}` : text;
}

/**
 * A number with its sign, `+` included; what rounds to 0 has none.
 *
 * @example formatSigned(0.25, 1); // '+0.2'
 */
export function formatSigned(value: number, decimals: number): string {
  const text = formatFixed(value, decimals);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
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
 * A p-value with four decimals; smaller ones are `< 0.0001`.
 *
 * @example formatP(0.00001); // '< 0.0001'
 */
export function formatP(p: number): string {
  return p < 0.0001 ? '< 0.0001' : formatFixed(p, 4);
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
