import { callNative } from '../../native.js';
import type { AttackEdit } from '../../native.js';
import type { Asking } from '../asking.js';
import { bestCandidate, isBetter } from './ask-candidates.js';
import type { Found, SearchStart } from './search-method.js';

/** The edit of each changed word, by the word's position. */
export type WordEdits = ReadonlyMap<number, AttackEdit>;

/** A text of a population. */
export interface Member extends Found {
  readonly words: WordEdits;
}

/** What a population search came to while it asked: the best text, and whether the budget ended. */
export interface Progress {
  best: Found;
  budgetEnded: boolean;
}

/** The texts that a population search may reach: the original with at most one edit a word. */
export interface WordSpace {
  /** Number of candidates of each word of the original. */
  readonly counts: readonly number[];
  /** The original as a member. */
  readonly original: Member;
  /**
   * The best candidate of one word of a member, better or not; undefined when there is none or the budget ended. A word that the member has
   * changed is changed anew from the original's.
   */
  bestOf(member: Member, word: number): Promise<Member | undefined>;
  /** The member with these edits; undefined when they break a constraint together or the budget ended. */
  memberOf(words: WordEdits): Promise<Member | undefined>;
}

/**
 * Opens the space of a text.
 *
 * @param progress Is kept up to date with every answer, so that what was asked before the budget ended counts.
 */
export async function openWordSpace(
  start: SearchStart,
  original: Found,
  asking: Asking,
  progress: Progress,
): Promise<WordSpace> {
  const { source, text } = start;
  const counts: number[] = source.words().map(() => 0);
  const all = source.propose(0);
  for (let candidate = 0; candidate < all; candidate += 1) {
    const word = source.wordOf(candidate);
    if (word >= 0) counts[word] = (counts[word] ?? 0) + 1;
  }
  const see = (found: Found): void => {
    if (isBetter(found.verdict, progress.best.verdict)) progress.best = found;
  };

  return {
    counts,
    original: { ...original, words: new Map() },
    async bestOf(member, word) {
      source.begin(member.words.has(word) ? inOrder(without(member.words, word)) : member.edits);
      const request = { draw: word + 1, word, length: member.text.length };
      const { best, complete } = await bestCandidate(source, asking, request);
      if (!complete) progress.budgetEnded = true;
      const edit = best === undefined ? null : source.editOf(best.candidate);
      if (best === undefined || edit === null) return undefined;
      const words = new Map([...member.words, [word, edit]]);
      const found = { text: best.text, edits: inOrder(words), verdict: best.verdict, words };
      see(found);
      return found;
    },
    async memberOf(words) {
      const edits = inOrder(words);
      const last = [...words].at(-1);
      // The constraints look at texts with all their edits: the last edit must hold beside the others.
      if (!source.begin(edits)) return undefined;
      const edited = callNative((binding) => binding.applyEdits(text, edits));
      if (source.allows !== undefined && last !== undefined) {
        const [isAllowed] = await source.allows([edited], [last[0]]);
        if (isAllowed !== true) return undefined;
      }
      const [verdict] = await asking.ask([edited]);
      if (verdict === undefined) {
        progress.budgetEnded = true;
        return undefined;
      }
      const found = { text: edited, edits, verdict, words };
      see(found);
      return found;
    },
  };
}

/** For each word of two members, in order, one of their two edits (or none). */
export function mixed(
  left: WordEdits,
  right: WordEdits,
  takesRight: (word: number) => boolean,
): Map<number, AttackEdit> {
  const positions = [...new Set([...left.keys(), ...right.keys()])].toSorted((a, b) => a - b);
  const child = new Map<number, AttackEdit>();
  for (const word of positions) {
    const edit = (takesRight(word) ? right : left).get(word);
    if (edit !== undefined) child.set(word, edit);
  }
  return child;
}

function without(words: WordEdits, word: number): WordEdits {
  return new Map([...words].filter(([position]) => position !== word));
}

function inOrder(words: WordEdits): AttackEdit[] {
  return [...words.values()].toSorted((a, b) => a.start - b.start || a.end - b.end);
}
