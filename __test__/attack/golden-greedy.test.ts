import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { attackInputs } from '../../src/attack/attack-inputs.js';
import type { AttackInputsOptions } from '../../src/attack/attack-inputs.js';
import { attackRecipe } from '../../src/attack/recipes.js';
import { openNeighbours } from '../../src/attack/resource/neighbours.js';
import { loadModuleVictim } from '../../src/victim/module.js';
import { hasShared, shared } from '../shared.js';

interface Expected {
  readonly line: number;
  readonly result: string;
  readonly adv_src: string;
  readonly queries: number;
  readonly score: number;
}

const FOLDER = 'golden/textattack-greedy';

function lines(name: string): string[] {
  return readFileSync(shared(`${FOLDER}/${name}`), 'utf8')
    .trimEnd()
    .split('\n');
}

/** TextAttack 0.3.11's own classes, ranking by deletion, without a budget: result, text and number of different texts asked. */
describe.runIf(hasShared).each(['lex', 'hard'])('greedy word swap, victim %s', (name) => {
  test('results, texts and queries are those of TextAttack', async () => {
    const refs = lines(`${name}.ref`);
    const inputs = lines('src.txt').map((text, index) => ({ text, ref: refs[index] }));
    const source = await openNeighbours(shared(`${FOLDER}/table.tsv`), { count: 50, minCosine: -1 });
    const found: Expected[] = [];
    const options = {
      recipe: attackRecipe('textfooler'),
      victim: await loadModuleVictim(shared(`${FOLDER}/${name}.mjs`)),
      goal: { name: 'untargeted' },
      queryBudget: Number.POSITIVE_INFINITY,
      seed: 12345,
      keep: { stopWords: lines('stopwords.txt') },
      models: {
        neighbours: async (words) => {
          const table = await source.neighbours(words);
          return words.map((word) => table.get(word) ?? []);
        },
      },
    } satisfies AttackInputsOptions;
    for await (const { item, result, advSrc, queries, attackedScore } of attackInputs(inputs, options)) {
      found.push({ line: item + 1, result, adv_src: advSrc ?? '', queries, score: attackedScore ?? 0 });
    }
    const expected = lines(`${name}.expected.jsonl`).map((line) => JSON.parse(line) as Expected);
    expect(found.length).toBe(200);
    for (const [index, row] of expected.entries()) {
      const { score, ...rest } = found[index] ?? row;
      expect({ ...rest, score: expect.closeTo(score, 12) as number }).toEqual(row);
    }
  });
});
