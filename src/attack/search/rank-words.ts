import { callNative } from '../../native.js';
import type { AttackEdit, TextWord } from '../../native.js';
import type { Asking, Verdict } from '../asking.js';
import { randomOf } from '../random.js';
import type { SearchStart } from './search-method.js';

/**
 * How words are ranked:
 *
 * - `unk`: each word replaced by `[UNK]`; importance is the goal's score of that text.
 * - `delete`: each word left out; importance likewise.
 * - `weighted-saliency`: softmax of the `unk` scores times the best gain that a candidate of the word has (PWWS, Ren et al. 2019).
 * - `random`: in an order drawn for the item, without a query.
 * - `position`: from left to right, without a query.
 */
export type WordRanking = 'unk' | 'delete' | 'weighted-saliency' | 'random' | 'position';

/** Key of the draws of a random order. */
const DRAWS = 3;

/** Changeable words in the order in which they are tried. */
export interface RankedWords {
  /** Positions of words. */
  readonly order: readonly number[];
  /** False when the budget ended before every word was looked at; the words not looked at come last, from left to right. */
  readonly complete: boolean;
}

/** Ranks the changeable words of a text, the most important one first; ties by position. */
export async function rankWords(
  start: SearchStart,
  original: Verdict,
  ranking: WordRanking,
  asking: Asking,
): Promise<RankedWords> {
  const words = [...start.source.words(start.text).entries()].filter(([, word]) => word.changeable);
  const positions = words.map(([position]) => position);
  if (ranking === 'position') return { order: positions, complete: true };
  if (ranking === 'random') {
    const random = randomOf(start.seed, start.item, DRAWS);
    return { order: byImportance(positions, positions.map(random.fraction)), complete: true };
  }
  const texts = words.map(([, word]) => without(start.text, word, ranking === 'delete' ? 'delete' : 'unk'));
  const verdicts = await asking.ask(texts);
  const saliency = verdicts.map(({ score }) => score);
  const complete = verdicts.length === texts.length;
  if (ranking !== 'weighted-saliency') return { order: byImportance(positions, saliency), complete };
  const weights = softmax(saliency);
  const importance: number[] = [];
  for (const [index, weight] of weights.entries()) {
    const word = positions[index] ?? 0;
    const list = await start.source.candidates(start.text, { item: start.item, draw: word + 1, word });
    const gains = (await asking.ask(list.texts)).map(({ score }) => score - original.score);
    if (gains.length < list.texts.length) return { order: byImportance(positions, importance), complete: false };
    importance.push(weight * Math.max(0, ...gains));
  }
  return { order: byImportance(positions, importance), complete };
}

/** The text with one word replaced by `[UNK]`, or left out together with one space beside it. */
export function without(text: string, word: TextWord, how: 'unk' | 'delete'): string {
  const edit: AttackEdit = { start: word.start, end: word.end, replacement: '[UNK]', kind: 'replace' };
  if (how === 'delete') {
    const points = [...text];
    edit.replacement = '';
    if (points[word.end] === ' ') edit.end += 1;
    else if (points[word.start - 1] === ' ') edit.start -= 1;
  }
  return callNative((binding) => binding.applyEdits(text, [edit]));
}

/** Positions by falling importance, then by position; those without one come last. */
function byImportance(positions: readonly number[], importance: readonly number[]): number[] {
  const known = positions.map((position, index) => ({
    position,
    value: importance[index] ?? Number.NEGATIVE_INFINITY,
  }));
  // Two missing values must compare as equal: −∞ − −∞ is NaN.
  return known
    .toSorted((a, b) => (a.value === b.value ? a.position - b.position : b.value > a.value ? 1 : -1))
    .map(({ position }) => position);
}

function softmax(values: readonly number[]): number[] {
  const largest = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - largest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
