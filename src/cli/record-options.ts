import type { Argv } from 'yargs';

import { ERROR_CODES, UsageError } from '../errors.js';
import type { RecordFiles } from '../record/record-files.js';
import { interruptSignal } from './interrupt.js';
import type { Note } from './notes.js';

/** The formats of commands that print tables. */
export const TABLE_FORMATS = ['text', 'json', 'csv', 'markdown', 'latex'] as const;

/** One of {@link TABLE_FORMATS}. */
export type TableFormat = (typeof TABLE_FORMATS)[number];

const EXTENSIONS: ReadonlyMap<string, TableFormat> = new Map([
  ['txt', 'text'],
  ['json', 'json'],
  ['csv', 'csv'],
  ['md', 'markdown'],
  ['tex', 'latex'],
]);

/** Declares the files of records of a command, and how they are read. */
export function recordOptions<T>(yargs: Argv<T>) {
  return yargs
    .positional('records', {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'Files of attack records (JSONL, also .gz and .zst); - is stdin',
    })
    .option('on-error', {
      type: 'string',
      requiresArg: true,
      choices: ['stop', 'skip', 'collect'] as const,
      default: 'stop' as const,
      describe: 'At a line that is no record: stop, skip it, or read on and report all of them',
    });
}

/** Declares where and in which format a command that prints tables writes. */
export function tableOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('format', { type: 'string', requiresArg: true, choices: TABLE_FORMATS, describe: 'Format of the results' })
    .option('output', {
      type: 'string',
      requiresArg: true,
      alias: 'o',
      describe: 'Write the results there; the extension says the format',
    });
}

/** Declares how bootstrap intervals are drawn. */
export function intervalOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('confidence', {
      type: 'string',
      requiresArg: true,
      describe: 'Confidence of the bootstrap intervals (0.95)',
    })
    .option('seed', { type: 'string', requiresArg: true, describe: 'Seed of the intervals (12345)' });
}

/** The arguments of {@link recordOptions}. */
export interface RecordArguments {
  readonly records: readonly string[];
  readonly onError: 'stop' | 'skip' | 'collect';
}

/**
 * The format of the results: the one that was asked for, else the one of the output file's extension, else text.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the extension says nothing.
 */
export function tableFormat(argv: {
  readonly format?: TableFormat | undefined;
  readonly output?: string | undefined;
}): TableFormat {
  if (argv.format !== undefined) return argv.format;
  if (argv.output === undefined || argv.output === '-') return 'text';
  const extension = /\.([^./]+)(?:\.gz)?$/u.exec(argv.output)?.[1]?.toLowerCase() ?? '';
  const format = EXTENSIONS.get(extension);
  if (format === undefined) {
    const known = [...EXTENSIONS.keys()].map((name) => `.${name}`).join(', ');
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `--output ${argv.output}: the extension says no format (known: ${known}). Add --format.`,
    );
  }
  return format;
}

/** Opens the files of records of a command; lines that are skipped are noted. */
export async function openRecordFiles(argv: RecordArguments, note: Note): Promise<RecordFiles> {
  const module = await import('../record/record-files.js');
  return new module.RecordFiles(argv.records, {
    onError: argv.onError,
    signal: interruptSignal,
    onBadLine: (error) => {
      if (argv.onError === 'skip') note(`Skipped: ${error.message}`);
    },
  });
}
