import type { RunOptions } from '../run-options.js';
import type { Task } from '../task/task.js';
import { endsRun } from '../victim/victim-error.js';
import type { Victim } from '../victim/victim.js';

/** What a prompt is worth on a data set. */
export interface PromptEvaluation {
  readonly prompt: string;
  /** A fraction in [0, 1]. */
  readonly score: number;
  /** Items whose output could not be read; they score 0. */
  readonly unparsed: number;
  /** Items that the victim refused; they count as the empty output. */
  readonly refused: number;
  readonly outputs: readonly string[];
  readonly answers: readonly (string | null)[];
  readonly perItem: Float64Array;
}

/**
 * Evaluates a prompt: one pass of the whole data set through the victim.
 *
 * @throws {TeapotError} when the victim will answer nothing more; what came before is in its cache.
 */
export async function evaluatePrompt(
  prompt: string,
  task: Task,
  victim: Victim,
  options: RunOptions = {},
): Promise<PromptEvaluation> {
  const inputs = task.inputs(prompt);
  const { outputs, refused } = await outputsOf(inputs, victim, options);
  const { score, perItem, answers, unparsed } = await task.score(
    outputs,
    options.signal === undefined ? {} : { signal: options.signal },
  );
  return { prompt, score, unparsed, refused, outputs, answers, perItem };
}

/** The outputs of all inputs; one that is refused is empty and counted. */
async function outputsOf(
  inputs: readonly string[],
  victim: Victim,
  options: RunOptions,
): Promise<{ readonly outputs: readonly string[]; readonly refused: number }> {
  try {
    const answers = await victim.answer(inputs, options);
    return { outputs: answers.map(({ output }) => output), refused: 0 };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (endsRun(error)) throw error;
  }
  // One input was refused: the others are asked one by one, those answered already from the cache.
  const outputs: string[] = [];
  let refused = 0;
  for (const input of inputs) {
    try {
      const [answer] = await victim.answer([input], options.signal === undefined ? {} : { signal: options.signal });
      outputs.push(answer?.output ?? '');
    } catch (error) {
      options.signal?.throwIfAborted();
      if (endsRun(error)) throw error;
      refused += 1;
      outputs.push('');
    }
  }
  return { outputs, refused };
}
