import type { Options } from 'yargs';

import { invalid, readNumber } from './values.js';
import type { NumberLimits } from './values.js';

/** What every option says, whatever its type. */
interface CommonDefinition {
  /** One line of the help. */
  readonly help: string;
  /** A single letter that means the same: `o` for `-o`. */
  readonly alias?: string;
  /** What stands for the value in the help, for example `FILE`. Default by type. */
  readonly metavar?: string;
  /** Heading of the help. */
  readonly group?: string;
  /** May be given more than once; the value is a list. */
  readonly list?: true;
  /** An argument without a flag; the usage of the command says at which place. */
  readonly positional?: true;
  /** The command does nothing without it. */
  readonly required?: true;
  /** What the help says of the default where `default` doesn't, since it depends on something. */
  readonly preset?: string;
  /** Other spellings, with underscores or from earlier versions: understood, and left out of the help. */
  readonly spellings?: readonly string[];
  /** The modes of the command in which the option changes something. Default: all. */
  readonly modes?: readonly string[];
  /** Options without which this one does nothing: one of them must be given. */
  readonly needs?: readonly string[];
  /** Sets a parameter of a scorer: its text is handed on in `scorerFlags`. */
  readonly setsScorer?: true;
}

/** A text, or the name of a file; `read` makes something else of it. */
interface TextDefinition extends CommonDefinition {
  readonly type: 'text' | 'file';
  /** A file that the command writes: it can't be one that it reads, or another one that it writes. */
  readonly writes?: true;
  readonly default?: string;
  /** Makes the value of the text; `flag` is for messages. */
  readonly read?: (text: string, flag: string) => unknown;
}

interface NumberDefinition extends CommonDefinition, Omit<NumberLimits, 'integer'> {
  readonly type: 'number' | 'integer';
  readonly default?: number;
}

interface ChoiceDefinition extends CommonDefinition {
  readonly type: 'choice';
  readonly choices: readonly string[];
  readonly default?: string;
}

interface FlagDefinition extends CommonDefinition {
  readonly type: 'flag';
}

/** An option as it is declared, once: parsing, types, help and the refusal of idle options follow from it. */
export type OptionDefinition = TextDefinition | NumberDefinition | ChoiceDefinition | FlagDefinition;

/** The options of a command by the names of the arguments: `advSrc` is `--adv-src`. */
export type OptionTable = Readonly<Record<string, OptionDefinition>>;

type ValueOf<D> = D extends { readonly read: (text: string, flag: string) => infer V }
  ? V
  : D extends { readonly type: 'flag' }
    ? boolean
    : D extends { readonly type: 'number' | 'integer' }
      ? number
      : D extends { readonly choices: readonly (infer C)[] }
        ? C
        : string;

type ArgumentOf<D> = D extends { readonly list: true } ? readonly ValueOf<D>[] : ValueOf<D>;

/** Those options of a table that always have a value. */
type CertainKeys<O> = {
  [K in keyof O]: O[K] extends { readonly default: unknown } | { readonly required: true } ? K : never;
}[keyof O];

/** The parsed arguments of a table of options. */
export type ValuesOf<O extends OptionTable> = {
  readonly [K in CertainKeys<O>]: ArgumentOf<O[K]>;
} & {
  readonly [K in Exclude<keyof O, CertainKeys<O>>]?: ArgumentOf<O[K]> | undefined;
};

/** The options that every command has. */
export const GENERAL_OPTIONS = {
  quiet: { type: 'flag', alias: 'q', help: 'No notes, warnings or progress', group: 'General:' },
  noColor: { type: 'flag', help: 'No colours (as the variable NO_COLOR)', group: 'General:' },
} as const satisfies OptionTable;

/** The arguments that every command has. */
export interface GeneralArguments extends ValuesOf<typeof GENERAL_OPTIONS> {
  /** The flags of scorers that were given, as text, by flag: for `createScorer`. */
  readonly scorerFlags?: Readonly<Record<string, unknown>>;
}

/** The parsed arguments of a command. */
export type ArgumentsOf<C> = C extends { readonly options: infer O extends OptionTable }
  ? ValuesOf<O> & GeneralArguments
  : never;

/** Options that change nothing beside the others that were given, each with the reason. */
export type Idle<O extends OptionTable> = { readonly [K in keyof O]?: string | false | undefined };

/** A command: everything about it but the code that runs. */
export interface Command<O extends OptionTable = OptionTable> {
  /** The name and the positional arguments: `import <format> [files..]`. */
  readonly usage: string;
  /** One line of `teapot --help`. */
  readonly describe: string;
  readonly options: O;
  /** Lines that work as they stand, each with what it does; `$0` is the program. */
  readonly examples: readonly (readonly [line: string, describe: string])[];
  /** The modes of the command, each with the words of messages: `files: 'line-aligned files (--src …)'`. */
  readonly modes?: Readonly<Record<string, string>>;
  /** Which of the modes was chosen. */
  mode?(args: ValuesOf<O> & GeneralArguments): string;
  /** Finds options that would do nothing, where `modes` and `needs` don't say it. Only those that were given are refused. */
  idle?(args: ValuesOf<O> & GeneralArguments): Idle<O>;
}

