/** Whether a text can't stand on one line of a file as it is: a reader would find another text, or two. */
export function breaksLine(text: string): boolean {
  return text.includes('\n') || text.endsWith('\r');
}

/**
 * Writes a text on one line: `\` becomes `\\`, a line feed `\n`, a carriage return `\r`.
 *
 * {@link decodeLine} is its inverse for every text.
 */
export function encodeLine(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

/** The text that {@link encodeLine} wrote; a backslash before another character stays. */
export function decodeLine(line: string): string {
  if (!line.includes('\\')) return line;
  return line.replaceAll(/\\([nr\\])/gu, (_, code: string) => ({ n: '\n', r: '\r' })[code] ?? '\\');
}
