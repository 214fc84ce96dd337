import { NO_VALUE } from '../../record/grouping.js';
import type { PromptBenchCell, PromptBenchTable } from '../../record/promptbench-tables.js';
import { groupColumns, reasonColumns, valueColumns } from '../../report/columns.js';
import type { Column, ValueColumn } from '../../report/columns.js';
import { formatFixed } from '../../number-format.js';
import type { DropRateIntervals, DropRateSummary } from '../../measure/drop-rates.js';

/** A cell of a table of drop rates, ready to be shown. */
export interface DropRateRow {
  readonly group: readonly (string | null)[];
  readonly summary: DropRateSummary;
  readonly intervals: DropRateIntervals;
}

/** The columns of a table of drop rates, grouped by some keys. */
export function pdrColumns(keys: readonly string[]): readonly Column<DropRateRow>[] {
  return [...groupColumns<DropRateRow>(keys, ({ group }) => group, NO_VALUE), ...NUMBERS];
}

/** The columns of some rows: those of items that are right or wrong stand there only where a row has them. */
export function pdrColumnsOf(keys: readonly string[], rows: readonly DropRateRow[]): readonly Column<DropRateRow>[] {
  const hasItems = rows.some(({ summary }) => summary.outcomes !== null);
  return pdrColumns(keys).filter(({ name }) => hasItems || !name.startsWith('items.'));
}

/** What people see of items that are right or wrong: for these the drop rate is that of the two accuracies. */
const ITEM_HEADINGS: ReadonlyMap<string, string> = new Map([
  ['mean_original', 'original'],
  ['mean_attacked', 'attacked'],
  ['absolute_drop', 'drop'],
  ['micro_pdr', 'micro PDR'],
  ['micro_interval.low', 'interval'],
  ['items.broken', 'broken'],
  ['items.fixed', 'fixed'],
  ['items.right_both', 'right both'],
  ['items.mcnemar_p', 'McNemar p'],
]);

/** The columns of a table for people: where all rows are of items, those that matter for items. */
export function pdrTextColumns(keys: readonly string[], rows: readonly DropRateRow[]): readonly Column<DropRateRow>[] {
  const columns = pdrColumnsOf(keys, rows);
  if (!rows.every(({ summary }) => summary.outcomes !== null)) {
    return columns.filter(({ name }) => !name.startsWith('micro_interval.'));
  }
  const items: ValueColumn<DropRateRow> = {
    name: 'items',
    kind: 'count',
    describe: 'Items with both scores',
    heading: 'items',
    value: ({ summary }) => summary.outcomes?.items ?? null,
  };
  const shown = valueColumns(columns).flatMap((column) => {
    if (keys.includes(column.name)) return [column];
    const heading = ITEM_HEADINGS.get(column.name);
    return heading === undefined ? [] : [{ ...column, heading }];
  });
  return [...shown.slice(0, keys.length), items, ...shown.slice(keys.length)];
}

/**
 * A mean with its spread, as PromptBench prints it: `0.26±0.39`, two decimals each; null where there is nothing.
 *
 * @param negativeZero whether a negative mean that rounds to zero is printed `-0.00`, as PromptBench's tables have it.
 */
export function meanStd(
  summary: { readonly mean: number | null; readonly std: number | null },
  negativeZero: boolean,
): string | null {
  if (summary.mean === null || summary.std === null) return null;
  return `${formatFixed(summary.mean, 2, negativeZero)}±${formatFixed(summary.std, 2)}`;
}

const number = (
  name: string,
  describe: string,
  value: (row: DropRateRow) => number | null,
  more: Partial<ValueColumn<DropRateRow>> = {},
): ValueColumn<DropRateRow> => ({ name, kind: 'number', describe, value, ...more });

