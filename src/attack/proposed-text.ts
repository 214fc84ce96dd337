import type { AttackEdit, NativeAttackedText, TextWord } from '../native.js';
import { callNative } from '../native.js';
import type { CandidateSource } from './candidates.js';
import { withEdit } from './search/search-method.js';

/** An edit that models or lists propose for a word of the original; it may reach over the words behind it. */
export interface Proposal {
  readonly word: number;
  readonly edit: AttackEdit;
}

interface Candidate extends Proposal {
  readonly text: string;
}

/** Kernels with proposals beside their own candidates: new words between words, two words as one, names of several words. */
export class ProposedText implements CandidateSource {
  readonly #kernels: NativeAttackedText;
  readonly #text: string;
  readonly #proposals: readonly Proposal[];
  readonly #words: readonly TextWord[];
  readonly #hasKernels: boolean;
  #found: readonly Candidate[] = [];

  /** @param hasKernels Whether the kernels have candidates of their own, or give words and constraints only. */
  constructor(kernels: NativeAttackedText, text: string, proposals: readonly Proposal[], hasKernels: boolean) {
    this.#kernels = kernels;
    this.#text = text;
    this.#proposals = proposals;
    this.#words = kernels.words();
    this.#hasKernels = hasKernels;
  }

  words(): readonly TextWord[] {
    return this.#words;
  }

  changeable(): readonly number[] {
    return this.#kernels.changeable();
  }

  without(words: readonly number[], isLeftOut: boolean): readonly string[] {
    return this.#kernels.without([...words], isLeftOut);
  }

  begin(edits: readonly AttackEdit[]): boolean {
    this.#found = [];
    return this.#kernels.begin([...edits]);
  }

  propose(draw: number, word?: number): number {
    const kernels = this.#kernels;
    const made = kernels.edits();
    const found: Candidate[] = [];
    const own = this.#hasKernels ? kernels.propose(draw, word) : 0;
    for (const [candidate, text] of kernels.texts(0, own).entries()) {
      const edit = kernels.editOf(candidate);
      if (edit !== null) found.push({ word: kernels.wordOf(candidate), edit, text });
    }
    const open = new Set(kernels.changeable());
    for (const proposal of this.#proposals) {
      if (word !== undefined && proposal.word !== word) continue;
      if (!this.#reached(proposal.edit).every((reached) => open.has(reached))) continue;
      const edits = withEdit(made, proposal.edit);
      // The constraints look at the text with all its edits.
      if (!kernels.begin(edits)) continue;
      const text = callNative((binding) => binding.applyEdits(this.#text, edits));
      if (text !== this.#text) found.push({ ...proposal, text });
    }
    kernels.begin([...made]);
    const seen = new Set<string>();
    this.#found = found
      .filter(({ text }) => !seen.has(text) && seen.add(text))
      .map((one) => ({ one, key: Buffer.from(one.text) }))
      .toSorted((a, b) => Buffer.compare(a.key, b.key))
      .map(({ one }) => one);
    return this.#found.length;
  }

  texts(start: number, end: number): readonly string[] {
    return this.#found.slice(start, end).map(({ text }) => text);
  }

  wordOf(candidate: number): number {
    return this.#found[candidate]?.word ?? -1;
  }

  editOf(candidate: number): AttackEdit | null {
    return this.#found[candidate]?.edit ?? null;
  }

  accept(candidate: number): void {
    const edit = this.editOf(candidate);
    if (edit !== null) this.#kernels.begin(withEdit(this.#kernels.edits(), edit));
  }

  edits(): readonly AttackEdit[] {
    return this.#kernels.edits();
  }

  /** The words that an edit overlaps. */
  #reached({ start, end }: AttackEdit): readonly number[] {
    return this.#words.flatMap((word, index) => (word.start < end && word.end > start ? [index] : []));
  }
}
