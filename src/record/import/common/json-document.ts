import { ERROR_CODES, UsageError } from '../../../errors.js';
import { parseJson } from '../../../read/json.js';
import { readText } from '../../../read/source-file.js';
import type { SourceFile } from '../../../read/source-file.js';
import type { ImportOptions } from '../importer.js';
import { pythonJsonToJson } from './values.js';

/** One document must fit into memory, and JavaScript holds no text over 512 MiB. */
const MAX_DOCUMENT_BYTES = 400 * 1024 * 1024;

/** A JSON document and its text. */
export interface JsonDocument {
  readonly value: unknown;
  readonly text: string;
}

/**
 * Reads a file that is one JSON document; NaN and the infinities become null, with a warning (`no-number`).
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line when it is cut off or something follows it.
 */
export async function readJsonDocument(source: SourceFile, options: ImportOptions): Promise<JsonDocument> {
  const text = await readText(source, MAX_DOCUMENT_BYTES);
  return { value: parseDocument(text, source.name, options), text };
}

/**
 * Parses a JSON document as {@link readJsonDocument} does.
 *
 * @param file Its name, for errors and warnings.
 */
export function parseDocument(text: string, file: string, options: ImportOptions): unknown {
  const json = pythonJsonToJson(text);
  if (json !== text) {
    const line = lineAt(text, text.search(/(?<=[:,[\s])-?(?:NaN|Infinity)(?=[\s,\]}])/u));
    const message = 'NaN or Infinity, which JSON does not have: taken as null';
    options.onWarning?.({ file, line, code: 'no-number', message });
  }
  const parsed = parseJson(json);
  if ('value' in parsed) return parsed.value;
  const position = Number(/position (\d+)/u.exec(parsed.problem)?.[1] ?? text.length);
  const isCut = position >= json.trimEnd().length;
  const reason = isCut ? 'the JSON document ends too early: the file is cut off' : parsed.problem;
  throw new UsageError(ERROR_CODES.FORMAT, `${file}:${lineAt(json, position)}: ${reason}`);
}

/** The 1-based line of a position. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < position; end = text.indexOf('\n', end + 1)) line += 1;
  return line;
}

/**
 * The lines at which the elements of a list start in a pretty-printed document.
 *
 * @param indent How many blanks stand before the bracket of an element.
 * @param count How many elements there are; when as many lines can't be told, there are none.
 */
export function elementLines(text: string, indent: number, count: number): readonly number[] {
  const bracket = `${' '.repeat(indent)}{`;
  const lines: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.startsWith(bracket) && line.trim() === '{') lines.push(index + 1);
  }
  return lines.length === count ? lines : [];
}
