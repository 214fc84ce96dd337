/**
 * The least and the greatest value. A fold: spreading a million numbers into `Math.min` overflows the stack.
 *
 * @returns `[Infinity, -Infinity]` when there is none.
 */
export function extremes(values: readonly number[]): readonly [low: number, high: number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
