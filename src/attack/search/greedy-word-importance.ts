import type { Asking, Verdict } from '../asking.js';
import { rankWords } from './rank-words.js';
import type { WordRanking } from './rank-words.js';
import { askOriginal, bestPosition, isOver, outcome, withEdit } from './search-method.js';
import type { Found, SearchMethod, SearchOutcome, SearchStart } from './search-method.js';

/**
 * Greedy search by word importance (`greedy-word-wir` of TextAttack 0.3.11).
 *
 * 1. Rank the changeable words once, on the original.
 * 2. For each word in that order, ask about all candidates of that word on the current text.
 * 3. Take the best one if it is strictly better than the current text (ties by position), or if it reaches the goal.
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
      const ranked = await rankWords(start, original.verdict, ranking, asking);
      let current: Found = original;
      for (const word of ranked.order) {
        const list = await start.source.candidates(start.text, {
          item: start.item,
          draw: word + 1,
          word,
          edits: [...current.edits],
        });
        if (list.texts.length === 0) continue;
        const verdicts: readonly Verdict[] = await asking.ask(list.texts);
        const position = bestPosition(verdicts);
        const [verdict, text, edit] = [verdicts[position], list.texts[position], list.edits[position]];
        if (verdict !== undefined && text !== undefined && edit !== undefined) {
          if (verdict.reached || verdict.score > current.verdict.score) {
            current = { text, edits: withEdit(current.edits, edit), verdict };
          }
          if (verdict.reached) return outcome(original, current, 'exhausted', asking);
        }
        if (verdicts.length < list.texts.length) return outcome(original, current, 'budget', asking);
      }
      return outcome(original, current, ranked.complete ? 'exhausted' : 'budget', asking);
    },
  };
}
