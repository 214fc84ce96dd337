import { describe, expect, test } from 'vitest';

import { candidateSources } from '../../src/attack/candidate-source.js';
import { isNumberWord, numberOf, numberWords } from '../../src/attack/number-words.js';
import type { AttackRecipe, ProposalUse } from '../../src/attack/recipe.js';
import { attackRecipe } from '../../src/attack/recipes.js';
import { isEnglishInstalled, openEnglishWords } from '../../src/attack/resource/english-words.js';
import type { ModelResources } from '../../src/attack/resource/model-resources.js';
import { improvedGenetic } from '../../src/attack/search/improved-genetic.js';
import { attackInputs } from '../../src/attack/attack-inputs.js';

/** The texts that proposals make of a text. */
async function made(text: string, proposals: readonly ProposalUse[], models: ModelResources = {}, more = {}) {
  const recipe: AttackRecipe = { ...attackRecipe('contractions'), transformations: [], proposals, ...more };
  const source = await candidateSources({ recipe, seed: 1, models })(text);
  return source.texts(0, source.propose(0));
}

describe('numbers (TextAttack 0.3.11, WordSwapChangeNumber)', () => {
  const NUMBERS = [{ name: 'numbers', count: 200 }] as const;

  test('of 1 to twice the number, in figures', async () => {
    const texts = await made('It took 5 days.', NUMBERS);
    const values = texts.map((text) => Number(/\d+/u.exec(text)?.[0]));
    // numpy draws from max(5 − 6, 1) = 1 to 5 + 6 = 11, exclusive.
    expect(new Set(values)).toEqual(new Set([1, 2, 3, 4, 6, 7, 8, 9, 10]));
  });

  test('0, 2 and 4 stay, and what is no word of digits', async () => {
    expect(await made('0 or 2 or 4 of B12', NUMBERS)).toEqual([]);
    expect(await made('two of four', NUMBERS)).toEqual([]);
  });

  test('in words, as one number', async () => {
    const texts = await made('About three hundred and one people.', [{ name: 'numbers', count: 3 }]);
    expect(texts.length).toBe(3);
    for (const text of texts) {
      const [, said = ''] = /^About (.*) people\.$/u.exec(text) ?? [];
      const value = numberOf(said.replace(/,|\band /gu, '').split(' '));
      expect(value).toBeGreaterThanOrEqual(1);
      expect(value).toBeLessThan(603);
    }
  });

  test('number words there and back', () => {
    // What num2words 0.5 writes.
    expect([0, 21, 100, 231, 1000, 1001, 1234, 2_000_030].map(numberWords)).toEqual([
      'zero',
      'twenty-one',
      'one hundred',
      'two hundred and thirty-one',
      'one thousand',
      'one thousand and one',
      'one thousand, two hundred and thirty-four',
      'two million and thirty',
    ]);
    for (const value of [0, 7, 13, 40, 99, 110, 999, 1002, 34_567, 1_000_000, 12_345_678]) {
      const words = numberWords(value)
        .replace(/,|\band /gu, '')
        .split(' ');
      expect(words.every(isNumberWord)).toBe(true);
      expect(numberOf(words)).toBe(value);
    }
    expect(numberOf(['a', 'hundred'])).toBeUndefined();
  });
});

