import type { TextWord } from '../native.js';
import type { RunOptions } from '../run-options.js';
import { nativeWords } from './candidate-source.js';
import type { Judge } from './asking.js';
import { without } from './search/rank-words.js';

/** A word of a text and what leaving it out costs. */
export interface WordImportance {
  /** Its position among the words of the text, from 0: a word that comes twice has two. */
  readonly position: number;
  readonly word: string;
  /** Index of its first code point. */
  readonly start: number;
  /** Index after its last code point. */
  readonly end: number;
  /**
   * Score of the text − score without the word: above 0, the word supports the answer; below, it speaks against it. In [−1, 1] for
   * scores that are fractions. Null when the score without the word is not known.
   */
  readonly importance: number | null;
}

/** The words of a text with their importance. */
export interface TextImportance {
  readonly text: string;
  /** What the victim said to the text; null where only scores are known. */
  readonly output: string | null;
  /** The score of the text. */
  readonly score: number;
  readonly words: readonly WordImportance[];
}

/**
 * Word importance by deletion: each word is left out with one space beside it, and the text is scored again. N words cost N + 1
 * questions, fewer when leaving out different words gives the same text. A text without words has none.
 *
 * Differences from PromptBench 0.0.4 `vis_by_delete`: words that come twice are kept apart, the sign is kept, nothing is scaled.
 *
 * @param judge Judges texts; its score grows as the answer gets worse (the goal `untargeted` or `minimise-metric`): the score here is 1
 *   minus that.
 */
export async function importanceByDeletion(
  text: string,
  judge: Judge,
  options: Pick<RunOptions, 'signal'> = {},
): Promise<TextImportance> {
  const words = nativeWords()(text);
  const shortened = words.map((word) => without(text, word, 'delete'));
  const texts = [...new Set([text, ...shortened])];
  const verdicts = await judge(texts, options);
  const scores = new Map(texts.map((one, index) => [one, 1 - (verdicts[index]?.score ?? 0)]));
  const score = scores.get(text) ?? 0;
  return {
    text,
    output: verdicts[0]?.output ?? null,
    score,
    words: words.map((word, position) =>
      weighed(word, position, score - (scores.get(shortened[position] ?? '') ?? score)),
    ),
  };
}

/** A text and its score, as somebody logged them. */
export interface LoggedScore {
  readonly text: string;
  readonly score: number;
}

/** What logged scores say, and how many of them said nothing. */
export interface LoggedImportance extends TextImportance {
  /** Scores of texts that are not the text without one word. */
  readonly unused: number;
}

/**
 * Word importance from scores that were logged: of a text, and of the same text without one of its words each.
 *
 * Runs of whitespace count as one space, and a word may have taken punctuation at its side with it. Several scores of the same text
 * count by their mean. A text that is left by either of two neighbouring equal words speaks for both.
 *
 * @param original The text with all its words.
 * @param logged The scores; they must hold that of the original. Larger is better.
 * @returns Undefined when the original has no score.
 */
export function importanceFromScores(original: string, logged: readonly LoggedScore[]): LoggedImportance | undefined {
  const scores = new Map<string, number[]>();
  for (const { text, score } of logged) {
    const key = plain(text);
    const known = scores.get(key);
    if (known === undefined) scores.set(key, [score]);
    else known.push(score);
  }
  const used = new Set([plain(original)]);
  const scoreOf = (text: string): number | undefined => {
    const found = scores.get(plain(text));
    if (found !== undefined) used.add(plain(text));
    return found === undefined ? undefined : found.reduce((sum, score) => sum + score, 0) / found.length;
  };
  const score = scoreOf(original);
  if (score === undefined) return undefined;
  const points = [...original];
  const words = nativeWords()(original).map((word, position) => {
    const rest =
      scoreOf(without(original, word, 'delete')) ?? scoreOf(without(original, widened(word, points), 'delete'));
    return weighed(word, position, rest === undefined ? null : score - rest);
  });
  const unused = [...scores].reduce((sum, [key, found]) => sum + (used.has(key) ? 0 : found.length), 0);
  return { text: original, output: null, score, words, unused };
}

function weighed({ start, end, text }: TextWord, position: number, importance: number | null): WordImportance {
  return { position, word: text, start, end, importance };
}

/** The word with all that stands around it up to the next whitespace. */
function widened(word: TextWord, points: readonly string[]): TextWord {
  let { start, end } = word;
  while (start > 0 && !/\s/u.test(points[start - 1] ?? '')) start -= 1;
  while (end < points.length && !/\s/u.test(points[end] ?? '')) end += 1;
  return { ...word, start, end };
}

function plain(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
