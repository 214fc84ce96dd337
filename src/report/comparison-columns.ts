import type { AttackComparison, MeanComparison, SuccessComparison } from '../measure/compare-attacks.js';
import { formatP, formatSigned } from '../number-format.js';
import { valueText } from './columns.js';
import type { TextStyle, ValueColumn } from './columns.js';
import { rangeText } from './summary-columns.js';

/** One paired test of two attacks over the same segments. */
export interface TestRow {
  readonly first: string;
  readonly second: string;
  readonly mean: MeanComparison | null;
  readonly success: SuccessComparison | null;
}

/** The tests of all pairs of attacks, one row a test. */
export function testRows(comparisons: readonly AttackComparison[]): readonly TestRow[] {
  return comparisons.flatMap(({ first, second, means, success }): TestRow[] => [
    ...means.map((mean) => ({ first, second, mean, success: null })),
    ...(success === null ? [] : [{ first, second, mean: null, success }]),
  ]);
}

/** The columns of the tests, under the names of CSV. */
export const TEST_COLUMNS: readonly ValueColumn<TestRow>[] = [
  { name: 'first', kind: 'text', describe: 'An attack', heading: 'first', value: ({ first }) => first },
  { name: 'second', kind: 'text', describe: 'Another one', heading: 'second', value: ({ second }) => second },
  {
    name: 'quantity',
    kind: 'text',
    describe: 'What is compared',
    heading: 'quantity',
    value: ({ mean }) => mean?.quantity ?? 'success',
    text: ({ mean }) => mean?.quantity ?? 'success (McNemar)',
  },
  {
    name: 'difference',
    kind: 'difference',
    describe: 'Mean of the first attack - mean of the second one',
    heading: 'first − second',
    value: ({ mean }) => mean?.difference ?? null,
    text: ({ mean, success }, { scale }) =>
      mean === null
        ? `${success?.firstOnly ?? 0} against ${success?.secondOnly ?? 0}`
        : formatSigned(mean.difference * scale, 3),
  },
  {
    name: 'interval.low',
    kind: 'difference',
    describe: 'Paired bootstrap interval of the difference',
    heading: 'interval',
    value: ({ mean }) => mean?.interval.low ?? null,
    text: ({ mean }, style) => (mean === null ? '' : intervalText(mean, style)),
  },
  {
    name: 'interval.high',
    kind: 'difference',
    describe: 'Paired bootstrap interval of the difference',
    value: ({ mean }) => mean?.interval.high ?? null,
  },
  {
    name: 'p',
    kind: 'p',
    describe: 'Two-sided: paired bootstrap; for success McNemar, exact',
    value: ({ mean, success }) => mean?.bootstrapP ?? success?.p ?? null,
  },
  {
    name: 'p_holm',
    kind: 'p',
    describe: 'p, corrected over all pairs of attacks (Holm)',
    heading: 'p',
    value: ({ mean, success }) => mean?.bootstrapPHolm ?? success?.pHolm ?? null,
  },
  {
    name: 'randomization_p',
    kind: 'p',
    describe: 'Two-sided, approximate randomisation',
    value: ({ mean }) => mean?.randomizationP ?? null,
  },
  {
    name: 'randomization_p_holm',
    kind: 'p',
    describe: 'randomization_p, corrected over all pairs of attacks (Holm)',
    heading: 'p (randomisation)',
    value: ({ mean }) => mean?.randomizationPHolm ?? null,
    text: ({ mean }) => (mean === null ? '' : formatP(mean.randomizationPHolm)),
  },
  {
    name: 'first_only',
    kind: 'count',
    describe: 'Segments on which only the first attack is successful',
    value: ({ success }) => success?.firstOnly ?? null,
  },
  {
    name: 'second_only',
    kind: 'count',
    describe: 'Segments on which only the second attack is successful',
    value: ({ success }) => success?.secondOnly ?? null,
  },
];

/**
 * Marks of significance of each attack against the first one, by quantity: `*` below 0.05, `**` below 0.01, corrected
 * for the number of pairs; sacreBLEU marks systems against its baseline in the same way.
 */
export function marksAgainstFirst(
  comparisons: readonly AttackComparison[],
  baseline: string,
  attack: string,
): ReadonlyMap<string, string> {
  const tests = testRows(comparisons).filter(
    ({ first, second }) => (first === baseline && second === attack) || (first === attack && second === baseline),
  );
  return new Map(
    tests.map(({ mean, success }) => [mean?.quantity ?? 'success', mark(mean?.bootstrapPHolm ?? success?.pHolm ?? 1)]),
  );
}

function mark(p: number): string {
  if (p >= 0.05) return '';
  return p < 0.01 ? '**' : '*';
}

function intervalText({ interval: { low, high } }: MeanComparison, style: TextStyle): string {
  return rangeText([valueText(low, 'difference', style) ?? '', valueText(high, 'difference', style) ?? '']);
}
