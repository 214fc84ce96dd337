import { formatFixed } from '../number-format.js';
import type { MetricComparison, MetricValidity } from './validate-metrics.js';

/** From here on a difference counts as more than chance. */
const ALPHA = 0.05;

/**
 * What the ratings support, in sentences: which metric, and which threshold.
 *
 * The metric with the highest Spearman correlation; one that the permutation test (Holm) doesn't tell from it is named beside it.
 */
export function verdict(
  metrics: readonly MetricValidity[],
  comparisons: readonly MetricComparison[],
  confidence: number,
): string[] {
  const known = metrics.filter(({ correlations }) => correlations.spearman.value !== null);
  const [best, ...others] = known.toSorted(
    (a, b) => (b.correlations.spearman.value ?? 0) - (a.correlations.spearman.value ?? 0),
  );
  if (best === undefined)
    return ['No metric has a correlation with these ratings: all ratings or all scores are equal.'];
  const { value, interval } = best.correlations.spearman;
  const sentences: string[] = [];
  const range =
    interval === null ? '' : `, ${percent(confidence)} interval ${fixed(interval.low)} to ${fixed(interval.high)}`;
  if (interval !== null && interval.low <= 0) {
    sentences.push(
      `The ratings support no metric: the best, ${best.metric}, has a Spearman correlation of ${fixed(value)}${range}, which doesn't exclude 0. Rate more items.`,
    );
    return sentences;
  }
  sentences.push(`The ratings support ${best.metric}: Spearman ${fixed(value)} over ${best.n} items${range}.`);
  const same = others.filter(({ metric }) => {
    const test = comparisons.find(
      ({ a, b }) => (a === metric && b === best.metric) || (b === metric && a === best.metric),
    );
    return (test?.permutationPHolm ?? 1) >= ALPHA;
  });
  if (same.length > 0) {
    sentences.push(`They don't tell it from ${same.map(({ metric }) => metric).join(', ')} (permutation test, Holm).`);
  } else if (others.length > 0) sentences.push('It agrees more than each of the others (permutation test, Holm).');
  const { separation } = best;
  if (separation?.threshold.value !== null && separation?.threshold.value !== undefined) {
    const { threshold, balancedAccuracy } = separation;
    const accuracy = balancedAccuracy.interval;
    sentences.push(
      `Meaning counts as kept from ${best.metric} ${fixed(threshold.value)} on: balanced accuracy ${fixed(balancedAccuracy.value)}` +
        (accuracy === null
          ? '.'
          : ` (${fixed(accuracy.low)} to ${fixed(accuracy.high)}; chosen on these items, so a little optimistic).`),
    );
  }
  return sentences;
}

function fixed(value: number | null): string {
  return value === null ? 'n/a' : formatFixed(value, 3);
}

function percent(share: number): string {
  return `${Number(formatFixed(100 * share, 1))} %`;
}