describe('CLARE (TextAttack 0.3.11)', () => {
  const asked: unknown[] = [];
  const models: ModelResources = {
    tag: (_, words) => words.map(({ text }) => ({ a: 'DET', fine: 'ADJ', film: 'NOUN' })[text] ?? 'VERB'),
    predict: (text, words, count, { isMasked, minConfidence }) => {
      asked.push([text, words.map((word) => word.text), count, isMasked, minConfidence]);
      return words.map(() => ['new', '!', 'two words', 'film']);
    },
  };

  test('replaces, puts in before a word, and merges by parts of speech', async () => {
    const texts = await made('a fine film', attackRecipe('clare').proposals ?? [], models, { keepsStopWords: true });
    expect(texts).toEqual([
      // "a" is a stop word: nothing is done to it, and it is not merged.
      'a film',
      'a film film',
      'a film fine film',
      'a fine new',
      'a fine new film',
      'a new',
      'a new film',
      'a new fine film',
    ]);
    expect(asked).toEqual([
      ['a fine film', ['fine', 'film'], 50, true, 5e-4],
      ['a x fine film', ['x'], 50, true, undefined],
      ['a fine x film', ['x'], 50, true, undefined],
      ['a fine film', ['fine film'], 50, true, 5e-3],
    ]);
  });

  test('a word is changed once, in a merge too', async () => {
    const recipe = { ...attackRecipe('clare'), keepsStopWords: false };
    const source = await candidateSources({ recipe, seed: 1, models: { ...models, tag: undefined as never } })(
      'fine film',
    );
    const first = source.texts(0, source.propose(0)).indexOf('new film');
    source.accept(first);
    expect(source.texts(0, source.propose(1))).toEqual(['new new', 'new new film']);
    expect(source.changeable()).toEqual([1]);
  });
});

test('names and places: drawn among others of their kind, over several words', async () => {
  const models: ModelResources = {
    entities: () => [
      { start: 0, end: 3, others: ['Bob'] },
      { start: 7, end: 15, others: ['Rome', 'New York'] },
    ],
  };
  expect(await made('Ann in New York', [{ name: 'entities', count: 20 }], models)).toEqual([
    'Ann in Rome',
    'Bob in New York',
  ]);
});

test('inflections: every form of a word that may be changed', async () => {
  const models: ModelResources = {
    inflect: (_, words) => words.map(({ text }) => (text === 'loves' ? ['love', 'loved'] : [])),
  };
  expect(await made('She loves it', [{ name: 'inflections', count: 50 }], models)).toEqual([
    'She love it',
    'She loved it',
  ]);
});

describe.runIf(isEnglishInstalled())('the package compromise', () => {
  test('forms by part of speech, names and places by kind', async () => {
    const { inflect, entities } = await openEnglishWords('a test');
    const text = 'John went to France with better films';
    const words = [...text.matchAll(/\S+/gu)].map(({ 0: word, index }) => ({
      text: word,
      start: index,
      end: index + word.length,
      changeable: true,
    }));
    const forms = await inflect(text, words, {});
    expect(forms[1]).toEqual(['go', 'goes', 'going', 'gone']);
    expect(forms[2]).toEqual([]);
    expect(forms[5]).toEqual(['best', 'good']);
    expect(forms[6]).toEqual(['film']);
    const found = await entities(text, words, {});
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(['John', 'France']);
    expect(found[1]?.others).toContain('Germany');
  });
});

test('improved genetic search: a word may be changed again, never beyond its share', async () => {
  const options = {
    recipe: { ...attackRecipe('iga'), search: improvedGenetic({ population: 4, rounds: 3 }) },
    victim: {
      kind: 'test',
      name: 'length',
      signature: 'length',
      isFree: true,
      // The more letters "z", the better for the attack; the label never falls.
      answer: async (texts: readonly string[]) =>
        texts.map((text) => {
          const share = (text.match(/z/gu) ?? []).length / 10;
          return { output: '1', scores: { '1': 1 - share } };
        }),
    },
    goal: { name: 'untargeted' },
    queryBudget: Number.POSITIVE_INFINITY,
    seed: 5,
    models: { neighbours: (words: readonly string[]) => words.map(() => ['z', 'zz', 'zzz']) },
  } as const;
  const inputs = [{ text: 'red green blue black white pink brown grey gold', ref: '1' }];
  for await (const { advSrc, queries } of attackInputs(inputs, options)) {
    // 20 % of nine words, rounded up: two words, each with its best neighbour.
    expect((advSrc ?? '').match(/\bzzz\b/gu)?.length).toBe(2);
    expect(queries).toBeGreaterThan(27);
  }
});
