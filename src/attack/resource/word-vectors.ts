import { setImmediate as nextTurn } from 'node:timers/promises';

import { ERROR_CODES, UsageError } from '../../errors.js';
import { openSource } from '../../read/source-file.js';
import type { NeighbourOptions, NeighbourTable } from './neighbour-table.js';

/** So many of the first vectors of a file are neighbours: such files begin with the most frequent words. */
export const VECTOR_VOCABULARY = 50_000;

/** Words between two looks at the outside world. */
const WORDS_PER_TURN = 16;

/**
 * Finds the nearest neighbours of words by cosine in a text file of vectors: word2vec's (a first line with number and size) or
 * GloVe's (without), a word and its numbers a line, separated by spaces.
 *
 * Only the file's first {@link VECTOR_VOCABULARY} words are neighbours; words further down are looked up all the same.
 * Neighbours that differ from the word in case only, or that hold anything but letters, hyphens and apostrophes, are left out. Ties by
 * place in the file.
 *
 * @param words Words as they stand in the texts; each is looked up as written, then in small letters.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line for a line of another size or without numbers.
 */
export async function vectorNeighbours(
  path: string,
  words: ReadonlySet<string>,
  { count, minCosine, signal }: NeighbourOptions,
): Promise<NeighbourTable> {
  const { names, vectors, size, wanted } = await readVectors(path, words, signal);
  const table = new Map<string, readonly string[]>();
  let done = 0;
  for (const [word, vector] of wanted) {
    if ((done += 1) % WORDS_PER_TURN === 0) await nextTurn();
    signal?.throwIfAborted();
    table.set(
      word,
      nearest(vector, vectors, size, names, { count, minCosine, word }).map((index) => names[index] ?? ''),
    );
  }
  return table;
}

interface Vectors {
  readonly names: readonly string[];
  /** Of unit length, one behind the other. */
  readonly vectors: Float32Array;
  readonly size: number;
  /** The vectors of the words asked for. */
  readonly wanted: ReadonlyMap<string, Float32Array>;
}

async function readVectors(
  path: string,
  words: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<Vectors> {
  const keys = new Set([...words].flatMap((word) => [word, word.toLowerCase()]));
  const names: string[] = [];
  const wanted = new Map<string, Float32Array>();
  let vectors = new Float32Array(0);
  let size = 0;
  for await (const batch of openSource(path, { signal }).lines()) {
    for (const { text, line } of batch) {
      const fields = text.trimEnd().split(' ');
      if (line === 1 && fields.length === 2) continue;
      if (fields.length < 2) continue;
      // Only the numbers are certain not to hold a space.
      if (size === 0) size = fields.length - 1;
      const isWanted = names.length < VECTOR_VOCABULARY || keys.has(fields[0] ?? '');
      if (!isWanted) continue;
      const word = fields.slice(0, fields.length - size).join(' ');
      const vector = unit(fields.slice(fields.length - size).map(Number));
      if (vector === undefined || word === '' || vector.length !== size) {
        throw new UsageError(
          ERROR_CODES.FORMAT,
          `${path}:${line}: found ${JSON.stringify(text.slice(0, 60))}, expected a word and ${size} numbers, separated by spaces`,
        );
      }
      if (names.length < VECTOR_VOCABULARY && /^[\p{L}'’-]+$/u.test(word)) {
        const needed = (names.length + 1) * size;
        if (needed > vectors.length) {
          const larger = new Float32Array(Math.max(needed, vectors.length * 2, 1024 * size));
          larger.set(vectors);
          vectors = larger;
        }
        vectors.set(vector, names.length * size);
        names.push(word);
      }
      if (keys.has(word) && !wanted.has(word)) wanted.set(word, vector);
    }
  }
  return { names, vectors, size, wanted };
}

/** The vector with length 1; of zeros as it is; undefined when one is no number. */
function unit(values: readonly number[]): Float32Array | undefined {
  const norm = Math.hypot(...values);
  if (!Number.isFinite(norm)) return undefined;
  return Float32Array.from(values, (value) => (norm === 0 ? 0 : value / norm));
}

function nearest(
  vector: Float32Array,
  vectors: Float32Array,
  size: number,
  names: readonly string[],
  { count, minCosine, word }: { readonly count: number; readonly minCosine: number; readonly word: string },
): number[] {
  const own = word.toLowerCase();
  const found: { readonly index: number; readonly cosine: number }[] = [];
  let least = minCosine;
  for (let index = 0; index < names.length; index += 1) {
    let cosine = 0;
    for (let place = index * size, axis = 0; axis < size; axis += 1, place += 1) {
      cosine += (vector[axis] ?? 0) * (vectors[place] ?? 0);
    }
    if (cosine < least || (found.length === count && cosine <= least) || names[index]?.toLowerCase() === own) continue;
    const at = found.findIndex((other) => other.cosine < cosine);
    found.splice(at === -1 ? found.length : at, 0, { index, cosine });
    if (found.length > count) found.pop();
    if (found.length === count) least = found.at(-1)?.cosine ?? minCosine;
  }
  return found.map(({ index }) => index);
}
