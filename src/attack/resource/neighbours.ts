import { join } from 'node:path';

import { openSource } from '../../read/source-file.js';
import type { RunOptions } from '../../run-options.js';
import { fileDigest } from '../../digest.js';
import { NearestWords } from './nearest-words.js';
import { readNeighbourTable } from './neighbour-table.js';
import type { NeighbourOptions, NeighbourTable } from './neighbour-table.js';
import { isOpenWordNet, readOpenWordNet } from './open-wordnet.js';
import { vocabularyFile } from './vector-vocabulary.js';
import { isVectorFile, readWordVectors } from './word-vectors.js';
import { openWordNet, wordNetFolder } from './wordnet.js';
import type { WordNet } from './wordnet.js';

/** The name that stands for WordNet where a file of neighbours is asked for. */
export const WORDNET = 'wordnet';

/** Where the neighbours of words come from. */
export interface NeighbourSource {
  /** The neighbours of words, the nearest first; words without any may be left out. */
  neighbours(words: readonly string[], options?: Pick<RunOptions, 'signal'>): Promise<NeighbourTable>;
  /** Everything that can change them. */
  readonly signature: string;
  /** True when antonyms and other parts of speech are among the neighbours, since WordNet is not there to tell them. */
  readonly isUnfiltered: boolean;
}

/**
 * Opens a source of neighbours.
 *
 * Vectors put words of one topic side by side, antonyms too (good, bad). So of the neighbours that vectors give, those are left out
 * that WordNet calls antonyms, also indirect ones and in any form, and those that share no part of speech with the word. Words that WordNet lacks
 * stay. Without WordNet all of them stay, and `isUnfiltered` says so.
 *
 * @param source `wordnet`; vectors (text, `.bin`, `.npy`, `.safetensors`; see {@link readWordVectors}); a wordnet of the Open Multilingual
 *   WordNet ({@link readOpenWordNet}); or a table (a word and its neighbours a line, tabs between). Which of them a text is, its first lines
 *   tell: a table has tabs.
 * @throws {UsageError} What the sources throw.
 */
export async function openNeighbours(source: string, options: NeighbourOptions): Promise<NeighbourSource> {
  const { count, minCosine, signal, wordNet: folder = wordNetFolder() } = options;
  if (source === WORDNET) {
    const wordNet = await openWordNet(folder);
    return {
      neighbours: async (words) => synonymTable(wordNet, words, count),
      signature: JSON.stringify([WORDNET, await wordNetVersion(folder), count]),
      isUnfiltered: false,
    };
  }
  const digests = [(await fileDigest(source, Number.POSITIVE_INFINITY)) ?? source];
  const head = isVectorFile(source) ? '' : await openSource(source, { signal }).head();
  if (isOpenWordNet(head) || isTable(head)) {
    const isWordNet = isOpenWordNet(head);
    const table = await (isWordNet ? readOpenWordNet : readNeighbourTable)(source, options);
    return {
      neighbours: async (words) => new Map(words.flatMap((word) => entryOf(table, word))),
      signature: JSON.stringify([isWordNet ? 'open wordnet' : 'table', ...digests, count]),
      isUnfiltered: false,
    };
  }
  const vocabulary = isVectorFile(source) ? await vocabularyFile(source) : undefined;
  if (vocabulary !== undefined) digests.push((await fileDigest(vocabulary)) ?? '');
  const vectors = await readWordVectors(source, signal);
  const wordNet = folder === undefined ? undefined : await openWordNet(folder);
  // Some of them are left out afterwards.
  const nearest = new NearestWords(vectors, { count: wordNet === undefined ? count : 2 * count, minCosine });
  return {
    async neighbours(words, run = {}) {
      const table = await nearest.neighbours(words, run.signal);
      if (wordNet === undefined) return table;
      return new Map([...table].map(([word, found]) => [word, related(wordNet, word, found).slice(0, count)]));
    },
    signature: JSON.stringify([
      'vectors',
      ...digests,
      count,
      minCosine,
      folder === undefined ? null : await wordNetVersion(folder),
    ]),
    isUnfiltered: wordNet === undefined,
  };
}

/**
 * The neighbours of words, all at once; see {@link openNeighbours}.
 *
 * @throws {UsageError} What the sources throw.
 */
export async function loadNeighbours(
  source: string,
  words: ReadonlySet<string>,
  options: NeighbourOptions,
): Promise<NeighbourTable> {
  const { neighbours } = await openNeighbours(source, options);
  return neighbours([...words], options);
}

/** Neighbours without antonyms and without those that can't be the same part of speech. */
function related(wordNet: WordNet, word: string, neighbours: readonly string[]): string[] {
  const antonyms = wordNet.antonyms(word);
  const parts = wordNet.parts(word);
  return neighbours.filter((neighbour) => {
    const lower = neighbour.toLowerCase();
    if (antonyms.has(lower) || wordNet.bases(lower).some((base) => antonyms.has(base))) return false;
    const its = wordNet.parts(lower);
    return parts.size === 0 || its.size === 0 || [...its].some((part) => parts.has(part));
  });
}

function synonymTable(wordNet: WordNet, words: readonly string[], count: number): NeighbourTable {
  return new Map(
    words.flatMap((word) => {
      const found = wordNet.synonyms(word).slice(0, count);
      return found.length === 0 ? [] : [[word, found] as const];
    }),
  );
}

function entryOf(table: NeighbourTable, word: string): (readonly [string, readonly string[]])[] {
  const found = table.get(word) ?? table.get(word.toLowerCase());
  return found === undefined ? [] : [[word, found]];
}

function isTable(head: string): boolean {
  const [first = ''] = head.trimStart().split('\n');
  return first.includes('\t');
}

async function wordNetVersion(folder: string | undefined): Promise<string> {
  return folder === undefined ? '' : ((await fileDigest(join(folder, 'data.adj'))) ?? '');
}
