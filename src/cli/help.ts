import { version } from '../version.js';
import { flagName, GENERAL_OPTIONS } from './command.js';
import type { Command, OptionDefinition, OptionTable } from './command.js';

/** What stands in a page of help: headings with lines of two columns, or of text. */
interface Section {
  readonly title: string;
  readonly rows: readonly (readonly [left: string, right: string])[];
}

/** The question that teapot answers. */
const QUESTION = 'Did the attack break the model, or did it just break the text?';

/** What the exit codes mean. */
const EXIT_CODES = [
  ['0', 'fine'],
  ['1', 'failure at work'],
  ['2', 'mistake in the arguments or files'],
  ['3', 'a --fail-if condition holds'],
  ['130', 'interrupted'],
] as const;

/** The options that the parser itself answers. */
const OWN_OPTIONS = {
  help: { type: 'flag', alias: 'h', help: 'This help', group: 'General:' },
  version: { type: 'flag', alias: 'V', help: 'The version', group: 'General:' },
} as const satisfies OptionTable;

/** `teapot --help`: all commands, and the options of the one that runs when none is named. */
export function programHelp(commands: readonly Command[], main: Command, width: number): string {
  const rows = commands.map(({ usage, describe }) => [usage, describe] as const);
  return page(
    [`${QUESTION}\n\nUsage: teapot [command] [options]`],
    [{ title: 'Commands (teapot help COMMAND shows their options):', rows }, ...optionSections(main, false)],
    main,
    width,
  );
}

/** `teapot COMMAND --help`. */
export function commandHelp(command: Command, width: number): string {
  return page(
    [`Usage: teapot ${command.usage} [options]\n\n${command.describe}`],
    optionSections(command, true),
    command,
    width,
  );
}

function page(head: readonly string[], sections: readonly Section[], { examples }: Command, width: number): string {
  const lines = examples.map(([line, describe]) => `  # ${describe}\n${exampleText(line, width)}\n`);
  const codes = EXIT_CODES.map(([code, meaning]) => `${code} ${meaning}`).join(', ');
  return [
    ...head.map((text) => `${text}\n`),
    ...sections.map((section) => sectionText(section, width)),
    ...(lines.length > 0 ? [`Examples:\n${lines.join('')}`] : []),
    `${wrapped(`Exit codes: ${codes}.`, width).join('\n')}\n`,
  ].join('\n');
}

/** An example as it can be pasted: long lines go on after a backslash. */
function exampleText(line: string, width: number): string {
  return wrapped(line.replace('$0', 'teapot'), width - 8)
    .map((part, index) => `${index === 0 ? '  ' : '      '}${part}`)
    .join(' \\\n');
}

/** The options by their headings, in the order of the table; general ones at the end. */
function optionSections({ options }: Command, withPositionals: boolean): readonly Section[] {
  const groups = new Map<string, [string, OptionDefinition][]>();
  const all: OptionTable = { ...options, ...GENERAL_OPTIONS, ...OWN_OPTIONS };
  for (const [name, option] of Object.entries(all)) {
    if (option.positional === true && !withPositionals) continue;
    const title = option.positional === true ? 'Arguments:' : (option.group ?? 'Options:');
    groups.set(title, [...(groups.get(title) ?? []), [name, option]]);
  }
  return [...groups].map(([title, members]) => ({
    title,
    rows: members.map(([name, option]) => [optionLabel(name, option), optionText(option)] as const),
  }));
}

/** `-o, --output FILE`; a positional argument is its name. */
function optionLabel(name: string, option: OptionDefinition): string {
  if (option.positional === true) return `${flagName(name)}${option.list === true ? '...' : ''}`;
  const value = metavar(option);
  const alias = option.alias === undefined ? '    ' : `-${option.alias}, `;
  return `${alias}--${flagName(name)}${value === '' ? '' : ` ${value}`}`;
}

const METAVARS = { file: 'FILE', text: 'TEXT', number: 'NUMBER', integer: 'N', choice: 'WORD', flag: '' } as const;

/** The most characters of choices that stand in the place of a value. */
const SHORT_CHOICES = 24;

/** What stands for the value of an option. */
function metavar(option: OptionDefinition): string {
  const choices = option.type === 'choice' ? option.choices.join('|') : '';
  return option.metavar ?? (choices !== '' && choices.length <= SHORT_CHOICES ? choices : METAVARS[option.type]);
}

/** The help of an option with its choices and its default. */
function optionText(option: OptionDefinition): string {
  const isListed =
    option.type === 'choice' && (option.positional === true || option.choices.join('|').length > SHORT_CHOICES);
  const choices = isListed && option.type === 'choice' ? `: ${option.choices.join(', ')}` : '';
  const preset = option.preset ?? (option.type === 'flag' ? undefined : option.default);
  return `${option.help}${choices}${preset === undefined ? '' : ` [${preset}]`}`;
}

/** The widest left column; what is longer has its text on the next line. */
const MOST_LEFT = 34;

function sectionText({ title, rows }: Section, width: number): string {
  const left = Math.min(MOST_LEFT, Math.max(...rows.map(([label]) => label.length)));
  const lines = rows.flatMap(([label, text]) => {
    const [first = '', ...others] = wrapped(text, Math.max(20, width - left - 4));
    const indent = ' '.repeat(left + 4);
    const head = label.length > left ? [`  ${label}`, `${indent}${first}`] : [`  ${label.padEnd(left)}  ${first}`];
    return [...head, ...others.map((line) => `${indent}${line}`)];
  });
  return `${title}\n${lines.join('\n')}\n`;
}

function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/** The man page of all commands, in roff. */
export function manPage(commands: readonly Command[]): string {
  const general = Object.entries({ ...GENERAL_OPTIONS, ...OWN_OPTIONS } as OptionTable);
  return [
    `.TH TEAPOT 1 "" "teapot ${version()}"`,
    '.SH NAME',
    `teapot \\- ${roff(QUESTION)}`,
    '.SH SYNOPSIS',
    '.B teapot',
    '[command] [options]',
    '.SH COMMANDS',
    ...commands.flatMap(manOfCommand),
    '.SH GENERAL OPTIONS',
    ...general.flatMap(([name, option]) => tagged([optionLabel(name, option), optionText(option)])),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(tagged),
    '',
  ].join('\n');
}

function manOfCommand(command: Command): readonly string[] {
  const lines = [`.SS teapot ${roff(command.usage)}`, roff(command.describe)];
  for (const { title, rows } of optionSections(command, true)) {
    if (title === 'General:') continue;
    lines.push('.P', `.B ${roff(title)}`, ...rows.flatMap(tagged));
  }
  for (const [line, describe] of command.examples) {
    lines.push('.P', roff(describe), '.IP', roff(line.replace('$0', 'teapot')));
  }
  return lines;
}

function tagged([label, text]: readonly [string, string]): readonly string[] {
  return ['.TP', `.B ${roff(label.trim())}`, roff(text)];
}

/** Text as roff shows it: backslashes and dashes are kept, and no line begins with a control character. */
function roff(text: string): string {
  const escaped = text.replaceAll('\\', String.raw`\e`).replaceAll('-', String.raw`\-`);
  return /^[.']/u.test(escaped) ? `\\&${escaped}` : escaped;
}
