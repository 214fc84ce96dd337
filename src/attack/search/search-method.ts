import type { AttackEdit } from '../../native.js';
import type { Asking, Verdict } from '../asking.js';
import type { CandidateSource } from '../candidates.js';

/** What a search starts from. */
export interface SearchStart {
  /** The original text. */
  readonly text: string;
  /** Its position among all texts of the run: with the seed it decides every draw. */
  readonly item: number;
  /** The seed of the run: searches that draw make a generator from it and the item. */
  readonly seed: number;
  /** Where candidates come from. */
  readonly source: CandidateSource;
}

/** A text that a search has reached: its edits on the original, and what the victim says to it. */
export interface Found {
  readonly text: string;
  readonly edits: readonly AttackEdit[];
  readonly verdict: Verdict;
}

/** How a search ended. */
export type SearchStatus =
  /** The goal was reached. */
  | 'reached'
  /** Nothing better was left to try. */
  | 'exhausted'
  /** The query budget ended before. */
  | 'budget';

/** What a search gives back. */
export interface SearchOutcome {
  /** The victim's verdict on the original; undefined when the budget did not even allow to ask that. */
  readonly original: Verdict | undefined;
  /** The best text found: the original, without edits, when nothing was better. */
  readonly best: Found | undefined;
  readonly status: SearchStatus;
  /** Queries made, the original's included. */
  readonly queries: number;
}

/** A way to look for the text that serves the attack best. It knows no victim and no budget: it asks. */
export interface SearchMethod {
  /** Its name in records and signatures. */
  readonly name: string;
  search(start: SearchStart, asking: Asking): Promise<SearchOutcome>;
}

/** The edits of a text with one more, in the order of their places. */
export function withEdit(edits: readonly AttackEdit[], edit: AttackEdit): AttackEdit[] {
  return [...edits, edit].toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** Asks about the original: the first query of every search. */
export async function askOriginal(text: string, asking: Asking): Promise<Found | undefined> {
  const [verdict] = await asking.ask([text]);
  return verdict === undefined ? undefined : { text, edits: [], verdict };
}

/** Whether there is nothing to search for: the original reaches the goal, or no text can. */
export function isOver(original: Found): boolean {
  return original.verdict.reached || original.verdict.pointless !== undefined;
}

/** The outcome of a search that ended with `best`. */
export function outcome(
  original: Found | undefined,
  best: Found | undefined,
  ended: 'exhausted' | 'budget',
  asking: Asking,
): SearchOutcome {
  return {
    original: original?.verdict,
    best,
    status: best?.verdict.reached === true ? 'reached' : ended,
    queries: asking.budget.used,
  };
}
