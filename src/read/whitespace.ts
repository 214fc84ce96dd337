/**
 * Python's whitespace (`str.isspace`), as `teapot-core/src/text/whitespace.rs` has it; a test compares both for every
 * code point. Only for texts that don't come through the native reader: tables and memory.
 */
const SPACE = '\\t-\\r\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const AT_END = new RegExp(`[${SPACE}]+$`, 'u');
const AT_ENDS = new RegExp(`^[${SPACE}]+|[${SPACE}]+$`, 'gu');
const RUN = new RegExp(`[${SPACE}]+`, 'u');
const BEYOND = new RegExp(`[^${SPACE}]`, 'u');

/** The text without whitespace at its end: Python's `rstrip()`. */
export function stripEnd(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  // Most texts end in a letter, digit or mark of ASCII: no need to search.
  return last > 0x20 && last < 0x7f ? text : text.replace(AT_END, '');
}

/** The text without whitespace at both ends: Python's `strip()`. */
export function strip(text: string): string {
  return text.replace(AT_ENDS, '');
}

/** The maximal runs without whitespace: Python's `split()`; none in a blank text. */
export function splitWords(text: string): string[] {
  return text.split(RUN).filter((word) => word !== '');
}

/** Whether the text is empty or all whitespace. */
export function isBlank(text: string): boolean {
  return !BEYOND.test(text);
}
