import { describe, expect, test } from 'vitest';

import { askWithin } from '../../src/attack/asking.js';
import { candidateSources } from '../../src/attack/candidate-source.js';
import { randomOf } from '../../src/random.js';
import { attackRecipe } from '../../src/attack/recipes.js';
import { genetic } from '../../src/attack/search/genetic.js';
import { particleSwarm } from '../../src/attack/search/particle-swarm.js';
import type { SearchMethod } from '../../src/attack/search/search-method.js';

const TEXT = 'one two three four five six';

/** Every word may become one of two others, of which one is worth something. */
const TABLE = TEXT.split(' ')
  .map((word) => [word, `${word}x`, `${word}y`].join('\t'))
  .join('\n');

/** The goal wants three words with a y: no single change reaches it. */
async function search(method: SearchMethod, limit: number, seed = 1) {
  const sources = candidateSources({
    recipe: attackRecipe('pso'),
    seed,
    keep: { replacements: TABLE, stopWords: [] },
  });
  const asked: string[] = [];
  const asking = askWithin(async (texts) => {
    asked.push(...texts);
    return texts.map((text) => {
      const worth = (text.match(/y/gu) ?? []).length;
      return { score: worth / 10, reached: worth >= 3 };
    });
  }, limit);
  const found = await method.search({ text: TEXT, item: 0, seed, source: await sources(TEXT) }, asking);
  return { found, asked };
}

describe.each([genetic({ population: 8, rounds: 10 }), particleSwarm({ population: 8, rounds: 10 })])(
  '$name',
  (method) => {
    test('combines changes until the goal is reached', async () => {
      const { found } = await search(method, Infinity);
      expect(found.status).toBe('reached');
      expect(found.best?.edits.length).toBeGreaterThanOrEqual(3);
    });

    test('draws by its seed alone, and never asks a text twice', async () => {
      const first = await search(method, Infinity);
      const second = await search(method, Infinity);
      expect(second).toEqual(first);
      expect(new Set(first.asked).size).toBe(first.asked.length);
      expect((await search(method, Infinity, 2)).asked).not.toEqual(first.asked);
    });

    test('a smaller budget asks the same texts, only fewer', async () => {
      const { asked } = await search(method, Infinity);
      for (const limit of [1, 2, 5, 9, 14]) {
        const part = await search(method, limit);
        expect(part.asked).toEqual(asked.slice(0, limit));
        expect(part.found.best).toBeDefined();
      }
    });
  },
);

describe('randomOf', () => {
  test('is the generator of the native core: xoshiro256++ seeded by SplitMix64', () => {
    // From an implementation in another language, written after the papers; the first draws of the path (12345, 7).
    const random = randomOf(12345, 7);
    expect([random.fraction(), random.fraction(), random.fraction()]).toEqual([
      0.2027115775902304, 0.8562955991772605, 0.5449060497597171,
    ]);
    expect(randomOf(7, 12345).fraction()).not.toBe(randomOf(12345, 7).fraction());
  });

  test('draws evenly and by weight', () => {
    const random = randomOf(5);
    const counts = [0, 0, 0, 0];
    for (let draw = 0; draw < 8000; draw += 1) {
      counts[random.below(4)] = (counts[random.below(4)] ?? 0) + 1;
      expect(random.weighted([0, 1, 0])).toBe(1);
    }
    expect(random.weighted([0, 0])).toBe(-1);
    expect(random.weighted([])).toBe(-1);
    const thirds = Array.from({ length: 6000 }, () => random.weighted([1, 0, 2])).filter((drawn) => drawn === 2).length;
    expect(thirds / 6000).toBeCloseTo(2 / 3, 1);
  });
});
