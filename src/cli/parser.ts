import yargs from 'yargs';
import type { Argv, Options } from 'yargs';
import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { version } from '../version.js';
import { loadCustomFlags } from './custom-flags.js';
import { SCORE_EXAMPLES, scoreCommandOptions, scoreOptions } from './options.js';
import { terminalWidth } from './terminal-width.js';

/** A command as its module exports it: a yargs `CommandModule`. */
interface LoadedCommand {
  readonly builder?: unknown;
  readonly handler: (argv: never) => void | Promise<void>;
}

/** A line of the table of commands: what the parser must know before the module is loaded. */
interface CommandEntry {
  /** The name and its positionals, in yargs' notation: `list <what>`. */
  readonly usage: string;
  /** One line of `teapot --help`. */
  readonly describe: string;
  /** Loads the command's module. */
  readonly load: () => Promise<{ readonly command: LoadedCommand }>;
}

/** Every command. A new one adds a line; its module is loaded only when it runs or when its own help is asked for. */
const COMMANDS: readonly CommandEntry[] = [
  {
    usage: 'attack',
    describe: 'Attack the inputs or the prompts of a model under a query budget',
    load: () => import('./commands/attack.js'),
  },
  {
    usage: 'importance [text..]',
    describe: 'Which words an answer hangs on, by leaving each out',
    load: () => import('./commands/importance.js'),
  },
  {
    usage: 'import <format> [files..]',
    describe: "Read other tools' logs, tables or parallel files into attack records",
    load: () => import('./commands/import.js'),
  },
  {
    usage: 'export <format> <records..>',
    describe: "Write attack records as parallel files, TextAttack's CSV or a plain table",
    load: () => import('./commands/export.js'),
  },
  {
    usage: 'perturb [input]',
    describe: 'Edit every line of a text by an attack that asks no victim',
    load: () => import('./commands/perturb.js'),
  },
  {
    usage: 'pdr <records..>',
    describe: 'Tables of performance drop rates (PDR) from attack records',
    load: () => import('./commands/pdr.js'),
  },
  {
    usage: 'transfer <records..>',
    describe: 'How far attacks made on one model work on another: attack by source→target model',
    load: () => import('./commands/transfer.js'),
  },
  {
    usage: 'edits [records..]',
    describe: 'What attacks did to texts: edits by kind, and s_src as a reader sees it',
    load: () => import('./commands/edits.js'),
  },
  {
    usage: 'compare <a> <b>',
    describe: 'Compare two runs item by item: fixed, broken, unchanged, with paired tests',
    load: () => import('./commands/compare.js'),
  },
  {
    usage: 'audit [records..]',
    describe: 'Find contradictions, no-op attacks, damaged labels, misaligned lines, mixed-up scales, duplicates',
    load: () => import('./commands/audit.js'),
  },
  {
    usage: 'explain [records..]',
    describe: 'Why one record or line is successful or not: scores, n-grams, aligned diff, margin',
    load: () => import('./commands/explain.js'),
  },
  {
    usage: 'list <what>',
    describe: 'List the scorers, attacks, victims or data sets',
    load: () => import('./commands/list.js'),
  },
];

/** `score` apart: it is the command that runs when none is named, and its flags stand in `teapot --help`. */
const SCORE: CommandEntry = {
  usage: 'score',
  describe: 'Measure an attack on aligned texts: s_src, d_tgt, success rate (the default command)',
  load: () => import('./commands/score.js'),
};

/**
 * Parses the arguments and runs the command they name.
 *
 * @param args Without the interpreter and the script.
 * @throws {UsageError} when the arguments are wrong; whatever the command throws.
 */
export async function run(args: readonly string[]): Promise<void> {
  const customFlags = await loadCustomFlags(args, ownFlags);
  await createParser(args, customFlags).parseAsync();
}

/** The names of the general flags and of those of `score`: an option of a user's scorer can't be a flag of that name. */
function ownFlags(): ReadonlySet<string> {
  const parsers = [createParser([]), scoreOptions(yargs([]))] as unknown as readonly HasOptions[];
  return new Set(parsers.flatMap((parser) => Object.keys(parser.getOptions().key)));
}

