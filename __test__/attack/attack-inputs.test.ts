import { describe, expect, test } from 'vitest';

import { attackInputs } from '../../src/attack/attack-inputs.js';
import type { AttackInputsOptions, InputOutcome } from '../../src/attack/attack-inputs.js';
import { candidateSources } from '../../src/attack/candidate-source.js';
import type { AttackedInput } from '../../src/attack/goal.js';
import type { AttackRecipe } from '../../src/attack/recipe.js';
import { ATTACK_RECIPES, attackRecipe } from '../../src/attack/recipes.js';
import type { ModelResources } from '../../src/attack/resource/model-resources.js';
import { callNative } from '../../src/native.js';
import { createScorer } from '../../src/score/registry.js';
import { cachedVictim, newCounters } from '../../src/victim/cached-victim.js';
import { createVictim } from '../../src/victim/create-victim.js';
import { memoryStore } from '../../src/victim/response-cache.js';
import { VictimError } from '../../src/victim/victim-error.js';
import type { Answer, Victim } from '../../src/victim/victim.js';
import { seeded } from '../helpers/seeded.js';

const INPUTS: readonly AttackedInput[] = [
  { text: 'A warm and wonderful film with a great cast.', ref: 'positive' },
  { text: 'The plot is boring and the ending is awful.', ref: 'negative' },
  { text: 'I love the music, it is charming.', ref: 'positive' },
  { text: 'Dull, slow and ugly from start to finish.', ref: 'positive' },
];

/** Stands for neighbours or a masked language model, so that every attack runs. */
const REPLACEMENTS = [
  ['warm', 'cool', 'hot'],
  ['wonderful', 'odd', 'fine'],
  ['great', 'large', 'poor'],
  ['boring', 'drilling'],
  ['awful', 'terrible', 'solemn'],
  ['film', 'picture', 'movie'],
  ['love', 'like', 'need'],
  ['charming', 'pretty'],
  ['good', 'fine'],
  ['question', 'query'],
];
const wordsFor = (word: string): string[] => REPLACEMENTS.find(([from]) => from === word)?.slice(1) ?? [];

/** Stand for every model that an attack may use; the encoder and the tagger turn some candidates away. */
const MODELS: ModelResources = {
  predict: (_text, words) => words.map(({ text }) => wordsFor(text)),
  neighbours: (words) => words.map(wordsFor),
  tag: (_text, words) => words.map(({ text }) => (text === 'drilling' ? 'VERB' : 'ADJ')),
  embed: (texts) => texts.map((text) => [10, text.includes('solemn') ? 9 : 0, text.length % 5]),
};

/** What an attack needs of the above. */
function keepFor(recipe: AttackRecipe): Pick<AttackInputsOptions, 'keep' | 'models'> {
  const { neighbours: _, ...others } = MODELS;
  // Characters alone are the usual way of this one.
  return { keep: { protect: [] }, models: recipe.name === 'textbugger' ? others : MODELS };
}

/** Answers at once: probabilities that move with every character. */
const TOY: Victim = {
  kind: 'module',
  name: 'toy',
  signature: 'toy',
  async answer(inputs) {
    return inputs.map((input) => {
      let sum = 0;
      for (const point of input) sum = (sum * 31 + (point.codePointAt(0) ?? 0)) % 1009;
      const positive = 0.2 + (0.35 * sum) / 1009;
      return { output: positive > 0.5 ? 'positive' : 'negative', scores: { positive, negative: 1 - positive } };
    });
  },
};

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

