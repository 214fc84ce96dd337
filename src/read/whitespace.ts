/**
 * Python's whitespace (`str.isspace`), as `teapot-core/src/text/whitespace.rs` has it; a test compares both for every
 * code point. Only for texts that don't come through the native reader: tables and memory.
 */
const SPACE = '\\t-\\r\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const RUN = new RegExp(`[${SPACE}]+`, 'u');
const BEYOND = new RegExp(`[^${SPACE}]`, 'u');

/** The characters of {@link SPACE} by code: all are below U+10000. */
const IS_SPACE = new RegExp(`^[${SPACE}]$`, 'u');
const SPACES: ReadonlySet<number> = new Set(
  Array.from({ length: 0x3001 }, (_, code) => code).filter((code) => IS_SPACE.test(String.fromCodePoint(code))),
);

/*
 * The ends are found by hand: a pattern such as `[ ]+$` tries every run of spaces anew at each of its characters, and 80,000
 * spaces inside a text took 47 seconds.
 */

/** The text without whitespace at its end: Python's `rstrip()`. */
export function stripEnd(text: string): string {
  return text.slice(0, endWithout(text, SPACES));
}

/** The text without whitespace at both ends: Python's `strip()`. */
export function strip(text: string): string {
  return stripOf(text, SPACES);
}

const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09]);

/** The text without spaces and tabs at both ends. */
export function stripBlanks(text: string): string {
  return stripOf(text, BLANKS);
}

/** The text without any of these characters at its end. */
export function stripEndOf(text: string, characters: string): string {
  return text.slice(0, endWithout(text, new Set(Array.from(characters, (character) => character.charCodeAt(0)))));
}

function stripOf(text: string, set: ReadonlySet<number>): string {
  const end = endWithout(text, set);
  let start = 0;
  while (start < end && set.has(text.charCodeAt(start))) start += 1;
  return text.slice(start, end);
}

function endWithout(text: string, set: ReadonlySet<number>): number {
  let end = text.length;
  while (end > 0 && set.has(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

/** The maximal runs without whitespace: Python's `split()`; none in a blank text. */
export function splitWords(text: string): string[] {
  return text.split(RUN).filter((word) => word !== '');
}

/** Whether the text is empty or all whitespace. */
export function isBlank(text: string): boolean {
  return !BEYOND.test(text);
}
