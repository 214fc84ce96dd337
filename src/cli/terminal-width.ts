/**
 * Columns of a terminal. Some pseudo-terminals have a width of 0, and pipes none.
 *
 * @param fallback The width where none is known.
 */
export function terminalWidth({ columns }: { readonly columns?: number | undefined }, fallback: number): number {
  return columns !== undefined && columns > 0 ? columns : fallback;
}
