/**
 * Writes a numeric label one way: a column of whole numbers becomes `1.0` in a data frame once a value is missing.
 *
 * @returns `1` for `1`, `1.0` and `1.`; any other text unchanged.
 */
export function normalizeLabel(text: string): string {
  return /^[+-]?\d+\.0*$/u.test(text) ? text.slice(0, text.indexOf('.')) : text;
}

/** A label as text: numbers and booleans as JSON writes them, lists and objects too; null stays. */
export function labelText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
