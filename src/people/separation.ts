import { ranksOf } from './correlation.js';

/** The threshold of a metric that separates two classes best. */
export interface BestThreshold {
  /** A text counts as one whose meaning is kept from this score on. */
  readonly threshold: number;
  /** (share of kept ones at or above it + share of changed ones below it) / 2, in [0, 1]; 0.5 is chance. */
  readonly balancedAccuracy: number;
}

/**
 * The area under the ROC curve: the share of pairs (meaning kept, meaning changed) in which the kept one has the higher score;
 * ties count half.
 *
 * @param scores N finite numbers.
 * @param kept N answers of people, aligned.
 * @returns In [0, 1]; null when one of the classes is empty.
 * @see Mann and Whitney 1947; scikit-learn's `roc_auc_score` gives the same.
 */
export function rocAuc(scores: readonly number[], kept: readonly boolean[]): number | null {
  const positives = kept.filter(Boolean).length;
  const negatives = kept.length - positives;
  if (positives === 0 || negatives === 0) return null;
  const sum = ranksOf(scores).reduce((total, rank, index) => total + (kept[index] === true ? rank : 0), 0);
  return (sum - (positives * (positives + 1)) / 2) / (positives * negatives);
}

/**
 * The threshold with the best balanced accuracy. Thresholds lie in the middle between two neighbouring scores; of several that
 * are equally good the lowest one is taken.
 *
 * @returns null when one of the classes is empty, or all scores are equal.
 */
export function bestThreshold(scores: readonly number[], kept: readonly boolean[]): BestThreshold | null {
  const positives = kept.filter(Boolean).length;
  const negatives = kept.length - positives;
  if (positives === 0 || negatives === 0) return null;
  const items = scores
    .map((score, index) => ({ score, kept: kept[index] === true }))
    .toSorted((a, b) => a.score - b.score);
  let best: BestThreshold | null = null;
  let [keptBelow, changedBelow] = [0, 0];
  for (const [index, item] of items.entries()) {
    if (item.kept) keptBelow += 1;
    else changedBelow += 1;
    const next = items[index + 1];
    if (next === undefined || next.score === item.score) continue;
    const balancedAccuracy = ((positives - keptBelow) / positives + changedBelow / negatives) / 2;
    // A difference of rounding is none.
    if (best === null || balancedAccuracy > best.balancedAccuracy + 1e-12) {
      best = { threshold: (item.score + next.score) / 2, balancedAccuracy };
    }
  }
  return best;
}
