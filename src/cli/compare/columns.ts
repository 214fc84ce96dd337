import { QUANTITIES } from '../../record/compare.js';
import type { Change, ComparedItem, Comparison, QuantityName } from '../../record/compare.js';
import type { Column, Table, ValueColumn } from '../../report/columns.js';
import type { Grid } from '../../report/grid.js';
import { formatFixed, formatP, formatPercent } from '../../number-format.js';
import type { Share } from '../../measure/denominators.js';

/** A comparison, and how many items are shown of those that changed. */
export interface ComparisonRow {
  readonly comparison: Comparison;
  readonly examples: number;
}

/** The numbers of a comparison, in one row. */
export const COMPARISON_COLUMNS: readonly Column<ComparisonRow>[] = [
  count('items', 'Items of both runs', ({ items }) => items.length),
  count('fixed', 'Items whose attack succeeds in A alone', ({ counts }) => counts.fixed),
  count('broken', 'Items whose attack succeeds in B alone', ({ counts }) => counts.broken),
  count('unchanged', 'Items with the same verdict in both', ({ counts }) => counts.unchanged),
  count('unchanged_successful', 'Items whose attack succeeds in both', ({ successfulInBoth }) => successfulInBoth),
  count('undefined', 'Items without a verdict in A or B', ({ counts }) => counts.undefined),
  ...onlyIn('only_in_a', ({ onlyInA }) => onlyInA),
  ...onlyIn('only_in_b', ({ onlyInB }) => onlyInB),
  count('success_rate.n', 'Items with a verdict in both runs', ({ successA }) => successA.denominator),
  count('success_rate.successes_a', 'Successful attacks of A', ({ successA }) => successA.numerator),
  count('success_rate.successes_b', 'Successful attacks of B', ({ successB }) => successB.numerator),
  number('success_rate.a', 'rate', 'successes_a / n', ({ successA }) => successA.rate),
  number('success_rate.b', 'rate', 'successes_b / n', ({ successB }) => successB.rate),
  number('success_rate.difference', 'difference', 'b - a', rateDifference),
  number('mcnemar.only_a', 'count', 'Successes of A alone', ({ mcnemar }) => mcnemar?.firstOnly ?? null),
  number('mcnemar.only_b', 'count', 'Successes of B alone', ({ mcnemar }) => mcnemar?.secondOnly ?? null),
  number('mcnemar.p', 'p', "McNemar's exact test, two-sided", ({ mcnemar }) => mcnemar?.pValue ?? null),
  ...QUANTITIES.flatMap((name) => quantityColumns(name)),
];

function quantityColumns(name: QuantityName): readonly ValueColumn<ComparisonRow>[] {
  const of = ({ quantities }: Comparison): Comparison['quantities'][QuantityName] => quantities[name];
  return [
    count(`${name}.n`, `Items with ${name} in both runs`, (all) => of(all).n),
    number(`${name}.mean_a`, 'number', 'Mean of A over these items', (all) => of(all).meanA),
    number(`${name}.mean_b`, 'number', 'Mean of B over these items', (all) => of(all).meanB),
    number(`${name}.difference`, 'difference', 'mean_b - mean_a', (all) => of(all).test?.difference ?? null),
    number(`${name}.interval.low`, 'number', 'Of the difference', (all) => of(all).test?.interval.low ?? null),
    number(`${name}.interval.high`, 'number', 'Of the difference', (all) => of(all).test?.interval.high ?? null),
    number(`${name}.p`, 'p', 'Paired bootstrap, two-sided', (all) => of(all).test?.pValue ?? null),
  ];
}

function number(
  name: string,
  kind: ValueColumn<ComparisonRow>['kind'],
  describe: string,
  of: (comparison: Comparison) => number | null,
): ValueColumn<ComparisonRow> {
  return { name, kind, describe, value: ({ comparison }) => of(comparison) };
}

function count(name: string, describe: string, of: (comparison: Comparison) => number): ValueColumn<ComparisonRow> {
  return number(name, 'count', describe, of);
}

function onlyIn(name: string, of: (comparison: Comparison) => readonly string[]): readonly Column<ComparisonRow>[] {
  return [
    count(`${name}.count`, 'Items that the other run lacks', (comparison) => of(comparison).length),
    {
      name: `${name}.examples`,
      kind: 'json',
      value: ({ comparison, examples }) => of(comparison).slice(0, examples),
      schema: (zod) => zod.array(zod.string()).describe('The first ones, by id'),
    },
  ];
}

