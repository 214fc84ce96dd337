import { ERROR_CODES, UsageError } from '../../errors.js';
import { PdrTable } from '../../record/pdr-table.js';
import type { RecordInput } from '../../record/record-files.js';
import { recordKind } from '../../record/kind.js';
import type { AttackRecord } from '../../record/schema.js';
import { csvOf } from '../../report/columns.js';
import { renderGrids } from '../../report/render-grids.js';
import { renderJson } from '../../report/json.js';
import { createNote } from '../notes.js';
import type { TableFormat } from '../../report/formats.js';
import { openRecordFiles, tableFormat } from '../record-options.js';
import type { TransferArguments } from '../commands/transfer.js';
import { interruptSignal } from '../interrupt.js';
import { pdrColumnsOf } from './columns.js';
import { dropRateRows, transferDocument, type PdrSettings } from './document.js';
import { crossGrid } from './grids.js';
import { printResult } from '../terminal.js';
import { settingsOf, tell } from './run.js';

/**
 * Reads attack records and prints the drop rates of attacks that were made on one model and tried on another.
 *
 * The scores of such a record are those of the target model: its clean prompt and the attacked one.
 *
 * @throws {UsageError} when an option is wrong, a line is no record, or no record was transferred.
 */
export async function runTransfer(argv: TransferArguments): Promise<void> {
  const note = createNote(argv);
  const format = tableFormat(argv);
  const settings = settingsOf(argv);
  const matrix = new PdrTable(['attack', 'transfer']);
  const pairs = new PdrTable(['attack', 'source_model', 'model']);
  const left = { own: 0, unknown: 0 };

  const files = await openRecordFiles(argv, note);
  for await (const record of files.records()) {
    if (recordKind(record) !== 'attack') continue;
    if (!hasPair(record)) left.unknown += 1;
    else if (record.source_model === record.model && argv.own !== true) left.own += 1;
    else {
      matrix.add(record);
      pairs.add(record);
    }
  }
  if (pairs.cells.length === 0) throw nothingTransferred(argv.records, left);

  await printResult(await render(matrix, pairs, settings, format, files), { output: argv.output, format });
  if (left.own > 0) note(`${left.own} attacks on the model that they were made on are left out (--own shows them).`);
  if (left.unknown > 0) note(`${left.unknown} attacks without source_model or model are left out.`);
  tell(note, { clean: 0, candidates: 0, aggregates: 0 }, pairs.all.summary(settings.trim), settings, false);
}

async function render(
  matrix: PdrTable,
  pairs: PdrTable,
  settings: PdrSettings,
  format: TableFormat,
  { inputs }: { readonly inputs: readonly RecordInput[] },
): Promise<string> {
  if (format !== 'json' && format !== 'csv' && format !== 'html') {
    const statistics = ['mean', 'micro', 'median'] as const;
    return renderGrids(
      statistics.map((statistic) => crossGrid(matrix, settings, statistic)),
      format,
    );
  }
  const rows = await dropRateRows(pairs, settings, { signal: interruptSignal });
  if (format === 'csv') return csvOf({ columns: pdrColumnsOf(rows.keys, rows.cells), rows: rows.cells });
  const document = transferDocument(rows, settings, inputs);
  if (format === 'html')
    return (await import('../report/result-page.js')).documentPage(document, 'Transfer of attacks');
  return renderJson(document);
}

function hasPair({ source_model: source, model }: AttackRecord): boolean {
  return source !== null && model !== null;
}

function nothingTransferred(
  files: readonly string[],
  left: { readonly own: number; readonly unknown: number },
): UsageError {
  const found =
    left.own + left.unknown === 0
      ? 'no attack records'
      : `${left.own} attacks on the model that they were made on, ${left.unknown} without source_model or model`;
  const message = `${files.join(', ')}: found ${found}; a transferred record names another source_model than its model (--own shows the others).`;
  return new UsageError(ERROR_CODES.EMPTY_INPUT, message);
}
