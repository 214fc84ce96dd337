import { describe, expectTypeOf, it } from 'vitest';
import type { ModuleScorer, ParameterValue, Scorer, ScorerDefinition } from '../../src/index.js';
import { createScorer, registerScorer, registerScorerModules } from '../../src/index.js';

describe('scorers of the user', () => {
  it('are typed: one function, a batch, or made from options', () => {
    const sentence = { key: 'a', scoreSentence: (hyp: string, ref: string) => (hyp === ref ? 1 : 0) };
    const batch = { key: 'b', scoreBatch: async (hyps: readonly string[]) => Float64Array.from(hyps, () => 1) };
    const made = {
      key: 'c',
      options: { share: { type: 'number', default: 0.5 } },
      create: ({ share }: Readonly<Record<string, ParameterValue | undefined>>) => ({
        scoreSentence: () => Number(share),
      }),
    } as const;
    expectTypeOf(sentence).toExtend<ModuleScorer>();
    expectTypeOf(batch).toExtend<ModuleScorer>();
    expectTypeOf(made).toExtend<ModuleScorer>();
    expectTypeOf({ key: 'd', scoreSentence: () => 'text' }).not.toExtend<ModuleScorer>();
  });

  it('are registered and made', () => {
    expectTypeOf(registerScorerModules).returns.resolves.toEqualTypeOf<readonly ScorerDefinition[]>();
    expectTypeOf(registerScorer).returns.toHaveProperty('undo');
    expectTypeOf(createScorer).returns.resolves.toEqualTypeOf<Scorer>();
  });
});
