import type { Asking } from '../asking.js';
import { randomOf } from '../../random.js';
import { askCandidates, chunkSize } from './ask-candidates.js';
import type { SearchStart } from './search-method.js';

/**
 * How words are ranked:
 *
 * - `unk`: each word replaced by `[UNK]`; importance is the goal's score of that text.
 * - `delete`: each word left out; importance likewise.
 * - `weighted-saliency`: softmax of the `unk` scores times the best score that a candidate of the word has, 0 without one (PWWS, Ren et
 *   al. 2019, as in TextAttack 0.3.11).
 * - `random`: in an order drawn for the item, without a query.
 * - `position`: from left to right, without a query.
 */
export type WordRanking = (typeof WORD_RANKINGS)[number];

/** Every {@link WordRanking}. */
export const WORD_RANKINGS = ['unk', 'delete', 'weighted-saliency', 'random', 'position'] as const;

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
export async function rankWords(start: SearchStart, ranking: WordRanking, asking: Asking): Promise<RankedWords> {
  const { source, text } = start;
  const positions = source.changeable();
  if (ranking === 'position') return { order: positions, complete: true };
  if (ranking === 'random') {
    const random = randomOf(start.seed, start.item, DRAWS);
    return { order: byImportance(positions, positions.map(random.fraction)), complete: true };
  }
  const saliency: number[] = [];
  // Texts are made as they are asked: those of all words of a long text together would be quadratic.
  for (let from = 0; from < positions.length;) {
    const words = positions.slice(from, from + chunkSize(text.length, asking));
    const verdicts = await asking.ask(source.without(words, ranking === 'delete'));
    for (const { score } of verdicts) saliency.push(score);
    if (verdicts.length < words.length) return { order: byImportance(positions, saliency), complete: false };
    from += words.length;
  }
  if (ranking !== 'weighted-saliency') return { order: byImportance(positions, saliency), complete: true };
  const weights = softmax(saliency);
  const importance: number[] = [];
  for (const [index, weight] of weights.entries()) {
    const word = positions[index] ?? 0;
    let best = 0;
    const request = { draw: word + 1, word, length: text.length };
    const complete = await askCandidates(source, asking, request, ({ score }) => {
      best = Math.max(best, score);
    });
    if (!complete) return { order: byImportance(positions, importance), complete };
    importance.push(weight * best);
  }
  return { order: byImportance(positions, importance), complete: true };
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
