import { ERROR_CODES, UsageError } from '../errors.js';
import { OutputFile } from '../output-file.js';
import type { AttackRecord } from './schema.js';

/** How much text is gathered before it is handed to the file, in UTF-16 units. */
const BATCH_LENGTH = 64 * 1024;

/**
 * A file of records, written one by one: JSONL, one object a line. It appears under its name when it is complete; a live one is there
 * from the start and has each record as soon as it is written, so that a run can be followed and a killed one leaves what it found.
 *
 * @example const file = await RecordFile.open(path); try { await file.write(record); await file.commit(); } finally { await file.discard(); }
 */
export class RecordFile {
  readonly #file: OutputFile;
  readonly #batchLength: number;
  #batch = '';

  private constructor(file: OutputFile, isLive: boolean) {
    this.#file = file;
    this.#batchLength = isLive ? 0 : BATCH_LENGTH;
  }

  /**
   * Opens a file.
   *
   * @param path A path (`.gz` and `.zst` are compressed), or `-` for standard output.
   * @param options `isLive`: write each record at once, under the file's name. Default false.
   * @throws {TeapotError} `ERR_TEAPOT_WRITE` when it can't be opened.
   */
  static async open(path: string, options: { readonly isLive?: boolean | undefined } = {}): Promise<RecordFile> {
    return new RecordFile(await OutputFile.open(path, options), options.isLive === true);
  }

  /** Adds a record; throws as {@link writeRecords} does. */
  async write(record: AttackRecord): Promise<void> {
    this.#batch += `${formatRecord(record)}\n`;
    if (this.#batch.length >= this.#batchLength) await this.#flush();
  }

  /** Completes the file: from now on it has its name. */
  async commit(): Promise<void> {
    await this.#flush();
    await this.#file.commit();
  }

  /** Gives the file up: nothing stays of it, unless it is live. Safe to call at any time, also after `commit`. */
  async discard(): Promise<void> {
    await this.#file.discard();
  }

  async #flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = '';
    if (batch !== '') await this.#file.write(batch);
  }
}

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
  const file = await RecordFile.open(path);
  try {
    let count = 0;
    for await (const record of records) {
      options.signal?.throwIfAborted();
      await file.write(record);
      count += 1;
    }
    await file.commit();
    return count;
  } finally {
    await file.discard();
  }
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