/**
 * Makes the bare parser: strict, no exit, no output but help; every failure is thrown.
 *
 * @param args Without the interpreter and the script.
 * @param customFlags Declares the flags of the user's scorers.
 */
export function createParser(args: readonly string[], customFlags?: (parser: Argv) => Argv): Argv {
  const parser = yargs(args.map((arg) => (arg === '-' ? HIDDEN_DASH : arg)))
    .scriptName('teapot')
    .usage('Did the attack break the model, or did it just break the text?\n\nUsage: $0 [command] [options]')
    .detectLocale(false)
    .parserConfiguration({
      // `--ref a b` takes one file: the next word is never eaten without a word about it.
      'greedy-arrays': false,
      'boolean-negation': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'short-option-groups': false,
    })
    .option('quiet', { type: 'boolean', alias: 'q', describe: 'No notes, warnings or progress', group: 'General:' })
    .option('no-color', { type: 'boolean', describe: 'No colours (as the variable NO_COLOR)', group: 'General:' })
    .help('help', 'This help')
    .alias('help', 'h')
    .version('version', 'The version', version())
    .group(['help', 'version'], 'General:')
    .strict()
    .exitProcess(false)
    .wrap(Math.min(110, terminalWidth(process.stdout, 100)))
    .check((argv, options) => refuseRepeatedAndEmpty(argv, options as unknown as ParserOptions, args), true);
  parser.fail((message: string | null, error: Error | undefined) => {
    if (error !== undefined && error !== null && error.name !== 'YError') throw error;
    throw usageError(
      (message ?? error?.message ?? '').replaceAll(HIDDEN_DASH, '-'),
      args,
      (parser as unknown as HasOptions).getOptions(),
    );
  });
  const custom = customFlags ?? ((same: Argv): Argv => same);
  register(parser, SCORE, ['$0'], (scoreParser) => custom(scoreOptions(scoreParser)));
  const describe = 'The same by its name; with files of attack records, measures them by group';
  register(parser, { ...SCORE, describe }, ['score [records..]'], (scoreParser) =>
    custom(scoreCommandOptions(scoreParser)),
  );
  for (const entry of COMMANDS) register(parser, entry, [entry.usage]);
  for (const [example, describe] of SCORE_EXAMPLES) parser.example(example, describe);
  return parser.epilogue(
    'Help of one command: teapot <command> --help. Exit codes: 0 fine, 1 failure at work, 2 mistake in the arguments or files, 3 a --fail-if condition holds, 130 interrupted.',
  ) as Argv;
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

/** Registers a command whose module stays unloaded until yargs needs its options or its handler. */
function register(parser: Argv, entry: CommandEntry, usage: string[], options?: (yargs: Argv) => Argv): void {
  parser.command({
    command: usage,
    describe: entry.describe,
    builder: options ?? (async (commandParser: Argv) => applyBuilder((await entry.load()).command, commandParser)),
    handler: async (argv) => {
      const { command } = await entry.load();
      await command.handler(showDashes(argv) as never);
    },
  });
}

function applyBuilder(command: LoadedCommand, parser: Argv): Argv {
  if (typeof command.builder === 'function') return (command.builder as (parser: Argv) => Argv)(parser);
  return parser.options((command.builder ?? {}) as Record<string, Options>);
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
  if (message.startsWith('Not enough non-option arguments'))
    return invalid('An argument is missing. See --help of the command.');
  return invalid(`${message.replaceAll(/\s*\n\s*/g, ' ').trim()} See "teapot --help".`);
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
  const commands = ['score', ...COMMANDS.map((entry) => entry.usage.split(' ')[0] ?? '')];
  return invalid(`Unknown command "${word}".${didYouMean(word, commands)} See "teapot --help".`);
}

function invalid(message: string): UsageError {
  return new UsageError(ERROR_CODES.INVALID_OPTION, message);
}

function flag(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}
