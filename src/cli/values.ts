import { ERROR_CODES, UsageError } from '../errors.js';
import { DECIMAL } from '../score/parameters.js';

/** Limits of a number that an option takes. */
export interface NumberLimits {
  readonly integer?: boolean;
  /** Smallest, inclusive. */
  readonly minimum?: number;
  /** Largest, inclusive. */
  readonly maximum?: number;
  /** Exclusive. */
  readonly above?: number;
  /** Exclusive. */
  readonly below?: number;
}

/** An error of the arguments. */
export function invalid(message: string): UsageError {
  return new UsageError(ERROR_CODES.INVALID_OPTION, message);
}

/**
 * Reads the number that an option was given.
 *
 * @param flag The option with its dashes, for the message.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the text is no decimal number or out of the limits.
 */
export function readNumber(flag: string, text: string, limits: NumberLimits = {}): number {
  const value = Number(text);
  const { integer = false, minimum = -Infinity, maximum = Infinity, above = -Infinity, below = Infinity } = limits;
  const inside = value >= minimum && value <= maximum && value > above && value < below;
  if (!DECIMAL.test(text) || !Number.isFinite(value) || !inside || (integer && !Number.isSafeInteger(value))) {
    throw invalid(`${flag} needs ${describeLimits(limits)}, found "${text}".`);
  }
  return value;
}

function describeLimits({ integer, minimum, maximum, above, below }: NumberLimits): string {
  const isRange = minimum !== undefined && maximum !== undefined;
  const limits = [
    isRange ? `from ${minimum} to ${maximum}` : '',
    minimum === undefined || isRange ? '' : `at least ${minimum}`,
    above === undefined ? '' : `above ${above}`,
    maximum === undefined || isRange ? '' : `at most ${maximum}`,
    below === undefined ? '' : `below ${below}`,
  ].filter(Boolean);
  return [integer === true ? 'an integer' : 'a number', limits.join(' and ')].filter(Boolean).join(' ');
}

/** The most thresholds that a sweep may have. */
const MAX_THRESHOLDS = 100_000;

/**
 * Reads `START:STOP:STEP`: START, START + STEP, … up to STOP, which belongs to them when the steps meet it.
 *
 * @returns Rising thresholds, rounded to twelve digits, so that 0.1 · 3 is 0.3.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for anything else.
 */
export function readSweep(text: string, flag: string): readonly number[] {
  const parts = text.split(':');
  if (parts.length !== 3) throw invalid(`${flag} needs START:STOP:STEP, for example 0:2:0.05, found "${text}".`);
  const [start = 0, stop = 0, step = 0] = parts.map((part) => readNumber(flag, part));
  if (step <= 0 || stop < start) throw invalid(`${flag} needs START up to STOP by a STEP above 0, found "${text}".`);
  const steps = Math.floor((stop - start) / step + 1e-9);
  if (steps >= MAX_THRESHOLDS) throw invalid(`${flag} has more than ${MAX_THRESHOLDS} thresholds: "${text}".`);
  return Array.from({ length: steps + 1 }, (_, index) => Number((start + index * step).toPrecision(12)));
}

/** The most parts that a run may be cut into. */
const MAX_SHARDS = 1_000_000;

/**
 * Reads `I/N`: part I, from 1, of N.
 *
 * @returns The part, from 0.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for anything else.
 */
export function readShard(text: string, flag: string): { readonly index: number; readonly count: number } {
  const [index, count] = (/^(\d+)\/(\d+)$/u.exec(text) ?? []).slice(1).map(Number);
  if (index === undefined || count === undefined || index < 1 || index > count || count > MAX_SHARDS) {
    throw invalid(`${flag} needs I/N, part I of N, for example 1/16, found "${text}".`);
  }
  return { index: index - 1, count };
}
