import { writeFileSafely } from '../../output-file.js';
import { exportParallel } from '../../record/export/parallel.js';
import { exportTable } from '../../record/export/table.js';
import { exportTextAttack } from '../../record/export/textattack.js';
import { chooseFormat } from '../../report/formats.js';
import type { ExportArguments } from '../commands/export.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import { openRecordFiles } from '../record-options.js';

/** The formats of a table of records; standard output gets the first one. */
const EXPORT_FORMATS = ['csv', 'tsv', 'jsonl', 'parquet'] as const;

/**
 * Exports records.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when an option doesn't belong to the format; what reading and writing throw.
 */
export async function runExport(argv: ExportArguments): Promise<void> {
  const note = createNote(argv);
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
      : exportTable(files.records(), chooseFormat({ formats: EXPORT_FORMATS, output, option: '--output' }));
  await writeFileSafely(output, chunks, interruptSignal);
}
