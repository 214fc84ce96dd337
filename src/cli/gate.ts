import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { DECIMAL } from '../score/parameters.js';
import { GateError } from './failure.js';

/** A condition of `--fail-if`: a number of the results compared with a limit. */
export interface Gate {
  /** As the user wrote it. */
  readonly text: string;
  readonly name: string;
  /** The rows that it is about: `all` together, or those with a value of a key; undefined for every row. */
  readonly only: 'all' | { readonly key: string; readonly value: string } | undefined;
  readonly operator: Operator;
  readonly limit: number;
}

/** The numbers of a row of the results: an attack, a group, or all of them together. */
export interface GatedRow {
  /** The group by its keys; null for all together, or for results of one row. */
  readonly group: Readonly<Record<string, string | null>> | null;
  /** All groups together under one of several metrics, which `group` names. */
  readonly isTotal?: true;
  /** By name, as JSON has them; null for what is undefined. */
  readonly numbers: ReadonlyMap<string, number | null>;
}

/** What a gate says of a row. */
export interface GateVerdict {
  readonly gate: Gate;
  /** The row in words: `attack charswap`; empty for results of one row. */
  readonly place: string;
  /** Null where the number is undefined. */
  readonly value: number | null;
  readonly state: 'passed' | 'fired' | 'undecided';
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
 * Reads a condition: `success_rate>0.3` for every attack and group, `success_rate[all]>0.3` for all of them together,
 * `success_rate[attack=charswap]>0.3` for one.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when it is no NAME, comparison and NUMBER.
 */
export function parseGate(text: string): Gate {
  const parts = /^\s*([\w.]+)(?:\[([^\]]*)\])?\s*(>=|<=|==|!=|>|<)\s*(\S+)\s*$/u.exec(text);
  const [, name, only, operator, limit] = parts ?? [];
  if (name === undefined || operator === undefined || limit === undefined || !DECIMAL.test(limit)) {
    throw invalidGate(
      text,
      `expected NAME, one of ${Object.keys(OPERATORS).join(' ')}, and a number, for example 'success_rate>0.3'`,
    );
  }
  return { text, name, only: readOnly(text, only), operator: operator as Operator, limit: Number(limit) };
}

function readOnly(text: string, only: string | undefined): Gate['only'] {
  if (only === undefined || only === 'all') return only;
  const equals = only.indexOf('=');
  if (equals < 1)
    throw invalidGate(text, 'expected [all] or [KEY=VALUE], for example success_rate[attack=charswap]>0.3');
  return { key: only.slice(0, equals), value: only.slice(equals + 1) };
}

function invalidGate(text: string, problem: string): UsageError {
  return new UsageError(ERROR_CODES.INVALID_OPTION, `--fail-if "${text}": ${problem}.`);
}

/**
 * Checks that conditions speak of numbers that there are: before the run, so that a slip costs nothing.
 *
 * @param names The numbers that the results will have.
 * @param keys What the results are grouped by.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` naming the nearest and all known numbers.
 */
export function checkGateNames(gates: readonly Gate[], names: readonly string[], keys: readonly string[] = []): void {
  for (const { text, name, only } of gates) {
    if (!names.includes(name)) {
      throw invalidGate(
        text,
        `this run gives no number "${name}".${didYouMean(name, names)} It gives: ${names.join(', ')}`,
      );
    }
    if (typeof only === 'object' && !keys.includes(only.key)) {
      const known = keys.length === 0 ? 'these results have no groups' : `they are grouped by ${keys.join(', ')}`;
      throw invalidGate(text, `there is no key "${only.key}": ${known}`);
    }
  }
}

/**
 * Applies every condition to every row that it is about.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when a condition is about no row: it would pass without a word.
 */
export function decideGates(gates: readonly Gate[], rows: readonly GatedRow[]): readonly GateVerdict[] {
  return gates.flatMap((gate) => {
    const { only } = gate;
    // Results of one row are all there is.
    const chosen = rows.filter(({ group, isTotal }) => {
      if (only === undefined) return true;
      if (only === 'all') return group === null || isTotal === true || rows.length === 1;
      return group?.[only.key] === only.value;
    });
    if (chosen.length === 0) throw invalidGate(gate.text, 'no attack or group of the results is meant by it');
    return chosen.map(({ group, isTotal, numbers }): GateVerdict => {
      const value = numbers.get(gate.name) ?? null;
      const holds = value !== null && OPERATORS[gate.operator](value, gate.limit);
      const state = value === null ? 'undecided' : holds ? 'fired' : 'passed';
      return { gate, place: placeOf(group, rows.length > 1, isTotal), value, state };
    });
  });
}

/**
 * Ends a run by what its gates say; the results were printed before.
 *
 * @throws {GateError} when one fires; it names every one that does, with its attack or group and the value.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when none fires and one can't be decided, since its number is undefined.
 */
export function enforceGates(verdicts: readonly GateVerdict[]): void {
  const fired = verdicts.filter(({ state }) => state === 'fired');
  const undecided = verdicts.filter(({ state }) => state === 'undecided');
  const open = undecided.map(({ gate, place }) => `${gate.text}${inPlace(place)}: ${gate.name} is undefined`);
  if (fired.length > 0) {
    const told = fired.map(({ gate, place, value }) => `${gate.text} (${gate.name}${inPlace(place)} is ${value})`);
    const rest = open.length === 0 ? '' : `; can't be decided: ${open.join('; ')}`;
    throw new GateError(`--fail-if holds: ${told.join('; ')}${rest}`);
  }
  if (open.length > 0) {
    throw new UsageError(ERROR_CODES.INVALID_OPTION, `--fail-if can't be decided: ${open.join('; ')}.`);
  }
}

/** Applies conditions to results of one row, and ends the run by what they say. */
export function applyGates(gates: readonly Gate[], numbers: ReadonlyMap<string, number | null>): void {
  enforceGates(decideGates(gates, [{ group: null, numbers }]));
}

/** A row in words: `attack charswap`, `all`; empty for results of one row. */
export function placeOf(group: GatedRow['group'], several: boolean, isTotal?: boolean): string {
  if (group === null) return several ? 'all' : '';
  if (isTotal === true) return `all, ${placeOf(group, several)}`;
  return Object.entries(group)
    .map(([key, value]) => `${key} ${value ?? '(none)'}`)
    .join(', ');
}

function inPlace(place: string): string {
  if (place === '') return '';
  return place === 'all' ? ' of all' : ` of ${place}`;
}
