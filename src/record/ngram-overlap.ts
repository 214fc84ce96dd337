import { splitWords } from '../read/whitespace.js';

/** What chrF counts. */
export interface NgramOptions {
  /** Longest character n-gram. */
  readonly charOrder: number;
  /** Longest word n-gram; 0 for none. */
  readonly wordOrder: number;
  /** Whether whitespace is part of character n-grams. */
  readonly whitespace: boolean;
}

/** The n-grams of one order that two texts share. */
export interface NgramOverlap {
  readonly unit: 'char' | 'word';
  readonly order: number;
  /** N-grams of the hypothesis. */
  readonly hypothesis: number;
  /** N-grams of the reference. */
  readonly reference: number;
  /** Shared n-grams, clipped: each n-gram at most as often as the other side has it. */
  readonly matches: number;
  /** matches / hypothesis; null when the hypothesis has none. */
  readonly precision: number | null;
  /** matches / reference; null when the reference has none. */
  readonly recall: number | null;
  /** Whether chrF counts the order: both sides have n-grams of it. */
  readonly counted: boolean;
}

/** ASCII punctuation, which chrF splits off words. */
const PUNCTUATION = new Set('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~');

/**
 * Counts the n-grams that two texts share, order by order, as sacreBLEU's chrF does: characters are code points without
 * whitespace, words have one leading or trailing mark split off.
 *
 * @returns one row an order, characters first.
 * @see sacreBLEU 2.6.0 `metrics/chrf.py`.
 */
export function ngramOverlaps(hypothesis: string, reference: string, options: NgramOptions): NgramOverlap[] {
  const rows: NgramOverlap[] = [];
  const characters = [hypothesis, reference].map((text) => charactersOf(text, options.whitespace));
  const words = [hypothesis, reference].map(wordsOf);
  for (let order = 1; order <= options.charOrder; order += 1) {
    rows.push(overlap('char', order, characters[0] ?? [], characters[1] ?? [], ''));
  }
  for (let order = 1; order <= options.wordOrder; order += 1) {
    rows.push(overlap('word', order, words[0] ?? [], words[1] ?? [], ' '));
  }
  return rows;
}

/**
 * chrF of counted n-grams: precision and recall averaged over the orders that count, then one F.
 *
 * @returns a fraction in [0, 1]; 0 when no order counts.
 */
export function chrfOf(overlaps: readonly NgramOverlap[], beta: number): number {
  const counted = overlaps.filter((row) => row.counted);
  if (counted.length === 0) return 0;
  const average = (name: 'precision' | 'recall'): number =>
    counted.reduce((sum, row) => sum + (row[name] ?? 0), 0) / counted.length;
  const [precision, recall] = [average('precision'), average('recall')];
  const weight = beta * beta;
  return precision + recall === 0 ? 0 : ((1 + weight) * precision * recall) / (weight * precision + recall);
}

function overlap(
  unit: NgramOverlap['unit'],
  order: number,
  hypothesis: readonly string[],
  reference: readonly string[],
  separator: string,
): NgramOverlap {
  const left = countNgrams(hypothesis, order, separator);
  const right = countNgrams(reference, order, separator);
  let matches = 0;
  for (const [ngram, count] of left) matches += Math.min(count, right.get(ngram) ?? 0);
  const sizes = [hypothesis, reference].map((items) => Math.max(0, items.length - order + 1));
  const [ofHypothesis = 0, ofReference = 0] = sizes;
  return {
    unit,
    order,
    hypothesis: ofHypothesis,
    reference: ofReference,
    matches,
    precision: ofHypothesis === 0 ? null : matches / ofHypothesis,
    recall: ofReference === 0 ? null : matches / ofReference,
    counted: ofHypothesis > 0 && ofReference > 0,
  };
}

function countNgrams(items: readonly string[], order: number, separator: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (let start = 0; start + order <= items.length; start += 1) {
    const ngram = items.slice(start, start + order).join(separator);
    counts.set(ngram, (counts.get(ngram) ?? 0) + 1);
  }
  return counts;
}

function charactersOf(text: string, whitespace: boolean): string[] {
  return [...(whitespace ? text : splitWords(text).join(''))];
}

function wordsOf(text: string): string[] {
  return splitWords(text).flatMap((word) => {
    const characters = [...word];
    if (characters.length === 1) return [word];
    const last = characters.at(-1) ?? '';
    if (PUNCTUATION.has(last)) return [characters.slice(0, -1).join(''), last];
    const first = characters[0] ?? '';
    return PUNCTUATION.has(first) ? [first, characters.slice(1).join('')] : [word];
  });
}
