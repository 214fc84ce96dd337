import { callNative, native, runNative } from '../native.js';
import type { MetricOptions } from '../native.js';
import type { RunOptions } from '../run-options.js';
import { checkPairs } from './pairs.js';
import type { CountSums } from './score-batch.js';
import type { Reference, Scorer } from './scorer.js';

/** The metric of a scorer where it has a corpus level (chrF, BLEU, TER); undefined for others. */
export function corpusMetric(scorer: Scorer | undefined): MetricOptions | undefined {
  const metric = scorer?.native;
  if (metric === undefined) return undefined;
  return callNative(({ corpusCountsWidth }) => corpusCountsWidth(metric)) === 0 ? undefined : metric;
}

/**
 * The signature of a metric's corpus level: that of its segments, with all orders of BLEU (`eff:no`), as sacreBLEU has it.
 */
export function corpusSignature(signature: string, { kind }: MetricOptions): string {
  return kind === 'bleu' ? signature.replace(/\beff:yes\b/u, 'eff:no') : signature;
}

/**
 * The similarity of a corpus from its summed counts: chrF and BLEU as sacreBLEU's corpus level has them, for TER
 * 1 − min(1, TER).
 *
 * @returns A fraction in [0, 1]; 0 where nothing was counted.
 */
export function corpusSimilarity(metric: MetricOptions, sums: readonly number[]): number {
  return callNative(({ corpusSimilarity: similarity }) => similarity(metric, [...sums])) ?? 0;
}

/**
 * Counts N pairs for the corpus level of a metric.
 *
 * @returns Sums over any of the pairs; undefined for a metric without a corpus level.
 * @throws {UsageError} as `NativeScorer.score`.
 */
export async function corpusCounts(
  scorer: Scorer,
  hypotheses: readonly string[],
  references: readonly Reference[],
  run: RunOptions = {},
): Promise<CountSums | undefined> {
  const metric = corpusMetric(scorer);
  if (metric === undefined) return undefined;
  checkPairs(hypotheses, references);
  const several = references.some((reference) => typeof reference !== 'string');
  const counts = several
    ? references.map((reference) => (typeof reference === 'string' ? 1 : reference.length))
    : undefined;
  const values = await runNative(
    (binding, cancellation) => binding.corpusCounts(metric, [...hypotheses], references.flat(), counts, cancellation),
    run,
  );
  const width = native().corpusCountsWidth(metric);
  return (indexes) => {
    const sums = Array.from({ length: width }, () => 0);
    const add = (segment: number): void => {
      for (let at = 0; at < width; at += 1) sums[at] = (sums[at] ?? 0) + (values[segment * width + at] ?? 0);
    };
    if (indexes === undefined) for (let segment = 0; segment < hypotheses.length; segment += 1) add(segment);
    else for (const segment of indexes) add(segment);
    return sums;
  };
}
