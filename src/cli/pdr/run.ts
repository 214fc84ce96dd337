import { ERROR_CODES, UsageError } from '../../errors.js';
import { parseGroupingKeys } from '../../record/grouping.js';
import { PdrTable, type LeftOut } from '../../record/pdr-table.js';
import { PromptBenchTables } from '../../record/promptbench-tables.js';
import type { RecordInput } from '../../record/record-files.js';
import { renderGrid } from '../../report/grid.js';
import type { DropRateSummary } from '../../summarise/drop-rates.js';
import { version } from '../../version.js';
import { createNote, type Note } from '../notes.js';
import {
  openRecordFiles,
  tableFormat,
  writeResult,
  type RecordArguments,
  type TableFormat,
} from '../record-options.js';
import { pdrDocument, pdrSignature, promptBenchDocument, type PdrSettings } from './document.js';
import { crossGrid, csvGrid, longGrid, promptBenchCsv, promptBenchGrid } from './grids.js';

/** The arguments of `teapot pdr`. */
export interface PdrRunArguments extends RecordArguments {
  readonly by: string;
  readonly table?: 'promptbench' | undefined;
  readonly long?: boolean | undefined;
  readonly trim: string;
  readonly format?: TableFormat | undefined;
  readonly output?: string | undefined;
  readonly quiet?: boolean | undefined;
}

/**
 * Reads attack records and prints their drop rates.
 *
 * @throws {UsageError} when an option is wrong, a line is no record, or there is no attack in the files.
 */
export async function runPdr(argv: PdrRunArguments): Promise<void> {
  const note = createNote(argv);
  const format = tableFormat(argv);
  const settings: PdrSettings = { trim: readTrim(argv.trim), version: version() };
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
      ? renderTable(table, settings, format, argv.long === true, files.inputs)
      : renderPromptBench(promptBench, settings, format, files.inputs);
  await writeResult(text, argv.output);
  tell(note, table.leftOut, all, settings, promptBench === undefined && format !== 'json');
}

function renderTable(
  table: PdrTable,
  settings: PdrSettings,
  format: TableFormat,
  long: boolean,
  inputs: readonly RecordInput[],
): string {
  if (format === 'json') return `${JSON.stringify(pdrDocument(table, settings, inputs), undefined, 2)}\n`;
  if (format === 'csv') return renderGrid(csvGrid(table, settings), 'csv');
  return renderGrid(long || table.keys.length === 1 ? longGrid(table, settings) : crossGrid(table, settings), format);
}

function renderPromptBench(
  promptBench: PromptBenchTables,
  settings: PdrSettings,
  format: TableFormat,
  inputs: readonly RecordInput[],
): string {
  const tables = promptBench.tables();
  if (format === 'json') return `${JSON.stringify(promptBenchDocument(tables, settings, inputs), undefined, 2)}\n`;
  if (format === 'csv') return renderGrid(promptBenchCsv(tables, settings), 'csv');
  return tables.map((table) => renderGrid(promptBenchGrid(table, settings), format)).join('\n');
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
  if (leftOut.candidates > 0)
    note(`${leftOut.candidates} candidates that an attack tried and did not choose are left out.`);
  for (const [reason, count] of all.undefined) note(`undefined: ${count} (${reason})`);
  if (all.microMixesScales && starred) note('* micro adds scores of different scales: the larger scale decides.');
  note(`Signature: ${pdrSignature(settings)}`);
}

/** Reads `--trim`. */
export function readTrim(text: string): number {
  const value = Number(text);
  if (!/^\d*\.?\d+$/u.test(text) || value >= 0.5) {
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `--trim ${text}: expected a share from 0 up to, not including, 0.5.`,
    );
  }
  return value;
}

function noAttacks(files: readonly string[], leftOut: LeftOut): UsageError {
  const others = leftOut.clean + leftOut.candidates;
  const found = others === 0 ? 'no records' : `${others} clean prompts or candidates, but no attack`;
  return new UsageError(
    ERROR_CODES.EMPTY_INPUT,
    `${files.join(', ')}: ${found}: there is nothing to compute a drop rate from.`,
  );
}
