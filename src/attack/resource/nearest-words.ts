import { setImmediate as nextTurn } from 'node:timers/promises';

import type { NeighbourOptions, NeighbourTable } from './neighbour-table.js';
import type { VectorTable } from './vector-table.js';

/** Numbers of a table between two looks at how much work was done. */
const BLOCK_NUMBERS = 1 << 17;

/** Multiplications between two looks at the outside world. */
const WORK_PER_TURN = 1 << 26;

interface Near {
  readonly row: number;
  readonly cosine: number;
}

/** Words compared at a time: each number of a row is read once for all of them. */
const GROUP = 8;

/**
 * Finds the neighbours of words by cosine; what was found once is remembered.
 *
 * A word is looked up as written, then in small letters. Rows that are the word in another case are no neighbours; of rows that
 * differ in case only, the nearest stays. Ties by place in the table.
 *
 * Time: as many multiplications a word as the table has numbers, 0.1 s for 400,000 words of 300 numbers when the
 * words of a text are asked for together.
 */
export class NearestWords {
  readonly #table: VectorTable;
  readonly #options: Omit<NeighbourOptions, 'signal'>;
  readonly #known = new Map<string, readonly string[]>();

  /** @param options How many neighbours, and how near. */
  constructor(table: VectorTable, options: Omit<NeighbourOptions, 'signal'>) {
    this.#table = table;
    this.#options = options;
  }

  /**
   * The neighbours of words, the nearest first; words that the table lacks are left out.
   *
   * @throws The signal's reason, when it is aborted.
   */
  async neighbours(words: readonly string[], signal: AbortSignal | undefined): Promise<NeighbourTable> {
    const names = new Map<string, string>();
    for (const word of words) {
      const name = [word, word.toLowerCase()].find((one) => this.#table.rows.has(one));
      if (name !== undefined) names.set(word, name);
    }
    const unknown = [...new Set(names.values())].filter((name) => !this.#known.has(name));
    if (unknown.length > 0) await this.#search(unknown, signal);
    return new Map([...names].map(([word, name]) => [word, this.#known.get(name) ?? []]));
  }

  async #search(names: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const { size, names: all } = this.#table;
    const block = Math.max(1, Math.floor(BLOCK_NUMBERS / size));
    let work = 0;
    for (let begin = 0; begin < names.length; begin += GROUP) {
      const group = names.slice(begin, begin + GROUP);
      const queries = this.#interleaved(group);
      const found = group.map((): Near[] => []);
      for (let first = 0; first < all.length; first += block) {
        const last = Math.min(all.length, first + block);
        this.#compare(queries, found, first, last);
        work += (last - first) * size * GROUP;
        if (work < WORK_PER_TURN) continue;
        work = 0;
        await nextTurn();
        signal?.throwIfAborted();
      }
      for (const [index, name] of group.entries()) this.#known.set(name, this.#namesOf(name, found[index] ?? []));
    }
  }

  /** The vectors of up to eight words, number by number: the first number of each, then the second … */
  #interleaved(names: readonly string[]): Float64Array {
    const { rows, values, size } = this.#table;
    const queries = new Float64Array(size * GROUP);
    for (const [place, name] of names.entries()) {
      const start = (rows.get(name) ?? 0) * size;
      for (let axis = 0; axis < size; axis += 1) queries[axis * GROUP + place] = values[start + axis] ?? 0;
    }
    return queries;
  }

  #compare(queries: Float64Array, found: readonly Near[][], first: number, last: number): void {
    const { values, size } = this.#table;
    const { minCosine } = this.#options;
    const cosines = new Float64Array(GROUP);
    for (let row = first; row < last; row += 1) {
      multiply(values, row * size, queries, cosines, size);
      for (let place = 0; place < GROUP; place += 1) {
        const cosine = cosines[place] ?? 0;
        const near = found[place];
        if (cosine < minCosine || near === undefined) continue;
        this.#keep(near, row, cosine);
      }
    }
  }

  #keep(near: Near[], row: number, cosine: number): void {
    // Room for the word itself and for other cases of its neighbours.
    const most = 2 * this.#options.count + 2;
    if (near.length === most && cosine <= (near[most - 1]?.cosine ?? 2)) return;
    let at = near.length;
    while (at > 0 && (near[at - 1]?.cosine ?? 2) < cosine) at -= 1;
    near.splice(at, 0, { row, cosine });
    if (near.length > most) near.pop();
  }

  #namesOf(word: string, found: readonly Near[]): string[] {
    const seen = new Set([word.toLowerCase()]);
    const neighbours: string[] = [];
    for (const { row } of found) {
      const name = this.#table.names[row] ?? '';
      const key = name.toLowerCase();
      if (seen.has(key)) continue;
      seen.add(key);
      neighbours.push(name);
    }
    return neighbours.slice(0, this.#options.count);
  }
}

/** A row times eight queries: eight sums that don't wait for each other, over numbers that are converted once. */
function multiply(
  values: Float32Array,
  start: number,
  queries: Float64Array,
  cosines: Float64Array,
  size: number,
): void {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let e = 0;
  let f = 0;
  let g = 0;
  let h = 0;
  for (let place = start, query = 0; place < start + size; place += 1, query += GROUP) {
    const value = values[place] ?? 0;
    a += value * (queries[query] ?? 0);
    b += value * (queries[query + 1] ?? 0);
    c += value * (queries[query + 2] ?? 0);
    d += value * (queries[query + 3] ?? 0);
    e += value * (queries[query + 4] ?? 0);
    f += value * (queries[query + 5] ?? 0);
    g += value * (queries[query + 6] ?? 0);
    h += value * (queries[query + 7] ?? 0);
  }
  cosines[0] = a;
  cosines[1] = b;
  cosines[2] = c;
  cosines[3] = d;
  cosines[4] = e;
  cosines[5] = f;
  cosines[6] = g;
  cosines[7] = h;
}
