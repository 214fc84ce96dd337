import { callNative } from '../../native.js';
import type { AttackEdit } from '../../native.js';
import type { Asking } from '../asking.js';
import { bestPosition } from './search-method.js';
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
  /** The best candidate of one word of a member, better or not; undefined when there is none or the budget ended. */
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
  const { source, text, item } = start;
  const all = await source.candidates(text, { item, draw: 0, texts: false });
  const counts: number[] = source.words(text).map(() => 0);
  for (const word of all.words) if (word >= 0) counts[word] = (counts[word] ?? 0) + 1;
  const see = (found: Found): void => {
    if (bestPosition([progress.best.verdict, found.verdict]) === 1) progress.best = found;
  };
  const candidatesOf = (words: WordEdits, word: number) =>
    source.candidates(text, { item, draw: word + 1, word, edits: inOrder(words) });

  /** The constraints look at texts with all their edits: the last edit must be among the candidates after the others. */
  const holds = async (words: WordEdits): Promise<boolean> => {
    const last = [...words].at(-1);
    if (last === undefined) return true;
    const [word, edit] = last;
    const list = await candidatesOf(new Map([...words].filter(([other]) => other !== word)), word);
    return list.edits.some(
      ({ start: from, end, replacement }) =>
        from === edit.start && end === edit.end && replacement === edit.replacement,
    );
  };

  return {
    counts,
    original: { ...original, words: new Map() },
    async bestOf(member, word) {
      const list = await candidatesOf(member.words, word);
      const verdicts = await asking.ask(list.texts);
      if (verdicts.length < list.texts.length) progress.budgetEnded = true;
      const position = bestPosition(verdicts);
      const [verdict, edited, edit] = [verdicts[position], list.texts[position], list.edits[position]];
      if (verdict === undefined || edited === undefined || edit === undefined) return undefined;
      const words = new Map([...member.words, [word, edit]]);
      const found = { text: edited, edits: inOrder(words), verdict, words };
      see(found);
      return found;
    },
    async memberOf(words) {
      if (!(await holds(words))) return undefined;
      const edits = inOrder(words);
      const edited = callNative((binding) => binding.applyEdits(text, edits));
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

function inOrder(words: WordEdits): AttackEdit[] {
  return [...words.values()].toSorted((a, b) => a.start - b.start || a.end - b.end);
}
