import type { Asking } from '../asking.js';
import { askCandidates, isBetter } from './ask-candidates.js';
import { askOriginal, isOver, outcome, withEdit } from './search-method.js';
import type { Found, SearchMethod, SearchOutcome, SearchStart } from './search-method.js';

/**
 * Beam search; with width 1 the greedy search over all words.
 *
 * Each round asks about every candidate of every text in the beam and keeps the `width` best ones (ties in the order of the texts). It stops at the
 * goal, at the end of the budget, when there are no candidates, or when no candidate is better than the best text so
 * far.
 *
 * Difference from TextAttack 0.3.11, which returns the best text of the last round: the best one of all rounds is returned, and a
 * round that brings nothing ends the search instead of going downhill.
 *
 * @param width How many texts are kept, from 1.
 */
export function beam(width: number): SearchMethod {
  return {
    name: width === 1 ? 'greedy' : `beam:${width}`,
    async search(start: SearchStart, asking: Asking): Promise<SearchOutcome> {
      const original = await askOriginal(start.text, asking);
      if (original === undefined) return outcome(undefined, undefined, 'budget', asking);
      if (isOver(original)) return outcome(original, original, 'exhausted', asking);
      let best: Found = original;
      let kept: readonly Found[] = [original];
      for (let round = 1; !best.verdict.reached; round += 1) {
        const { found, complete } = await expand(start, kept, round, width, asking);
        const [top] = found;
        const improved = top !== undefined && isBetter(top.verdict, best.verdict);
        if (improved) best = top;
        if (!complete) return outcome(original, best, 'budget', asking);
        if (!improved) break;
        kept = found;
      }
      return outcome(original, best, 'exhausted', asking);
    },
  };
}

/** The best candidates of all texts in the beam, at most `width`, each text once, the best first; ties in the order of the texts. */
async function expand(
  start: SearchStart,
  kept: readonly Found[],
  round: number,
  width: number,
  asking: Asking,
): Promise<{ readonly found: readonly Found[]; readonly complete: boolean }> {
  const { source } = start;
  const found: Found[] = [];
  for (const member of kept) {
    source.begin(member.edits);
    const request = { draw: round, length: member.text.length };
    const complete = await askCandidates(source, asking, request, (verdict, text, candidate) => {
      const last = found.at(-1);
      if (found.length === width && last !== undefined && !isBetter(verdict, last.verdict)) return;
      if (found.some((other) => other.text === text)) return;
      const edit = source.editOf(candidate);
      if (edit === null) return;
      const before = found.findIndex((other) => isBetter(verdict, other.verdict));
      found.splice(before === -1 ? found.length : before, 0, { text, edits: withEdit(member.edits, edit), verdict });
      if (found.length > width) found.pop();
    });
    if (!complete) return { found, complete };
  }
  return { found, complete: true };
}
