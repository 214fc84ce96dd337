import { ERROR_CODES, TeapotError } from '../errors.js';
import type { AttackEdit, TextWord } from '../native.js';

/** One text has no candidates, for a reason of its own: others may have some. */
export class NoCandidatesError extends TeapotError {
  constructor(message: string) {
    super(ERROR_CODES.RESOURCE, message);
    this.name = 'NoCandidatesError';
  }
}

/** A text under attack, as a search sees it: the words that it may change, and their candidates beside the edits made so far. */
export interface CandidateSource {
  /** The words of the text in order. */
  words(): readonly TextWord[];
  /** The positions of the words that the attack may change and has not changed yet: only they are ranked. */
  changeable(): readonly number[];
  /** The text with each of these words replaced by `[UNK]`, or (`isLeftOut`) left out with one blank beside it. */
  without(words: readonly number[], isLeftOut: boolean): readonly string[];
  /** Turns to the text with these edits, in order; tells whether the constraints allow the last of them beside the others. */
  begin(edits: readonly AttackEdit[]): boolean;
  /**
   * Makes the candidates of one word, or of all words and the text as a whole, beside the edits made so far.
   *
   * @param draw A number that gives other random choices for the same text.
   * @returns Their number. They stand in the order of their texts (by code points), each text once.
   */
  propose(draw: number, word?: number): number;
  /** The texts of the candidates `start` to `end` (exclusive). */
  texts(start: number, end: number): readonly string[];
  /** The word that a candidate changes; −1 where it changes the text as a whole. */
  wordOf(candidate: number): number;
  /** The edit of a candidate on the original. */
  editOf(candidate: number): AttackEdit | null;
  /** Makes the edit of a candidate. */
  accept(candidate: number): void;
  /** The edits made so far, in order. */
  edits(): readonly AttackEdit[];
  /** Which texts models allow, with the word that each changes; without it, all. */
  readonly allows?: Filter | undefined;
}

/** Tells of texts, each with the word that was changed last, which ones may be asked. */
export type Filter = (texts: readonly string[], words: readonly number[]) => Promise<readonly boolean[]>;
