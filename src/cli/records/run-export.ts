import { ERROR_CODES, UsageError } from '../../errors.js';
import { writeFileSafely } from '../../output-file.js';
import { exportParallel } from '../../record/export/parallel.js';
import type { ParallelExportOptions } from '../../record/export/parallel.js';
import { exportTable, TABLE_EXPORT_FORMATS } from '../../record/export/table.js';
import type { TableExportFormat } from '../../record/export/table.js';
import { exportTextAttack } from '../../record/export/textattack.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import { openRecordFiles } from '../record-options.js';
import type { RecordArguments } from '../record-options.js';

/** The arguments of `teapot export`. */
export interface ExportArguments extends RecordArguments {
  readonly format: 'parallel' | 'textattack' | 'table';
  readonly output?: string | undefined;
  readonly src?: string | undefined;
  readonly advSrc?: string | undefined;
  readonly out?: string | undefined;
  readonly advOut?: string | undefined;
  readonly ref?: readonly string[] | undefined;
  readonly lineBreaks?: ParallelExportOptions['lineBreaks'];
  readonly missing?: ParallelExportOptions['missing'];
  readonly quiet?: boolean | undefined;
}

const PARALLEL_FLAGS = {
  src: '--src',
  advSrc: '--adv-src',
  out: '--out',
  advOut: '--adv-out',
  ref: '--ref',
  lineBreaks: '--line-breaks',
  missing: '--missing',
} as const;

/**
 * Exports records.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when an option doesn't belong to the format; what reading and writing throw.
 */
export async function runExport(argv: ExportArguments): Promise<void> {
  const note = createNote(argv);
  refuseUseless(argv);
  const files = await openRecordFiles(argv, note);
  if (argv.format === 'parallel') {
    const { src, advSrc, out, advOut, ref: refs, lineBreaks, missing } = argv;
    const { written, skipped } = await exportParallel(
      files.records(),
      { src, advSrc, out, advOut, refs },
      { lineBreaks, missing, signal: interruptSignal },
    );
    const detail =
      skipped > 0 ? `; ${skipped} records without one of the texts were left out (--missing empty|error)` : '';
    note(`${written} lines written${detail}`);
    return;
  }
  const output = argv.output ?? '-';
  const chunks =
    argv.format === 'textattack'
      ? exportTextAttack(files.records())
      : exportTable(files.records(), tableFormat(output));
  await writeFileSafely(output, chunks, interruptSignal);
}

function tableFormat(output: string): TableExportFormat {
  if (output === '-') return 'csv';
  const extension = /\.(\w+)(?:\.gz|\.zst)?$/u.exec(output)?.[1]?.toLowerCase();
  const format = TABLE_EXPORT_FORMATS.find((known) => known === extension);
  if (format !== undefined) return format;
  throw invalid(`--output ${output}: the extension says no format: it is one of .${TABLE_EXPORT_FORMATS.join(', .')}`);
}

function refuseUseless(argv: ExportArguments): void {
  if (argv.format === 'parallel') {
    if (argv.output !== undefined)
      throw invalid('parallel writes to --src, --adv-src, --out, --adv-out and --ref, not to --output');
    return;
  }
  for (const [name, flag] of Object.entries(PARALLEL_FLAGS)) {
    if (argv[name as keyof typeof PARALLEL_FLAGS] !== undefined) {
      throw invalid(`${flag} belongs to the format parallel, not to ${argv.format}`);
    }
  }
}

function invalid(message: string): UsageError {
  return new UsageError(ERROR_CODES.INVALID_OPTION, message);
}