/**
 * Declares a command. The code that it runs is loaded apart (see `commands.ts`), so that help and completion need none of it.
 *
 * @example
 * export const count = defineCommand({
 *   usage: 'count <file>',
 *   describe: 'Count the lines of a file',
 *   options: { file: { type: 'file', positional: true, required: true, help: 'The file' } },
 *   examples: [['$0 count a.txt', 'The lines of a.txt']],
 * });
 * type CountArguments = ArgumentsOf<typeof count>; // { readonly file: string, … }
 */
export function defineCommand<const O extends OptionTable>(command: Command<O>): Command<O> {
  return command;
}

/** The name of a command: the first word of its usage. */
export function commandName({ usage }: Command): string {
  return usage.split(' ')[0] ?? '';
}

/** Options of a table for some modes of a command only. */
export function inModes<const O extends OptionTable, const M extends readonly string[]>(
  modes: M,
  options: O,
): { readonly [K in keyof O]: O[K] & { readonly modes: M } } {
  const entries = Object.entries(options).map(([name, option]) => [name, { ...option, modes }]);
  return Object.fromEntries(entries) as { readonly [K in keyof O]: O[K] & { readonly modes: M } };
}

/** Options of a table under a heading of the help. */
export function inGroup<const O extends OptionTable>(group: string, options: O): O {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { ...option, group }])) as O;
}

/** The flag of an argument without dashes: `advSrc` is `adv-src`. */
export function flagName(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

/** An argument as messages name it: `--adv-src`, or the bare name of a positional one. */
export function spell(name: string, option: OptionDefinition | undefined): string {
  return option?.positional === true ? flagName(name) : `--${flagName(name)}`;
}

/** The option as yargs declares it. Numbers are texts there: they are read, and refused, with the flag's name at hand. */
export function yargsOption(option: OptionDefinition): Options {
  return {
    type: option.type === 'flag' ? 'boolean' : 'string',
    ...(option.type !== 'flag' && option.positional !== true && { requiresArg: true }),
    ...(option.list === true && { array: true }),
    ...(option.alias !== undefined && { alias: option.alias }),
    ...(option.type === 'choice' && { choices: option.choices }),
    ...(option.required === true && option.positional !== true && { demandOption: true }),
  };
}

/**
 * Reads what yargs parsed: numbers become numbers, defaults are filled in, and options that would do nothing are refused.
 *
 * @param command The command with all its options, those of the user's scorers too.
 * @param parsed By flag without dashes.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` naming the option and what is wrong.
 */
export function readArguments(
  command: Command,
  parsed: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> & GeneralArguments {
  const args: Record<string, unknown> = {};
  const scorerFlags: Record<string, unknown> = {};
  const given: string[] = [];
  const table: OptionTable = { ...GENERAL_OPTIONS, ...command.options };
  for (const [name, option] of Object.entries(table)) {
    const raw = rawValue(name, option, parsed);
    if (raw !== undefined) given.push(name);
    if (option.setsScorer === true && raw !== undefined) scorerFlags[flagName(name)] = raw;
    args[name] = valueOf(name, option, raw);
  }
  const all = { ...args, scorerFlags } as ValuesOf<OptionTable> & GeneralArguments;
  refuseIdle(command, all, given);
  return all;
}

/** What was given under the option's name or another spelling of it; undefined for nothing. */
function rawValue(name: string, option: OptionDefinition, parsed: Readonly<Record<string, unknown>>): unknown {
  const values = [flagName(name), ...(option.spellings ?? [])]
    .map((flag) => parsed[flag])
    .filter((value) => value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0));
  if (values.length > 1) throw invalid(`${spell(name, option)} is given in two spellings: leave one out.`);
  return values[0];
}

function valueOf(name: string, option: OptionDefinition, raw: unknown): unknown {
  if (raw !== undefined) {
    const read = (value: unknown): unknown => readValue(spell(name, option), option, value);
    return Array.isArray(raw) ? raw.map(read) : read(raw);
  }
  if (option.type === 'flag' || option.default === undefined) return undefined;
  return typeof option.default === 'string' ? readValue(spell(name, option), option, option.default) : option.default;
}

function readValue(flag: string, option: OptionDefinition, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  switch (option.type) {
    case 'number':
    case 'integer': {
      return readNumber(flag, value, { ...option, integer: option.type === 'integer' });
    }
    case 'text':
    case 'file': {
      return option.read === undefined ? value : option.read(value, flag);
    }
    default: {
      return value;
    }
  }
}

/** An option that would do nothing misleads: the user believes that it did. */
function refuseIdle(command: Command, args: ValuesOf<OptionTable> & GeneralArguments, given: readonly string[]): void {
  const { modes = {}, options } = command;
  const mode = command.mode?.(args);
  const idle = command.idle?.(args) ?? {};
  for (const name of given) {
    const option = options[name];
    if (option === undefined) continue;
    const spelled = spell(name, option);
    if (mode !== undefined && option.modes !== undefined && !option.modes.includes(mode)) {
      const home = option.modes.map((one) => modes[one] ?? one).join(' or ');
      throw invalid(`${spelled} does nothing with ${modes[mode] ?? mode}: it belongs to ${home}.`);
    }
    if (option.needs !== undefined && !option.needs.some((needed) => given.includes(needed))) {
      throw invalid(`${spelled} does nothing without ${flags(option.needs, options)}.`);
    }
    const reason = idle[name];
    if (typeof reason === 'string') throw invalid(`${spelled} does nothing here: ${reason}.`);
  }
}

function flags(names: readonly string[], options: OptionTable): string {
  return names.map((name) => spell(name, options[name])).join(' or ');
}
