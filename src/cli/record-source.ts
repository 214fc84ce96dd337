import type { Argv } from 'yargs';

import { parallelRecords } from '../record/parallel-source.js';
import type { RecordInput } from '../record/record-files.js';
import type { AttackRecord } from '../record/schema.js';
import { interruptSignal } from './interrupt.js';
import type { Note } from './notes.js';
import { openRecordFiles } from './record-options.js';
import { invalid } from './values.js';

/** Declares both ways to give texts: files of records, or line-aligned files. */
export function recordSourceOptions<T>(yargs: Argv<T>) {
  const file = (describe: string) => ({ type: 'string', requiresArg: true, describe }) as const;
  return yargs
    .positional('records', {
      type: 'string',
      array: true,
      describe: 'Files of attack records (JSONL, also .gz and .zst); - is stdin',
    })
    .option('src', file('The original inputs, one a line'))
    .option('adv-src', file('The attacked inputs'))
    .option('out', file('The outputs for the original inputs'))
    .option('adv-out', file('The outputs for the attacked inputs'))
    .option('ref', { ...file('The reference outputs; repeat it for several'), array: true })
    .option('encoding', file('How the line-aligned files are encoded (utf-8)'))
    .option('keep-trailing-whitespace', { type: 'boolean', describe: "Don't strip whitespace at line ends" })
    .option('on-error', {
      ...file('At a line that is no record: stop, skip it, or read on and report all of them'),
      choices: ['stop', 'skip', 'collect'] as const,
      default: 'stop' as const,
    })
    .group(
      ['src', 'adv-src', 'out', 'adv-out', 'ref', 'encoding', 'keep-trailing-whitespace'],
      'Line-aligned files instead of records:',
    );
}

/** The arguments of {@link recordSourceOptions}. */
export interface RecordSourceArguments {
  readonly records?: readonly string[] | undefined;
  readonly src?: string | undefined;
  readonly advSrc?: string | undefined;
  readonly out?: string | undefined;
  readonly advOut?: string | undefined;
  readonly ref?: readonly string[] | undefined;
  readonly encoding?: string | undefined;
  readonly keepTrailingWhitespace?: boolean | undefined;
  readonly onError: 'stop' | 'skip' | 'collect';
}

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
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when there are none, or both kinds.
 */
export async function openRecordSource(argv: RecordSourceArguments, note: Note): Promise<RecordSource> {
  const paths = { src: argv.src, advSrc: argv.advSrc, out: argv.out, advOut: argv.advOut, refs: argv.ref };
  const hasFiles = [argv.src, argv.advSrc, argv.out, argv.advOut, argv.ref?.[0]].some((path) => path !== undefined);
  const records = argv.records ?? [];
  if (records.length > 0) {
    if (hasFiles)
      throw invalid('Files of records and --src, --adv-src, … both say where the texts are: give one of them.');
    const files = await openRecordFiles({ records, onError: argv.onError }, note);
    return { kind: 'records', records: files.records(), inputs: () => files.inputs };
  }
  if (!hasFiles)
    throw invalid('Give files of records, or line-aligned files: --src and --adv-src, --out and --adv-out.');
  const options = { encoding: argv.encoding, signal: interruptSignal };
  return {
    kind: 'files',
    records: parallelRecords(paths, options, argv.keepTrailingWhitespace === true),
    inputs: () => [],
  };
}
