import { decodePythonBytes, PythonLiteralError } from './python-bytes.js';

/**
 * What `repr()` of plain Python data can hold. A dict is a list of entries, so that a key such as `__proto__` or a
 * repeated key is data like any other.
 */
export type PythonValue =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'none' }
  | { readonly type: 'sequence'; readonly items: readonly PythonValue[] }
  | { readonly type: 'dict'; readonly entries: readonly (readonly [PythonValue, PythonValue])[] };

/** A value and the UTF-16 position after it. */
export interface ParsedLiteral {
  readonly value: PythonValue;
  readonly end: number;
}

/** Deeper nesting than this is refused: a hostile file must not exhaust the stack. */
const MAXIMAL_DEPTH = 64;

const STRING_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\n', ''],
  // JSON's; repr never writes it.
  ['/', '/'],
]);

/** How many hexadecimal digits follow each of Python's numeric escapes. */
const HEX_ESCAPES: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** One character beyond U+FFFF, as JSON escapes it. */
const SURROGATE_PAIR = /^\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/u;

/**
 * Parses one Python literal: a string, bytes, a number, `True`, `False`, `None`, a tuple, list, set or dict of them.
 * Nothing is evaluated. JSON is read too: its three words, its escaped slash and its pairs of escaped surrogates.
 *
 * @param source the text that holds the literal.
 * @param start where to begin, in UTF-16 units (default 0); whitespace before the literal is skipped.
 * @returns the value, and the position after it: what follows is left to the caller.
 * @throws {PythonLiteralError} with the position of what is no literal.
 */
export function parsePythonLiteral(source: string, start = 0): ParsedLiteral {
  return parseValue(source, skipSpace(source, start), 0);
}

function parseValue(source: string, position: number, depth: number): ParsedLiteral {
  if (depth > MAXIMAL_DEPTH) throw new PythonLiteralError(`nested deeper than ${MAXIMAL_DEPTH} levels`, position);
  const character = source[position];
  switch (character) {
    case '{':
      return parseBraces(source, position + 1, depth);
    case '[':
      return parseSequence(source, position + 1, ']', depth);
    case '(':
      return parseSequence(source, position + 1, ')', depth);
    case "'":
    case '"':
      return parseString(source, position);
    case 'b':
    case 'B': {
      const { text, end } = decodePythonBytes(source, position);
      return { value: { type: 'string', value: text }, end };
    }
    default:
      return parseWord(source, position);
  }
}

/** A tuple, list or set: the opening bracket has been read. */
function parseSequence(source: string, start: number, close: string, depth: number): ParsedLiteral {
  const items: PythonValue[] = [];
  let position = skipSpace(source, start);
  while (source[position] !== close) {
    const item = parseValue(source, position, depth + 1);
    items.push(item.value);
    position = skipSeparator(source, item.end, close);
  }
  return { value: { type: 'sequence', items }, end: position + 1 };
}

/** A dict or set: the opening brace has been read. */
function parseBraces(source: string, start: number, depth: number): ParsedLiteral {
  const entries: (readonly [PythonValue, PythonValue])[] = [];
  let position = skipSpace(source, start);
  while (source[position] !== '}') {
    const key = parseValue(source, position, depth + 1);
    position = skipSpace(source, key.end);
    if (source[position] !== ':') {
      if (entries.length === 0) return parseSequence(source, start, '}', depth);
      throw new PythonLiteralError(`expected ":" after a key, ${found(source, position)}`, position);
    }
    const value = parseValue(source, skipSpace(source, position + 1), depth + 1);
    entries.push([key.value, value.value]);
    position = skipSeparator(source, value.end, '}');
  }
  return { value: { type: 'dict', entries }, end: position + 1 };
}

/** Skips one comma; without one, the closing bracket must come next. */
function skipSeparator(source: string, position: number, close: string): number {
  const next = skipSpace(source, position);
  if (source[next] === ',') return skipSpace(source, next + 1);
  if (source[next] === close) return next;
  throw new PythonLiteralError(`expected "," or "${close}", ${found(source, next)}`, next);
}

