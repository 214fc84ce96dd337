import { describe, quote } from '../score/pairs.js';
import { ANSWER_STATES } from './victim.js';
import type { Answer, TokenUsage } from './victim.js';

/** Rounding noise around [0, 1] that is no mistake of the victim. */
const NOISE = 1e-6;

/**
 * Reads what a program, a module or a recording says to one input.
 *
 * A text is the output; so is a finite number (`1`), for victims whose labels are numbers; an object has `output` and, if
 * it likes, `scores` (label → probability) and `usage` (`promptTokens`, `completionTokens`); an object with `error` (a text) and
 * without `output` says that the input can't be answered. `state` says what an answer is that is none, see `ANSWER_STATES`.
 *
 * @returns The answer, or what is wrong with it, as the end of a sentence that begins with the victim's name.
 */
export function readAnswer(value: unknown): Answer | string {
  const bare = readOutput(value);
  if (bare !== undefined) return wellFormed({ output: bare });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `answered ${describe(value)}, expected a text or {"output": "…", "scores": {"label": 0.9}}`;
  }
  const { output, scores, usage, state, error } = value as AnswerFields;
  if (isReportedError(value)) return `reported an error: ${quote(String(error))}`;
  const known = ANSWER_STATES.find((one) => one === state);
  if (known === undefined && state !== undefined && state !== null) {
    return `answered the state ${describe(state)}, expected one of ${ANSWER_STATES.join(', ')}`;
  }
  const text = readOutput(output);
  if (text === undefined) return `answered an object whose "output" is ${describe(output)}, expected a text`;
  const probabilities = readScores(scores);
  if (typeof probabilities === 'string') return probabilities;
  const tokens = readUsage(usage);
  return wellFormed({
    output: text,
    ...(known !== undefined && known !== 'answered' && { state: known }),
    ...(probabilities && { scores: probabilities }),
    ...(tokens && { usage: tokens }),
  });
}

/** An answer that is text: one with half of a surrogate pair is unreadable, and its output empty. */
export function wellFormed(answer: Answer): Answer {
  return answer.output.isWellFormed() ? answer : { ...answer, output: '', state: 'unreadable' };
}

/** Whether a victim says by this value that it can't answer the input: `{"error": "…"}`. */
export function isReportedError(value: unknown): boolean {
  const { output, error } = Object(value) as AnswerFields;
  return output === undefined && typeof error === 'string';
}

interface AnswerFields {
  readonly output?: unknown;
  readonly scores?: unknown;
  readonly usage?: unknown;
  readonly state?: unknown;
  readonly error?: unknown;
}

function readOutput(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

function readScores(scores: unknown): Readonly<Record<string, number>> | undefined | string {
  if (scores === undefined || scores === null) return undefined;
  if (typeof scores !== 'object' || Array.isArray(scores)) {
    return `answered scores that are ${describe(scores)}, expected {"label": 0.9}`;
  }
  const read: Record<string, number> = {};
  for (const [label, score] of Object.entries(scores as Record<string, unknown>)) {
    if (typeof score !== 'number' || !(score >= -NOISE && score <= 1 + NOISE)) {
      return `answered the score ${describe(score)} for ${quote(label)}, expected a probability from 0 to 1`;
    }
    const value = Math.min(1, Math.max(0, score));
    // Assigned, a label of this name would be no label.
    if (label === '__proto__') Object.defineProperty(read, label, { value, enumerable: true });
    else read[label] = value;
  }
  return read;
}

/** Token counts, whatever else the object holds; undefined when they are not there or are no counts. */
export function readUsage(usage: unknown): TokenUsage | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  const { promptTokens, completionTokens } = usage as { promptTokens?: unknown; completionTokens?: unknown };
  return isCount(promptTokens) && isCount(completionTokens) ? { promptTokens, completionTokens } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
