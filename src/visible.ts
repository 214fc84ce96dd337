/** Control characters but tab and line feed, and the characters that reorder text or end a line. */
// oxlint-disable-next-line no-control-regex -- these are the characters to be found
const STEERING = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/** The styles and colours that teapot itself writes: bold, dim, red, green, blue and their ends. */
// oxlint-disable-next-line no-control-regex -- the escape character begins them
const OWN_STYLE = /(\u001B\[(?:0|1|2|22|31|32|34|39)m)/u;

/** The most code units of a line of a message. */
const LONGEST_MESSAGE_LINE = 1000;

/** How much of the end of a line that is cut stays: most messages say there what to do. */
const KEPT_END = 300;

/**
 * A text with every character written out that a terminal would obey instead of show: `\x1b` for control characters,
 * `<U+202E>` for those that reorder text. Line feeds and tabs stay.
 *
 * @param options `styles` lets the styles and colours that teapot itself writes pass.
 */
export function visible(text: string, { styles = false }: { readonly styles?: boolean } = {}): string {
  if (!styles) return text.replaceAll(STEERING, written);
  return text
    .split(OWN_STYLE)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(STEERING, written)))
    .join('');
}

/**
 * A text with invisible characters written out as well, on one line: `\n` for line ends, `<U+200B>` for a character
 * without width. Tabs stay.
 */
export function spelledOut(text: string): string {
  return visible(text.replaceAll('\n', String.raw`\n`).replaceAll('\r', String.raw`\r`)).replaceAll(
    /\p{Cf}/gu,
    written,
  );
}

/**
 * A message as it may be printed: visible, and with long lines cut in the middle, which says how long they were. So no name
 * or content of a file floods the terminal, wherever it was quoted.
 */
export function visibleMessage(message: string): string {
  return message
    .split('\n')
    .map((line) => visible(cutMiddle(line)))
    .join('\n');
}

function cutMiddle(line: string): string {
  if (line.length <= LONGEST_MESSAGE_LINE) return line;
  const head = line.slice(0, LONGEST_MESSAGE_LINE - KEPT_END).replace(/[\uD800-\uDBFF]$/u, '');
  const end = line.slice(-KEPT_END).replace(/^[\uDC00-\uDFFF]/u, '');
  return `${head} … [cut: ${line.length.toLocaleString('en-US')} characters in all] … ${end}`;
}

function written(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  const digits = codePoint.toString(16);
  if (codePoint === 0x0d) return String.raw`\r`;
  return codePoint <= 0x9f ? String.raw`\x` + digits.padStart(2, '0') : `<U+${digits.toUpperCase().padStart(4, '0')}>`;
}
