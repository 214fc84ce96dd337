import { NO_VALUE } from '../../record/grouping.js';
import type { PdrTable } from '../../record/pdr-table.js';
import type { PromptBenchTable } from '../../record/promptbench-tables.js';
import { formatFixed } from '../../report/fixed.js';
import type { Grid, GridColumn } from '../../report/grid.js';
import type { DropRateIntervals, DropRateSummary } from '../../measure/drop-rates.js';
import { cellNumbers, meanStd, type CellIntervals, type PdrSettings } from './document.js';

/**
 * One row a cell, all its numbers in columns of their own: both scores, the absolute drop and the drop rate are four
 * different things.
 */
export function longGrid(table: PdrTable, { trim }: PdrSettings, intervals: CellIntervals): Grid {
  const right = (name: string): GridColumn => ({ name, align: 'right' });
  const rows = table.cells.map(({ group, rates }) => [
    ...group.map(shown),
    ...longRow(rates.summary(trim), intervals.get(rates)),
  ]);
  if (table.cells.length !== 1)
    rows.push([
      ...table.keys.map((_, index) => (index === 0 ? 'all' : '')),
      ...longRow(table.all.summary(trim), intervals.get(table.all)),
    ]);
  return {
    title: 'Performance drop rate (PDR = 1 - attacked/original)',
    columns: [
      ...table.keys.map((name) => ({ name })),
      ...[
        'n',
        'original',
        'attacked',
        'drop',
        'PDR',
        'interval',
        'micro',
        'median',
        'trimmed',
        'negative',
        'undefined',
        'rounding',
      ].map(right),
    ],
    rows,
  };
}

function longRow(summary: DropRateSummary, intervals: DropRateIntervals | undefined): string[] {
  const interval = intervals?.mean ?? null;
  const { meanOriginal, meanAttacked, rounding } = summary;
  const drop = meanOriginal === null || meanAttacked === null ? null : meanOriginal - meanAttacked;
  return [
    String(summary.n),
    score(meanOriginal),
    score(meanAttacked),
    score(drop),
    meanStd(summary, false),
    interval === null ? '-' : `${rate(interval.low)}..${rate(interval.high)}`,
    `${rate(summary.micro)}${summary.microMixesScales ? '*' : ''}`,
    rate(summary.median),
    rate(summary.trimmedMean),
    String(summary.negative),
    String(count(summary.undefined)),
    rounding === null ? '' : `${bound(rounding.low)}..${bound(rounding.high)}`,
  ];
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
  const columns = unique(table.cells.map(({ group }) => shown(group.at(-1) ?? null)));
  const rows = new Map<string, { readonly names: readonly string[]; readonly cells: Map<string, string> }>();
  for (const { group, rates } of table.cells) {
    const names = group.slice(0, -1).map(shown);
    const key = JSON.stringify(names);
    const row = rows.get(key) ?? { names, cells: new Map<string, string>() };
    row.cells.set(shown(group.at(-1) ?? null), cellText(rates.summary(trim), statistic));
    rows.set(key, row);
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
  if (statistic === 'mean') return `${meanStd(summary, false)} (${summary.n})`;
  return rate(summary[statistic]);
}

/** The long grid for programs: full precision, one column for every number. */
export function csvGrid(table: PdrTable, settings: PdrSettings, intervals: CellIntervals): Grid {
  const numbers = table.cells.map(({ rates }) => flatten(cellNumbers(rates, settings, intervals)));
  const names = Object.keys(numbers[0] ?? flatten(cellNumbers(table.all, settings, intervals)));
  return {
    columns: [...table.keys, ...names].map((name) => ({ name })),
    rows: table.cells.map(({ group }, index) => [
      ...group.map((value) => value ?? ''),
      ...names.map((name) => numbers[index]?.[name] ?? ''),
    ]),
  };
}

/** One of PromptBench's tables, as it prints them. */
export function promptBenchGrid(table: PromptBenchTable, { trim }: PdrSettings): Grid {
  return {
    title: table.title,
    columns: [{ name: table.rowKey }, ...table.columns.map((name) => ({ name, align: 'right' as const }))],
    rows: table.rows.map((row) => [
      row,
      ...table.cells.filter((cell) => cell.row === row).map(({ rates }) => meanStd(rates.summary(trim), true)),
    ]),
  };
}

/** All of PromptBench's tables as one table for programs. */
export function promptBenchCsv(
  tables: readonly PromptBenchTable[],
  settings: PdrSettings,
  intervals: CellIntervals,
): Grid {
  const cells = tables.flatMap((table) =>
    table.cells.map((cell) => ({
      table: table.name,
      cell,
      numbers: flatten(cellNumbers(cell.rates, settings, intervals)),
    })),
  );
  const names = Object.keys(cells[0]?.numbers ?? {});
  return {
    columns: ['table', 'row', 'column', ...names].map((name) => ({ name })),
    rows: cells.map(({ table, cell, numbers }) =>
      [table, cell.row, cell.column].concat(names.map((name) => numbers[name] ?? '')),
    ),
  };
}

function flatten(numbers: Record<string, unknown>): Record<string, string> {
  const { undefined: reasons, rounding, interval, micro_interval: microInterval, ...plain } = numbers;
  const part = (value: unknown, name: string): unknown => (value as Record<string, unknown> | null)?.[name] ?? null;
  const flat = {
    ...plain,
    interval_low: part(interval, 'low'),
    interval_high: part(interval, 'high'),
    micro_interval_low: part(microInterval, 'low'),
    micro_interval_high: part(microInterval, 'high'),
    undefined: Object.values(reasons as Record<string, number>).reduce((sum, value) => sum + value, 0),
    rounded_rows: part(rounding, 'rows') ?? 0,
    rounding_low: part(rounding, 'low'),
    rounding_high: part(rounding, 'high'),
  };
  return Object.fromEntries(
    Object.entries(flat).map(([name, value]) => [name, value === null ? '' : String(value as number)]),
  );
}

function shown(value: string | null): string {
  return value ?? NO_VALUE;
}

function rate(value: number | null): string {
  return value === null ? '-' : formatFixed(value, 4);
}

function bound(value: number | null): string {
  return value === null ? '?' : formatFixed(value, 4);
}

/** Scores keep the scale of the tool: two decimals suit percentages, four fractions. */
function score(value: number | null): string {
  if (value === null) return '-';
  return formatFixed(value, Math.abs(value) >= 2 ? 2 : 4);
}

function count(reasons: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const value of reasons.values()) sum += value;
  return sum;
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
