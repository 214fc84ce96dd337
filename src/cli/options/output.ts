import { formatOfPath, GATED_FORMATS, TABLE_FORMATS } from '../../report/formats.js';
import type { Format } from '../../report/formats.js';
import type { OptionTable } from '../command.js';
import { invalid } from '../values.js';

/** The heading of what is printed and written. */
export const OUTPUT_GROUP = 'Output:';

/** Where results are written. */
export const OUTPUT_FILE = {
  output: {
    type: 'file',
    writes: true,
    alias: 'o',
    help: 'Write the results there; the extension says the format',
    group: OUTPUT_GROUP,
  },
} as const satisfies OptionTable;

/** Where and in which format a command that prints tables writes. */
export const TABLE_OUTPUT = {
  format: { type: 'choice', choices: TABLE_FORMATS, help: 'Format of the results', group: OUTPUT_GROUP },
  ...OUTPUT_FILE,
} as const satisfies OptionTable;

/** Where and in which format a command writes whose results gates can be applied to. */
export const GATED_OUTPUT = {
  ...TABLE_OUTPUT,
  format: { ...TABLE_OUTPUT.format, choices: GATED_FORMATS },
} as const satisfies OptionTable;

/** What stands around a table of a paper. */
export const PAPER = {
  caption: { type: 'text', help: 'The caption of the table in LaTeX', group: OUTPUT_GROUP },
  label: { type: 'text', read: readLabel, help: 'The label of the table in LaTeX', group: OUTPUT_GROUP },
} as const satisfies OptionTable;

/** Why the options of {@link PAPER} would do nothing in a format. */
export function idlePaper(format: string | undefined): Readonly<Record<keyof typeof PAPER, string | false>> {
  const reason = format !== 'latex' && 'it belongs to --format latex';
  return { caption: reason, label: reason };
}

/** A label can't be escaped, so it must need no escaping. */
function readLabel(text: string, flag: string): string {
  if (/^[\w:./+-]+$/u.test(text)) return text;
  throw invalid(`${flag} "${text}": a LaTeX label has letters, digits and any of : . / + - _.`);
}

/** The format of the results: the one asked for, else the one of the file name, else text. */
export function shownFormat({ format, output }: OutputArguments): Format {
  return format ?? formatOfPath(output ?? '') ?? 'text';
}

interface OutputArguments {
  readonly format?: Format | undefined;
  readonly output?: string | undefined;
}

/** Whether the results have every number, and not only those that fit a table for people. */
export function isForPrograms(args: OutputArguments): boolean {
  return ['json', 'csv', 'junit'].includes(shownFormat(args));
}
