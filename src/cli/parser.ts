import { strip } from '../read/whitespace.js';
import yargs from 'yargs';
import type { Argv, PositionalOptions } from 'yargs';
import type { UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { version } from '../version.js';
import { commandName, flagName, GENERAL_OPTIONS, readArguments, yargsOption } from './command.js';
import type { Command, OptionTable } from './command.js';
import { allCommands, COMMANDS, SCORE } from './commands.js';
import type { RunnableCommand } from './commands.js';
import { loadCustomFlags } from './custom-flags.js';
import { invalid } from './values.js';

/**
 * Parses the arguments and runs the command they name.
 *
 * @param args Without the interpreter and the script.
 * @throws {UsageError} when the arguments are wrong; whatever the command throws.
 */
export async function run(args: readonly string[]): Promise<void> {
  const scorerOptions = await loadCustomFlags(args, takenFlags());
  if (asksForHelp(args)) await printHelp(args, scorerOptions);
  else await createParser(args, scorerOptions).parseAsync();
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === '--help' || arg === '-h');
}

/** Prints the help of the command that the arguments name, else of the program. */
async function printHelp(args: readonly string[], scorerOptions: OptionTable): Promise<void> {
  const [{ helpText }, { printResult }] = await Promise.all([import('./print-help.js'), import('./terminal.js')]);
  const commands = allCommands().map((command) => withScorerOptions(command, scorerOptions));
  const first = args.find((arg) => !arg.startsWith('-'));
  const name = commands.map(commandName).find((one) => one === first);
  await printResult(helpText(name, commands));
}

/** The command with the options of the user's scorers, if it takes their modules. */
function withScorerOptions(command: Command, scorerOptions: OptionTable): Command {
  if (!Object.hasOwn(command.options, 'customScoresSource')) return command;
  return { ...command, options: { ...command.options, ...scorerOptions } };
}

/** The flags of all commands: an option of a user's scorer can't be a flag of that name. */
function takenFlags(): ReadonlySet<string> {
  const tables = allCommands().map(({ options }) => options);
  const names = [GENERAL_OPTIONS as OptionTable, ...tables].flatMap((table) =>
    Object.entries(table).flatMap(([name, { alias = [], spellings = [] }]) =>
      [flagName(name), alias, spellings].flat(),
    ),
  );
  return new Set([...names, 'help', 'h', 'version', 'V']);
}

/**
 * Makes the bare parser: strict, no exit, no output but help; every failure is thrown.
 *
 * @param args Without the interpreter and the script.
 * @param scorerOptions The options of the user's scorers.
 */
export function createParser(args: readonly string[], scorerOptions: OptionTable = {}): Argv {
  const parser = yargs(args.map((arg) => (arg === '-' ? HIDDEN_DASH : arg)))
    .scriptName('teapot')
    .detectLocale(false)
    .parserConfiguration({
      // `--ref a b` takes one file: the next word is never eaten without a word about it.
      'greedy-arrays': false,
      'boolean-negation': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'short-option-groups': false,
      'camel-case-expansion': false,
    })
    .help(false)
    .option('help', { type: 'boolean', alias: 'h' })
    .version('version', 'The version', version())
    .strict()
    .exitProcess(false)
    .check((argv, options) => refuseRepeatedAndEmpty(argv, options as unknown as ParserOptions, args), true);
  declare(parser, GENERAL_OPTIONS);
  parser.fail((message: string | null, error: Error | undefined) => {
    if (error !== undefined && error !== null && error.name !== 'YError') throw error;
    throw usageError(
      (message ?? error?.message ?? '').replaceAll(HIDDEN_DASH, '-'),
      args,
      (parser as unknown as HasOptions).getOptions(),
    );
  });
  const { records: _records, ...unnamed } = SCORE.command.options;
  register(parser, { ...SCORE, command: { ...SCORE.command, options: unnamed } }, scorerOptions, '$0');
  register(parser, SCORE, scorerOptions);
  for (const command of COMMANDS) register(parser, command, scorerOptions);
  leaveHelpUnwritten(parser);
  return parser as Argv;
}

/**
 * Keeps yargs from laying out the help page of a command whenever the command runs: a quarter of the start, for a page that
 * nobody sees. Pages of help are those of `print-help.ts`.
 */
function leaveHelpUnwritten(parser: Argv): void {
  const { getInternalMethods } = parser as unknown as HasInternals;
  Object.assign(getInternalMethods?.call(parser).getUsageInstance() ?? {}, { cacheHelpMessage() {} });
}

/** The part of yargs that lays out pages of help; its typings don't say, and another version may not have it. */
interface HasInternals {
  readonly getInternalMethods?: () => { getUsageInstance(): object };
}

/** Registers a command; its code stays unloaded until it runs. */
function register(
  parser: Argv,
  { command, run: runCommand }: RunnableCommand,
  scorerOptions: OptionTable,
  usage = command.usage,
): void {
  const full = withScorerOptions(command, scorerOptions);
  parser.command({
    command: [usage],
    describe: command.describe,
    builder: (commandParser: Argv) => {
      declare(commandParser, full.options);
      return commandParser;
    },
    handler: async (argv) => {
      const args = readArguments(full, showDashes(argv));
      const { refuseSharedFiles } = await import('./refuse-shared-files.js');
      await refuseSharedFiles(full, args);
      return runCommand(args);
    },
  });
}

