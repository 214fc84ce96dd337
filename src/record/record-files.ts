import { createHash } from 'node:crypto';

import { openSource, type SourceOptions } from '../read/source-file.js';
import { readRecords, type ReadRecordsOptions } from './read.js';
import type { AttackRecord } from './schema.js';

/** What is known of a file of records after it was read. */
export interface RecordInput {
  /** The file as the user named it. */
  readonly name: string;
  /** Records read. */
  readonly records: number;
  /** Lines that were no records and were skipped. */
  readonly skipped: number;
  /** SHA-256 of the file's own bytes, in hexadecimal. */
  readonly sha256: string;
}

/** Options of {@link RecordFiles}. */
export type RecordFilesOptions = ReadRecordsOptions & SourceOptions;

/** Several files of records, read one after another as one stream. */
export class RecordFiles {
  readonly #paths: readonly string[];
  readonly #options: RecordFilesOptions;
  readonly #inputs: RecordInput[] = [];

  /**
   * @param paths files, plain or compressed; `-` is standard input.
   */
  constructor(paths: readonly string[], options: RecordFilesOptions = {}) {
    this.#paths = paths;
    this.#options = options;
  }

  /** What is known of the files that were read to their end. */
  get inputs(): readonly RecordInput[] {
    return this.#inputs;
  }

  /**
   * Reads all records, file by file.
   *
   * @throws {UsageError} as `readRecords` does.
   */
  async *records(): AsyncGenerator<AttackRecord, void, undefined> {
    for (const path of this.#paths) {
      const hash = createHash('sha256');
      const source = openSource(path, { ...this.#options, onBytes: (bytes) => hash.update(bytes) });
      let records = 0;
      let skipped = 0;
      const options: ReadRecordsOptions = {
        ...this.#options,
        onBadLine: (error) => {
          skipped += 1;
          this.#options.onBadLine?.(error);
        },
      };
      for await (const record of readRecords(source, options)) {
        records += 1;
        yield record;
      }
      this.#inputs.push({ name: source.name, records, skipped, sha256: hash.digest('hex') });
    }
  }
}
