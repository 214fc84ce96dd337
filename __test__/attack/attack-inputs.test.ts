import { describe, expect, test } from 'vitest';

import { attackInputs } from '../../src/attack/attack-inputs.js';
import type { InputOutcome } from '../../src/attack/attack-inputs.js';
import type { AttackedInput } from '../../src/attack/goal.js';
import { ATTACK_RECIPES, attackRecipe } from '../../src/attack/recipes.js';
import { callNative } from '../../src/native.js';
import { createVictim } from '../../src/victim/create-victim.js';
import { VictimError } from '../../src/victim/victim-error.js';
import type { Answer, Victim } from '../../src/victim/victim.js';

const INPUTS: readonly AttackedInput[] = [
  { text: 'A warm and wonderful film with a great cast.', ref: 'positive' },
  { text: 'The plot is boring and the ending is awful.', ref: 'negative' },
  { text: 'I love the music, it is charming.', ref: 'positive' },
  { text: 'Dull, slow and ugly from start to finish.', ref: 'positive' },
];

/** Attacks that need nothing but the victim. */
const OFFLINE = ATTACK_RECIPES.filter(({ needs }) => needs.length === 0);

/** Counts what reaches the victim. */
function counting(victim: Victim): Victim & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    ...victim,
    asked,
    async answer(inputs, options): Promise<readonly Answer[]> {
      asked.push(...inputs);
      return victim.answer(inputs, options);
    },
  };
}

async function run(
  name: string,
  victim: Victim,
  queryBudget: number,
  inputs: readonly AttackedInput[] = INPUTS,
  parallel = 1,
): Promise<InputOutcome[]> {
  const recipe = attackRecipe(name);
  const goal = { name: recipe.reducesInput === true ? 'input-reduction' : 'untargeted' } as const;
  const outcomes: InputOutcome[] = [];
  const options = { recipe, victim, goal, queryBudget, seed: 7, parallel };
  for await (const outcome of attackInputs(inputs, options)) outcomes.push(outcome);
  return outcomes;
}

describe.each(OFFLINE.map(({ name }) => name))('%s', (name) => {
  test('never makes one query above its budget (B54, QData/TextAttack#437)', async () => {
    for (const budget of [0, 1, 2, 3, 7, 12, 50]) {
      const victim = counting(await createVictim('lexicon'));
      for (const input of INPUTS) {
        victim.asked.length = 0;
        const [outcome] = await run(name, victim, budget, [input]);
        expect(victim.asked.length).toBeLessThanOrEqual(budget);
        expect(outcome?.queries).toBe(victim.asked.length);
        expect(outcome?.advSrc === null).toBe(budget === 0);
      }
    }
  });

  test('tells edits that make its text, and never ends worse than it began', async () => {
    for (const outcome of await run(name, await createVictim('lexicon'), Number.POSITIVE_INFINITY)) {
      const { advSrc, edits, input, originalScore, attackedScore } = outcome;
      expect(callNative((binding) => binding.applyEdits(input.text, [...edits]))).toBe(advSrc);
      expect(attackedScore ?? 0).toBeGreaterThanOrEqual(originalScore ?? 0);
    }
  });

  test('has the same outcome for any parallelism', async () => {
    const victim = await createVictim('lexicon');
    const clean = (outcomes: readonly InputOutcome[]): unknown => outcomes.map((one) => ({ ...one, elapsedMs: 0 }));
    const once = clean(await run(name, victim, 30));
    expect(clean(await run(name, victim, 30))).toEqual(once);
    expect(clean(await run(name, victim, 30, INPUTS, 3))).toEqual(once);
  });
});

describe('outcomes', () => {
  test('an input that is wrong already is skipped with its reason', async () => {
    const outcomes = await run('deepwordbug', await createVictim('lexicon'), 100);
    expect(outcomes[3]).toMatchObject({ result: 'skipped', queries: 1, advSrc: INPUTS[3]?.text });
    expect(outcomes.slice(0, 3).map(({ result }) => result)).toContain('successful');
  });

  test('a victim that fails is an error of that input, and the run goes on', async () => {
    const lexicon = await createVictim('lexicon');
    const victim: Victim = {
      ...lexicon,
      async answer(inputs, options) {
        if (inputs.some((text) => text.includes('boring'))) throw new VictimError('input', 'out of order');
        return lexicon.answer(inputs, options);
      },
    };
    const outcomes = await run('deepwordbug', victim, 100);
    expect(outcomes.map(({ result }) => result === 'error')).toEqual([false, true, false, false]);
    expect(outcomes[1]).toMatchObject({ reason: 'out of order', queries: 1 });
  });

  test('an unknown attack names the nearest one', () => {
    expect(() => attackRecipe('deepwordbg')).toThrow(/deepwordbug/);
  });

  test('a budget that is no whole number is refused', async () => {
    await expect(run('deepwordbug', await createVictim('lexicon'), 10.5)).rejects.toThrow(/10\.5/);
  });
});
