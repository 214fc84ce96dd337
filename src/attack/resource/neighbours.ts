import { openSource } from '../../read/source-file.js';
import { readNeighbourTable } from './neighbour-table.js';
import type { NeighbourOptions, NeighbourTable } from './neighbour-table.js';
import { vectorNeighbours } from './word-vectors.js';
import { wordNetNeighbours } from './wordnet.js';

/** The name that stands for WordNet where a file of neighbours is asked for. */
export const WORDNET = 'wordnet';

/**
 * The neighbours of words.
 *
 * @param source `wordnet`; a table (a word and its neighbours a line, tabs between); or text vectors (word2vec, GloVe). Which of the
 *   two a file is, its first line tells: a table has tabs.
 * @param words The words of the texts: nothing else is looked up.
 * @throws {UsageError} What the sources throw.
 */
export async function loadNeighbours(
  source: string,
  words: ReadonlySet<string>,
  options: NeighbourOptions,
): Promise<NeighbourTable> {
  if (source === WORDNET) return wordNetNeighbours(words, options);
  const [first = ''] = (await openSource(source, { signal: options.signal }).head()).trimStart().split('\n');
  return first.includes('\t') ? readNeighbourTable(source, words, options) : vectorNeighbours(source, words, options);
}
