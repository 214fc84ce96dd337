import { pdrNumbers, type PdrTable } from '../../record/pdr-table.js';
import type { PromptBenchCell, PromptBenchTable } from '../../record/promptbench-tables.js';
import type { RecordInput } from '../../record/record-files.js';
import { formatFixed } from '../../report/fixed.js';

/** What the numbers of a table of drop rates depend on. */
export interface PdrSettings {
  /** The share that the trimmed mean cuts at each end. */
  readonly trim: number;
  readonly version: string;
}

/**
 * The JSON document of a table of drop rates (`teapot.pdr/1`): every number of every cell, full precision.
 */
export function pdrDocument(table: PdrTable, settings: PdrSettings, inputs: readonly RecordInput[]): unknown {
  const { clean, candidates } = table.leftOut;
  return {
    schema: 'teapot.pdr/1',
    by: table.keys,
    cells: table.cells.map(({ group, rates }) => ({
      ...Object.fromEntries(table.keys.map((key, index) => [key, group[index] ?? null])),
      ...pdrNumbers(rates.summary(settings.trim)),
    })),
    all: pdrNumbers(table.all.summary(settings.trim)),
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
export function transferDocument(table: PdrTable, settings: PdrSettings, inputs: readonly RecordInput[]): unknown {
  return {
    schema: 'teapot.transfer/1',
    cells: table.cells.map(({ group, rates }) => ({
      attack: group[0] ?? null,
      source_model: group[1] ?? null,
      model: group[2] ?? null,
      ...pdrNumbers(rates.summary(settings.trim)),
    })),
    all: pdrNumbers(table.all.summary(settings.trim)),
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
    cells: tables.flatMap((table) => table.cells.map((cell) => promptBenchCell(table, cell, settings))),
    ...settingsOf(settings),
    inputs,
    signature: pdrSignature(settings),
  };
}

/** One cell: `model_attack` averages over data sets, so its data set is `avg`. */
function promptBenchCell(table: PromptBenchTable, cell: PromptBenchCell, settings: PdrSettings): unknown {
  const summary = cell.rates.summary(settings.trim);
  const byText = cell.byText?.summary(settings.trim);
  const row = table.rowKey === 'model' ? { model: cell.row, dataset: 'avg' } : { dataset: cell.row };
  return {
    table: table.name,
    ...row,
    column: cell.column,
    text: meanStd(summary, true),
    ...pdrNumbers(summary),
    ...(cell.meanOfDatasetMeans === null ? {} : { mean_of_dataset_means: cell.meanOfDatasetMeans }),
    ...(byText === undefined ? {} : { by_text: { n: byText.n, mean: byText.mean, std: byText.std } }),
  };
}

function settingsOf({ trim, version }: PdrSettings): Record<string, unknown> {
  return { settings: { std: 'population', trim }, version };
}

/** Everything that can change the numbers, in one line. */
export function pdrSignature({ trim, version }: PdrSettings): string {
  return `pdr:1-attacked/original|mean:rows|std:population|trim:${trim}|version:${version}`;
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
