import type { PdrTable } from '../../record/pdr-table.js';
import type { PromptBenchTable } from '../../record/promptbench-tables.js';
import type { RecordInput } from '../../record/record-files.js';
import { objectOf } from '../../report/columns.js';
import type { RunOptions } from '../../run-options.js';
import type { BootstrapSettings } from '../../measure/intervals.js';
import { dropRateIntervals } from '../../measure/drop-rates.js';
import type { DropRateIntervals, DropRates } from '../../measure/drop-rates.js';
import { pdrColumns, PROMPTBENCH_COLUMNS } from './columns.js';
import type { DropRateRow, PromptBenchRow } from './columns.js';

/** What the numbers of a table of drop rates depend on. */
export interface PdrSettings {
  /** The share that the trimmed mean cuts at each end. */
  readonly trim: number;
  readonly bootstrap: BootstrapSettings;
  readonly version: string;
}

/** The cells of a table, and all attacks together, with their numbers and intervals. */
export interface DropRateRows {
  readonly keys: readonly string[];
  readonly cells: readonly DropRateRow[];
  readonly all: DropRateRow;
}

const NO_INTERVALS: DropRateIntervals = { mean: null, micro: null, over: null, reason: null };

/** A row without intervals: they cost time. */
export function rowOf(group: readonly (string | null)[], rates: DropRates, { trim }: PdrSettings): DropRateRow {
  return { group, summary: rates.summary(trim), intervals: NO_INTERVALS };
}

/**
 * Draws the intervals of the cells, one after the other.
 *
 * @param limit Cells after so many ones get no interval.
 */
export async function dropRateRows(
  table: PdrTable,
  settings: PdrSettings,
  options: RunOptions,
  limit = Infinity,
): Promise<DropRateRows> {
  const row = async (group: readonly (string | null)[], rates: DropRates): Promise<DropRateRow> => ({
    ...rowOf(group, rates, settings),
    intervals: await dropRateIntervals(rates, settings.bootstrap, options),
  });
  const cells: DropRateRow[] = [];
  for (const { group, rates } of table.cells) {
    cells.push(cells.length < limit ? await row(group, rates) : rowOf(group, rates, settings));
  }
  return { keys: table.keys, cells, all: await row([], table.all) };
}

/** The cells of PromptBench's tables with their numbers and intervals. */
export async function promptBenchRows(
  tables: readonly PromptBenchTable[],
  settings: PdrSettings,
  options: RunOptions,
): Promise<PromptBenchRow[]> {
  const rows: PromptBenchRow[] = [];
  for (const table of tables) {
    for (const cell of table.cells) {
      const intervals = await dropRateIntervals(cell.rates, settings.bootstrap, options);
      const byText = cell.byText?.summary(settings.trim);
      rows.push({ ...rowOf([], cell.rates, settings), intervals, table, cell, byText });
    }
  }
  return rows;
}

/**
 * The JSON document of a table of drop rates (`teapot.pdr/2`): every number of every cell, full precision.
 */
export function pdrDocument(
  { keys, cells, all }: DropRateRows,
  leftOut: { readonly clean: number; readonly candidates: number },
  settings: PdrSettings,
  inputs: readonly RecordInput[],
): unknown {
  const columns = pdrColumns(keys);
  return {
    schema: 'teapot.pdr/2',
    by: keys,
    cells: cells.map((row) => objectOf(columns, row)),
    all: objectOf(pdrColumns([]), all),
    left_out: { clean: leftOut.clean, candidates: leftOut.candidates },
    ...settingsOf(settings),
    inputs,
    signature: pdrSignature(settings),
  };
}

/**
 * The JSON document of a transfer matrix (`teapot.transfer/2`): a cell for every attack and pair of models.
 *
 * @param rows grouped by attack, source model and model.
 */
export function transferDocument(
  { keys, cells, all }: DropRateRows,
  settings: PdrSettings,
  inputs: readonly RecordInput[],
): unknown {
  const columns = pdrColumns(keys);
  return {
    schema: 'teapot.transfer/2',
    cells: cells.map((row) => objectOf(columns, row)),
    all: objectOf(pdrColumns([]), all),
    ...settingsOf(settings),
    inputs,
    signature: pdrSignature(settings),
  };
}

/**
 * The JSON document of PromptBench's tables (`teapot.pdr-promptbench/2`): the cells of all tables in one list, each with
 * the names of its table, row and column.
 */
export function promptBenchDocument(
  tables: readonly PromptBenchTable[],
  rows: readonly PromptBenchRow[],
  settings: PdrSettings,
  inputs: readonly RecordInput[],
): unknown {
  return {
    schema: 'teapot.pdr-promptbench/2',
    tables: tables.map(({ name, title, rowKey, rows: names, columns }) => ({
      table: name,
      title,
      row_key: rowKey,
      rows: names,
      columns,
    })),
    cells: rows.map((row) => objectOf(PROMPTBENCH_COLUMNS, row)),
    ...settingsOf(settings),
    inputs,
    signature: pdrSignature(settings),
  };
}

function settingsOf({ trim, bootstrap, version }: PdrSettings): Record<string, unknown> {
  return { settings: { std: 'population', trim, ...bootstrap }, version };
}

/** Everything that can change the numbers, in one line. */
export function pdrSignature({ trim, bootstrap, version }: PdrSettings): string {
  const { confidence, resamples, seed } = bootstrap;
  return (
    `pdr:1-attacked/original|mean:rows|std:population|trim:${trim}|` +
    `confidence:${confidence}|resamples:${resamples}|seed:${seed}|version:${version}`
  );
}
