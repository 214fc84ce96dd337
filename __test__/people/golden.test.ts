import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { cohenKappa, fleissKappa, krippendorffAlpha, LEVELS } from '../../src/people/agreement.js';
import type { Level } from '../../src/people/agreement.js';
import { correlation, CORRELATIONS, williamsTest } from '../../src/people/correlation.js';
import type { CorrelationName } from '../../src/people/correlation.js';
import { bestThreshold, rocAuc } from '../../src/people/separation.js';
import { studentTwoSidedP } from '../../src/people/student.js';

/** What SciPy, krippendorff, scikit-learn and statsmodels say: see scripts/people-golden.py. */
interface Golden {
  readonly correlations: readonly ({ readonly x: number[]; readonly y: number[] } & Record<
    CorrelationName,
    number | null
  >)[];
  readonly student: readonly { readonly t: number; readonly degrees: number; readonly p: number }[];
  readonly agreement: readonly ({
    readonly table: (number | null)[][];
    readonly cohen: number | null;
    readonly fleiss: number | null;
  } & Record<Level, number | null>)[];
  readonly separation: readonly {
    readonly scores: number[];
    readonly kept: boolean[];
    readonly auc: number;
    readonly balanced_accuracy: number;
  }[];
}

const golden = JSON.parse(readFileSync(join(import.meta.dirname, 'golden.json'), 'utf8')) as Golden;

/** The difference of two numbers: 0 where both are undefined, infinite where one is. */
function distance(found: number | null, expected: number | null): number {
  if (found === null || expected === null) return found === expected ? 0 : Number.POSITIVE_INFINITY;
  return Math.abs(found - expected);
}

test.each(CORRELATIONS)('%s equals SciPy', (name) => {
  expect(golden.correlations.length).toBeGreaterThan(15);
  for (const row of golden.correlations)
    expect(distance(correlation(name, row.x, row.y), row[name])).toBeLessThan(1e-9);
});

test("Student's t equals SciPy, also far out", () => {
  for (const { t, degrees, p } of golden.student) {
    expect(distance(studentTwoSidedP(t, degrees), p)).toBeLessThan(1e-9);
    // Small values too: relative to them.
    expect(studentTwoSidedP(t, degrees) / p).toBeCloseTo(1, 8);
  }
});

describe('agreement', () => {
  test.each(LEVELS)("Krippendorff's alpha, %s, equals the package", (level) => {
    expect(golden.agreement.length).toBeGreaterThan(50);
    for (const row of golden.agreement)
      expect(distance(krippendorffAlpha(row.table, level), row[level])).toBeLessThan(1e-9);
  });

  test("Cohen's kappa equals scikit-learn", () => {
    for (const { table, cohen } of golden.agreement) {
      const [a, b] = [0, 1].map((rater) => table.map((row) => row[rater] ?? null));
      expect(distance(cohenKappa(a ?? [], b ?? []), cohen)).toBeLessThan(1e-9);
    }
  });

  test("Fleiss' kappa equals statsmodels; with gaps it is undefined and says why", () => {
    const whole = golden.agreement.filter(({ fleiss }) => fleiss !== null);
    expect(whole.length).toBeGreaterThan(20);
    for (const { table, fleiss } of whole) {
      const found = fleissKappa(table);
      expect(distance('value' in found ? found.value : null, fleiss)).toBeLessThan(1e-9);
    }
    expect(
      fleissKappa([
        [1, 2],
        [1, null],
      ]),
    ).toEqual({ reason: 'items have unequal numbers of ratings' });
  });
});

test('ROC-AUC and the best balanced accuracy equal scikit-learn', () => {
  for (const { scores, kept, auc, balanced_accuracy: accuracy } of golden.separation) {
    expect(distance(rocAuc(scores, kept), auc)).toBeLessThan(1e-9);
    const best = bestThreshold(scores, kept);
    expect(distance(best?.balancedAccuracy ?? null, accuracy)).toBeLessThan(1e-9);
    // The threshold gives what it promises.
    const right = (answer: boolean): number => {
      const of = scores.filter((_, index) => kept[index] === answer);
      return of.filter((score) => score >= (best?.threshold ?? 0) === answer).length / of.length;
    };
    expect(distance((right(true) + right(false)) / 2, accuracy)).toBeLessThan(1e-9);
  }
});

test('undefined is null: constant lists, one pair, one class', () => {
  expect(correlation('pearson', [1, 1, 1], [1, 2, 3])).toBeNull();
  expect(correlation('kendall', [1], [1])).toBeNull();
  expect(rocAuc([1, 2], [true, true])).toBeNull();
  expect(bestThreshold([1, 1], [true, false])).toBeNull();
  expect(
    krippendorffAlpha(
      [
        [1, 1],
        [1, 1],
      ],
      'nominal',
    ),
  ).toBeNull();
  expect(
    krippendorffAlpha(
      [
        [1, null],
        [null, 2],
      ],
      'nominal',
    ),
  ).toBeNull();
});

test("Williams' test: Graham and Baldwin's formula by hand", () => {
  // n = 13, r12 = .8, r13 = .5, r23 = .4: K = 1 − .64 − .25 − .16 + 2·.8·.5·.4 = .27.
  const k = 0.27;
  const t = ((0.8 - 0.5) * Math.sqrt(12 * 1.4)) / Math.sqrt((2 * k * 12) / 10 + 0.65 ** 2 * 0.6 ** 3);
  const found = williamsTest(13, 0.8, 0.5, 0.4);
  expect(distance(found?.t ?? null, t)).toBeLessThan(1e-9);
  expect(found?.pValue).toBeCloseTo(studentTwoSidedP(t, 10), 12);
  expect(williamsTest(3, 0.8, 0.5, 0.4)).toBeNull();
  expect(williamsTest(20, 0.8, 0.8, 1)).toBeNull();
});
