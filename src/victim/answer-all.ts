import { endsRun } from './victim-error.js';
import type { VictimError } from './victim-error.js';
import type { Answer, AnswerOptions, Victim } from './victim.js';

/**
 * Asks about N inputs and goes past those that fail alone: their answer has the state `error`, an empty output and the
 * reason.
 *
 * @param victim Best one behind a cache (`cachedVictim`), where no input is asked twice.
 * @returns N answers, in the order of the inputs.
 * @throws {TeapotError} when the victim will answer nothing more; when the signal aborts, its reason.
 */
export async function answerAll(
  victim: Victim,
  inputs: readonly string[],
  options: AnswerOptions = {},
): Promise<readonly Answer[]> {
  const failures = new Map<number, VictimError>();
  let answers: readonly Answer[];
  try {
    answers = await victim.answer(inputs, {
      ...options,
      onFailure: (index, error) => {
        failures.set(index, error);
        options.onFailure?.(index, error);
      },
    });
  } catch (error) {
    options.signal?.throwIfAborted();
    if (endsRun(error)) throw error;
    if (inputs.length === 1) return [failedAnswer(error as VictimError)];
    // A victim that doesn't say which of them failed: each is asked alone.
    const alone: Answer[] = [];
    for (const input of inputs) alone.push(...(await answerAll(victim, [input], options)));
    return alone;
  }
  return inputs.map((_, index) => {
    const error = failures.get(index);
    return error === undefined ? (answers[index] ?? NOTHING) : failedAnswer(error);
  });
}

const NOTHING: Answer = { output: '', state: 'error', reason: 'no answer' };

function failedAnswer({ message }: VictimError): Answer {
  return { output: '', state: 'error', reason: message };
}
