import type { Asking } from '../asking.js';
import { askOriginal, bestPosition, isOver, outcome, withEdit } from './search-method.js';
import type { Found, SearchMethod, SearchOutcome, SearchStart } from './search-method.js';

/**
 * Beam search; with width 1 the greedy search over all words.
 *
 * Each round asks about every candidate of every text in the beam and keeps the `width` best ones (ties by position). It stops at the
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
        const { found, complete } = await expand(start, kept, round, asking);
        const top = found[bestPosition(found.map(({ verdict }) => verdict))];
        const improved = top !== undefined && (top.verdict.reached || top.verdict.score > best.verdict.score);
        if (improved) best = top;
        if (!complete) return outcome(original, best, 'budget', asking);
        if (!improved) break;
        kept = found.toSorted((a, b) => b.verdict.score - a.verdict.score).slice(0, width);
      }
      return outcome(original, best, 'exhausted', asking);
    },
  };
}

/** Every candidate of every text in the beam, each text once, with its verdict. */
async function expand(
  start: SearchStart,
  kept: readonly Found[],
  round: number,
  asking: Asking,
): Promise<{ readonly found: readonly Found[]; readonly complete: boolean }> {
  const edits = new Map<string, Found['edits']>();
  for (const member of kept) {
    const list = await start.source.candidates(start.text, { item: start.item, draw: round, edits: [...member.edits] });
    for (const [index, text] of list.texts.entries()) {
      const edit = list.edits[index];
      if (edit !== undefined && !edits.has(text)) edits.set(text, withEdit(member.edits, edit));
    }
  }
  const texts = [...edits.keys()];
  const verdicts = await asking.ask(texts);
  const found = verdicts.map((verdict, index) => {
    const text = texts[index] ?? '';
    return { text, edits: edits.get(text) ?? [], verdict };
  });
  return { found, complete: verdicts.length === texts.length };
}
