import type { SourceFile } from '../read/source-file.js';
import { ERROR_CODES, UsageError } from '../errors.js';
import { parseJson } from '../read/json.js';
import { BadLines } from './bad-lines.js';
import type { OnError } from './bad-lines.js';
import { checkRecord, recordError } from './schema.js';
import type { AttackRecord } from './schema.js';

/** Options of {@link readRecords}. */
export interface ReadRecordsOptions {
  /**
   * What happens at a bad line: `stop` throws its error (default); `skip` goes on; `collect` goes on and throws one
   * error about all bad lines at the end of the file.
   */
  readonly onError?: OnError | undefined;
  /** Called with the error of every bad line, also of the one that stops the reading. */
  readonly onBadLine?: ((error: UsageError) => void) | undefined;
  /** Take a record for a bad line if one of its texts holds half of a surrogate pair: it can't be scored. Default: it is read. */
  readonly wellFormed?: boolean | undefined;
  /** Stops the reading between two batches of lines. */
  readonly signal?: AbortSignal | undefined;
}

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
      let parsed = parseRecord(text, source.name, line);
      if (options.wellFormed === true && HALF_PAIR.test(text) && !(parsed instanceof UsageError)) {
        parsed = brokenText(parsed, source.name, line) ?? parsed;
      }
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
  const checked = 'problem' in parsed ? { problem: { path: '$', message: parsed.problem } } : checkRecord(parsed.value);
  return 'record' in checked ? checked.record : recordError(file, line, checked.problem);
}

/** The escape of a surrogate: only such a line can hold half of a pair, since the bytes are UTF-8. */
const HALF_PAIR = /\\u[dD][89a-fA-F]/u;

/** The error of a record that holds half of a surrogate pair in a text that is scored. */
function brokenText(record: AttackRecord, file: string, line: number): UsageError | undefined {
  const { src, adv_src, out, adv_out, ref } = record;
  for (const [field, value] of Object.entries({ src, adv_src, out, adv_out, ref })) {
    if ([value ?? ''].flat().every((text) => text.isWellFormed())) continue;
    return new UsageError(
      ERROR_CODES.FORMAT,
      `${file}:${line}: record ${JSON.stringify(record.id)}, ${field} holds half of a surrogate pair, which is no character: the text was cut or decoded wrongly`,
    );
  }
  return undefined;
}

/** JSON's own white space: a line of it holds no record. */
export function isBlank(text: string): boolean {
  return /^[ \t\r]*$/u.test(text);
}
