/**
 * A JSON document with its line end. Every number in as few digits as give it back exactly; arrays of numbers take one
 * line each.
 */
export function renderJson(document: unknown): string {
  const text = JSON.stringify(document, undefined, 2);
  // A line break in the text is always one between values: in strings it is \\n.
  return `${text.replaceAll(/\[\n[\s\d.,eE+-]+\]/g, compact)}\n`;
}

function compact(numbers: string): string {
  return numbers.replaceAll(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']');
}
