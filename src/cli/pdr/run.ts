import { ERROR_CODES, UsageError } from '../../errors.js';
import { groupBy } from '../../record/group-by.js';
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
import { checkGateNames, enforceGates } from '../gate.js';
import type { GatedRow } from '../gate.js';
import { gatedFormat, printGated } from '../gated-output.js';
import { interruptSignal } from '../interrupt.js';
import { createNote, type Note } from '../notes.js';
import { openRecordFiles } from '../record-options.js';
import { recordsOf, WorkFolderPredictions } from './work-folder.js';
import type { PdrArguments } from '../commands/pdr.js';
import { pdrColumns, pdrColumnsOf, PROMPTBENCH_COLUMNS } from './columns.js';
import { dropRateRows, pdrDocument, pdrSignature, promptBenchDocument, promptBenchRows, rowOf } from './document.js';
import type { DropRateRows, PdrSettings } from './document.js';
import { crossGrid, longGrid, promptBenchGrid } from './grids.js';

/**
 * Reads attack records and prints their drop rates.
 *
 * @throws {UsageError} when an option is wrong, a line is no record, or there is no attack in the files.
 * @throws {GateError} when a condition of `--fail-if` holds.
 */
export async function runPdr(argv: PdrArguments): Promise<void> {
  const note = createNote(argv);
  const format = gatedFormat(argv);
  const settings = settingsOf(argv);
  const keys = parseGroupingKeys(argv.by, '--by');
  checkGateNames(argv.failIf ?? [], numberNames(pdrColumns([])), keys);
  const table = new PdrTable(keys);
  const promptBench = argv.table === undefined ? undefined : new PromptBenchTables();

  const paths = await Promise.all(argv.records.map(recordsOf));
  const files = await openRecordFiles({ ...argv, records: paths }, note);
  const predictions = new WorkFolderPredictions(note);
  for await (const record of files.records()) {
    // Files are read one after the other: this is the one that is being read.
    table.add(record, await predictions.itemsOf(paths[files.inputs.length] ?? '', record));
    promptBench?.add(record);
  }
  const all = table.all.summary(settings.trim);
  if (table.cells.length === 0) throw noAttacks(argv.records, table.leftOut);

  const verdicts = await printGated(argv, {
    suite: 'teapot pdr',
    signature: pdrSignature(settings),
    rows: gatedRows(table, settings),
    render: (shown) =>
      promptBench === undefined
        ? renderTable(table, settings, { format: shown, long: argv.long === true, inputs: files.inputs, note })
        : renderPromptBench(promptBench, settings, shown, files.inputs),
  });
  tell(note, table.leftOut, all, settings, promptBench === undefined && format !== 'json');
  enforceGates(verdicts);
}

/** The numbers of each cell, and of all attacks together where there are several cells. */
function gatedRows({ keys, cells, all }: PdrTable, settings: PdrSettings): readonly GatedRow[] {
  const columns = pdrColumns([]);
  const rows = cells.map(({ group, rates }) => ({
    group: Object.fromEntries(keys.map((key, index) => [key, group[index] ?? null])),
    numbers: numbersOf(columns, rowOf(group, rates, settings)),
  }));
  return cells.length === 1 ? rows : [...rows, { group: null, numbers: numbersOf(columns, rowOf([], all, settings)) }];
}

async function renderTable(
  table: PdrTable,
  settings: PdrSettings,
  {
    format,
    long,
    inputs,
    note,
  }: {
    readonly format: TableFormat;
    readonly long: boolean;
    readonly inputs: readonly RecordInput[];
    readonly note: Note;
  },
): Promise<string> {
  if (format !== 'json' && format !== 'csv' && format !== 'html' && !long && table.keys.length > 1) {
    return renderGrids([crossGrid(table, settings)], format);
  }
  const rows = await dropRateRows(table, settings, { signal: interruptSignal });
  if (format !== 'json' && format !== 'csv') noteMissingIntervals(rows, note);
  const document = pdrDocument(rows, table.leftOut, settings, inputs);
  if (format === 'json') return renderJson(document);
  if (format === 'html') return (await import('../report/result-page.js')).documentPage(document);
  if (format === 'csv') return csvOf({ columns: pdrColumnsOf(rows.keys, rows.cells), rows: rows.cells });
  return renderGrids([longGrid(rows)], format);
}

/** Says why groups have no interval: CSV and JSON have the reason of each. */
function noteMissingIntervals({ cells }: DropRateRows, note: Note): void {
  const reasons = groupBy(
    cells.flatMap(({ intervals: { reason } }) => reason ?? []),
    (reason) => reason,
  );
  for (const [reason, groups] of reasons) {
    note(`No interval: ${groups.length} ${groups.length === 1 ? 'group' : 'groups'} (${reason})`);
  }
}

async function renderPromptBench(
  promptBench: PromptBenchTables,
  settings: PdrSettings,
  format: TableFormat,
  inputs: readonly RecordInput[],
): Promise<string> {
  const tables = promptBench.tables();
  if (format === 'html') {
    const { sectionPage } = await import('../report/result-page.js');
    const blocks = tables.map((table) => ({ kind: 'grid' as const, grid: promptBenchGrid(table, settings) }));
    return sectionPage(
      "PromptBench's tables",
      { id: 'pdr', title: 'Performance drop', blocks },
      pdrSignature(settings),
    );
  }
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
