import type { SourceFile } from '../read/source-file.js';
import { UsageError } from '../errors.js';
import { BadLines } from './bad-lines.js';
import type { OnError } from './bad-lines.js';
import { checkRecord, recordError } from './schema.js';
import type { AttackRecord, RecordProblem } from './schema.js';

/** Options of {@link readRecords}. */
export interface ReadRecordsOptions {
  /**
   * What happens at a bad line: `stop` throws its error (default); `skip` goes on; `collect` goes on and throws one
   * error about all bad lines at the end of the file.
   */
  readonly onError?: OnError | undefined;
  /** Called with the error of every bad line, also of the one that stops the reading. */
  readonly onBadLine?: ((error: UsageError) => void) | undefined;
  /** Stops the reading between two batches of lines. */
  readonly signal?: AbortSignal | undefined;
}

/** Deeper objects could be read, but not written again: `JSON.stringify` calls itself. */
const MAX_DEPTH = 1000;

/**
 * Reads attack records, one JSON object a line; blank lines are passed over.
 *
 * Fields that this version doesn't know are kept. Memory doesn't grow with the file.
 *
 * @param source A file of records, plain or compressed, or standard input.
 * @yields The records in the order of the file, all fields present (null where the file has none).
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file, line and JSON path, as `onError` says; also at once, whatever
 *   `onError` says, when the bytes are no UTF-8 or the compressed data is damaged.
 */
export async function* readRecords(
  source: SourceFile,
  options: ReadRecordsOptions = {},
): AsyncGenerator<AttackRecord, void, undefined> {
  const bad = new BadLines(source.name, options.onError, options.onBadLine);
  for await (const lines of source.lines()) {
    options.signal?.throwIfAborted();
    for (const { text, line } of lines) {
      if (isBlank(text)) continue;
      const parsed = parseRecord(text, source.name, line);
      if (parsed instanceof UsageError) bad.add(parsed);
      else yield parsed;
    }
  }
  bad.end();
}

/**
 * Reads one line as a record.
 *
 * @param line 1-based.
 * @returns The record, or the error that says what is wrong with the line.
 */
export function parseRecord(text: string, file: string, line: number): AttackRecord | UsageError {
  const parsed = parseJson(text);
  const checked = 'problem' in parsed ? parsed : checkRecord(parsed.value);
  return 'record' in checked ? checked.record : recordError(file, line, checked.problem);
}

/** Parses one line of JSON: the value, or why there is none. */
export function parseJson(text: string): { readonly value: unknown } | { readonly problem: RecordProblem } {
  if (nestingDepth(text) > MAX_DEPTH) {
    return { problem: { path: '$', message: `nested more than ${MAX_DEPTH} levels deep` } };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { problem: { path: '$', message: `not JSON, one object a line was expected: ${shorten(reason)}` } };
  }
}

/** The deepest nesting of brackets outside of strings; exact for JSON, harmless for anything else. */
function nestingDepth(text: string): number {
  // Few lines come near the limit: without that many brackets there is nothing to count.
  if (!hasMany(text, '[') && !hasMany(text, '{')) return 0;
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return deepest;
}

function hasMany(text: string, bracket: string): boolean {
  let count = 0;
  for (let index = text.indexOf(bracket); index !== -1; index = text.indexOf(bracket, index + 1)) {
    count += 1;
    if (count > MAX_DEPTH / 2) return true;
  }
  return false;
}

/** JSON's own white space: a line of it holds no record. */
export function isBlank(text: string): boolean {
  return /^[ \t\r]*$/u.test(text);
}

function shorten(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}
