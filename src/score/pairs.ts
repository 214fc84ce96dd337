import { ERROR_CODES, UsageError } from '../errors.js';
import type { PairText, Reference, ScoreOptions } from './scorer.js';

declare global {
  /** ES2024, in every Node.js that teapot runs on. */
  interface String {
    isWellFormed(): boolean;
  }
}

/**
 * Checks that N hypotheses stand beside N references before anything is scored.
 *
 * A bare string in place of an array is refused (JavaScript and Python would read it letter by letter), so are lone
 * surrogates (they have no UTF-8 and would silently become U+FFFD).
 *
 * @param place Says where a pair comes from. Default: its place in the arrays.
 * @throws {UsageError} `ERR_TEAPOT_LENGTH_MISMATCH` naming both lengths; `ERR_TEAPOT_INVALID_OPTION` when something is
 *   not a string or a segment has no reference; `ERR_TEAPOT_FORMAT` for a lone surrogate.
 */
export function checkPairs(
  hypotheses: readonly string[],
  references: readonly Reference[],
  place: ScoreOptions['place'] = placeInArrays,
): void {
  checkArray('hypotheses', hypotheses);
  checkArray('references', references);
  if (hypotheses.length !== references.length) {
    throw new UsageError(
      ERROR_CODES.LENGTH_MISMATCH,
      `${hypotheses.length} hypotheses but ${references.length} references: each hypothesis needs its own reference`,
    );
  }
  for (let index = 0; index < hypotheses.length; index += 1) {
    checkText('hypothesis', hypotheses[index], index, place);
    const reference = references[index];
    if (typeof reference === 'string' || !Array.isArray(reference)) {
      checkText('reference', reference, index, place);
    } else {
      if (reference.length === 0) {
        throw new UsageError(
          ERROR_CODES.INVALID_OPTION,
          `references[${index}] is an empty array: expected at least one reference`,
        );
      }
      for (const text of reference) checkText('reference', text, index, place);
    }
  }
}

function checkArray(what: string, value: unknown): void {
  if (!Array.isArray(value)) {
    const found = typeof value === 'string' ? 'one string' : describe(value);
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `${what}: found ${found}, expected an array with a text for each segment`,
    );
  }
}

function checkText(what: PairText, value: unknown, index: number, place: NonNullable<ScoreOptions['place']>): void {
  if (typeof value !== 'string') {
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `${place(index, what)}: found ${describe(value)}, expected a string`,
    );
  }
  if (!value.isWellFormed()) {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${place(index, what)} holds half of a surrogate pair, which is no character: the text was cut or decoded wrongly`,
    );
  }
}

function placeInArrays(index: number, what: PairText = 'hypothesis'): string {
  return `${what} ${index + 1}`;
}

/** Where a pair comes from, for messages about its score. */
export function placeOf({ place, firstLine = 1 }: ScoreOptions, index: number): string {
  return place === undefined ? `line ${firstLine + index}` : place(index);
}

/** Rounding noise that a score may have beyond its range: such a score is clamped, a larger one is an error. */
const NOISE = 1e-9;

/**
 * What is wrong with the answer of a scorer that is not ours, if anything.
 *
 * Right is a number in [0, 1]. Up to 1e-9 outside it is rounding noise (the cosine of a text with itself may
 * be 1.0000000000000002), which `clampScore` removes.
 *
 * @param value The answer for one pair.
 * @returns The end of a message, `found …, expected …`, or undefined when the answer is a score.
 */
export function scoreComplaint(value: unknown): string | undefined {
  if (typeof value !== 'number') return `found ${describe(value)}, expected a number from 0 to 1`;
  if (value >= -NOISE && value <= 1 + NOISE) return undefined;
  const hint = value > 1 && value <= 100 ? ' (a score from 0 to 100 must be divided by 100)' : '';
  return `found ${value}, expected a number from 0 to 1${hint}`;
}

/** The score without rounding noise: at least 0 (and not -0), at most 1. */
export function clampScore(value: number): number {
  return value > 0 ? Math.min(1, value) : 0;
}

/** Says in a few words what a value is, for messages. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing (undefined)';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'string') return `the text ${quote(value)}`;
  if (typeof value === 'object' || typeof value === 'function') return `a ${typeof value}`.replace('a o', 'an o');
  return `${typeof value} ${String(value)}`;
}

/** A text in double quotes for a message: control characters escaped, cut after 80 code points. */
export function quote(text: string): string {
  const letters = Array.from(text.slice(0, 400));
  const cut = letters.length > 80 || text.length > 400;
  return JSON.stringify(cut ? `${letters.slice(0, 80).join('')}…` : text);
}

/** The references of a segment as an array. */
export function referencesOf(reference: Reference): readonly string[] {
  return typeof reference === 'string' ? [reference] : reference;
}
