import { callNative } from '../native.js';
import type { MetricOptions } from '../native.js';

/** The n-grams of one order that two texts share. */
export interface NgramOverlap {
  readonly unit: 'char' | 'word';
  readonly order: number;
  /** N-grams of the hypothesis; 0 where the reference has none, as chrF counts them. */
  readonly hypothesis: number;
  /** N-grams of the reference. */
  readonly reference: number;
  /** Shared n-grams, clipped: each n-gram at most as often as the other side has it. */
  readonly matches: number;
  /** matches / hypothesis; null when the hypothesis has none. */
  readonly precision: number | null;
  /** matches / reference; null when the reference has none. */
  readonly recall: number | null;
  /** Whether chrF counts the order: both sides have n-grams of it. */
  readonly counted: boolean;
}

/** sacreBLEU's chrF: what overlaps are shown by where the metric is another one. */
const CHRF: MetricOptions = { kind: 'chrf', charOrder: 6, wordOrder: 0 };

/**
 * The n-grams that a hypothesis shares with its reference, order by order, as the metric itself counts them; with several
 * references those of the one that scores best.
 *
 * @param metric A chrF with its parameters; for any other metric chrF's defaults are taken.
 * @param references At least one.
 * @returns One row an order, characters first.
 */
export function ngramOverlaps(
  hypothesis: string,
  references: readonly string[],
  metric: MetricOptions | undefined,
): NgramOverlap[] {
  const chrf = metric?.kind === 'chrf' ? metric : CHRF;
  const charOrder = chrf.charOrder ?? CHRF.charOrder ?? 0;
  const counts = callNative((binding) => binding.chrfCounts(chrf, hypothesis, [...references]));
  return counts.map(({ hypothesis: ofHypothesis, reference: ofReference, matches }, index) => ({
    unit: index < charOrder ? 'char' : 'word',
    order: index < charOrder ? index + 1 : index - charOrder + 1,
    hypothesis: ofHypothesis,
    reference: ofReference,
    matches,
    precision: ofHypothesis === 0 ? null : matches / ofHypothesis,
    recall: ofReference === 0 ? null : matches / ofReference,
    counted: ofHypothesis > 0 && ofReference > 0,
  }));
}