function rateDifference({ successA, successB }: Comparison): number | null {
  return successA.rate === null || successB.rate === null ? null : successB.rate - successA.rate;
}

/** What became of some items. */
interface ChangeRow {
  readonly change: string;
  readonly meaning: string;
  readonly count: number;
  readonly records: string;
}

/** What became of the items, with the first ones of those that changed. */
export function changeTable({ comparison, examples }: ComparisonRow): Table<ChangeRow> {
  const { counts, items, onlyInA, onlyInB, successfulInBoth } = comparison;
  const named = (change: Change): string =>
    shorten(
      items.first(change, examples + 1).map(({ b }) => b.id),
      examples,
    );
  const rows: ChangeRow[] = [
    { change: 'fixed', meaning: 'success in A alone', count: counts.fixed, records: named('fixed') },
    { change: 'broken', meaning: 'success in B alone', count: counts.broken, records: named('broken') },
    { change: 'unchanged', meaning: 'success in both', count: successfulInBoth, records: '' },
    { change: 'unchanged', meaning: 'success in neither', count: counts.unchanged - successfulInBoth, records: '' },
    { change: 'undefined', meaning: 'no verdict in A or B', count: counts.undefined, records: named('undefined') },
    { change: 'only in A', meaning: '', count: onlyInA.length, records: shorten(onlyInA, examples) },
    { change: 'only in B', meaning: '', count: onlyInB.length, records: shorten(onlyInB, examples) },
  ];
  return {
    title: 'Items of A (before) and B (after)',
    columns: CHANGE_COLUMNS,
    rows: rows.filter((row, index) => index < 4 || row.count > 0),
  };
}

const CHANGE_COLUMNS: readonly Column<ChangeRow>[] = [
  { name: 'change', kind: 'text', describe: 'What changed', heading: 'change', value: ({ change }) => change },
  { name: 'meaning', kind: 'text', describe: 'What it means', heading: 'meaning', value: ({ meaning }) => meaning },
  { name: 'items', kind: 'count', describe: 'How many items', heading: 'items', value: (row) => row.count },
  { name: 'records', kind: 'text', describe: 'The first ones', heading: 'records', value: ({ records }) => records },
];

/** Success rates and means for people, with the paired test of each. */
export function testGrid(comparison: Comparison): Grid {
  const { successA, successB, mcnemar } = comparison;
  const rate = ({ numerator, denominator, rate: value }: Share): string =>
    value === null ? '-' : `${numerator}/${denominator} ${formatPercent(value)}`;
  const difference = rateDifference(comparison);
  const success = [
    'success rate',
    String(successA.denominator),
    rate(successA),
    rate(successB),
    difference === null ? '-' : formatPercent(difference),
    '',
    mcnemar === null ? '-' : formatP(mcnemar.pValue),
    'McNemar, exact',
  ];
  const rows = QUANTITIES.filter((name) => comparison.quantities[name].n > 0).map((name) => {
    const { n, meanA, meanB, test } = comparison.quantities[name];
    return [
      name,
      String(n),
      fixed(meanA),
      fixed(meanB),
      fixed(test?.difference ?? null),
      test === null ? '' : `${fixed(test.interval.low)}..${fixed(test.interval.high)}`,
      test === null ? '-' : formatP(test.pValue),
      'paired bootstrap',
    ];
  });
  const numbers = ['n', 'A', 'B', 'B - A', 'interval', 'p'].map((name) => ({ name, align: 'right' as const }));
  return {
    title: 'Paired tests',
    columns: [{ name: 'quantity' }, ...numbers, { name: 'test' }],
    rows: [success, ...rows],
  };
}

/** One item as JSON has it. */
export function itemObject({ key, change, a, b }: ComparedItem): Record<string, unknown> {
  return {
    key,
    change,
    a: { id: a.id, success: a.success, ...a.quantities },
    b: { id: b.id, success: b.success, ...b.quantities },
  };
}

function shorten(ids: readonly string[], examples: number): string {
  const shown = ids.slice(0, examples).join(', ');
  return ids.length > examples && examples > 0 ? `${shown}, …` : shown;
}

function fixed(value: number | null): string {
  return value === null ? '-' : formatFixed(value, 4);
}
