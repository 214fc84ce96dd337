import { ERROR_CODES, UsageError } from '../../errors.js';
import { didYouMean } from '../../nearest.js';
import { describeRange, formatParameter, parseParameter } from '../../score/parameters.js';
import type { ParameterDefinition, ParameterValue } from '../../score/parameters.js';

/** A part of an attack that can be asked for by name: a transformation, a constraint or a search method. */
export interface Block {
  readonly name: string;
  /** What it does, in one line. */
  readonly description: string;
  /** Who described it first, with the version of what was followed. */
  readonly source: string;
  /** Its parameters as `name=value|value`, the default first. */
  readonly parameters: readonly string[];
}

/** An error in the text of a block. */
export function wrongBlock(message: string): UsageError {
  return new UsageError(ERROR_CODES.INVALID_OPTION, message);
}

/**
 * The entry that a text names.
 *
 * @param flag The option, for messages.
 * @param list The `teapot list` that shows the names.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` with the nearest name and all names.
 */
export function blockNamed<T>(flag: string, text: string, entries: ReadonlyMap<string, T>, list: string): T {
  const name = nameOf(text);
  const entry = entries.get(name);
  if (entry !== undefined) return entry;
  const names = [...entries.keys()];
  throw wrongBlock(
    `${flag} ${text}: no such ${list === 'searches' ? 'search method' : list.slice(0, -1)}.${didYouMean(name, names)} Expected one of ${names.join(', ')} (teapot list ${list})`,
  );
}

/** The name in `NAME:param=value,param=value` or `NAME=VALUE`. */
export function nameOf(text: string): string {
  return /^[^:=]*/u.exec(text)?.[0] ?? '';
}

/**
 * Reads the parameters after `NAME:`. A value without a name is that of the first parameter.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for an unknown parameter, one given twice, or a value out of range.
 */
export function readBlockParameters(
  flag: string,
  text: string,
  definitions: readonly ParameterDefinition[],
): Readonly<Record<string, ParameterValue | undefined>> {
  const name = nameOf(text);
  const values: Record<string, ParameterValue | undefined> = Object.fromEntries(
    definitions.map((definition) => [definition.name, definition.default]),
  );
  const rest = text.slice(name.length + 1);
  if (text === name) return values;
  const seen = new Set<string>();
  for (const part of rest.split(',')) {
    const equals = part.indexOf('=');
    const key = equals === -1 ? definitions[0]?.name : part.slice(0, equals);
    const definition = definitions.find((one) => one.name === key);
    if (key === undefined || definition === undefined) {
      const known = definitions.length === 0 ? 'none' : definitions.map((one) => one.name).join(', ');
      throw wrongBlock(`${flag} ${text}: found "${part}", expected parameters of ${name}: ${known}`);
    }
    if (seen.has(key)) throw wrongBlock(`${flag} ${text}: "${key}" is given twice`);
    seen.add(key);
    values[key] = parseParameter(definition, part.slice(equals + 1), `${flag} ${name}:${key}`);
  }
  return values;
}

/** The parameters of a block as lists show them. */
export function shownParameters(definitions: readonly ParameterDefinition[]): readonly string[] {
  return definitions.map((definition) => {
    const preset = definition.default === undefined ? '' : formatParameter(definition.default);
    const { choices } = definition;
    if (choices !== undefined)
      return `${definition.name}=${[...new Set([preset, ...choices])].filter(Boolean).join('|')}`;
    return `${definition.name}=${preset === '' ? describeRange(definition) : preset}`;
  });
}