/** Ends for good when it has answered so many inputs, in the middle of a batch. */
function dying(victim: Victim, answers: number): Victim {
  let left = answers;
  return {
    ...victim,
    async answer(inputs, options): Promise<readonly Answer[]> {
      const given: Answer[] = [];
      for (const [index, input] of inputs.entries()) {
        if (left <= 0) throw new VictimError('victim', 'killed');
        left -= 1;
        const [answer] = await victim.answer([input]);
        if (answer === undefined) break;
        given.push(answer);
        options?.onAnswer?.(index, answer);
      }
      return given;
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
  const scorer = recipe.metric === undefined ? undefined : await createScorer(recipe.metric);
  const goal = { name: recipe.goal ?? 'untargeted', scorer } as const;
  const outcomes: InputOutcome[] = [];
  const options = { ...keepFor(recipe), recipe, victim, goal, queryBudget, seed: 7, parallel };
  for await (const outcome of attackInputs(inputs, options)) outcomes.push(outcome);
  return outcomes;
}

describe.each(ATTACK_RECIPES.map(({ name }) => name))('%s', (name) => {
  test('never makes one query above its budget (B54, QData/TextAttack#437)', async () => {
    for (let budget = 0; budget <= 50; budget += 1) {
      const victim = counting(TOY);
      for (const { text } of INPUTS.slice(0, 2)) {
        victim.asked.length = 0;
        const [outcome] = await run(name, victim, budget, [{ text }]);
        expect(victim.asked.length).toBeLessThanOrEqual(budget);
        expect(new Set(victim.asked).size).toBe(victim.asked.length);
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

  test('holds the constraints of the run in what it finds', async () => {
    const recipe = attackRecipe(name);
    const { keep, models } = keepFor(recipe);
    const limits = { maxWordsChanged: 2, minSSrc: 0.6, maxEditDistance: 12 };
    const options = { recipe, models, victim: TOY, goal: { name: 'targeted', target: 'none' } as const, seed: 3 };
    const outcomes = attackInputs(INPUTS, { ...options, keep: { ...keep, ...limits }, queryBudget: 300 });
    for await (const { advSrc, input } of outcomes) {
      const edited = advSrc ?? '';
      expect(callNative((binding) => binding.changedWords(input.text, edited))).toBeLessThanOrEqual(2);
      const kept = callNative((binding) => binding.scoreSentence({ kind: 'chrf' }, edited, [input.text]));
      expect(kept).toBeGreaterThanOrEqual(0.6);
    }
  });

  test('touches nothing that is protected, under 200 seeds (B58, QData/TextAttack#723, promptbench#87)', async () => {
    const recipe = attackRecipe(name);
    const text = `Say 'good' or "bad". Question: {content} Answer:`;
    const words = ['good', 'bad', 'Question', 'Answer'];
    for (let seed = 0; seed < 200; seed += 1) {
      const { keep, models } = keepFor(recipe);
      const sources = candidateSources({
        recipe,
        seed,
        keep: { ...keep, protect: words, protectPlaceholders: true },
        models,
      });
      const source = await sources(text);
      for (const candidate of source.texts(0, source.propose(seed))) {
        for (const fixed of [`'good'`, '"bad"', 'Question:', '{content}', 'Answer:'])
          expect(candidate).toContain(fixed);
      }
    }
  });

  test('gives texts without words, keys without neighbours and other scripts back, without a crash (B56, QData/TextAttack#456)', async () => {
    const odd = ['', ' ', 'z@', '100%', 'чай', '🍵', 'I', '\u{1F375}\u200D', 'ZZ top'];
    const outcomes = await run(
      name,
      TOY,
      200,
      odd.map((text) => ({ text })),
    );
    expect(outcomes.map(({ result }) => result)).not.toContain('error');
    expect(outcomes[0]).toMatchObject({ advSrc: expect.any(String) });
  });

  test('killed at any point and resumed: the outcome and the calls of an undisturbed run', async () => {
    const clean = (outcomes: readonly InputOutcome[]): unknown => outcomes.map((one) => ({ ...one, elapsedMs: 0 }));
    const whole = newCounters();
    const undisturbed = clean(await run(name, cachedVictim(TOY, memoryStore(), whole), 25));
    const { below } = seeded(name.length);
    for (let kill = 0; kill < 6; kill += 1) {
      const store = memoryStore();
      const [first, second] = [newCounters(), newCounters()];
      const victim = cachedVictim(dying(TOY, below(whole.calls)), store, first);
      await expect(run(name, victim, 25, INPUTS, 1 + (kill % 3))).rejects.toThrow('killed');
      expect(clean(await run(name, cachedVictim(TOY, store, second), 25, INPUTS, 1 + (kill % 2)))).toEqual(undisturbed);
      expect(first.calls + second.calls).toBe(whole.calls);
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

describe('B54 (QData/TextAttack#437): a budget that ends in the middle of a step', () => {
  const twelve = { text: 'this old kettle makes warm and lovely tea for every single guest' };
  const hard = { ...TOY, answer: async (inputs: readonly string[]) => inputs.map(() => ({ output: 'same' })) };

  test.each([
    'deepwordbug',
    'textbugger',
    'pruthi',
    'homoglyph',
    'viper',
    'typo',
    'charswap',
    'pwws',
    'textfooler',
    'bae',
  ])('%s makes exactly as many calls, and ends normally with the best text so far', async (name) => {
    for (const budget of [1, 2, 10]) {
      const victim = counting(hard);
      const [outcome] = await run(name, victim, budget, [twelve]);
      expect(victim.asked).toHaveLength(budget);
      expect(outcome).toMatchObject({ result: 'failed', advSrc: twelve.text, reason: 'the query budget is spent' });
    }
    const [nothing] = await run(name, hard, 0, [twelve]);
    expect(nothing).toMatchObject({ result: 'skipped', queries: 0, reason: expect.stringContaining('not attempted') });
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

  test('a victim that will answer nothing more ends the run', async () => {
    const victim: Victim = { ...TOY, answer: () => Promise.reject(new VictimError('victim', 'the key is refused')) };
    await expect(run('deepwordbug', victim, 10, INPUTS, 3)).rejects.toThrow('the key is refused');
  });

  test('input reduction of a wrong answer is pointless, and is not tried', async () => {
    const outcomes = await run('input-reduction', await createVictim('lexicon'), 100);
    expect(outcomes[3]).toMatchObject({
      result: 'skipped',
      queries: 1,
      reason: 'the answer to the original is not the label',
    });
    const reduced = outcomes[0]?.advSrc ?? '';
    expect(reduced.split(' ').length).toBeLessThan(INPUTS[0]?.text.split(' ').length ?? 0);
  });

  test('an unknown attack names the nearest one', () => {
    expect(() => attackRecipe('deepwordbg')).toThrow(/deepwordbug/);
  });

  test('a budget that is no whole number is refused', async () => {
    await expect(run('deepwordbug', await createVictim('lexicon'), 10.5)).rejects.toThrow(/10\.5/);
  });
});
