import type { OptionTable } from '../command.js';

/** The heading of what is printed and written. */
export const OUTPUT_GROUP = 'Output:';

/** The formats of commands that print tables. */
export const TABLE_FORMATS = ['text', 'json', 'csv', 'markdown', 'latex'] as const;

/** One of {@link TABLE_FORMATS}. */
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** Where results are written. */
export const OUTPUT_FILE = {
  output: {
    type: 'file',
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
