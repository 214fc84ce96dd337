import { describe, expectTypeOf, it } from 'vitest';
import {
  attackPrompts,
  ChrF,
  chrf,
  ERROR_CODES,
  evaluate,
  evaluatePrompt,
  loadTask,
  performanceDropRate,
  scoreBatch,
} from '../../src/index.js';
import type {
  Corpus,
  ErrorCode,
  Evaluation,
  LoadedTask,
  PromptEvaluation,
  PromptOutcome,
  Reference,
  Scorer,
  Summary,
  SummaryDocument,
  Task,
  TaskPrompt,
  TeapotError,
  UsageError,
  Victim,
} from '../../src/index.js';

describe('the library', () => {
  it('has typed results', () => {
    expectTypeOf(evaluate).returns.resolves.toEqualTypeOf<Evaluation>();
    expectTypeOf<Evaluation['summary']>().toEqualTypeOf<Summary>();
    expectTypeOf<Evaluation['dTgt']>().toEqualTypeOf<Float64Array | undefined>();
    expectTypeOf(chrf).returns.toBeNumber();
    expectTypeOf(scoreBatch).returns.resolves.toEqualTypeOf<Float64Array>();
    expectTypeOf(new ChrF().rdScore).returns.resolves.toEqualTypeOf<Float64Array>();
    expectTypeOf(performanceDropRate).returns.toEqualTypeOf<number | null>();
    expectTypeOf<SummaryDocument['schema']>().toEqualTypeOf<'teapot.summary/2'>();
  });

  it('takes read-only texts and refuses other shapes', () => {
    expectTypeOf<readonly string[]>().toExtend<NonNullable<Corpus['src']>>();
    expectTypeOf<readonly Reference[]>().toExtend<NonNullable<Corpus['ref']>>();
    expectTypeOf<string>().not.toExtend<NonNullable<Corpus['src']>>();
    // @ts-expect-error: a bare string is no list of texts.
    void evaluate({ src: 'tea', advSrc: ['tea'] });
    // @ts-expect-error: there is no such option.
    void evaluate({}, { treshold: 1 });
    // @ts-expect-error: the order is hypothesis, reference; a number is neither.
    chrf('tea', 1);
  });

  it('has errors with codes', () => {
    expectTypeOf<UsageError>().toExtend<TeapotError>();
    expectTypeOf<TeapotError['code']>().toEqualTypeOf<ErrorCode>();
    expectTypeOf(ERROR_CODES.READ).toEqualTypeOf<'ERR_TEAPOT_READ'>();
  });

  it('attacks prompts of a task on a victim', () => {
    expectTypeOf(loadTask).returns.resolves.toEqualTypeOf<LoadedTask>();
    expectTypeOf(loadTask).parameter(0).toHaveProperty('labels');
    expectTypeOf(attackPrompts).returns.toEqualTypeOf<AsyncGenerator<PromptOutcome>>();
    expectTypeOf<PromptOutcome['pdr']>().toEqualTypeOf<number | null>();
    expectTypeOf(evaluatePrompt).returns.resolves.toEqualTypeOf<PromptEvaluation>();
    expectTypeOf(evaluatePrompt).parameters.toExtend<[string, Task, Victim, unknown?]>();
    expectTypeOf<{ prompt: string; type: null }>().toExtend<TaskPrompt>();
  });

  it('lets a plain object be a scorer', () => {
    expectTypeOf({
      key: 'mine',
      name: 'Mine',
      signature: 'mine|v:1',
      score: async (hypotheses: readonly string[]) => new Float64Array(hypotheses.length),
    }).toExtend<Scorer>();
  });
});
