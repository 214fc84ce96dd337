import { readList } from '../../read/list.js';
import type { NeighbourOptions, NeighbourTable } from './neighbour-table.js';

/** The longest file, in code units. */
const LONGEST_FILE = 1024 * 1024 * 1024;

/** A line of the Open Multilingual WordNet: synset, kind, lemma. */
const LINE = /^(?<synset>\d{8}-[a-z])\t(?:[a-z]{2,3}:)?lemma\t(?<lemma>.+)$/u;

/** Whether the beginning of a file is that of a wordnet of the Open Multilingual WordNet (`wn-data-fra.tab`). */
export function isOpenWordNet(head: string): boolean {
  return head.split('\n', 50).some((line) => LINE.test(line.trimEnd()));
}

/**
 * Reads a wordnet of the Open Multilingual WordNet: lines of synset, `lemma` or `fra:lemma`, and a word, with tabs between. All other lines
 * (comments, definitions, examples) are skipped.
 *
 * The neighbours of a word are the other words of its synsets, in the order of the file. Words of several parts are left out, as in
 * TextAttack 0.3.11 (`WordSwapWordNet`).
 *
 * @throws {UsageError} What reading throws.
 */
export async function readOpenWordNet(path: string, { count, signal }: NeighbourOptions): Promise<NeighbourTable> {
  const synsets = new Map<string, string[]>();
  for await (const batch of readList(path, 'words of a wordnet', { signal, mostUnits: LONGEST_FILE })) {
    for (const { text } of batch) {
      const { synset, lemma = '' } = LINE.exec(text.trimEnd())?.groups ?? {};
      if (synset === undefined || /[\s_]/u.test(lemma)) continue;
      const words = synsets.get(synset);
      if (words === undefined) synsets.set(synset, [lemma]);
      else words.push(lemma);
    }
  }
  const table = new Map<string, Set<string>>();
  for (const words of synsets.values()) {
    for (const word of words) {
      const found = table.get(word) ?? new Set<string>();
      for (const other of words) if (other !== word) found.add(other);
      if (found.size > 0) table.set(word, found);
    }
  }
  return new Map([...table].map(([word, found]) => [word, [...found].slice(0, count)]));
}
