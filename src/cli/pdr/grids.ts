import { NO_VALUE } from '../../record/grouping.js';
import type { PdrTable } from '../../record/pdr-table.js';
import type { PromptBenchTable } from '../../record/promptbench-tables.js';
import type { Grid } from '../../report/grid.js';
import { formatFixed } from '../../number-format.js';
import type { DropRateSummary } from '../../measure/drop-rates.js';
import { allGroups, gridOf } from '../../report/columns.js';
import { meanStd, pdrTextColumns } from './columns.js';
import type { DropRateRows, PdrSettings } from './document.js';

/** One row a cell, with all its numbers: both scores, the absolute drop and the drop rate are four different things. */
export function longGrid({ keys, cells, all }: DropRateRows): Grid {
  const rows = cells.length === 1 ? cells : [...cells, { ...all, group: allGroups(keys) }];
  const title = 'Performance drop rate (PDR = 1 - attacked/original)';
  return gridOf({ title, columns: pdrTextColumns(keys, rows), rows }, { scale: 1 });
}

/** What a cell of {@link crossGrid} shows. */
export type CellStatistic = 'mean' | 'micro' | 'median';

const CELL_TITLES: Readonly<Record<CellStatistic, string>> = {
  mean: 'Performance drop rate, mean±std (n)',
  micro: 'Performance drop rate, micro: 1 - sum(attacked)/sum(original)',
  median: 'Performance drop rate, median',
};

/** Rows by all keys but the last, columns by the last; a mean shows its spread and its n. */
export function crossGrid(table: PdrTable, { trim }: PdrSettings, statistic: CellStatistic = 'mean'): Grid {
  const columns = [...new Set(table.cells.map(({ group }) => group.at(-1) ?? NO_VALUE))];
  const rows = new Map<string, { readonly names: readonly string[]; readonly cells: Map<string, string> }>();
  for (const { group, rates } of table.cells) {
    const names = group.slice(0, -1).map((value) => value ?? NO_VALUE);
    const key = JSON.stringify(names);
    let row = rows.get(key);
    if (row === undefined) {
      row = { names, cells: new Map() };
      rows.set(key, row);
    }
    row.cells.set(group.at(-1) ?? NO_VALUE, cellText(rates.summary(trim), statistic));
  }
  return {
    title: CELL_TITLES[statistic],
    columns: [
      ...table.keys.slice(0, -1).map((name) => ({ name })),
      ...columns.map((name) => ({ name, align: 'right' as const })),
    ],
    rows: [...rows.values()].map(({ names, cells }) => names.concat(columns.map((column) => cells.get(column) ?? '-'))),
  };
}

function cellText(summary: DropRateSummary, statistic: CellStatistic): string {
  const { micro, outcomes } = summary;
  // Of items that are right or wrong the drop rate of the accuracies is meant, not a mean of zeros and ones.
  if (statistic === 'mean' && outcomes !== null && micro !== null)
    return `${formatFixed(micro, 2)} (${outcomes.items})`;
  if (statistic === 'mean') return `${meanStd(summary, false) ?? '-'} (${summary.n})`;
  const value = summary[statistic];
  return value === null ? '-' : formatFixed(value, 4);
}

/** One of PromptBench's tables, as it prints them. */
export function promptBenchGrid(table: PromptBenchTable, { trim }: PdrSettings): Grid {
  const rows = new Map(table.rows.map((row) => [row, [row]]));
  for (const { row, rates } of table.cells) rows.get(row)?.push(meanStd(rates.summary(trim), true) ?? '-');
  return {
    title: table.title,
    columns: [{ name: table.rowKey }, ...table.columns.map((name) => ({ name, align: 'right' as const }))],
    rows: [...rows.values()],
  };
}
