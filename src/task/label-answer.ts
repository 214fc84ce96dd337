/** A word of an output; `_` belongs to words as in `not_entailment`. */
const WORD = /[\p{L}\p{N}\p{M}_]+(?:['’][\p{L}]+)*/gu;

/** Words that turn the label behind them around. */
const NEGATORS = new Set(['not', 'no', 'never', 'neither', 'nor', 'hardly', 'without', 'cannot']);

/** Words that put labels beside each other without a choice. */
const JOINERS = new Set(['or', 'and', 'nor', 'versus', 'vs']);

interface Mention {
  readonly label: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The label that an output names (PromptBench's `cls`, made safe).
 *
 * Upper case, markup and punctuation don't count; labels are whole words, the longest one first, with `_`, `-` and a space the same.
 *
 * 1. An output that is a label is that label.
 * 2. If it ends in a label, that is the answer (PromptBench takes the last word), unless the label is negated ("not bad") or
 *    offered beside another one ("good or bad").
 * 3. Else, if it names exactly one label, and not negated, that is the answer.
 * 4. Else there is none.
 *
 * Source: PromptBench 0.0.4 `OutputProcess.cls`, which has step 2 alone and takes any last word.
 *
 * @param labels At least one.
 * @returns The label as it was given, or null.
 * @example labelAnswer('**Good.**', ['good', 'bad']); // 'good'
 */
export function labelAnswer(output: string, labels: readonly string[]): string | null {
  const words = wordsOf(output);
  const mentions = mentionsOf(words, labels);
  const last = mentions.at(-1);
  if (last === undefined) return null;
  if (mentions.length === 1 && last.from === 0 && last.to === words.length) return last.label;
  if (last.to === words.length && !isNegated(words, last)) {
    const before = mentions.at(-2);
    const isOffered =
      before !== undefined && before.label !== last.label && isJoined(words.slice(before.to, last.from));
    return isOffered ? null : last.label;
  }
  const named = new Set(mentions.map(({ label }) => label));
  return named.size === 1 && mentions.every((mention) => !isNegated(words, mention)) ? last.label : null;
}

/** Lower-cased words of a text. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFC').toLowerCase().replaceAll('_', ' ').replaceAll('’', "'");
  return plain.match(WORD) ?? [];
}

/** Where labels stand, the longest one first, without overlaps, in order. */
function mentionsOf(words: readonly string[], labels: readonly string[]): Mention[] {
  const known = labels
    .map((label) => ({ label, words: wordsOf(label) }))
    .filter((one) => one.words.length > 0)
    .toSorted((a, b) => b.words.length - a.words.length);
  const mentions: Mention[] = [];
  let position = 0;
  while (position < words.length) {
    const at = position;
    const found = known.find((one) => one.words.every((word, index) => sameWord(words[at + index], word)));
    if (found === undefined) position += 1;
    else {
      position += found.words.length;
      mentions.push({ label: found.label, from: at, to: position });
    }
  }
  return mentions;
}

/** `'good'` in quotes, and `good's`, are the word good. */
function sameWord(found: string | undefined, word: string): boolean {
  return found === word || found === `${word}'s`;
}

/** Whether one of the two words in front of a label turns it around. */
function isNegated(words: readonly string[], { from }: Mention): boolean {
  return words.slice(Math.max(0, from - 2), from).some((word) => NEGATORS.has(word) || word.endsWith("n't"));
}

/** Whether only a joining word, or nothing, stands between two labels: `good/bad`, `good or bad`. */
function isJoined(between: readonly string[]): boolean {
  return between.length <= 2 && (between.length === 0 || between.some((word) => JOINERS.has(word)));
}
