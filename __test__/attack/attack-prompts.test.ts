import { describe, expect, test } from 'vitest';

import {
  attackPrompts,
  attackRecipe,
  evaluatePrompt,
  fixedCandidates,
  loadTask,
  promptRecipe,
  promptRecipes,
  UNDEFINED_REASON,
  UsageError,
  VictimError,
} from '../../src/index.js';
import type { AttackPromptsOptions, PromptOutcome, Task, Victim } from '../../src/index.js';
import { cachedVictim, newCounters } from '../../src/victim/cached-victim.js';
import { memoryStore } from '../../src/victim/response-cache.js';
import { temporaryFolder } from '../helpers/cli.js';

/* Prompt attacks as a library. */

const folder = temporaryFolder();
folder.write({
  'toy.jsonl': Array.from({ length: 4 }, (_, index) => index)
    .map((index) => `${JSON.stringify({ text: `${index % 2 ? 'fine' : 'poor'} ${index}`, label: index % 2 })}\n`)
    .join(''),
});
const load = async (): Promise<Task> => {
  const config = { data: 'toy.jsonl', answer: 'label', labels: { '0': 'bad', '1': 'good' } };
  return (await loadTask(config, { folder: folder.path })).task;
};

/** Does as it is told while it can read "mood"; counts what it is asked. */
class ToyVictim implements Victim {
  readonly kind = 'module';
  readonly name = 'toy';
  readonly signature = 'toy';
  asked: string[] = [];
  /** Inputs with this text are refused. */
  refuses: string | undefined;

  async answer(inputs: readonly string[]) {
    return inputs.map((input) => {
      this.asked.push(input);
      if (this.refuses !== undefined && input.includes(this.refuses)) throw new VictimError('input', 'refused');
      if (input.startsWith('Silence')) return { output: '' };
      return { output: input.includes('mood') && input.includes('fine') ? 'good' : 'bad' };
    });
  }
}

const prompts = ['Silence, good or bad.', 'The mood {text}, good or bad?', 'A guess: good or bad?'].map((prompt) => ({
  prompt,
  type: null,
}));

async function run(task: Task, victim: Victim, more: Partial<AttackPromptsOptions> = {}): Promise<PromptOutcome[]> {
  const outcomes: PromptOutcome[] = [];
  const recipe = attackRecipe('deepwordbug');
  const options = { task, prompts, recipe, seed: 1, victim, queryBudget: 30, topK: 3, ...more };
  for await (const outcome of attackPrompts(options)) outcomes.push(outcome);
  return outcomes;
}

describe('attackPrompts', () => {
  test('ranks, attacks by rank, and says why not', async () => {
    const task = await load();
    const ranks: [number, string, number][] = [];
    const outcomes = await run(task, new ToyVictim(), {
      onRanking: (ranking) => {
        for (const { rank, prompt, score } of ranking) ranks.push([rank, prompt, score]);
      },
    });
    expect(ranks).toEqual([
      [1, 'The mood {text}, good or bad?', 1],
      [2, 'A guess: good or bad?', 0.5],
      [3, 'Silence, good or bad.', 0],
    ]);
    const [first, second, third] = outcomes;
    expect(first).toMatchObject({ result: 'successful', attackedScore: 0.5, pdr: 0.5, damaged: [], reason: null });
    expect(first?.attackedPrompt).toMatch(/\{text\}, good or bad\?$/u);
    expect(second).toMatchObject({ result: 'failed', attackedPrompt: 'A guess: good or bad?', pdr: 0 });
    expect(third).toMatchObject({ result: 'skipped', attackedPrompt: null, pdr: null, queries: 0 });
    expect(third?.reason).toBe(UNDEFINED_REASON.ORIGINAL_IS_ZERO);
  });

  test('no attack exceeds any budget: a query is one pass over the data', async () => {
    const task = await load();
    const recipes = promptRecipes().filter(({ needs, name }) => needs.length === 0 && name !== 'semantic');
    expect(recipes.length).toBeGreaterThan(8);
    for (const recipe of recipes) {
      for (const queryBudget of [0, 1, 2, 5, 11]) {
        const victim = new ToyVictim();
        const [outcome] = await run(task, victim, { recipe, queryBudget, topK: 1, prompts: prompts.slice(1, 2) });
        expect(outcome?.queries).toBeLessThanOrEqual(queryBudget);
        // Without a cache the ranking's pass comes on top.
        expect(victim.asked.length).toBe(4 * (1 + (outcome?.queries ?? 0)));
      }
    }
    await expect(run(task, new ToyVictim(), { queryBudget: 1.5 })).rejects.toThrow(UsageError);
  });

  test('an empty list of prompts yields nothing', async () => {
    expect(await run(await load(), new ToyVictim(), { prompts: [] })).toEqual([]);
  });

  test('whole wordings in place of edits', async () => {
    const sourceOf = fixedCandidates(['bad or good?', 'The mood, bad or good {text}']);
    const recipe = promptRecipe('semantic');
    const [outcome] = await run(await load(), new ToyVictim(), { recipe, sourceOf, topK: 1 });
    // It has lost {text}; another order of the labels is no loss.
    expect(outcome).toMatchObject({ attackedPrompt: 'bad or good?', pdr: 0.5, queries: 3, damaged: ['{text}'] });
  });

  test('can be stopped', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(run(await load(), new ToyVictim(), { signal })).rejects.toThrow('enough');
  });
});

describe('evaluatePrompt', () => {
  test('a refused input counts as an empty output, and is not asked again', async () => {
    const task = await load();
    const victim = new ToyVictim();
    victim.refuses = 'poor 2';
    const cached = cachedVictim(victim, memoryStore(), newCounters());
    const first = await evaluatePrompt('The mood', task, cached);
    expect(first).toMatchObject({ score: 0.75, refused: 1, unparsed: 1, outputs: ['bad', 'good', '', 'good'] });
    expect(first.states).toEqual(['answered', 'answered', 'error', 'answered']);
    expect(await evaluatePrompt('The mood', task, victim)).toEqual(first);
    victim.asked = [];
    expect(await evaluatePrompt('The mood', task, cached)).toEqual(first);
    expect(victim.asked).toHaveLength(0);
  });

  test('F14: an item without an answer counts as it was answered under the original', async () => {
    const task = await load();
    const victim = new ToyVictim();
    const { score, outputs: original } = await evaluatePrompt('The mood', task, victim);
    const refusing = {
      ...victim,
      answer: async (inputs: readonly string[]) => inputs.map(() => ({ output: 'No.', state: 'refused' as const })),
    };
    expect(await evaluatePrompt('Rate', task, refusing, { original })).toMatchObject({
      score,
      refused: 4,
      unparsed: 4,
    });
    expect(await evaluatePrompt('Rate', task, refusing, { original, countRefusals: true })).toMatchObject({
      score: 0,
      refused: 4,
    });
    expect(await evaluatePrompt('Rate', task, refusing)).toMatchObject({ score: 0, refused: 4 });
  });

  test('a victim that will answer nothing more ends it', async () => {
    const victim = new ToyVictim();
    victim.answer = async () => {
      throw new VictimError('victim', 'gone');
    };
    await expect(evaluatePrompt('The mood', await load(), victim)).rejects.toThrow('gone');
  });
});
