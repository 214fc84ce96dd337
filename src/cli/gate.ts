import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { DECIMAL } from '../score/parameters.js';
import { GateError } from './failure.js';

/** A condition of `--fail-if`: a number of the results compared with a limit. */
export interface Gate {
  /** As the user wrote it. */
  readonly text: string;
  readonly name: string;
  readonly operator: Operator;
  readonly limit: number;
}

const OPERATORS = {
  '>=': (value: number, limit: number) => value >= limit,
  '<=': (value: number, limit: number) => value <= limit,
  '==': (value: number, limit: number) => value === limit,
  '!=': (value: number, limit: number) => value !== limit,
  '>': (value: number, limit: number) => value > limit,
  '<': (value: number, limit: number) => value < limit,
} as const;

type Operator = keyof typeof OPERATORS;

/**
 * Reads a condition such as `success_rate>0.3`.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when it is no NAME, comparison and NUMBER.
 */
export function parseGate(text: string): Gate {
  const parts = /^\s*([\w.]+)\s*(>=|<=|==|!=|>|<)\s*(\S+)\s*$/.exec(text);
  const [, name, operator, limit] = parts ?? [];
  if (name === undefined || operator === undefined || limit === undefined || !DECIMAL.test(limit)) {
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `--fail-if "${text}": expected NAME, one of ${Object.keys(OPERATORS).join(' ')}, and a number, for example 'success_rate>0.3'.`,
    );
  }
  return { text, name, operator: operator as Operator, limit: Number(limit) };
}

/**
 * Checks that conditions speak of numbers that there are: before the run, so that a slip costs nothing.
 *
 * @param names The numbers that the results will have.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` naming the nearest and all known numbers.
 */
export function checkGateNames(gates: readonly Gate[], names: readonly string[]): void {
  for (const { text, name } of gates) {
    if (!names.includes(name)) {
      throw new UsageError(
        ERROR_CODES.INVALID_OPTION,
        `--fail-if "${text}": this run gives no number "${name}".${didYouMean(name, names)} It gives: ${names.join(', ')}.`,
      );
    }
  }
}

/**
 * Applies the conditions to the results.
 *
 * @param numbers The results by name, as the JSON output has them; null for what is undefined.
 * @throws {GateError} when one holds; it names every one that does, with the value.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when a number is undefined: the gate would pass without a word.
 */
export function applyGates(gates: readonly Gate[], numbers: ReadonlyMap<string, number | null>): void {
  const fired: string[] = [];
  for (const { text, name, operator, limit } of gates) {
    const value = numbers.get(name) ?? null;
    if (value === null) {
      throw new UsageError(ERROR_CODES.INVALID_OPTION, `--fail-if "${text}": ${name} is undefined in these results.`);
    }
    if (OPERATORS[operator](value, limit)) fired.push(`${text} (${name} is ${value})`);
  }
  if (fired.length > 0) throw new GateError(`--fail-if holds: ${fired.join('; ')}`);
}
