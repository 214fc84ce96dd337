import type { Asking } from '../asking.js';
import { askOriginal, bestPosition, isOver, outcome } from './search-method.js';
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
    const list = await start.source.candidates(start.text, { item: start.item, draw: 0 });
    const verdicts = await asking.ask(list.texts);
    const position = bestPosition(verdicts);
    const [verdict, text, edit] = [verdicts[position], list.texts[position], list.edits[position]];
    let best: Found = original;
    if (verdict !== undefined && text !== undefined && edit !== undefined) {
      if (verdict.reached || verdict.score > original.verdict.score) best = { text, edits: [edit], verdict };
    }
    return outcome(original, best, verdicts.length < list.texts.length ? 'budget' : 'exhausted', asking);
  },
};
