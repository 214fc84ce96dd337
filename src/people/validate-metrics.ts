import { holm } from '../measure/compare-attacks.js';
import type { Interval } from '../measure/intervals.js';
import { randomOf } from '../random.js';
import { correlation, CORRELATIONS, williamsTest } from './correlation.js';
import type { CorrelationName, WilliamsTest } from './correlation.js';
import { itemIntervals } from './resample-items.js';
import type { ResampleSettings } from './resample-items.js';
import { bestThreshold, rocAuc } from './separation.js';

/** A number with its interval over items; null where it is undefined. */
export interface Estimate {
  readonly value: number | null;
  readonly interval: Interval | null;
}

/** How one metric agrees with people. */
export interface MetricValidity {
  readonly metric: string;
  readonly n: number;
  readonly correlations: Readonly<Record<CorrelationName, Estimate>>;
  /** Where people said whether the meaning is kept; null otherwise. */
  readonly separation: {
    readonly kept: number;
    readonly changed: number;
    readonly auc: Estimate;
    readonly threshold: Estimate;
    readonly balancedAccuracy: Estimate;
  } | null;
}

/** Two metrics compared by their correlation with people. */
export interface MetricComparison {
  readonly a: string;
  readonly b: string;
  /** r(a, people) − r(b, people), Pearson. */
  readonly difference: number | null;
  readonly williams: WilliamsTest | null;
  readonly williamsPHolm: number | null;
  /** Of the permutation test; null where a correlation is undefined. */
  readonly permutationP: number | null;
  readonly permutationPHolm: number | null;
}

/** Items with the judgement of people and the scores of the metrics, aligned. */
export interface JudgedItems {
  /** Mean rating of each item. */
  readonly human: readonly number[];
  /** Whether people say that the meaning is kept; null where they are divided. Undefined without such a question. */
  readonly kept?: readonly (boolean | null)[] | undefined;
  readonly scores: ReadonlyMap<string, readonly number[]>;
}

/**
 * How every metric agrees with people: correlations, and how well it separates kept from changed meaning, with percentile
 * bootstrap intervals over items (the same resamples for all).
 */
export function validateMetrics(items: JudgedItems, settings: ResampleSettings): MetricValidity[] {
  return [...items.scores].map(([metric, scores]) => {
    const judged = (places: readonly number[]): readonly number[] =>
      places.filter((place) => (items.kept?.[place] ?? null) !== null);
    const statistics = (places: readonly number[]): readonly (number | null)[] => {
      const [x, y] = [pick(scores, places), pick(items.human, places)];
      const coefficients = CORRELATIONS.map((name) => correlation(name, x, y));
      if (items.kept === undefined) return coefficients;
      const answered = judged(places);
      const [answers, values] = [answered.map((place) => items.kept?.[place] === true), pick(scores, answered)];
      const best = bestThreshold(values, answers);
      return [...coefficients, rocAuc(values, answers), best?.threshold ?? null, best?.balancedAccuracy ?? null];
    };
    const all = items.human.map((_, index) => index);
    const values = statistics(all);
    const intervals = itemIntervals(all.length, statistics, settings);
    const estimate = (index: number): Estimate => ({
      value: values[index] ?? null,
      interval: intervals[index] ?? null,
    });
    const kept = judged(all).filter((place) => items.kept?.[place] === true).length;
    return {
      metric,
      n: all.length,
      correlations: { pearson: estimate(0), spearman: estimate(1), kendall: estimate(2) },
      separation:
        items.kept === undefined
          ? null
          : {
              kept,
              changed: judged(all).length - kept,
              auc: estimate(3),
              threshold: estimate(4),
              balancedAccuracy: estimate(5),
            },
    };
  });
}

/**
 * Compares all pairs of metrics: Williams' test of their Pearson correlations, and a permutation test that exchanges the
 * standardised scores of the two metrics item by item; p-values of each test corrected by Holm's method.
 *
 * @see Deutsch, Dror and Roth 2021, "A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods".
 */
export function compareMetrics(items: JudgedItems, settings: ResampleSettings): MetricComparison[] {
  const names = [...items.scores.keys()];
  const tests = names.flatMap((a, first) =>
    names.slice(first + 1).map((b) => {
      const [x, y] = [items.scores.get(a) ?? [], items.scores.get(b) ?? []];
      const ha = correlation('pearson', x, items.human);
      const hb = correlation('pearson', y, items.human);
      const ab = correlation('pearson', x, y);
      const known = ha !== null && hb !== null && ab !== null;
      return {
        a,
        b,
        difference: known ? ha - hb : null,
        williams: known ? williamsTest(items.human.length, ha, hb, ab) : null,
        permutationP: known ? permutationP(x, y, items.human, Math.abs(ha - hb), settings) : null,
      };
    }),
  );
  const williams = corrected(tests.map((test) => test.williams?.pValue ?? null));
  const permutation = corrected(tests.map((test) => test.permutationP));
  return tests.map((test, index) =>
    Object.assign(test, { williamsPHolm: williams[index] ?? null, permutationPHolm: permutation[index] ?? null }),
  );
}

/** (1 + exchanges with at least this difference) / (1 + all exchanges drawn). */
function permutationP(
  a: readonly number[],
  b: readonly number[],
  human: readonly number[],
  observed: number,
  { resamples, seed, signal }: ResampleSettings,
): number {
  const [x, y] = [standardised(a), standardised(b)];
  let atLeast = 0;
  for (let draw = 0; draw < resamples; draw += 1) {
    signal?.throwIfAborted();
    const random = randomOf(seed, draw);
    const exchanged = x.map(() => random.below(2) === 1);
    const left = correlation(
      'pearson',
      x.map((value, index) => (exchanged[index] === true ? (y[index] ?? 0) : value)),
      human,
    );
    const right = correlation(
      'pearson',
      y.map((value, index) => (exchanged[index] === true ? (x[index] ?? 0) : value)),
      human,
    );
    // A difference of rounding is none.
    if (left !== null && right !== null && Math.abs(left - right) >= observed - 1e-12) atLeast += 1;
  }
  return (1 + atLeast) / (1 + resamples);
}

function standardised(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1;
  return values.map((value) => (value - mean) / spread);
}

function corrected(pValues: readonly (number | null)[]): readonly (number | null)[] {
  const known = pValues.filter((p) => p !== null);
  const adjusted = known.length === 0 ? [] : holm(known);
  let next = 0;
  return pValues.map((p) => {
    if (p === null) return null;
    next += 1;
    return adjusted[next - 1] ?? null;
  });
}

function pick(values: readonly number[], places: readonly number[]): number[] {
  return places.map((place) => values[place] ?? Number.NaN);
}
