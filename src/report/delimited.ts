/**
 * One record of CSV (RFC 4180) with its line end: a field with a comma, quote or line break is quoted, quotes are doubled.
 *
 * A text that a spreadsheet would run as a formula stays as it is: the file is data, and changing it would falsify it.
 */
export function csvRecord(fields: readonly string[]): string {
  const quoted = fields.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field));
  return `${quoted.join(',')}\r\n`;
}

/** One record of TSV with its line end: tabs and line breaks in a field, which TSV has no way to write, become spaces. */
export function tsvRecord(fields: readonly string[]): string {
  return `${fields.map((field) => field.replaceAll(/[\t\r\n]/g, ' ')).join('\t')}\n`;
}
