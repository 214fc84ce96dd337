import type { Asking } from '../asking.js';
import { bestCandidate, isBetter } from './ask-candidates.js';
import { askOriginal, isOver, outcome } from './search-method.js';
import type { Found, SearchMethod, SearchOutcome, SearchStart } from './search-method.js';

/**
 * Asks about every candidate of the original and takes the best one, if it is strictly better than the original (or reaches the
 * goal): CheckList's and StressTest's search in PromptBench.
 *
 * Difference from PromptBench, which returns the best candidate even when it is worse for the attack than the original.
 */
export const bruteForce: SearchMethod = {
  name: 'brute-force',
  async search(start: SearchStart, asking: Asking): Promise<SearchOutcome> {
    const original = await askOriginal(start.text, asking);
    if (original === undefined) return outcome(undefined, undefined, 'budget', asking);
    if (isOver(original)) return outcome(original, original, 'exhausted', asking);
    const { source, text } = start;
    const { best, complete } = await bestCandidate(source, asking, { draw: 0, length: text.length });
    let found: Found = original;
    if (best !== undefined && isBetter(best.verdict, original.verdict)) {
      source.accept(best.candidate);
      found = { text: best.text, edits: source.edits(), verdict: best.verdict };
    }
    return outcome(original, found, complete ? 'exhausted' : 'budget', asking);
  },
};
