import { ERROR_CODES, UsageError } from '../../../errors.js';
import { PythonLiteralError } from './python-bytes.js';
import { parsePythonLiteral, type PythonValue } from './python-literal.js';

/** A value of a file and the 1-based line at which it starts. */
export interface PlacedValue {
  readonly value: PythonValue;
  readonly line: number;
}

/**
 * Reads the values of a text one after another: a JSON document, JSON lines, or what Python's `print` or `repr` wrote.
 *
 * @param text the whole text; blank text has no values.
 * @param file the name for errors.
 * @param onBad called with what is wrong with a value; when it returns, reading goes on at the next line. Without it, the
 * error is thrown.
 * @yields the values in order.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line at a value that can't be read.
 */
export function* literalValues(
  text: string,
  file: string,
  onBad?: (error: UsageError, line: number) => void,
): Generator<PlacedValue> {
  const lineOf = lineCounter(text);
  let position = skipBlank(text, 0);
  while (position < text.length) {
    const line = lineOf(position);
    try {
      const { value, end } = parsePythonLiteral(text, position);
      position = skipBlank(text, end);
      yield { value, line };
    } catch (cause) {
      if (!(cause instanceof PythonLiteralError)) throw cause;
      const at = lineOf(Math.min(cause.position, text.length));
      const error = new UsageError(ERROR_CODES.FORMAT, `${file}:${at}: ${cause.message}`, { cause });
      if (onBad === undefined) throw error;
      onBad(error, at);
      const next = text.indexOf('\n', Math.max(position, cause.position));
      position = next < 0 ? text.length : skipBlank(text, next + 1);
    }
  }
}

/** Counts lines forward only: positions must not fall. A lower one counts from the start again. */
function lineCounter(text: string): (position: number) => number {
  let counted = 0;
  let line = 1;
  return (position) => {
    if (position < counted) {
      counted = 0;
      line = 1;
    }
    for (let next = text.indexOf('\n', counted); next >= 0 && next < position; next = text.indexOf('\n', counted)) {
      line += 1;
      counted = next + 1;
    }
    return line;
  };
}

/** White space between values. */
function skipBlank(text: string, position: number): number {
  let next = position;
  while (next < text.length && ' \t\r\n'.includes(text[next] ?? '')) next += 1;
  return next;
}
