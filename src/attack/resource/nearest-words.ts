import { runNative } from '../../native.js';
import type { NeighbourOptions, NeighbourTable } from './neighbour-table.js';
import type { VectorTable } from './vector-table.js';

/**
 * Finds the neighbours of words by cosine; what was found once is remembered.
 *
 * A word is looked up as written, then in small letters. Rows that are the word in another case are no neighbours; of rows that
 * differ in case only, the nearest stays. Ties by place in the table.
 *
 * Time: as many multiplications a word as the table has numbers, shared by the words of a text that are asked for together, on the native
 * core's threads.
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
    const { rows, values, size } = this.#table;
    const { count, minCosine } = this.#options;
    const queries = names.map((name) => rows.get(name) ?? 0);
    // Room for the word itself and for other cases of its neighbours.
    const most = 2 * count + 2;
    const run = signal === undefined ? {} : { signal };
    const found = await runNative(
      (binding, cancellation) => binding.nearestRows(values, size, queries, most, minCosine, cancellation),
      run,
    );
    for (const [index, name] of names.entries()) this.#known.set(name, this.#namesOf(name, found[index]?.rows ?? []));
  }

  #namesOf(word: string, found: readonly number[]): string[] {
    const seen = new Set([word.toLowerCase()]);
    const neighbours: string[] = [];
    for (const row of found) {
      const name = this.#table.names[row] ?? '';
      const key = name.toLowerCase();
      if (seen.has(key)) continue;
      seen.add(key);
      neighbours.push(name);
    }
    return neighbours.slice(0, this.#options.count);
  }
}
