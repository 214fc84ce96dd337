/**
 * A field of CSV (RFC 4180): one with a comma, quote or line break is quoted, quotes are doubled.
 *
 * A text that a spreadsheet would run as a formula stays as it is: the file is data, and changing it would falsify it.
 */
export function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A record of CSV with its line end. */
export function csvRecord(fields: readonly string[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

/** A field of TSV: tabs and line breaks, which TSV has no way to write, become spaces. */
export function tsvField(text: string): string {
  return text.replaceAll(/[\t\r\n]/g, ' ');
}

/** A record of TSV with its line end. */
export function tsvRecord(fields: readonly string[]): string {
  return `${fields.map(tsvField).join('\t')}\n`;
}
