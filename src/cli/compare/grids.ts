import { QUANTITIES, type Change, type Comparison } from '../../record/compare.js';
import { formatFixed } from '../../report/fixed.js';
import type { Grid } from '../../report/grid.js';
import type { Share } from '../../measure/denominators.js';
import { comparisonNumbers } from './document.js';

/** What became of the items, with the first ones of those that changed. */
export function changeGrid(comparison: Comparison, examples: number): Grid {
  const { counts, items, onlyInA, onlyInB, successfulInBoth } = comparison;
  const named = (change: Change): string =>
    shorten(
      items.filter((item) => item.change === change).map(({ b }) => b.id),
      examples,
    );
  const neither = counts.unchanged - successfulInBoth;
  const rows = [
    ['fixed', 'success in A alone', String(counts.fixed), named('fixed')],
    ['broken', 'success in B alone', String(counts.broken), named('broken')],
    ['unchanged', 'success in both', String(successfulInBoth), ''],
    ['unchanged', 'success in neither', String(neither), ''],
  ];
  if (counts.undefined > 0)
    rows.push(['undefined', 'no verdict in A or B', String(counts.undefined), named('undefined')]);
  if (onlyInA.length > 0) rows.push(['only in A', '', String(onlyInA.length), shorten(onlyInA, examples)]);
  if (onlyInB.length > 0) rows.push(['only in B', '', String(onlyInB.length), shorten(onlyInB, examples)]);
  return {
    title: 'Items of A (before) and B (after)',
    columns: [{ name: 'change' }, { name: 'meaning' }, { name: 'items', align: 'right' }, { name: 'records' }],
    rows,
  };
}

/** Success rates and means, with the paired test of each. */
export function testGrid(comparison: Comparison): Grid {
  const { successA, successB, mcnemar } = comparison;
  const rate = ({ numerator, denominator, rate: value }: Share): string =>
    value === null ? '-' : `${numerator}/${denominator} ${formatFixed(value * 100, 2)} %`;
  const difference = successA.rate === null || successB.rate === null ? null : (successB.rate - successA.rate) * 100;
  const success = [
    'success rate',
    String(successA.denominator),
    rate(successA),
    rate(successB),
    difference === null ? '-' : `${formatFixed(difference, 2)} %`,
    '',
    mcnemar === null ? '-' : formatP(mcnemar.pValue),
    'McNemar, exact',
  ];
  const rows = QUANTITIES.filter((name) => comparison.quantities[name].n > 0).map((name) => {
    const { n, meanA, meanB, test } = comparison.quantities[name];
    return [
      name,
      String(n),
      number(meanA),
      number(meanB),
      number(test?.difference ?? null),
      test === null ? '' : `${number(test.interval.low)}..${number(test.interval.high)}`,
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

/** Every number under its name. */
export function numberGrid(comparison: Comparison): Grid {
  const numbers = [...comparisonNumbers(comparison)];
  return {
    columns: numbers.map(([name]) => ({ name })),
    rows: [numbers.map(([, value]) => (value === null ? '' : String(value)))],
  };
}

function shorten(ids: readonly string[], examples: number): string {
  const shown = ids.slice(0, examples).join(', ');
  return ids.length > examples && examples > 0 ? `${shown}, …` : shown;
}

function number(value: number | null): string {
  return value === null ? '-' : formatFixed(value, 4);
}

function formatP(value: number): string {
  return value < 0.0001 ? '< 0.0001' : formatFixed(value, 4);
}