/** Declares the options of a table. */
function declare(parser: Argv, options: OptionTable): void {
  for (const [name, option] of Object.entries(options)) {
    const declared = yargsOption(option);
    if (option.positional === true) parser.positional(flagName(name), declared as PositionalOptions);
    else parser.option(flagName(name), declared);
    for (const spelling of option.spellings ?? [])
      parser.option(spelling, { type: 'string', requiresArg: true, hidden: true });
  }
}

/** yargs drops a lone dash, the name of standard input, from a list of positionals: it goes through under this name. */
const HIDDEN_DASH = '\uE000-';

function showDashes(argv: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const show = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(show);
    return value === HIDDEN_DASH ? '-' : value;
  };
  return Object.fromEntries(Object.entries(argv).map(([name, value]) => [name, show(value)]));
}

/** What yargs knows about the declared options; its typings don't say. */
interface ParserOptions {
  readonly array: readonly string[];
  readonly number: readonly string[];
  readonly string: readonly string[];
  readonly boolean: readonly string[];
  readonly alias: Readonly<Record<string, readonly string[]>>;
  readonly key: Readonly<Record<string, unknown>>;
}

interface HasOptions {
  getOptions(): ParserOptions;
}

/** An option given twice would silently win or lose, an empty or non-numeric value would become something else. */
function refuseRepeatedAndEmpty(argv: Record<string, unknown>, options: ParserOptions, args: readonly string[]): true {
  for (const name of [...options.string, ...options.number, ...options.boolean]) {
    const value = argv[name];
    if (Array.isArray(value) && !options.array.includes(name)) {
      throw invalid(`${flag(name)} is given ${value.length} times, but takes one value.`);
    }
    if (Number.isNaN(value)) throw invalid(`${flag(name)} needs a number, found "${rawValue(name, args)}".`);
    for (const text of Array.isArray(value) ? value : [value]) {
      if (text === '') throw invalid(`${flag(name)} is empty.`);
    }
  }
  return true;
}

/** The text the user wrote as the value of an option, for the message about it. */
function rawValue(name: string, args: readonly string[]): string {
  const spelling = flag(name);
  const joined = args.find((arg) => arg.startsWith(`${spelling}=`));
  return joined?.slice(spelling.length + 1) ?? args[args.indexOf(spelling) + 1] ?? '';
}

/** Turns one of yargs' messages into an error that names the argument as the user wrote it and the nearest known one. */
function usageError(message: string, args: readonly string[], options: ParserOptions): UsageError {
  const unknown = /^Unknown (?:arguments?|commands?): (.*)$/s.exec(message)?.[1];
  if (unknown !== undefined) return unknownArgument(unknown.split(', '), args, options);
  const lacking = /^Not enough arguments following: (.*)$/s.exec(message)?.[1];
  if (lacking !== undefined) {
    return invalid(`${flag(lacking)} needs a value. (A value that begins with a dash is written ${flag(lacking)}=-…)`);
  }
  const choice = /Argument: (.*), Given: (.*), Choices: (.*)$/s.exec(message);
  if (choice?.[1] !== undefined) return invalidChoice(choice[1], choice[2] ?? '', choice[3] ?? '', args);
  const lack = /^Not enough non-option arguments: got (\d+)/.exec(message)?.[1];
  if (lack !== undefined) return missingArgument(Number(lack), args);
  return invalid(`${message.split('\n').map(strip).join(' ').trim()} See "teapot --help".`);
}

/** Says which argument a command lacks. */
function missingArgument(given: number, args: readonly string[]): UsageError {
  const command = allCommands().find((one) => args.includes(commandName(one)));
  const [name, option] =
    Object.entries(command?.options ?? {}).filter(([, { positional }]) => positional === true)[given] ?? [];
  if (command === undefined || name === undefined || option === undefined)
    return invalid('An argument is missing. See "teapot --help".');
  const usage = `teapot ${command.usage}`;
  return invalid(
    `teapot ${commandName(command)} needs <${flagName(name)}> (${option.help}): ${usage}. See "teapot help ${commandName(command)}".`,
  );
}

function invalidChoice(name: string, given: string, choices: string, args: readonly string[]): UsageError {
  const known = choices.split(', ').map((choice) => choice.replaceAll('"', ''));
  const suggestion = didYouMean(given.replaceAll('"', ''), known);
  // yargs calls positionals and options alike.
  const label = args.some((arg) => arg.split('=')[0] === flag(name)) ? flag(name) : name;
  return invalid(`${label} can't be ${given}.${suggestion} It is one of ${known.join(', ')}.`);
}

function unknownArgument(names: readonly string[], args: readonly string[], options: ParserOptions): UsageError {
  const known = Object.keys(options.key).filter((name) => name.length > 1 && !/[A-Z]/.test(name));
  for (const arg of args) {
    const name = /^--?([^=]+)/.exec(arg)?.[1];
    if (name !== undefined && names.includes(name)) {
      const suggestion = didYouMean(
        `--${name}`,
        known.map((key) => `--${key}`),
      );
      return invalid(`Unknown option ${arg.split('=')[0]}.${suggestion} See "teapot --help".`);
    }
  }
  const word = names[0] ?? '';
  if (args.indexOf(word) > 0) {
    return invalid(
      `Unexpected argument "${word}" after "${args[args.indexOf(word) - 1]}": an option takes one value; repeat the option for more.`,
    );
  }
  const commands = allCommands().map(commandName);
  return invalid(`Unknown command "${word}".${didYouMean(word, commands)} See "teapot --help".`);
}

function flag(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}
