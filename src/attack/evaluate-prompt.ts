import type { RunOptions } from '../run-options.js';
import type { Task } from '../task/task.js';
import { answerAll } from '../victim/answer-all.js';
import type { AnswerState, Victim } from '../victim/victim.js';
import type { NonAnswerOptions } from './non-answers.js';

/** What a prompt is worth on a data set. */
export interface PromptEvaluation {
  readonly prompt: string;
  /** A fraction in [0, 1]. */
  readonly score: number;
  /** Items whose output could not be read; they score 0. */
  readonly unparsed: number;
  /** Items whose answer is none: refused, filtered, a tool call, unreadable, failed. */
  readonly refused: number;
  readonly outputs: readonly string[];
  /** What the answer to each item is. */
  readonly states: readonly AnswerState[];
  readonly answers: readonly (string | null)[];
  readonly perItem: Float64Array;
}

/** How a prompt is evaluated. */
export interface EvaluatePromptOptions extends RunOptions, NonAnswerOptions {
  /**
   * The outputs under the original prompt: an item whose answer is none counts as it was answered there, so that no attack succeeds by
   * refusals alone. Without them (the original itself) it counts as the empty output.
   */
  readonly original?: readonly string[] | undefined;
}

/**
 * Evaluates a prompt: one pass of the whole data set through the victim.
 *
 * @param victim Behind a cache: an input that fails is asked once a run.
 * @throws {TeapotError} when the victim will answer nothing more; what came before is in its cache.
 */
export async function evaluatePrompt(
  prompt: string,
  task: Task,
  victim: Victim,
  options: EvaluatePromptOptions = {},
): Promise<PromptEvaluation> {
  const { original, countRefusals = false, ...run } = options;
  const replies = await answerAll(victim, task.inputs(prompt), run);
  const outputs = replies.map(({ output }) => output);
  const states = replies.map(({ state = 'answered' }) => state);
  // Whether a cut output holds an answer, its reader finds out.
  const isNone = states.map((state) => state !== 'answered' && state !== 'length');
  const counts = states.map((state, index) => isNone[index] !== true || (countRefusals && state !== 'error'));
  const scored = outputs.map((output, index) => (counts[index] === true ? output : (original?.[index] ?? '')));
  const { score, perItem, answers } = await task.score(scored, run.signal === undefined ? {} : { signal: run.signal });
  const own = answers.map((answer, index) => (counts[index] === true ? answer : null));
  return {
    prompt,
    score,
    unparsed: own.filter((answer) => answer === null).length,
    refused: isNone.filter(Boolean).length,
    outputs,
    states,
    answers: own,
    perItem,
  };
}
