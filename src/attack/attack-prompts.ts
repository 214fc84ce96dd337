import { performanceDropRate } from '../measure/performance-drop-rate.js';
import { UNDEFINED_REASON } from '../measure/undefined-reason.js';
import type { AttackEdit } from '../native.js';
import type { RunOptions } from '../run-options.js';
import { damagedSpans, lostSpans } from '../task/protected-text.js';
import type { Task, TaskPrompt } from '../task/task.js';
import type { Victim } from '../victim/victim.js';
import { askWithin } from './asking.js';
import type { Judge } from './asking.js';
import { NOTHING_TO_CHANGE } from './attack-inputs.js';
import { candidateSources } from './candidate-source.js';
import type { SourceOf } from './candidate-source.js';
import { NoCandidatesError } from './candidates.js';
import type { CandidateSource } from './candidates.js';
import { evaluatePrompt } from './evaluate-prompt.js';
import type { PromptEvaluation } from './evaluate-prompt.js';
import type { AttackRecipe } from './recipe.js';

/** How prompts are attacked. */
export interface AttackPromptsOptions extends RunOptions {
  readonly task: Task;
  readonly prompts: readonly TaskPrompt[];
  readonly recipe: AttackRecipe;
  /**
   * Where the candidates come from. Default: the native kernels of the recipe, with the labels, fixed words and `{placeholders}` of the task out
   * of their reach; a recipe that needs something more finds no candidate there.
   */
  readonly sourceOf?: SourceOf;
  /** Seed of all draws. */
  readonly seed: number;
  /** Should keep its answers: the ranking's are asked for again. */
  readonly victim: Victim;
  /** The most queries a prompt; a query is one pass over the data set. */
  readonly queryBudget: number;
  /** How many of the best prompts are attacked, from 1. */
  readonly topK: number;
  /** Count answers that are none as answers like any other. Default false. */
  readonly countRefusals?: boolean | undefined;
  /** Called when the ranking is known. */
  readonly onRanking?: (ranking: readonly RankedPrompt[]) => void | Promise<void>;
  /** Called after each pass: how many there were, and the score of the prompt that was asked about. */
  readonly onPass?: (passes: number, score: number) => void;
}

/** A prompt and its place in the ranking. */
export interface RankedPrompt extends TaskPrompt {
  /** Its place in the list, from 0: with the seed it decides every draw. */
  readonly position: number;
  /** From 1, by falling score; ties in the order of the list. */
  readonly rank: number;
  /** A fraction. */
  readonly score: number;
  readonly unparsed: number;
  readonly refused: number;
}

/** What became of a prompt among the first k. */
export interface PromptOutcome {
  readonly original: RankedPrompt;
  /**
   * - `successful`: a text with a lower score was found;
   * - `failed`: none was, `attackedPrompt` is the original;
   * - `skipped`: the score is 0 already, or the budget allowed no query.
   */
  readonly result: 'successful' | 'failed' | 'skipped';
  readonly attackedPrompt: string | null;
  readonly attackedScore: number | null;
  readonly attackedUnparsed: number | null;
  /** 1 − attacked ÷ original; null with `reason` where it is undefined. */
  readonly pdr: number | null;
  readonly edits: readonly AttackEdit[];
  /** Queries made, the original's included. */
  readonly queries: number;
  /** Whether the budget ended the search. */
  readonly isBudgetUsed: boolean;
  /** Labels and fixed words that the attacked prompt has lost: attacks on words keep them, other wordings may not. */
  readonly damaged: readonly string[];
  readonly reason: string | null;
}

/**
 * Attacks the best prompts of a list: ranks all of them on the whole data set, then attacks the first `topK`, minimising the
 * score.
 *
 * The score is the task's, a fraction; the drop rate of a prompt is 1 − attacked ÷ original, null with a reason where the original scores 0. A
 * query is one pass over the data set; a budget of 0 attacks nothing, an empty list of prompts yields nothing.
 *
 * @yields What became of each, by rank.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for a budget that is no whole number from 0.
 * @throws {TeapotError} when the victim will answer nothing more; a run over a kept cache goes on from there.
 *
 * Source: OpenCompass's `OpenICLAttackTask`, PromptBench 0.0.4 `Attack`; a search starts from the original's score, stops at 0, and never
 * exceeds its budget.
 */
