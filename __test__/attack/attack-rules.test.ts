import { describe, expect, test } from 'vitest';

import { attackInputs } from '../../src/attack/attack-inputs.js';
import type { AttackInputsOptions, InputOutcome } from '../../src/attack/attack-inputs.js';
import { countWords } from '../../src/attack/candidate-source.js';
import type { AttackedInput } from '../../src/attack/goal.js';
import { importanceByDeletion } from '../../src/attack/importance.js';
import { attackRecipe } from '../../src/attack/recipes.js';
import type { Answer, Victim } from '../../src/victim/victim.js';

/** A victim that notes what it is asked. */
function victimOf(answer: (text: string) => Answer): Victim & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    kind: 'module',
    name: 'toy',
    signature: 'toy',
    asked,
    answer: async (inputs) => {
      asked.push(...inputs);
      return inputs.map(answer);
    },
  };
}

async function attacked(
  attack: string,
  inputs: readonly AttackedInput[],
  options: Pick<AttackInputsOptions, 'victim'> & Partial<AttackInputsOptions>,
): Promise<InputOutcome[]> {
  const outcomes: InputOutcome[] = [];
  const defaults = {
    recipe: attackRecipe(attack),
    goal: { name: 'untargeted' },
    queryBudget: Number.POSITIVE_INFINITY,
    seed: 1,
  } as const;
  for await (const outcome of attackInputs(inputs, { ...defaults, ...options })) outcomes.push(outcome);
  return outcomes;
}

const ALWAYS = (output: string) => (): Answer => ({ output, scores: { [output]: 0.9 } });

describe('A1: words that the attack may never change cost no query', () => {
  test.each(['deepwordbug', 'textbugger', 'pruthi'])('%s', async (attack) => {
    const victim = victimOf(ALWAYS('1'));
    await attacked(attack, [{ text: 'it is the waiter and the cook', ref: '1' }], { victim });
    const ranked = victim.asked.filter((text) => text.includes('[UNK]') || text.trim().split(' ').length === 6);
    expect(ranked.length).toBe(attack === 'pruthi' ? 0 : 2);
  });

  test('words that are protected or too short neither', async () => {
    const victim = victimOf(ALWAYS('1'));
    const keep = { protect: ['cook'], minWordLength: 4, stopWords: [] };
    await attacked('homoglyph', [{ text: 'the waiter saw a cook', ref: '1' }], { victim, keep });
    expect(victim.asked.filter((text) => text.includes('[UNK]'))).toEqual(['the [UNK] saw a cook']);
  });
});

describe('A2: input reduction counts words by the word rule', () => {
  test('punctuation is no word, and the last word stays', async () => {
    const victim = victimOf(ALWAYS('1'));
    const inputs = ['a fine , warm film .', 'one two', '" quite , so "'].map((text) => ({ text, ref: '1' }));
    const outcomes = await attacked('input-reduction', inputs, { victim, goal: { name: 'input-reduction' } });
    expect(outcomes.map(({ result }) => result)).toEqual(['successful', 'successful', 'successful']);
    expect(countWords(outcomes.map(({ advSrc }) => advSrc ?? ''))).toEqual([1, 1, 1]);
    expect(Math.min(...countWords(victim.asked))).toBe(1);
  });

  test('the score is the share of words removed and the rest of the probability, at most 1', async () => {
    const victim = victimOf((text) => ({ output: text.includes('film') ? '1' : '0', scores: { 1: 0.75 } }));
    const [outcome] = await attacked('input-reduction', [{ text: 'a fine , warm film .', ref: '1' }], {
      victim,
      goal: { name: 'input-reduction' },
    });
    expect(outcome).toMatchObject({ result: 'successful', originalScore: 0.75 / 4 });
    expect(outcome?.attackedScore).toBeCloseTo(3 / 4 + 0.75 / 4, 12);
  });
});

test('A4: an input whose label is the target is skipped, whatever the answer', async () => {
  const victim = victimOf((text) => ({ output: text.includes('good') ? '0' : '1' }));
  const inputs = [
    { text: 'a good film', ref: '1' },
    { text: 'a good film', ref: '0' },
  ];
  const goal = { name: 'targeted', target: '1' } as const;
  const outcomes = await attacked('deepwordbug', inputs, { victim, goal });
  expect(outcomes.map(({ result, reason }) => [result, reason])).toEqual([
    ['skipped', 'the label is the target'],
    ['successful', null],
  ]);
});

describe('A6, F65: a long text under a budget asks what the budget pays for', () => {
  const text = Array.from({ length: 10_000 }, (_, word) => `word${word}`).join(' ');

  test.each(['deepwordbug', 'textbugger', 'pruthi', 'input-reduction'])('%s', async (attack) => {
    const victim = victimOf(ALWAYS('1'));
    const [outcome] = await attacked(attack, [{ text, ref: '1' }], { victim, queryBudget: 50 });
    expect(victim.asked.length).toBe(50);
    expect(outcome).toMatchObject({ result: 'failed', queries: 50, reason: 'the query budget is spent' });
  });

  test('it can be broken off', async () => {
    const stop = new AbortController();
    const victim = victimOf((one) => {
      if (victim.asked.length > 20) stop.abort(new Error('enough'));
      return { output: one.length > 3 ? '1' : '0' };
    });
    await expect(attacked('deepwordbug', [{ text, ref: '1' }], { victim, signal: stop.signal })).rejects.toThrow(
      'enough',
    );
    // The texts of one chunk, not of ten thousand words.
    expect(victim.asked.length).toBeLessThan(200);
  });

  test('importance of 5,000 words is 5,001 questions', async () => {
    const long = text.split(' ').slice(0, 5000).join(' ');
    let asked = 0;
    const { words } = await importanceByDeletion(long, async (texts) => {
      asked += texts.length;
      return texts.map((one) => ({ score: one.includes('word7 ') ? 0 : 1, reached: false }));
    });
    expect(asked).toBe(5001);
    expect(words.filter(({ importance }) => importance !== 0).map(({ word }) => word)).toEqual(['word7']);
  });
});

test('A9: an input of which nothing can be changed says so', async () => {
  const victim = victimOf(ALWAYS('1'));
  const inputs = [
    { text: 'it is the', ref: '1' },
    { text: 'a film', ref: '1' },
  ];
  const outcomes = await attacked('deepwordbug', inputs, { victim, queryBudget: 20 });
  expect(outcomes.map(({ result, reason }) => [result, reason])).toEqual([
    ['failed', expect.stringContaining('nothing can be changed')],
    ['failed', null],
  ]);
});
