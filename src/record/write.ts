import { ERROR_CODES, UsageError } from '../errors.js';
import { writeFileSafely } from '../output-file.js';
import type { AttackRecord } from './schema.js';

/** How much text is gathered before it is handed to the file, in UTF-16 units. */
const BATCH_LENGTH = 64 * 1024;

/**
 * Writes records as JSONL, one object a line, as a stream: memory doesn't grow with their number.
 *
 * @param path A path (`.gz` and `.zst` are compressed), or `-` for standard output.
 * @param records When it throws, no file is left, an old one is kept, and the error goes on.
 * @returns The number of records written.
 * @throws {TeapotError} `ERR_TEAPOT_WRITE` when the file can't be written; `ERR_TEAPOT_FORMAT` when a record can't be
 *   written as JSON because it is nested too deep.
 */
export async function writeRecords(
  path: string,
  records: AsyncIterable<AttackRecord> | Iterable<AttackRecord>,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<number> {
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    let batch = '';
    for await (const record of records) {
      batch += `${formatRecord(record)}\n`;
      count += 1;
      if (batch.length < BATCH_LENGTH) continue;
      yield batch;
      batch = '';
    }
    if (batch !== '') yield batch;
  }
  await writeFileSafely(path, lines(), options.signal);
  return count;
}

/**
 * Writes one record as a line of JSON, without the line end.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` when it is nested too deep for `JSON.stringify`.
 */
export function formatRecord(record: AttackRecord): string {
  try {
    return JSON.stringify(record);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new UsageError(ERROR_CODES.FORMAT, `record ${record.id}: nested too deep to be written`, { cause });
  }
}