export async function* attackPrompts(options: AttackPromptsOptions): AsyncGenerator<PromptOutcome> {
  let passes = 0;
  const evaluate: Evaluate = async (prompt, original) => {
    const { signal, countRefusals } = options;
    const evaluation = await evaluatePrompt(prompt, options.task, options.victim, {
      original,
      countRefusals,
      ...(signal === undefined ? {} : { signal }),
    });
    passes += 1;
    options.onPass?.(passes, evaluation.score);
    return evaluation;
  };
  const ranking = await rankPrompts(options.prompts, evaluate);
  await options.onRanking?.(ranking);
  let failure: NoCandidatesError | undefined;
  let attacked = 0;
  for (const ranked of ranking.slice(0, options.topK)) {
    const { withoutCandidates, ...outcome } = await attackOne(ranked, evaluate, options);
    failure ??= withoutCandidates;
    if (withoutCandidates === undefined) attacked += 1;
    yield outcome;
  }
  // Nothing was attacked, and not by a property of the prompts alone.
  if (failure !== undefined && attacked === 0) throw failure;
}

/** Evaluates a prompt, an attacked one beside the outputs of its original. */
type Evaluate = (prompt: string, original?: readonly string[]) => Promise<PromptEvaluation>;

async function rankPrompts(prompts: readonly TaskPrompt[], evaluate: Evaluate): Promise<readonly RankedPrompt[]> {
  const scored = [];
  for (const [position, { prompt, type }] of prompts.entries()) {
    const { score, unparsed, refused } = await evaluate(prompt);
    scored.push({ prompt, type, position, score, unparsed, refused });
  }
  return scored
    .toSorted((a, b) => b.score - a.score || a.position - b.position)
    .map((one, index) => Object.assign(one, { rank: index + 1 }));
}

function kernels({ recipe, seed, task, signal }: AttackPromptsOptions): SourceOf {
  const keep = { protect: [...task.protect], protectPlaceholders: true };
  return candidateSources({ recipe, seed, keep, ...(signal === undefined ? {} : { signal }) });
}

async function attackOne(
  original: RankedPrompt,
  evaluate: Evaluate,
  options: AttackPromptsOptions,
): Promise<PromptOutcome & { readonly withoutCandidates?: NoCandidatesError }> {
  const { recipe, seed, queryBudget, task, signal } = options;
  const skipped = {
    original,
    result: 'skipped',
    attackedPrompt: null,
    attackedScore: null,
    attackedUnparsed: null,
    pdr: null,
    edits: [],
    queries: 0,
    isBudgetUsed: false,
    damaged: [],
  } as const;
  if (original.score === 0) return { ...skipped, reason: UNDEFINED_REASON.ORIGINAL_IS_ZERO };
  const known = new Map<string, { readonly score: number; readonly unparsed: number }>();
  /** The outputs of the original, which every search asks first. */
  let outputs: readonly string[] | undefined;
  const judge: Judge = async (texts) => {
    const verdicts = [];
    for (const text of texts) {
      const evaluation = await evaluate(text, outputs);
      outputs ??= evaluation.outputs;
      const { score, unparsed } = evaluation;
      known.set(text, { score, unparsed });
      verdicts.push({ score: 1 - score, reached: score === 0 });
    }
    return verdicts;
  };
  const asking = askWithin(judge, queryBudget, signal === undefined ? {} : { signal });
  const { prompt, position: item } = original;
  let source: CandidateSource;
  try {
    source = await (options.sourceOf ?? kernels(options))(prompt, item);
  } catch (error) {
    if (!(error instanceof NoCandidatesError)) throw error;
    return { ...skipped, reason: error.message, withoutCandidates: error };
  }
  const found = await recipe.search.search({ text: prompt, item, seed, source }, asking);
  if (found.best === undefined) return { ...skipped, reason: 'not attempted: the query budget is 0' };
  const { text, edits } = found.best;
  // Edits keep the order of words, another wording need not.
  const lost = recipe.transformations.length > 0 ? damagedSpans : lostSpans;
  // The score itself and not 1 − (1 − score), which floating point would blur.
  const attackedScore = known.get(text)?.score ?? original.score;
  return {
    original,
    result: edits.length === 0 ? 'failed' : 'successful',
    attackedPrompt: text,
    attackedScore,
    attackedUnparsed: known.get(text)?.unparsed ?? null,
    pdr: performanceDropRate(original.score, attackedScore),
    edits,
    queries: found.queries,
    isBudgetUsed: found.status === 'budget',
    damaged: lost(original.prompt, text, task.protect),
    reason:
      edits.length > 0
        ? null
        : found.queries <= 1 && found.status === 'exhausted'
          ? NOTHING_TO_CHANGE
          : 'no text with a lower score was found',
  };
}
