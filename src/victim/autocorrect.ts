import { callNative } from '../native.js';
import { foldTexts } from '../record/text-edits.js';
import type { RunOptions } from '../run-options.js';
import type { Victim } from './victim.js';

/** Corrects texts before a victim is asked. */
export interface Autocorrect {
  /** N texts to N texts. */
  correct(texts: readonly string[], options?: Pick<RunOptions, 'signal'>): Promise<readonly string[]>;
  /** Everything that can change a correction. */
  readonly signature: string;
}

/** Letters, digits, hyphen and apostrophe: what look-alikes are written as. */
const PLAIN = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-'"];

/** Joined into an emoji, or marks that belong to the letter before them: no look-alikes. */
const KEPT = /[\p{Extended_Pictographic}\p{M}]/u;

/** Invisible characters and those that set the direction of writing; a variation selector belongs to the character before it. */
const INVISIBLE = /[\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

/**
 * Undoes what a reader does not see, and with a vocabulary also slips.
 *
 * 1. A character before a backspace goes with it; invisible characters and those that set the direction of writing go.
 * 2. A character that looks like a letter or digit of ASCII becomes it (Unicode's confusables, UTS #39; the character and the letter have
 *    the same skeleton), in words that have a letter of ASCII: words of other scripts stay as they are.
 * 3. With a vocabulary: a word (of the word rule, letters only) that is not in it becomes the first word of it that is one edit away, an edit
 *    being an insertion, deletion, substitution or swap of neighbours (optimal string alignment). Its case is kept where it is small, capital
 *    or capitalised. Without such a word it stays.
 *
 * The third step is the simplest of the defences that Pruthi et al. 2019 call word recognition; theirs is a network.
 *
 * @param vocabulary Known words, the most frequent first; none: steps 1 and 2 only.
 * @param signature Says which words these are, for example a hash.
 */
export function autocorrect(vocabulary?: readonly string[], signature?: string): Autocorrect {
  const known = vocabulary === undefined ? undefined : new Vocabulary(vocabulary);
  return {
    async correct(texts, { signal } = {}) {
      const seen = texts.map((text) => withoutDeleted(text).replace(INVISIBLE, ''));
      const plain = await withoutLookAlikes(seen, signal);
      return known === undefined ? plain : plain.map((text) => known.corrected(text));
    },
    signature: JSON.stringify(['autocorrect', signature ?? (vocabulary === undefined ? null : vocabulary.length)]),
  };
}

/** A victim that is asked about corrected texts. */
export function correctedVictim(victim: Victim, { correct, signature }: Autocorrect): Victim {
  return {
    ...victim,
    signature: JSON.stringify([victim.signature, signature]),
    answer: async (texts, options = {}) => victim.answer(await correct(texts, options), options),
  };
}

/** The text without backspaces and what they delete. */
function withoutDeleted(text: string): string {
  if (!text.includes('\b')) return text;
  const kept: string[] = [];
  for (const point of text) {
    if (point === '\b') kept.pop();
    else kept.push(point);
  }
  return kept.join('');
}

let lookAlikes: Promise<Map<string, string>> | undefined;

/** Skeletons of plain characters, and what each stands for; letters go before digits. */
function plainBySkeleton(): Promise<Map<string, string>> {
  lookAlikes ??= (async () => {
    const skeletons = await foldTexts(PLAIN, { confusables: true });
    const found = new Map<string, string>();
    for (const [index, skeleton] of skeletons.entries()) {
      if (!found.has(skeleton)) found.set(skeleton, PLAIN[index] ?? '');
    }
    return found;
  })();
  return lookAlikes;
}

async function withoutLookAlikes(
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const others = [...new Set(texts.flatMap((text) => [...text].filter((one) => one > '\u007F' && !KEPT.test(one))))];
  if (others.length === 0) return texts;
  const run = signal === undefined ? {} : { signal };
  const skeletons = await foldTexts(others, { confusables: true }, run);
  const plain = await plainBySkeleton();
  const table = new Map(
    others.flatMap((one, index) => {
      const letter = plain.get(skeletons[index] ?? '');
      return letter === undefined ? [] : [[one, letter] as const];
    }),
  );
  return texts.map((text) =>
    text.replace(/\S+/gu, (word) =>
      /[a-z]/iu.test(word) ? [...word].map((one) => table.get(one) ?? one).join('') : word,
    ),
  );
}

class Vocabulary {
  /** Words in small letters and their rank. */
  readonly #ranks = new Map<string, number>();
  readonly #letters: readonly string[];
  readonly #corrections = new Map<string, string | undefined>();
  readonly #generator = callNative((binding) => new binding.CandidateGenerator({ attacks: ['word-delete'] }));

  constructor(words: readonly string[]) {
    const letters = new Set<string>();
    for (const word of words) {
      const lower = word.trim().toLowerCase();
      if (lower === '' || this.#ranks.has(lower)) continue;
      this.#ranks.set(lower, this.#ranks.size);
      for (const letter of lower) letters.add(letter);
    }
    this.#letters = [...letters];
  }

  corrected(text: string): string {
    const points = [...text];
    const made: string[] = [];
    let end = 0;
    for (const word of callNative(() => this.#generator.words(text))) {
      const correction = /^\p{L}[\p{L}\p{M}]*$/u.test(word.text)
        ? this.#correction(word.text.toLowerCase())
        : undefined;
      if (correction === undefined) continue;
      made.push(points.slice(end, word.start).join(''), cased(correction, word.text));
      end = word.end;
    }
    return made.length === 0 ? text : [...made, points.slice(end).join('')].join('');
  }

  /** The word that stands for an unknown one; undefined of a known one, or without one. */
  #correction(word: string): string | undefined {
    if (this.#ranks.has(word)) return undefined;
    if (!this.#corrections.has(word)) this.#corrections.set(word, this.#nearest(word));
    return this.#corrections.get(word);
  }

  #nearest(word: string): string | undefined {
    let best: string | undefined;
    let least = Number.POSITIVE_INFINITY;
    const look = (candidate: string): void => {
      const rank = this.#ranks.get(candidate);
      if (rank !== undefined && rank < least) [best, least] = [candidate, rank];
    };
    const points = [...word];
    for (let at = 0; at <= points.length; at += 1) {
      const [before, after] = [points.slice(0, at).join(''), points.slice(at)];
      const [first = '', second = ''] = after;
      if (at < points.length) look(before + after.slice(1).join(''));
      if (second !== '') look(before + second + first + after.slice(2).join(''));
      for (const letter of this.#letters) {
        look(before + letter + after.join(''));
        if (at < points.length) look(before + letter + after.slice(1).join(''));
      }
    }
    return best;
  }
}

/** A word with the case of another: capitals or a capital first letter; else as it is. */
function cased(word: string, like: string): string {
  const [first = '', ...rest] = like;
  const upper = like.toUpperCase();
  if (like === upper && rest.length > 0) return word.toUpperCase();
  const [start = '', ...end] = word;
  return first === first.toUpperCase() && first !== first.toLowerCase() ? start.toUpperCase() + end.join('') : word;
}
