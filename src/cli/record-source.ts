import { parallelRecords } from '../record/parallel-source.js';
import type { RecordInput } from '../record/record-files.js';
import type { AttackRecord } from '../record/schema.js';
import { interruptSignal } from './interrupt.js';
import type { Note } from './notes.js';
import type { ValuesOf } from './command.js';
import type { RECORD_SOURCE } from './options/record-source.js';
import { openRecordFiles } from './record-options.js';
import { invalid } from './values.js';

/** Records from wherever the user has them. */
export interface RecordSource {
  /** `files` are line-aligned, `records` are files of records. */
  readonly kind: 'files' | 'records';
  readonly records: AsyncIterable<AttackRecord>;
  /** What is known of the files of records after they were read; empty for line-aligned files. */
  readonly inputs: () => readonly RecordInput[];
}

/**
 * Opens the texts of a command.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when there are none.
 */
export async function openRecordSource(argv: ValuesOf<typeof RECORD_SOURCE>, note: Note): Promise<RecordSource> {
  const paths = { src: argv.src, advSrc: argv.advSrc, out: argv.out, advOut: argv.advOut, refs: argv.ref };
  const records = argv.records ?? [];
  if (records.length > 0) {
    const files = await openRecordFiles({ records, onError: argv.onError }, note, { wellFormed: true });
    return { kind: 'records', records: files.records(), inputs: () => files.inputs };
  }
  if (Object.values(paths).every((path) => path === undefined || path.length === 0))
    throw invalid('Give files of records, or line-aligned files: --src and --adv-src, --out and --adv-out.');
  const options = { encoding: argv.encoding, signal: interruptSignal };
  return {
    kind: 'files',
    records: parallelRecords(paths, options, argv.keepTrailingWhitespace === true),
    inputs: () => [],
  };
}