/** Text without anything that may be special, taken in one go: a string may have megabytes. */
const PLAIN = /[^'"\\\n]+/y;

function parseString(source: string, start: number): ParsedLiteral {
  const quote = source[start];
  let text = '';
  let position = start + 1;
  for (;;) {
    const character = source[position];
    if (character === undefined || character === '\n') throw new PythonLiteralError('the string is not closed', start);
    if (character === quote) return { value: { type: 'string', value: text }, end: position + 1 };
    if (character !== '\\') {
      PLAIN.lastIndex = position;
      // The other kind of quote is plain text, but ends the run of the pattern.
      const run = PLAIN.exec(source)?.[0] ?? character;
      text += run;
      position += run.length;
      continue;
    }
    const kind = source[position + 1] ?? '';
    const simple = STRING_ESCAPES.get(kind);
    const width = HEX_ESCAPES.get(kind);
    const octal = /^[0-7]{1,3}/.exec(source.slice(position + 1, position + 4))?.[0];
    if (simple !== undefined) {
      text += simple;
      position += 2;
    } else if (width !== undefined) {
      const pair = SURROGATE_PAIR.exec(source.slice(position, position + 12))?.[0];
      text += pair === undefined ? hexCharacter(source, position, width) : (JSON.parse(`"${pair}"`) as string);
      position += pair?.length ?? 2 + width;
    } else if (octal !== undefined) {
      text += String.fromCodePoint(Number.parseInt(octal, 8));
      position += 1 + octal.length;
    } else {
      text += '\\';
      position += 1;
    }
  }
}

/** The character of `\xNN`, `\uNNNN` or `\UNNNNNNNN`; a surrogate alone is no text and is refused. */
function hexCharacter(source: string, position: number, width: number): string {
  const digits = source.slice(position + 2, position + 2 + width);
  const code = /^[0-9a-fA-F]+$/.test(digits) && digits.length === width ? Number.parseInt(digits, 16) : -1;
  if (code < 0 || code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff)) {
    throw new PythonLiteralError(`the escape \\${source[position + 1] ?? ''}${digits} is no character`, position);
  }
  return String.fromCodePoint(code);
}

/** The words of Python and of JSON. */
const WORDS: ReadonlyMap<string, PythonValue> = new Map<string, PythonValue>([
  ['True', { type: 'boolean', value: true }],
  ['true', { type: 'boolean', value: true }],
  ['False', { type: 'boolean', value: false }],
  ['false', { type: 'boolean', value: false }],
  ['None', { type: 'none' }],
  ['null', { type: 'none' }],
  ['nan', { type: 'number', value: NaN }],
  ['NaN', { type: 'number', value: NaN }],
  ['inf', { type: 'number', value: Infinity }],
  ['Infinity', { type: 'number', value: Infinity }],
]);

const NUMBER = /[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_]\w*/y;

function parseWord(source: string, position: number): ParsedLiteral {
  NUMBER.lastIndex = position;
  const number = NUMBER.exec(source)?.[0];
  if (number !== undefined) {
    return { value: { type: 'number', value: Number(number.replaceAll('_', '')) }, end: position + number.length };
  }
  WORD.lastIndex = position;
  const word = WORD.exec(source)?.[0];
  const end = position + (word?.length ?? 0);
  const value = word === undefined ? undefined : WORDS.get(word);
  if (value !== undefined) return { value, end };
  throw new PythonLiteralError(`expected a Python literal, ${found(source, position)}`, position);
}

/** Python's whitespace between tokens. */
function skipSpace(source: string, position: number): number {
  let next = position;
  while (source[next] === ' ' || source[next] === '\n' || source[next] === '\r' || source[next] === '\t') next += 1;
  return next;
}

function found(source: string, position: number): string {
  const rest = source.slice(position, position + 20);
  return rest === '' ? 'found the end' : `found ${JSON.stringify(rest)}`;
}
