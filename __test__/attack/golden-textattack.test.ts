import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { attackInputs } from '../../src/attack/attack-inputs.js';
import { buildAttack } from '../../src/attack/blocks/attack-blocks.js';
import type { AttackBlocks } from '../../src/attack/blocks/attack-blocks.js';
import { attackRecipe } from '../../src/attack/recipes.js';
import type { Victim } from '../../src/victim/victim.js';

/** An attack that scripts/textattack-golden.py ran with TextAttack's own classes. */
interface Job extends AttackBlocks {
  readonly name: string;
  readonly attack?: string;
}

interface Row {
  readonly attack: string;
  readonly budget: number | null;
  readonly line: number;
  readonly result: string;
  readonly adv_src: string;
  /** Different texts asked, the original included. */
  readonly queries: number;
  /** Texts asked, those that came twice counted twice: that is what TextAttack's budget pays for. */
  readonly counted: number;
  readonly score: number;
}

const FOLDER = join(import.meta.dirname, '../golden/textattack');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8').trimEnd();
const { seed, bias, weights, budgets, attacks } = JSON.parse(read('jobs.json')) as {
  readonly seed: number;
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
  readonly budgets: readonly (number | null)[];
  readonly attacks: readonly Job[];
};
const rows = read('expected.jsonl')
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

/** A logistic model of the words of a text. */
function answer(text: string): { readonly output: string; readonly scores: Readonly<Record<string, number>> } {
  let total = bias;
  for (const [word] of text.matchAll(/[A-Za-z']+/gu)) {
    const name = word.toLowerCase();
    if (Object.hasOwn(weights, name)) total += weights[name] ?? 0;
  }
  const positive = 1 / (1 + Math.exp(-total));
  return { output: positive > 0.5 ? '1' : '0', scores: { '0': 1 - positive, '1': positive } };
}

/** Rows of an attack that are compared to the last number: with a budget of 15 few greedy searches reach their goal. */
const LEAST_EQUAL = 8;

const victim: Victim = {
  kind: 'test',
  name: 'logistic',
  signature: 'logistic',
  isFree: true,
  answer: async (asked) => asked.map(answer),
};

const texts = read('texts.txt').split('\n');
const inputs = texts.map((text, item) => {
  const isOther = item % 10 === 9;
  return { text, ref: String(Number((answer(text).output === '1') !== isOther)) };
});

describe.each(attacks.map((job) => [job.name, job] as const))("TextAttack 0.3.11's search, %s", (name, job) => {
  test.each(budgets)('budget %o: results, texts, scores and queries', async (budget) => {
    const { recipe } = buildAttack(job.attack === undefined ? undefined : attackRecipe(job.attack), job);
    const options = { recipe, victim, goal: { name: 'untargeted' }, queryBudget: budget ?? Infinity, seed } as const;
    const equal: [unknown, unknown][] = [];
    const atLeast: [boolean, boolean][] = [];
    const expected = rows.filter((row) => row.attack === name && row.budget === budget);
    expect(expected.length).toBe(texts.length);
    for await (const { item, result, advSrc, queries, attackedScore, originalScore } of attackInputs(inputs, options)) {
      const row = expected[item];
      if (row === undefined) throw new Error(`no row for line ${item + 1}`);
      const { counted, ...right } = row;
      const score = attackedScore ?? originalScore ?? 0;
      const found = { attack: name, budget, line: item + 1, result, adv_src: advSrc ?? texts[item], queries, score };
      // A text that was asked before is free here, so a budget reaches further (a ranking by saliency has asked about every
      // candidate already); and where TextAttack's greedy search fails, its text is the
      // last one, not the best one. Then ours serves the goal at least as well.
      const differs =
        (counted === budget && (counted !== row.queries || name === 'saliency')) ||
        (recipe.search.name === 'greedy' && row.result === 'failed');
      if (differs) atLeast.push([row.score <= score + 1e-12, queries <= (budget ?? row.queries)]);
      else equal.push([{ ...found, score: Math.abs(score - row.score) < 1e-12 ? row.score : score }, right]);
    }
    expect(equal.map(([found]) => found)).toEqual(equal.map(([, right]) => right));
    expect(equal.length).toBeGreaterThanOrEqual(LEAST_EQUAL);
    expect(atLeast).toEqual(atLeast.map(() => [true, true]));
  });
});
