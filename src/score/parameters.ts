import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { describe } from './pairs.js';

/** The value of a scorer's parameter. */
export type ParameterValue = string | number | boolean;

/** The values of all parameters of a scorer; `undefined` where nothing was given and there is no default. */
export type ParameterValues = Readonly<Record<string, ParameterValue | undefined>>;

/** One parameter of a scorer: what `--s-src chrf:beta=1` may say, and what help and messages tell about it. */
export interface ParameterDefinition {
  /** The name before the `=`: snake_case, for example `char_order`. */
  readonly name: string;
  /** How the text after the `=` is read. `boolean` takes yes/no, true/false, on/off, 1/0. */
  readonly type: 'integer' | 'number' | 'boolean' | 'choice' | 'text';
  /** The value when none is given. */
  readonly default?: ParameterValue;
  /** What an integer or number must be greater than. */
  readonly above?: number;
  /** Smallest value of an integer or number, inclusive. */
  readonly minimum?: number;
  /** Largest value of an integer or number, inclusive. */
  readonly maximum?: number;
  /** What an integer or number must be less than. */
  readonly below?: number;
  /** Every value of a choice. */
  readonly choices?: readonly string[];
  /** One sentence for `-h` and `teapot list scorers`. */
  readonly help: string;
  /** Name of a command line flag that sets the parameter too, without dashes, for example `meteor-jar`. */
  readonly flag?: string;
}

/** A scorer as the user names it: `key:param=value,param=value`, taken apart but not yet checked. */
export interface ScorerSpec {
  /** The key before the colon. */
  readonly key: string;
  /** What was given, as text, in the order given. */
  readonly given: ReadonlyMap<string, string>;
}

const YES = new Set(['yes', 'true', 'on', '1']);
const NO = new Set(['no', 'false', 'off', '0']);

/**
 * Takes `key:param=value,param=value` apart. Keys and names are not checked here: that needs the scorer.
 *
 * @param text For example `chrf`, `chrf:beta=1,lowercase=yes`. Blanks around names and values are removed.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the key is empty, a part has no `=` or a name is given twice.
 */
export function parseScorerSpec(text: string): ScorerSpec {
  const colon = text.indexOf(':');
  const key = (colon < 0 ? text : text.slice(0, colon)).trim();
  if (key === '') {
    throw new UsageError(ERROR_CODES.UNKNOWN_SCORER, `"${text}" names no scorer: expected a key, for example chrf`);
  }
  const given = new Map<string, string>();
  if (colon < 0) return { key, given };
  for (const part of text.slice(colon + 1).split(',')) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(equals, 0)).trim();
    if (name === '') {
      throw invalid(`"${text}": found "${part.trim()}", expected ${key}:param=value,param=value`);
    }
    if (given.has(name)) throw invalid(`"${text}": parameter "${name}" is given twice`);
    given.set(name, part.slice(equals + 1).trim());
  }
  return { key, given };
}

/**
 * Reads what was given for the parameters of a scorer and fills in the defaults.
 *
 * @param scorer Key of the scorer, for messages.
 * @param definitions The scorer's parameters.
 * @param given Texts from the spec.
 * @param flags Values of command line flags; only those that a definition names are looked at.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for an unknown parameter (with the nearest and all known ones), a
 *   value of the wrong type or out of range, or a parameter given both in the spec and by its flag.
 */
export function readParameters(
  scorer: string,
  definitions: readonly ParameterDefinition[],
  given: ReadonlyMap<string, string>,
  flags: Readonly<Record<string, unknown>> = {},
): ParameterValues {
  const known = definitions.map((definition) => definition.name);
  for (const name of given.keys()) {
    if (!known.includes(name)) {
      throw invalid(
        known.length === 0
          ? `scorer ${scorer} takes no parameters, found "${name}"`
          : `scorer ${scorer} has no parameter "${name}".${didYouMean(name, known)} It has: ${known.join(', ')}`,
      );
    }
  }
  return Object.fromEntries(
    definitions.map((definition) => [definition.name, readOne(scorer, definition, given, flags)]),
  );
}

function readOne(
  scorer: string,
  definition: ParameterDefinition,
  given: ReadonlyMap<string, string>,
  flags: Readonly<Record<string, unknown>>,
): ParameterValue | undefined {
  const text = given.get(definition.name);
  const flagValue = definition.flag === undefined ? undefined : flags[definition.flag];
  if (flagValue === undefined || flagValue === null) {
    return text === undefined ? definition.default : parseParameter(definition, text, `${scorer}:${definition.name}`);
  }
  if (text !== undefined) {
    throw invalid(
      `${scorer}:${definition.name} and --${definition.flag} both set the same parameter: give one of them`,
    );
  }
  return parseParameter(definition, String(flagValue), `--${definition.flag}`);
}

/**
 * Reads the value of one parameter.
 *
 * @param definition The parameter.
 * @param text What the user wrote.
 * @param where How messages name the place, for example `chrf:beta` or `--value`.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the text is no such value or out of range.
 */
