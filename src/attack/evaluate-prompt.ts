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

/** How a prompt is evaluated. */
export interface EvaluatePromptOptions extends RunOptions {
  /**
   * Inputs that the victim refused: they are not asked again, and new ones are added. Give one set to all evaluations of a run, so that
   * a prompt that is evaluated twice has the same outputs.
   */
  readonly refusedInputs?: Set<string>;
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
  options: EvaluatePromptOptions = {},
): Promise<PromptEvaluation> {
  const { refusedInputs = new Set(), ...run } = options;
  const inputs = task.inputs(prompt);
  const outputs = await outputsOf(inputs, victim, refusedInputs, run);
  const { score, perItem, answers, unparsed } = await task.score(
    outputs,
    options.signal === undefined ? {} : { signal: options.signal },
  );
  const refused = inputs.filter((input) => refusedInputs.has(input)).length;
  return { prompt, score, unparsed, refused, outputs, answers, perItem };
}

/** The outputs of all inputs; that of a refused one is empty. */
async function outputsOf(
  inputs: readonly string[],
  victim: Victim,
  refused: Set<string>,
  options: RunOptions,
): Promise<readonly string[]> {
  const outputs = new Map<string, string>();
  const ask = async (asked: readonly string[]): Promise<boolean> => {
    try {
      const answers = await victim.answer(asked, options);
      for (const [index, input] of asked.entries()) outputs.set(input, answers[index]?.output ?? '');
      return true;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (endsRun(error)) throw error;
      return false;
    }
  };
  const left = (): string[] => inputs.filter((input) => !outputs.has(input) && !refused.has(input));
  for (let asked = left(); asked.length > 0 && !(await ask(asked)); asked = left()) {
    // One input was refused, and the victim doesn't say which: it is among the first without an answer. Those answered
    // already come from the cache.
    for (const input of asked) {
      if (await ask([input])) continue;
      refused.add(input);
      break;
    }
  }
  return inputs.map((input) => outputs.get(input) ?? '');
}
