import { TeapotError } from '../errors.js';
import { native } from '../native.js';
import type { AttackEdit, PerturbOptions } from '../native.js';
import type { RunOptions } from '../run-options.js';
import type { Victim } from '../victim/victim.js';
import { askWithin } from './asking.js';
import { judgeOf } from './goal.js';
import type { AttackedInput, Goal } from './goal.js';
import type { AttackRecipe } from './recipes.js';
import type { CandidateSource } from './search/search-method.js';

/** How inputs are attacked. */
export interface AttackInputsOptions extends RunOptions {
  readonly recipe: AttackRecipe;
  readonly victim: Victim;
  readonly goal: Goal;
  /** The most queries an input; Infinity for no limit. */
  readonly queryBudget: number;
  /** Seed of all draws. */
  readonly seed: number;
  /** Constraints and protection on top of the recipe's. */
  readonly keep?: Omit<PerturbOptions, 'attacks' | 'seed'>;
  /** Inputs attacked at the same time, from 1. The outcome is the same for any number. Default 1. */
  readonly parallel?: number;
}

/** What became of one input. */
export interface InputOutcome {
  /** Its position among all inputs, from 0. */
  readonly item: number;
  readonly input: AttackedInput;
  /**
   * - `successful`: the goal was reached;
   * - `failed`: it was not, `advSrc` is the best text found (the original when nothing was better);
   * - `skipped`: the original already had what the goal asks for (a wrong answer), or the budget allowed no query;
   * - `error`: the victim failed; the run goes on.
   */
  readonly result: 'successful' | 'failed' | 'skipped' | 'error';
  readonly advSrc: string | null;
  readonly edits: readonly AttackEdit[];
  readonly out: string | null;
  readonly advOut: string | null;
  readonly originalScore: number | null;
  readonly attackedScore: number | null;
  readonly queries: number;
  readonly elapsedMs: number;
  /** Why the input was skipped or failed with an error. */
  readonly reason: string | null;
}

/**
 * Attacks inputs one after the other (or `parallel` at once) and gives what became of each, in their order.
 *
 * An input whose victim fails is an outcome `error`; the run goes on. An abort ends the run with the signal's reason.
 */
export async function* attackInputs(
  inputs: AsyncIterable<AttackedInput> | Iterable<AttackedInput>,
  options: AttackInputsOptions,
): AsyncGenerator<InputOutcome> {
  const source = candidateSource(options);
  const parallel = Math.max(1, options.parallel ?? 1);
  const running: Promise<InputOutcome>[] = [];
  let item = 0;
  try {
    for await (const input of inputs) {
      running.push(attackOne(item, input, source, options));
      item += 1;
      if (running.length < parallel) continue;
      const first = running.shift();
      if (first !== undefined) yield await first;
    }
    while (running.length > 0) {
      const first = running.shift();
      if (first !== undefined) yield await first;
    }
  } finally {
    // Whoever stops reading, or an abort, leaves promises behind: nobody waits for them, nobody may see them rejected.
    await Promise.allSettled(running);
  }
}

/** Where the candidates of a recipe come from. */
export function candidateSource({
  recipe,
  seed,
  keep,
}: Pick<AttackInputsOptions, 'recipe' | 'seed' | 'keep'>): CandidateSource {
  const binding = native();
  return new binding.CandidateGenerator({
    ...recipe.constraints,
    ...keep,
    attacks: [...recipe.transformations],
    seed,
  });
}

async function attackOne(
  item: number,
  input: AttackedInput,
  source: CandidateSource,
  options: AttackInputsOptions,
): Promise<InputOutcome> {
  const { recipe, victim, goal, queryBudget, signal } = options;
  const begun = performance.now();
  const base = { item, input, elapsedMs: 0, edits: [], advSrc: null, out: null, advOut: null };
  const asking = askWithin(judgeOf(input, victim, goal), queryBudget, signal === undefined ? {} : { signal });
  try {
    const found = await recipe.search.search({ text: input.text, item, source }, asking);
    const elapsedMs = performance.now() - begun;
    const { original, best, queries } = found;
    if (original === undefined || best === undefined) {
      const reason = 'not attempted: the query budget is 0';
      return { ...base, result: 'skipped', originalScore: null, attackedScore: null, queries, elapsedMs, reason };
    }
    const skipped = original.reached;
    return {
      item,
      input,
      result: skipped ? 'skipped' : best.verdict.reached ? 'successful' : 'failed',
      advSrc: best.text,
      edits: best.edits,
      out: original.output ?? null,
      advOut: best.verdict.output ?? null,
      originalScore: original.score,
      attackedScore: best.verdict.score,
      queries,
      elapsedMs,
      reason: skipped ? 'the original already has what the goal asks for' : null,
    };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof TeapotError)) throw error;
    return {
      ...base,
      result: 'error',
      originalScore: null,
      attackedScore: null,
      queries: asking.budget.used,
      elapsedMs: performance.now() - begun,
      reason: error.message,
    };
  }
}
