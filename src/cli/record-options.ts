import type { RecordFiles } from '../record/record-files.js';
import { chooseFormat, TABLE_FORMATS, type TableFormat } from '../report/formats.js';
import { interruptSignal } from './interrupt.js';
import type { Note } from './notes.js';

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
  return chooseFormat({ formats: TABLE_FORMATS, format: argv.format, output: argv.output, option: '--output' });
}

/**
 * Opens the files of records of a command; lines that are skipped are noted.
 *
 * @param options `wellFormed` for a command that scores texts: a record whose text is none is a bad line.
 */
export async function openRecordFiles(
  argv: RecordArguments,
  note: Note,
  options: { readonly wellFormed?: boolean } = {},
): Promise<RecordFiles> {
  const module = await import('../record/record-files.js');
  return new module.RecordFiles(argv.records, {
    onError: argv.onError,
    signal: interruptSignal,
    ...options,
    onBadLine: (error) => {
      if (argv.onError === 'skip') note(`Skipped: ${error.message}`);
    },
  });
}
