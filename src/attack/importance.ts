import type { TextWord } from '../native.js';
import type { RunOptions } from '../run-options.js';
import { askWithin } from './asking.js';
import type { Judge } from './asking.js';
import { nativeSources } from './candidate-source.js';
import { chunkSize } from './search/ask-candidates.js';

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
  const opened = leaveOut(text, 0);
  const words = opened.words();
  const ask = askWithin(judge, Number.POSITIVE_INFINITY, options);
  const [original] = await ask.ask([text]);
  const score = 1 - (original?.score ?? 0);
  const weighedWords: WordImportance[] = [];
  const size = chunkSize(text.length, ask);
  for (let from = 0; from < words.length; from += size) {
    const positions = words.slice(from, from + size).map((_, index) => from + index);
    const verdicts = await ask.ask(opened.without(positions, true));
    for (const [index, position] of positions.entries()) {
      const word = words[position];
      const rest = verdicts[index];
      if (word !== undefined) weighedWords.push(weighed(word, position, score - (1 - (rest?.score ?? 0))));
    }
  }
  return { text, output: original?.output ?? null, score, words: weighedWords };
}

/** The most questions that {@link importanceByDeletion} asks about a text: one, and one for each word. */
export function importanceQueries(text: string): number {
  return leaveOut(text, 0).words().length + 1;
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
  const opened = leaveOut(original, 0);
  const words = opened.words().map((word, position) => {
    const [shortened = ''] = opened.without([position], true);
    const { start, end } = widened(word, points);
    const rest = scoreOf(shortened) ?? scoreOf(`${points.slice(0, start).join('')}${points.slice(end).join('')}`);
    return weighed(word, position, rest === undefined ? null : score - rest);
  });
  const unused = [...scores].reduce((sum, [key, found]) => sum + (used.has(key) ? 0 : found.length), 0);
  return { text: original, output: null, score, words, unused };
}

/** Takes a text apart to leave its words out, whatever they are. */
function leaveOut(text: string, item: number): ReturnType<ReturnType<typeof nativeSources>> {
  return nativeSources({ transformations: ['word-delete'] }, 0, undefined)(text, item);
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
