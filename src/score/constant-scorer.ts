import { checkPairs } from './pairs.js';
import type { Reference, Scorer } from './scorer.js';

/**
 * Gives every pair the same score: a base line, and a way to judge by one side alone.
 *
 * The heading name is `F-1` because teapot-nlp's example scorer prints that name and scripts compare its output.
 *
 * @param value The score, a fraction in [0, 1].
 * @param signature What the scorer calls itself in reports.
 */
export function constantScorer(value: number, signature: string): Scorer {
  return {
    key: 'constant',
    name: 'F-1',
    signature,
    async score(hypotheses: readonly string[], references: readonly Reference[]): Promise<Float64Array> {
      checkPairs(hypotheses, references);
      return new Float64Array(hypotheses.length).fill(value);
    },
  };
}
