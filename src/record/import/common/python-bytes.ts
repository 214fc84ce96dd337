/**
 * Python's `bytes` literals, as `repr()` writes them: `b'…'` or `b"…"` with `\xNN` escapes.
 *
 * PromptBench and OpenCompass log attacked prompts this way; a reader that keeps the literal measures a homoglyph as
 * four ASCII characters.
 *
 * Source: The Python Language Reference, §2.4.1 (string and bytes literals); microsoftarchive/promptbench#73.
 */

/** What is wrong with a Python literal, and where. */
export class PythonLiteralError extends Error {
  /** Where in the given text, in UTF-16 units from 0: a position for `slice`, not for people. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.name = 'PythonLiteralError';
    this.position = position;
  }
}

/** A decoded literal and where it ended. */
export interface DecodedBytes {
  /** The bytes of the literal, decoded as UTF-8. */
  readonly text: string;
  /** The UTF-16 position after the closing quote. */
  readonly end: number;
}

/** One-character escapes of Python and the byte each stands for. */
const SIMPLE_ESCAPES: ReadonlyMap<string, number> = new Map([
  ['\\', 0x5c],
  ["'", 0x27],
  ['"', 0x22],
  ['a', 0x07],
  ['b', 0x08],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
]);

/**
 * Decodes the Python bytes literal that starts at a position, exactly once, as UTF-8.
 *
 * Escapes: `\\ \' \" \a \b \f \n \r \t \v`, `\xNN`, `\ooo` (one to three octal digits, at most `\377`) and a backslash
 * before a line end (dropped). A backslash before any other character stays, as in Python.
 *
 * @param source the text that holds the literal.
 * @param start where its `b` stands, in UTF-16 units (default 0).
 * @returns the text and the position after the closing quote; `b''` gives an empty text.
 * @throws {PythonLiteralError} when there is no bytes literal, it isn't closed, an escape is cut off, a character is not
 * ASCII, or the bytes are not UTF-8 (the message gives the byte and its offset).
 */
export function decodePythonBytes(source: string, start = 0): DecodedBytes {
  const quote = source[start + 1];
  if ((source[start] !== 'b' && source[start] !== 'B') || (quote !== "'" && quote !== '"')) {
    throw new PythonLiteralError('expected a Python bytes literal (b\'…\' or b"…")', start);
  }
  const bytes: number[] = [];
  let position = start + 2;
  for (;;) {
    const character = source[position];
    if (character === undefined) {
      throw new PythonLiteralError(`the bytes literal is not closed: no ${quote} before the end`, position);
    }
    if (character === quote) break;
    if (character === '\\') {
      position = readEscape(source, position, bytes);
    } else {
      const code = character.charCodeAt(0);
      if (code > 0x7f) throw new PythonLiteralError('a bytes literal holds ASCII only', position);
      bytes.push(code);
      position += 1;
    }
  }
  return { text: decodeUtf8(Uint8Array.from(bytes), start), end: position + 1 };
}

/** Reads the escape at `position`, appends its bytes and returns the position after it. */
function readEscape(source: string, position: number, bytes: number[]): number {
  const kind = source[position + 1];
  if (kind === undefined) throw new PythonLiteralError('the bytes literal ends in a backslash', position);
  const simple = SIMPLE_ESCAPES.get(kind);
  if (simple !== undefined) {
    bytes.push(simple);
    return position + 2;
  }
  if (kind === 'x') {
    const digits = source.slice(position + 2, position + 4);
    if (!/^[0-9a-fA-F]{2}$/.test(digits)) {
      throw new PythonLiteralError(String.raw`expected two hexadecimal digits after \x, found "${digits}"`, position);
    }
    bytes.push(Number.parseInt(digits, 16));
    return position + 4;
  }
  const octal = /^[0-7]{1,3}/.exec(source.slice(position + 1, position + 4))?.[0];
  if (octal !== undefined) {
    const value = Number.parseInt(octal, 8);
    if (value > 0xff) throw new PythonLiteralError(`the octal escape \\${octal} is above \\377`, position);
    bytes.push(value);
    return position + 1 + octal.length;
  }
  if (kind === '\n') return position + 2;
  bytes.push(0x5c);
  return position + 1;
}

/** Decodes UTF-8 strictly; an error names the first wrong byte. */
function decodeUtf8(bytes: Uint8Array, literalStart: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const offset = firstInvalidByte(bytes);
    const hex = (bytes[offset] ?? 0).toString(16).padStart(2, '0');
    throw new PythonLiteralError(`not valid UTF-8: byte \\x${hex} at byte ${offset} of the literal`, literalStart);
  }
}

/** The offset of the first byte that can't be part of UTF-8 text, or of the character that is cut off at the end. */
function firstInvalidByte(bytes: Uint8Array): number {
  let offset = 0;
  while (offset < bytes.length) {
    const lead = bytes[offset] ?? 0;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    try {
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(offset, offset + length));
    } catch {
      return offset;
    }
    offset += length;
  }
  return 0;
}