const NUMBERS: readonly Column<DropRateRow>[] = [
  {
    name: 'n',
    kind: 'count',
    describe: 'Attacks that have a drop rate',
    heading: 'n',
    value: ({ summary }) => summary.n,
  },
  number('mean_original', "Mean original score, on the tool's scale", ({ summary }) => summary.meanOriginal, {
    heading: 'original',
    text: ({ summary }) => scoreText(summary.meanOriginal),
  }),
  number('mean_attacked', "Mean attacked score, on the tool's scale", ({ summary }) => summary.meanAttacked, {
    heading: 'attacked',
    text: ({ summary }) => scoreText(summary.meanAttacked),
  }),
  number('absolute_drop', 'mean_original - mean_attacked', ({ summary }) => drop(summary), {
    heading: 'drop',
    text: ({ summary }) => scoreText(drop(summary)),
  }),
  number('mean', 'Unweighted mean of the drop rates', ({ summary }) => summary.mean, {
    heading: 'mean PDR',
    text: ({ summary }) => meanStd(summary, false),
  }),
  number('interval.low', 'Bootstrap interval of the mean', ({ intervals }) => intervals.mean?.low ?? null, {
    heading: 'interval',
    gate: false,
    text: ({ intervals: { mean } }) => (mean === null ? null : `${rate(mean.low)}..${rate(mean.high)}`),
  }),
  number('interval.high', 'Bootstrap interval of the mean', ({ intervals }) => intervals.mean?.high ?? null, {
    gate: false,
  }),
  number('std', 'Population standard deviation', ({ summary }) => summary.std),
  number('std_sample', 'Sample standard deviation; null below two attacks', ({ summary }) => summary.stdSample),
  number('micro_pdr', '1 - sum of attacked / sum of original scores', ({ summary }) => summary.micro, {
    heading: 'micro PDR',
    text: ({ summary: { micro, microMixesScales } }) =>
      micro === null ? null : `${rate(micro)}${microMixesScales ? '*' : ''}`,
  }),
  number('micro_interval.low', 'Bootstrap interval of micro_pdr', ({ intervals }) => intervals.micro?.low ?? null, {
    heading: 'micro interval',
    gate: false,
    text: ({ intervals: { micro } }) => (micro === null ? null : `${rate(micro.low)}..${rate(micro.high)}`),
  }),
  number('micro_interval.high', 'Bootstrap interval of micro_pdr', ({ intervals }) => intervals.micro?.high ?? null, {
    gate: false,
  }),
  {
    name: 'micro_pdr_mixes_scales',
    kind: 'flag',
    describe: 'Whether micro_pdr adds scores of different scales, so that the larger ones decide',
    value: ({ summary }) => summary.microMixesScales,
  },
  number('median', 'Median of the drop rates', ({ summary }) => summary.median, { heading: 'median' }),
  number('trimmed_mean', 'Mean without the share of --trim at each end', ({ summary }) => summary.trimmedMean, {
    heading: 'trimmed',
  }),
  number('min', 'Lowest drop rate', ({ summary }) => summary.min),
  number('max', 'Highest drop rate', ({ summary }) => summary.max),
  {
    name: 'negative',
    kind: 'count',
    describe: 'Attacks that raised the score',
    heading: 'negative',
    value: ({ summary }) => summary.negative,
  },
  { name: 'zero', kind: 'count', describe: 'Attacks that changed nothing', value: ({ summary }) => summary.zero },
  {
    name: 'items.broken',
    kind: 'count',
    describe: 'Items that were right before and are wrong under attack',
    heading: 'broken',
    optional: true,
    value: ({ summary }) => summary.outcomes?.broken ?? null,
  },
  {
    name: 'items.fixed',
    kind: 'count',
    describe: 'Items that were wrong before and are right under attack',
    heading: 'fixed',
    optional: true,
    value: ({ summary }) => summary.outcomes?.fixed ?? null,
  },
  number(
    'items.right_both',
    'Share of items that are right before and under attack (worst case)',
    ({ summary: { outcomes } }) => (outcomes === null ? null : outcomes.rightBoth / outcomes.items),
    { heading: 'right both', optional: true },
  ),
  number(
    'items.mcnemar_p',
    "McNemar's exact test of broken against fixed, two-sided",
    ({ summary }) => summary.outcomes?.pValue ?? null,
    { heading: 'McNemar p', optional: true },
  ),
  {
    name: 'interval_over',
    kind: 'text',
    describe: 'What was drawn for interval: attacks, or items of a single attack; null without one',
    value: ({ intervals }) => intervals.over,
  },
  {
    name: 'interval_reason',
    kind: 'text',
    describe: 'Why there is no interval; null where there is one',
    value: ({ intervals }) => intervals.reason,
  },
  ...reasonColumns<DropRateRow>('Attacks without a drop rate', ({ summary }) => summary.undefined),
  {
    name: 'rounding.rows',
    kind: 'count',
    describe: 'Attacks whose scores a log rounded',
    gate: false,
    value: ({ summary }) => summary.rounding?.rows ?? null,
  },
  number(
    'rounding.low',
    'Lowest mean that the rounded scores leave open',
    ({ summary }) => summary.rounding?.low ?? null,
    {
      heading: 'rounding',
      gate: false,
      text: ({ summary: { rounding } }) => (rounding === null ? '' : `${bound(rounding.low)}..${bound(rounding.high)}`),
    },
  ),
  number(
    'rounding.high',
    'Highest mean that the rounded scores leave open',
    ({ summary }) => summary.rounding?.high ?? null,
    {
      gate: false,
    },
  ),
];

