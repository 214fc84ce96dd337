import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { version } from '../version.js';
import { BUILT_IN_SCORERS } from './built-in-scorers.js';
import { ExecScorer } from './exec-scorer.js';
import { parseScorerSpec, readParameters } from './parameters.js';
import type { ParameterDefinition } from './parameters.js';
import type { ScorerContext, ScorerDefinition } from './definition.js';
import type { Scorer } from './scorer.js';

/** A command line flag that sets a parameter of one or more scorers. */
export interface ScorerFlag {
  /** The flag without dashes, for example `meteor-jar`. */
  readonly flag: string;
  /** What it sets. */
  readonly parameter: ParameterDefinition;
  /** The scorers that take it. */
  readonly scorers: readonly ScorerDefinition[];
}

/** How a spec that names a program begins. */
const EXEC = 'exec:';

const definitions = new Map<string, ScorerDefinition>(BUILT_IN_SCORERS.map((one) => [one.key, one]));

/**
 * Makes a scorer known under its key; it takes the place of a scorer that had the key or alias before.
 *
 * @returns `replaced`: the definition that had the key before; `undo`: puts things back as they were.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the key is no key (`exec` is taken by programs).
 */
export function registerScorer(definition: ScorerDefinition): {
  readonly replaced: ScorerDefinition | undefined;
  readonly undo: () => void;
} {
  const { key } = definition;
  if (!/^[a-z][a-z0-9_+-]*$/.test(key) || key === 'exec') {
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `"${key}" can't be the key of a scorer: expected lower case letters, digits, "_", "+" or "-"`,
    );
  }
  const before = new Map(definitions);
  const replaced = findDefinition(key);
  definitions.set(key, definition);
  return {
    replaced,
    undo: () => {
      definitions.clear();
      for (const [name, one] of before) definitions.set(name, one);
    },
  };
}

/** All scorers that can be named, built-in ones first, in the order in which they were registered. */
export function listScorers(): readonly ScorerDefinition[] {
  return [...definitions.values()];
}

/**
 * The flags of all known scorers.
 *
 * @param reserved Flags that mean something else; a parameter whose flag is among them can only be set by `key:param=value`.
 */
export function scorerFlags(reserved: ReadonlySet<string> = new Set()): readonly ScorerFlag[] {
  const flags = new Map<string, ScorerFlag>();
  for (const definition of definitions.values()) {
    for (const parameter of definition.parameters) {
      const { flag } = parameter;
      if (flag === undefined || reserved.has(flag)) continue;
      const known = flags.get(flag);
      flags.set(flag, {
        flag,
        parameter: known?.parameter ?? parameter,
        scorers: [...(known?.scorers ?? []), definition],
      });
    }
  }
  return [...flags.values()];
}

/**
 * Refuses a flag that belongs to a scorer which is not used: it would do nothing, silently.
 *
 * @param flags Values by flag name, undefined where the flag was not given.
 * @param specs The scorers that are used, by the flag that names them, for example `{ 's-src': 'chrf' }`.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` naming the flag, its scorers and the scorers in use.
 */
export function refuseUnusedFlags(
  flags: Readonly<Record<string, unknown>>,
  specs: Readonly<Record<string, string | readonly string[]>>,
): void {
  const used = new Set(Object.values(specs).flat().map(scorerDefinition));
  for (const { flag, scorers } of scorerFlags()) {
    const value = flags[flag];
    if (value === undefined || value === null || scorers.some((scorer) => used.has(scorer))) continue;
    const owners = scorers.map((scorer) => scorer.key).join(', ');
    const inUse = Object.entries(specs).map(([name, spec]) => `--${name} is ${[spec].flat().join(',')}`);
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `--${flag} does nothing here: it belongs to the scorer ${owners}, but ${inUse.join(' and ')}`,
    );
  }
}

/**
 * Makes a scorer from the way the user names it.
 *
 * @param spec `key`, `key:param=value,param=value`, or `exec:PROGRAM ARGUMENTS`.
 * @param context The run.
 * @throws {UsageError} `ERR_TEAPOT_UNKNOWN_SCORER` with the nearest and all known keys; `ERR_TEAPOT_INVALID_OPTION` for
 *   a parameter that is unknown, has a wrong value or does nothing beside another one.
 */
export async function createScorer(spec: string, context: ScorerContext = {}): Promise<Scorer> {
  const references = `nrefs:${context.referenceCount ?? 1}`;
  if (spec.startsWith(EXEC)) {
    const command = spec.slice(EXEC.length);
    return new ExecScorer(command, {
      silenceMs: context.silenceMs,
      signature: `exec:${command.trim()}|${references}|version:${version()}`,
    });
  }
  const { key, given } = parseScorerSpec(spec);
  const definition = findDefinition(key);
  if (definition === undefined) throw unknownScorer(key);
  const flags = context.flags ?? {};
  const values = readParameters(definition.key, definition.parameters, given, flags);
  const set = new Set(given.keys());
  for (const { name, flag } of definition.parameters)
    if (flag !== undefined && flags[flag] !== undefined) set.add(name);
  return definition.create(values, { ...context, version: version() }, set);
}

/** The definition of the scorer that a spec names; undefined for a program and for an unknown key. */
export function scorerDefinition(spec: string): ScorerDefinition | undefined {
  return spec.startsWith(EXEC) ? undefined : findDefinition(parseScorerSpec(spec).key);
}

function findDefinition(key: string): ScorerDefinition | undefined {
  return definitions.get(key) ?? listScorers().find((definition) => definition.aliases?.includes(key));
}

function unknownScorer(key: string): UsageError {
  const known = listScorers().flatMap(({ key: one, aliases = [] }) => [one].concat(aliases));
  known.push('exec:PROGRAM');
  const hint = key === 'exec' ? ' A program is named exec:PROGRAM ARGUMENTS.' : didYouMean(key, known);
  return new UsageError(
    ERROR_CODES.UNKNOWN_SCORER,
    `There is no scorer "${key}".${hint} Known: ${known.join(', ')}. A scorer of your own comes from the option \`customScoresSource\``,
  );
}
