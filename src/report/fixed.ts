/** More decimals than any double has beyond the ones that are asked for: the expansion is exact. */
const EXACT_DECIMALS = 80;

/**
 * Formats a number with a fixed number of decimals.
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