/** A cell of one of PromptBench's tables, ready to be shown. */
export interface PromptBenchRow extends DropRateRow {
  readonly table: PromptBenchTable;
  readonly cell: PromptBenchCell;
  /** The numbers when the slot is the one that the text tells. */
  readonly byText: DropRateSummary | undefined;
}

/** The columns of all of PromptBench's tables in one list; `model_attack` averages over data sets. */
export const PROMPTBENCH_COLUMNS: readonly Column<PromptBenchRow>[] = [
  { name: 'table', kind: 'text', describe: 'Name of the table', value: ({ table }) => table.name },
  {
    name: 'model',
    kind: 'text',
    describe: 'Row of the table model_attack',
    optional: true,
    value: ({ table, cell }) => (table.rowKey === 'model' ? cell.row : null),
  },
  {
    name: 'dataset',
    kind: 'text',
    describe: 'Row of the other tables; avg is the average over data sets',
    value: ({ table, cell }) => (table.rowKey === 'model' ? 'avg' : cell.row),
  },
  { name: 'column', kind: 'text', describe: 'Column of the table', value: ({ cell }) => cell.column },
  {
    name: 'text',
    kind: 'text',
    describe: 'The cell as PromptBench prints it',
    value: ({ summary }) => meanStd(summary, true) ?? '-',
  },
  ...NUMBERS,
  {
    name: 'mean_of_dataset_means',
    kind: 'number',
    describe: 'Unweighted mean of the means of the data sets',
    optional: true,
    value: ({ cell }) => cell.meanOfDatasetMeans,
  },
  {
    name: 'by_text.n',
    kind: 'count',
    describe: 'n when the slot is the one that the text of the prompt tells',
    optional: true,
    value: ({ byText }) => byText?.n ?? null,
  },
  {
    name: 'by_text.mean',
    kind: 'number',
    describe: 'Mean when the slot is the one that the text of the prompt tells',
    optional: true,
    value: ({ byText }) => byText?.mean ?? null,
  },
  {
    name: 'by_text.std',
    kind: 'number',
    describe: 'Standard deviation when the slot is the one that the text of the prompt tells',
    optional: true,
    value: ({ byText }) => byText?.std ?? null,
  },
];

function drop({ meanOriginal, meanAttacked }: DropRateSummary): number | null {
  return meanOriginal === null || meanAttacked === null ? null : meanOriginal - meanAttacked;
}

function rate(value: number): string {
  return formatFixed(value, 4);
}

function bound(value: number | null): string {
  return value === null ? '?' : rate(value);
}

/** Scores keep the scale of the tool: two decimals suit percentages, four fractions. */
function scoreText(value: number | null): string | null {
  return value === null ? null : formatFixed(value, Math.abs(value) >= 2 ? 2 : 4);
}
