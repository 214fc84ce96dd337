import type { Asking } from '../asking.js';
import { bestCandidate, isBetter } from './ask-candidates.js';
import { rankWords } from './rank-words.js';
import type { WordRanking } from './rank-words.js';
import { askOriginal, isOver, outcome } from './search-method.js';
import type { Found, SearchMethod, SearchOutcome, SearchStart } from './search-method.js';

/**
 * Greedy search by word importance (`greedy-word-wir` of TextAttack 0.3.11).
 *
 * 1. Rank the changeable words once, on the original.
 * 2. For each word in that order, ask about all candidates of that word on the current text.
 * 3. Take the best one if it is strictly better than the current text (ties in the order of the texts), or if it reaches the goal.
 * 4. Stop at the goal, at the end of the budget, or after the last word.
 *
 * Difference: what was asked before the budget ended counts, and the best text so far is returned.
 *
 * @param ranking How the words are ranked.
 */
export function greedyWordImportance(ranking: WordRanking): SearchMethod {
  return {
    name: `greedy-word-importance:${ranking}`,
    async search(start: SearchStart, asking: Asking): Promise<SearchOutcome> {
      const original = await askOriginal(start.text, asking);
      if (original === undefined) return outcome(undefined, undefined, 'budget', asking);
      if (isOver(original)) return outcome(original, original, 'exhausted', asking);
      const { source } = start;
      const ranked = await rankWords(start, ranking, asking);
      let current: Pick<Found, 'text' | 'verdict'> = original;
      // The edits are asked of the source once: those of every step together grow with the square of their number.
      const end = (ended: 'exhausted' | 'budget'): SearchOutcome =>
        outcome(original, current === original ? original : { ...current, edits: source.edits() }, ended, asking);
      for (const word of ranked.order) {
        const request = { draw: word + 1, word, length: current.text.length };
        const { best, complete } = await bestCandidate(source, asking, request);
        if (best !== undefined && isBetter(best.verdict, current.verdict)) {
          source.accept(best.candidate);
          current = { text: best.text, verdict: best.verdict };
          if (best.verdict.reached) return end('exhausted');
        }
        if (!complete) return end('budget');
      }
      return end(ranked.complete ? 'exhausted' : 'budget');
    },
  };
}
