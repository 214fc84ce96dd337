import { UNDEFINED_REASON } from '../measure/undefined-reason.js';
import type { ScorePair } from '../measure/drop-rates.js';
import { GOAL_FUNCTION_SCORE } from './import/textattack/result.js';
import type { AttackRecord } from './schema.js';

/** The two scores of a record, or why it hasn't both. */
export type ScorePairOrReason = ScorePair | { readonly reason: string };

/**
 * The performance before and under attack that a record stands for.
 *
 * An attacked prompt (`unit: prompt`) carries both scores. An attacked example (`unit: input`) counts as what the tool
 * said of it: `skipped` was wrong before the attack (0), `successful` became wrong (1 → 0), `failed` stayed right (1 → 1);
 * so the micro drop rate of a group is 1 − accuracy under attack ÷ accuracy before. Where no tool judged the attack, as in
 * two runs of an evaluation that were paired, the two scores count.
 *
 * @param record an attack; clean prompts and candidates are the caller's to leave out.
 */
export function scorePair(record: AttackRecord): ScorePairOrReason {
  if (record.unit === 'input') return examplePair(record);
  const { original_score: original, attacked_score: attacked, scale } = record;
  if (original === null) return { reason: UNDEFINED_REASON.NO_ORIGINAL_SCORE };
  if (attacked === null) return { reason: UNDEFINED_REASON.NO_ATTACKED_SCORE };
  return { original, attacked, scale, decimals: printedDecimals(record) };
}

function examplePair({
  result,
  original_score: original,
  attacked_score: attacked,
  scale,
  metric,
}: AttackRecord): ScorePairOrReason {
  // The score of a goal function says how near an attack came, not whether an answer is right.
  if (result === null && original !== null && scale !== null && metric !== GOAL_FUNCTION_SCORE) {
    if (attacked === null) return { reason: UNDEFINED_REASON.NO_ATTACKED_SCORE };
    return { original, attacked, scale, decimals: null, isItem: true };
  }
  switch (result) {
    case 'skipped':
      return { original: 0, attacked: 0, scale: 1, decimals: null };
    case 'successful':
      return { original: 1, attacked: 0, scale: 1, decimals: null };
    case 'failed':
      return { original: 1, attacked: 1, scale: 1, decimals: null };
    case 'error':
      return { reason: UNDEFINED_REASON.NO_ATTACKED_SCORE };
    default:
      return { reason: UNDEFINED_REASON.NO_ORIGINAL_SCORE };
  }
}

/**
 * How many decimals a log left of the scores of a record (`extra.decimals`); null when they were not rounded.
 */
export function printedDecimals(record: Pick<AttackRecord, 'extra'>): number | null {
  const decimals = record.extra['decimals'];
  return typeof decimals === 'number' && Number.isInteger(decimals) && decimals >= 0 && decimals <= 15
    ? decimals
    : null;
}
