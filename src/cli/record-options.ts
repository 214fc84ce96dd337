import { ERROR_CODES, UsageError } from '../errors.js';
import type { RecordFiles } from '../record/record-files.js';
import { interruptSignal } from './interrupt.js';
import type { Note } from './notes.js';
import type { TableFormat } from './options/output.js';

const EXTENSIONS: ReadonlyMap<string, TableFormat> = new Map([
  ['txt', 'text'],
  ['json', 'json'],
  ['csv', 'csv'],
  ['md', 'markdown'],
  ['tex', 'latex'],
]);

/** Files of records and what happens at a bad line. */
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
