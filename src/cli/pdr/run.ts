import { ERROR_CODES, UsageError } from '../../errors.js';
import { parseGroupingKeys } from '../../record/grouping.js';
import { PdrTable, type LeftOut } from '../../record/pdr-table.js';
import { PromptBenchTables } from '../../record/promptbench-tables.js';
import type { RecordInput } from '../../record/record-files.js';
import { csvOf, numberNames, numbersOf } from '../../report/columns.js';
import type { TableFormat } from '../../report/formats.js';
import { renderGrids } from '../../report/render-grids.js';
import { renderJson } from '../../report/json.js';
import { DEFAULT_BOOTSTRAP } from '../../measure/intervals.js';
import type { DropRateSummary } from '../../measure/drop-rates.js';
import { version } from '../../version.js';
import { applyGates, checkGateNames } from '../gate.js';
import { interruptSignal } from '../interrupt.js';
import { createNote, type Note } from '../notes.js';
import { openRecordFiles, tableFormat } from '../record-options.js';
import type { PdrArguments } from '../commands/pdr.js';
import { pdrColumns, pdrColumnsOf, PROMPTBENCH_COLUMNS } from './columns.js';
import { dropRateRows, pdrDocument, pdrSignature, promptBenchDocument, promptBenchRows, rowOf } from './document.js';
import type { PdrSettings } from './document.js';
import { crossGrid, longGrid, promptBenchGrid } from './grids.js';
import { printResult } from '../terminal.js';

/**
 * Reads attack records and prints their drop rates.
 *
 * @throws {UsageError} when an option is wrong, a line is no record, or there is no attack in the files.
 * @throws {GateError} when a condition of `--fail-if` holds.
 */
export async function runPdr(argv: PdrArguments): Promise<void> {
  const note = createNote(argv);
  const format = tableFormat(argv);
  const settings = settingsOf(argv);
  const gates = argv.failIf ?? [];
  checkGateNames(gates, numberNames(pdrColumns([])));
  const table = new PdrTable(parseGroupingKeys(argv.by, '--by'));
  const promptBench = argv.table === undefined ? undefined : new PromptBenchTables();

  const files = await openRecordFiles(argv, note);
  for await (const record of files.records()) {
    table.add(record);
    promptBench?.add(record);
  }
  const all = table.all.summary(settings.trim);
  if (table.cells.length === 0) throw noAttacks(argv.records, table.leftOut);

  const text =
    promptBench === undefined
      ? await renderTable(table, settings, format, argv.long === true, files.inputs)
      : await renderPromptBench(promptBench, settings, format, files.inputs);
  await printResult(text, { output: argv.output, format });
  tell(note, table.leftOut, all, settings, promptBench === undefined && format !== 'json');
  applyGates(gates, numbersOf(pdrColumns([]), rowOf([], table.all, settings)));
}

async function renderTable(
  table: PdrTable,
  settings: PdrSettings,
  format: TableFormat,
  long: boolean,
  inputs: readonly RecordInput[],
): Promise<string> {
  if (format !== 'json' && format !== 'csv' && !long && table.keys.length > 1) {
    return renderGrids([crossGrid(table, settings)], format);
  }
  const rows = await dropRateRows(table, settings, { signal: interruptSignal });
  if (format === 'json') return renderJson(pdrDocument(rows, table.leftOut, settings, inputs));
  if (format === 'csv') return csvOf({ columns: pdrColumnsOf(rows.keys, rows.cells), rows: rows.cells });
  return renderGrids([longGrid(rows)], format);
}

async function renderPromptBench(
  promptBench: PromptBenchTables,
  settings: PdrSettings,
  format: TableFormat,
  inputs: readonly RecordInput[],
): Promise<string> {
  const tables = promptBench.tables();
  if (format !== 'json' && format !== 'csv') {
    return renderGrids(
      tables.map((table) => promptBenchGrid(table, settings)),
      format,
    );
  }
  const rows = await promptBenchRows(tables, settings, { signal: interruptSignal });
  if (format === 'csv') return csvOf({ columns: PROMPTBENCH_COLUMNS, rows });
  return renderJson(promptBenchDocument(tables, rows, settings, inputs));
}

/** What the table itself can't say, on stderr. */
export function tell(
  note: Note,
  leftOut: LeftOut,
  all: DropRateSummary,
  settings: PdrSettings,
  starred: boolean,
): void {
  if (leftOut.clean > 0) note(`${leftOut.clean} clean prompts (scored, not attacked) are left out.`);
  if (leftOut.aggregates > 0) note(`${leftOut.aggregates} records that sum up others are left out.`);
  if (leftOut.candidates > 0)
    note(`${leftOut.candidates} candidates that an attack tried and did not choose are left out.`);
  for (const [reason, count] of all.undefined) note(`undefined: ${count} (${reason})`);
  if (all.microMixesScales && starred) note('* micro adds scores of different scales: the larger scale decides.');
  note(`Signature: ${pdrSignature(settings)}`);
}

/** How drop rates are summed up: what `--trim`, `--confidence` and `--seed` say. */
export function settingsOf({
  trim,
  confidence,
  seed,
}: Pick<PdrArguments, 'trim' | 'confidence' | 'seed'>): PdrSettings {
  return { trim, bootstrap: { ...DEFAULT_BOOTSTRAP, confidence, seed }, version: version() };
}

function noAttacks(files: readonly string[], leftOut: LeftOut): UsageError {
  const others = leftOut.clean + leftOut.candidates;
  const found = others === 0 ? 'no records' : `${others} clean prompts or candidates, but no attack`;
  return new UsageError(
    ERROR_CODES.EMPTY_INPUT,
    `${files.join(', ')}: ${found}: there is nothing to compute a drop rate from.`,
  );
}