export function parseParameter(definition: ParameterDefinition, text: string, where: string): ParameterValue {
  switch (definition.type) {
    case 'boolean': {
      const word = text.toLowerCase();
      if (YES.has(word)) return true;
      if (NO.has(word)) return false;
      throw invalid(`${where}: found "${text}", expected yes or no`);
    }
    case 'choice': {
      const choices = definition.choices ?? [];
      if (choices.includes(text)) return text;
      throw invalid(
        `${where}: found "${text}".${text.length > 1 ? didYouMean(text, choices) : ''} Expected one of: ${choices.join(', ')}`,
      );
    }
    case 'text': {
      if (text === '') throw invalid(`${where}: found nothing, expected a text`);
      return text;
    }
    default: {
      return parseNumber(definition, text, where);
    }
  }
}

function parseNumber(definition: ParameterDefinition, text: string, where: string): number {
  const pattern = definition.type === 'integer' ? /^[+-]?\d+$/ : DECIMAL;
  const value = Number(text);
  if (!pattern.test(text) || !isInRange(definition, value)) {
    throw invalid(`${where}: found "${text}", expected ${describeRange(definition)}`);
  }
  return value;
}

function isInRange(definition: ParameterDefinition, value: number): boolean {
  const { above = -Infinity, minimum = -Infinity, maximum = Infinity, below = Infinity } = definition;
  return Number.isFinite(value) && value > above && value >= minimum && value <= maximum && value < below;
}

/**
 * Checks options that a program gives, by the definitions that the command line reads its texts by.
 *
 * @param who What takes the options, for messages: `chrf`, `evaluate`.
 * @param definitions By the names of the options; a function stands for a check of its own, which gives what it expected
 *   where it is not met.
 * @param options Undefined values count as not given.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` naming the option that is unknown (with the nearest one), of a wrong type
 *   or out of range.
 */
export function checkOptions(
  who: string,
  definitions: Readonly<Record<string, ParameterDefinition | ((value: unknown) => string | undefined)>>,
  options: Readonly<Record<string, unknown>>,
): void {
  const known = Object.keys(definitions);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (definition === undefined) {
      throw invalid(`${who}: there is no option "${name}".${didYouMean(name, known)} It has: ${known.join(', ')}`);
    }
    const expected = typeof definition === 'function' ? definition(value) : expectedOf(definition, value);
    if (expected !== undefined) throw invalid(`${who}: ${name} is ${describe(value)}, expected ${expected}`);
  }
}

/** What a value should have been; undefined when it is that. */
function expectedOf(definition: ParameterDefinition, value: unknown): string | undefined {
  const { type, choices = [] } = definition;
  const isRight =
    type === 'boolean'
      ? typeof value === 'boolean'
      : type === 'integer' || type === 'number'
        ? typeof value === 'number' &&
          isInRange(definition, value) &&
          (type === 'number' || Number.isSafeInteger(value))
        : typeof value === 'string' && (type === 'choice' ? choices.includes(value) : value !== '');
  if (isRight) return undefined;
  return type === 'boolean' ? 'true or false' : `${type === 'choice' ? 'one of ' : ''}${describeRange(definition)}`;
}

/** A decimal number as every language writes it: sign, digits, fraction, exponent. No hexadecimal, NaN or infinity. */
export const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Says in words what a parameter accepts, for messages and help: `an integer from 1 to 64`, `yes or no`, `13a, none`. */
export function describeRange(definition: ParameterDefinition): string {
  const { above, below, minimum, maximum } = definition;
  switch (definition.type) {
    case 'boolean': {
      return 'yes or no';
    }
    case 'choice': {
      return (definition.choices ?? []).join(', ');
    }
    case 'text': {
      return 'a text';
    }
    default: {
      const what = definition.type === 'integer' ? 'an integer' : 'a number';
      if (above !== undefined && below !== undefined) return `${what} above ${above} and below ${below}`;
      if (above !== undefined) return `${what} above ${above}${maximum === undefined ? '' : `, at most ${maximum}`}`;
      if (minimum !== undefined && maximum !== undefined) return `${what} from ${minimum} to ${maximum}`;
      if (minimum !== undefined && below !== undefined) return `${what} from ${minimum}, below ${below}`;
      if (minimum !== undefined) return `${what} of at least ${minimum}`;
      if (maximum !== undefined) return `${what} of at most ${maximum}`;
      return what;
    }
  }
}

/** The value of a boolean parameter. */
export function booleanOf(values: ParameterValues, name: string): boolean {
  return values[name] === true;
}

/** The value of an integer or number parameter; a definition without default and value gives NaN. */
export function numberOf(values: ParameterValues, name: string): number {
  const value = values[name];
  return typeof value === 'number' ? value : Number.NaN;
}

/** The value of a text or choice parameter; empty when there is none. */
export function textOf(values: ParameterValues, name: string): string {
  const value = values[name];
  return typeof value === 'string' ? value : '';
}

/** Writes a value as a spec does: booleans as yes and no. */
export function formatParameter(value: ParameterValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

function invalid(message: string): UsageError {
  return new UsageError(ERROR_CODES.INVALID_OPTION, message);
}
