import { defineCommand, inModes } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { REQUIRED_RECORDS } from '../options/input.js';
import { OUTPUT_FILE } from '../options/output.js';

const GROUP = 'Parallel files:';

/** `teapot export`: attack records into parallel files, TextAttack's CSV or plain tables. */
export const exportRecords = defineCommand({
  usage: 'export <format> <records..>',
  describe: "Write attack records as parallel files, TextAttack's CSV or a plain table",
  options: {
    format: {
      type: 'choice',
      choices: ['parallel', 'textattack', 'table'],
      positional: true,
      required: true,
      help: 'What to write',
    },
    ...REQUIRED_RECORDS,
    ...inModes(['textattack', 'table'], {
      output: {
        ...OUTPUT_FILE.output,
        preset: 'CSV on stdout',
        help: 'The file (table: .csv .tsv .jsonl .parquet; compressed by .gz .zst)',
      },
    }),
    ...inModes(['parallel'], {
      src: { type: 'file', writes: true, help: 'Where the original inputs go, one a line', group: GROUP },
      advSrc: { type: 'file', writes: true, help: 'Where the attacked inputs go', group: GROUP },
      out: { type: 'file', writes: true, help: 'Where the outputs for the original inputs go', group: GROUP },
      advOut: { type: 'file', writes: true, help: 'Where the outputs for the attacked inputs go', group: GROUP },
      ref: {
        type: 'file',
        writes: true,
        list: true,
        help: 'Where the references go; repeat it for several',
        group: GROUP,
      },
      lineBreaks: {
        type: 'choice',
        choices: ['error', 'space', 'escape'],
        help: 'A text with a line break is an error, gets spaces, or is escaped (\\n \\r \\\\) in every line',
        group: GROUP,
      },
      missing: {
        type: 'choice',
        choices: ['skip', 'empty', 'error'],
        preset: 'skip',
        help: 'A record without one of the texts is left out, gets an empty line, or is an error',
        group: GROUP,
      },
    }),
  },
  modes: {
    parallel: 'the format parallel (to --src, --adv-src, --out, --adv-out, --ref)',
    textattack: 'the format textattack',
    table: 'the format table',
  },
  mode: ({ format }) => format,
  examples: [
    ['$0 export parallel records.jsonl --src src.txt --adv-src adv.txt', 'Two aligned files'],
    ['$0 export table records.jsonl -o records.parquet', 'A table of all fields'],
  ],
});

/** The arguments of `teapot export`. */
export type ExportArguments = ArgumentsOf<typeof exportRecords>;
