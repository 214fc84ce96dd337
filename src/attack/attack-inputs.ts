import { setImmediate as nextTurn } from 'node:timers/promises';

import pLimit from 'p-limit';

import type { AttackEdit, PerturbOptions } from '../native.js';
import type { RunOptions } from '../run-options.js';
import { endsRun } from '../victim/victim-error.js';
import type { AnswerState, Victim } from '../victim/victim.js';
import { askWithin } from './asking.js';
import { candidateSources } from './candidate-source.js';
import type { SourceOf } from './candidate-source.js';
import { judgeOf } from './goal.js';
import type { AttackedInput, Goal } from './goal.js';
import { joinInput } from './input-columns.js';
import type { AttackRecipe } from './recipe.js';
import type { NonAnswerOptions } from './non-answers.js';
import type { ModelResources } from './resource/model-resources.js';

/** How inputs are attacked. */
export interface AttackInputsOptions extends RunOptions, NonAnswerOptions {
  readonly recipe: AttackRecipe;
  readonly victim: Victim;
  readonly goal: Goal;
  /** The most queries an input; Infinity for no limit. */
  readonly queryBudget: number;
  /** Seed of all draws. */
  readonly seed: number;
  /** Constraints and protection on top of the recipe's. */
  readonly keep?: Omit<PerturbOptions, 'attacks' | 'seed'>;
  /** Models of the user's. */
  readonly models?: ModelResources | undefined;
  /** The least cosine of an encoder's vectors, instead of the recipe's. */
  readonly minEncoderCosine?: number | undefined;
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
   * - `skipped`: the original already had what the goal asks for (a wrong answer), no text could reach it, or the budget allowed no
   *   query;
   * - `error`: the victim failed at this input; the run goes on.
   */
  readonly result: 'successful' | 'failed' | 'skipped' | 'error';
  readonly advSrc: string | null;
  readonly edits: readonly AttackEdit[];
  readonly out: string | null;
  readonly advOut: string | null;
  /** What the answers are; null where there is none. */
  readonly outState: AnswerState | null;
  readonly advOutState: AnswerState | null;
  readonly originalScore: number | null;
  readonly attackedScore: number | null;
  readonly queries: number;
  readonly elapsedMs: number;
  /** Why the input was skipped or failed with an error, or that the search ended for want of queries. */
  readonly reason: string | null;
}

/** Inputs begun or done ahead of the one that is awaited, for each that runs: so that a slow one holds nobody up. */
const AHEAD = 4;

/**
 * Attacks inputs one after the other (or `parallel` at once) and gives what became of each, in their order.
 *
 * An input at which the victim fails is an outcome `error`; the run goes on.
 *
 * @throws What ends a run: a victim that will answer nothing more, a scorer's failure; after an abort the signal's reason.
 */
export async function* attackInputs(
  inputs: AsyncIterable<AttackedInput> | Iterable<AttackedInput>,
  options: AttackInputsOptions,
): AsyncGenerator<InputOutcome> {
  const parallel = Math.max(1, options.parallel ?? 1);
  const limit = pLimit(parallel);
  const stop = new AbortController();
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
  const sourceOf = candidateSources({ ...options, signal });
  const begun: Promise<InputOutcome>[] = [];
  const begin = (item: number, input: AttackedInput): void => {
    const attacking = limit(() => attackOne(item, input, sourceOf, { ...options, signal }));
    // It may fail long before its turn: whoever awaits it then still sees that.
    attacking.catch(() => {});
    begun.push(attacking);
  };
  let item = 0;
  try {
    for await (const input of inputs) {
      begin(item, input);
      item += 1;
      if (begun.length < (parallel === 1 ? 1 : parallel * AHEAD)) continue;
      const first = begun.shift();
      if (first !== undefined) yield await first;
    }
    for (const attacking of begun) yield await attacking;
  } finally {
    stop.abort(new DOMException('The run has ended.', 'AbortError'));
    await Promise.allSettled(begun);
  }
}

async function attackOne(
  item: number,
  input: AttackedInput,
  sourceOf: SourceOf,
  options: AttackInputsOptions & { readonly signal: AbortSignal },
): Promise<InputOutcome> {
  const { recipe, victim, goal, queryBudget, seed, signal } = options;
  // Victims and stores that answer at once would never let a Ctrl-C be noticed.
  await nextTurn();
  signal.throwIfAborted();
  const begun = performance.now();
  const asking = askWithin(judgeOf(input, victim, goal, options), queryBudget, { signal });
  const blank = {
    item,
    input,
    edits: [],
    advSrc: null,
    out: null,
    advOut: null,
    outState: null,
    advOutState: null,
    originalScore: null,
    attackedScore: null,
  };
  if (!isText(input)) return { ...blank, result: 'error', queries: 0, elapsedMs: 0, reason: NO_TEXT };
  try {
    const source = await sourceOf(
      input.text,
      item,
      input.columns === undefined ? undefined : joinInput(input.columns).locked,
    );
    const { original, best, queries, status } = await recipe.search.search(
      { text: input.text, item, seed, source },
      asking,
    );
    const elapsedMs = performance.now() - begun;
    if (original === undefined || best === undefined) {
      return { ...blank, result: 'skipped', queries, elapsedMs, reason: 'not attempted: the query budget is 0' };
    }
    const skipped = original.reached || original.pointless !== undefined;
    return {
      item,
      input,
      result: skipped ? 'skipped' : best.verdict.reached ? 'successful' : 'failed',
      advSrc: best.text,
      edits: best.edits,
      out: original.output ?? null,
      advOut: best.verdict.output ?? null,
      outState: original.state ?? 'answered',
      advOutState: best.verdict.state ?? 'answered',
      originalScore: original.score,
      attackedScore: best.verdict.score,
      queries,
      elapsedMs,
      reason: skipped
        ? (original.pointless ?? 'the original already has what the goal asks for')
        : status === 'budget'
          ? 'the query budget is spent'
          : status === 'exhausted' && queries <= 1
            ? NOTHING_TO_CHANGE
            : null,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (endsRun(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const elapsedMs = performance.now() - begun;
    return { ...blank, result: 'error', queries: asking.budget.used, elapsedMs, reason };
  }
}

/** Why a search asked about nothing but the original. */
export const NOTHING_TO_CHANGE =
  'nothing can be changed: every word is protected, a stop word, too short, or without a candidate';

const NO_TEXT = 'the input holds half of a surrogate pair, which is no character: it was cut or decoded wrongly';

function isText({ text, ref }: AttackedInput): boolean {
  return [text, ref ?? []].flat().every((one) => one.isWellFormed());
}
