import { pdrNumbers, type PdrTable } from '../../record/pdr-table.js';
import type { PromptBenchCell, PromptBenchTable } from '../../record/promptbench-tables.js';
import type { RecordInput } from '../../record/record-files.js';
import type { RunOptions } from '../../run-options.js';
import type { BootstrapSettings } from '../../measure/intervals.js';
import { dropRateIntervals, type DropRateIntervals, type DropRates } from '../../measure/drop-rates.js';
import { formatFixed } from '../../report/fixed.js';

/** What the numbers of a table of drop rates depend on. */
export interface PdrSettings {
  /** The share that the trimmed mean cuts at each end. */
  readonly trim: number;
  readonly bootstrap: BootstrapSettings;
  readonly version: string;
}

/** The intervals of every cell, drawn before anything is printed. */
export type CellIntervals = ReadonlyMap<DropRates, DropRateIntervals>;

/** The numbers of a cell with its intervals. */
export function cellNumbers(
  rates: DropRates,
  settings: PdrSettings,
  intervals: CellIntervals,
): Record<string, unknown> {
  return pdrNumbers(rates.summary(settings.trim), intervals.get(rates) ?? { mean: null, micro: null });
}

/** Draws the intervals of all cells, one after the other. */
export async function drawIntervals(
  cells: readonly DropRates[],
  settings: PdrSettings,
  options: RunOptions,
): Promise<CellIntervals> {
  const intervals = new Map<DropRates, DropRateIntervals>();
  for (const rates of cells) intervals.set(rates, await dropRateIntervals(rates, settings.bootstrap, options));
  return intervals;
}

/**
 * The JSON document of a table of drop rates (`teapot.pdr/1`): every number of every cell, full precision.
 */
export function pdrDocument(
  table: PdrTable,
  settings: PdrSettings,
  intervals: CellIntervals,
  inputs: readonly RecordInput[],
): unknown {
  const { clean, candidates } = table.leftOut;
  return {
    schema: 'teapot.pdr/1',
    by: table.keys,
    cells: table.cells.map(({ group, rates }) => ({
      ...Object.fromEntries(table.keys.map((key, index) => [key, group[index] ?? null])),
      ...cellNumbers(rates, settings, intervals),
    })),
    all: cellNumbers(table.all, settings, intervals),
    left_out: { clean, candidates },
    ...settingsOf(settings),
    inputs,
    signature: pdrSignature(settings),
  };
}

/**
 * The JSON document of a transfer matrix (`teapot.transfer/1`): a cell for every attack and pair of models.
 *
 * @param table grouped by attack, source model and model.
 */
export function transferDocument(
  table: PdrTable,
  settings: PdrSettings,
  intervals: CellIntervals,
  inputs: readonly RecordInput[],
): unknown {
  return {
    schema: 'teapot.transfer/1',
    cells: table.cells.map(({ group, rates }) => ({
      attack: group[0] ?? null,
      source_model: group[1] ?? null,
      model: group[2] ?? null,
      ...cellNumbers(rates, settings, intervals),
    })),
    all: cellNumbers(table.all, settings, intervals),
    ...settingsOf(settings),
    inputs,
    signature: pdrSignature(settings),
  };
}

/**
 * The JSON document of PromptBench's tables (`teapot.pdr-promptbench/1`): the cells of all tables in one list, each with
 * the names of its table, row and column.
 */
export function promptBenchDocument(
  tables: readonly PromptBenchTable[],
  settings: PdrSettings,
  intervals: CellIntervals,
  inputs: readonly RecordInput[],
): unknown {
  return {
    schema: 'teapot.pdr-promptbench/1',
    tables: tables.map(({ name, title, rowKey, rows, columns }) => ({
      table: name,
      title,
      row_key: rowKey,
      rows,
      columns,
    })),
    cells: tables.flatMap((table) => table.cells.map((cell) => promptBenchCell(table, cell, settings, intervals))),
    ...settingsOf(settings),
    inputs,
    signature: pdrSignature(settings),
  };
}

/** One cell: `model_attack` averages over data sets, so its data set is `avg`. */
function promptBenchCell(
  table: PromptBenchTable,
  cell: PromptBenchCell,
  settings: PdrSettings,
  intervals: CellIntervals,
): unknown {
  const summary = cell.rates.summary(settings.trim);
  const byText = cell.byText?.summary(settings.trim);
  const row = table.rowKey === 'model' ? { model: cell.row, dataset: 'avg' } : { dataset: cell.row };
  return {
    table: table.name,
    ...row,
    column: cell.column,
    text: meanStd(summary, true),
    ...cellNumbers(cell.rates, settings, intervals),
    ...(cell.meanOfDatasetMeans === null ? {} : { mean_of_dataset_means: cell.meanOfDatasetMeans }),
    ...(byText === undefined ? {} : { by_text: { n: byText.n, mean: byText.mean, std: byText.std } }),
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

/**
 * A cell as PromptBench prints it: `0.26±0.39`, two decimals each; `-` where there is nothing.
 *
 * @param negativeZero whether a negative mean that rounds to zero is printed `-0.00`, as PromptBench's tables have it.
 */
export function meanStd(
  summary: { readonly mean: number | null; readonly std: number | null },
  negativeZero: boolean,
): string {
  if (summary.mean === null || summary.std === null) return '-';
  return `${formatFixed(summary.mean, 2, negativeZero)}±${formatFixed(summary.std, 2)}`;
}
