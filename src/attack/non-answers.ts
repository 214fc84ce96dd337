import { VictimError } from '../victim/victim-error.js';
import type { Answer, AnswerState } from '../victim/victim.js';
import type { Verdict } from './asking.js';

/** How answers that are none are judged. */
export interface NonAnswerOptions {
  /** Count refusals and other answers that are none as answers like any other: for those who study them. Default false. */
  readonly countRefusals?: boolean | undefined;
}

/**
 * Makes the rule by which an answer that is none (refused, filtered, cut, a tool call, unreadable) enters the verdict on one
 * input: it never reaches the goal of an attack, and is the farthest from it. Where the original has none, there is nothing to attack.
 *
 * A cut answer counts like any other where the answer to the original is cut as well: then that is how long this victim's answers are.
 *
 * @returns A function of a verdict, the answer behind it, and whether that is the answer to the original, which comes first.
 */
export function nonAnswerRule({ countRefusals = false }: NonAnswerOptions = {}) {
  let ofOriginal: AnswerState = 'answered';
  return (verdict: Verdict, { state = 'answered', reason }: Answer, isOriginal: boolean): Verdict => {
    if (state === 'answered') return verdict;
    if (isOriginal) {
      ofOriginal = state;
      if (state === 'error') throw new VictimError('input', reason ?? 'the victim gave no answer');
      if (countRefusals || state === 'length') return { ...verdict, state };
      return { ...verdict, state, reached: false, pointless: `the answer to the original is none: ${state}` };
    }
    const counts = state !== 'error' && (countRefusals || (state === 'length' && ofOriginal === 'length'));
    return counts ? { ...verdict, state } : { ...verdict, state, score: 0, reached: false };
  };
}
