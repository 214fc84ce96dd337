import { TABLE_FORMATS } from '../../report/formats.js';
import type { OptionTable } from '../command.js';

/** The heading of what is printed and written. */
export const OUTPUT_GROUP = 'Output:';

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
