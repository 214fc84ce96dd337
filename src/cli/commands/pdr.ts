import { defineCommand, inModes } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { REQUIRED_RECORDS } from '../options/input.js';
import { isForPrograms, OUTPUT_GROUP, GATED_OUTPUT } from '../options/output.js';
import { FAIL_IF, INTERVALS, TRIM } from '../options/statistics.js';

/** `teapot pdr`: tables of performance drop rates. */
export const pdr = defineCommand({
  usage: 'pdr <records..>',
  describe: 'Tables of performance drop rates (PDR) from attack records',
  options: {
    ...REQUIRED_RECORDS,
    records: {
      ...REQUIRED_RECORDS.records,
      help: 'Files of attack records (JSONL, also .gz and .zst), or work folders of attacks; - is stdin',
    },
    ...inModes(['keys'], {
      by: {
        type: 'text',
        metavar: 'KEYS',
        default: 'attack',
        help: 'Group by these keys; with two or more the last one makes the columns: attack,dataset',
      },
    }),
    table: {
      type: 'choice',
      choices: ['promptbench'],
      help: 'The tables that PromptBench publishes, instead of --by',
      group: OUTPUT_GROUP,
    },
    ...inModes(['keys'], {
      long: {
        type: 'flag',
        help: 'One row a group with all its numbers, also for several keys',
        group: OUTPUT_GROUP,
      },
    }),
    ...GATED_OUTPUT,
    ...INTERVALS,
    ...TRIM,
    failIf: {
      ...FAIL_IF.failIf,
      help: "Exit with code 3 when a number over all attacks passes: 'micro_pdr>0.5'; repeat it for several",
    },
  },
  modes: { keys: 'groups by keys (--by)', promptbench: '--table promptbench' },
  mode: ({ table }) => table ?? 'keys',
  idle: ({ by, table, format, output, long }) => {
    const isForPeople = !isForPrograms({ format, output });
    const keys = by.split(',').length;
    const hasNoIntervals = isForPeople && (table !== undefined || (keys > 1 && long !== true));
    const noIntervals =
      hasNoIntervals &&
      `this table shows no intervals; ${table === undefined ? '--long, ' : ''}--format csv and json do`;
    return {
      long: !isForPeople
        ? 'CSV and JSON have one row a group anyway'
        : keys < 2 && 'one key makes one row a group anyway',
      confidence: noIntervals,
      seed: noIntervals,
      trim:
        hasNoIntervals &&
        `this table shows no trimmed mean; ${table === undefined ? '--long, ' : ''}--format csv and json do`,
    };
  },
  examples: [
    ['$0 pdr records.jsonl --by attack,dataset', 'Mean drop rate and its spread, attack by data set'],
    ['$0 pdr records.jsonl --table promptbench -o tables.tex', "PromptBench's tables for a paper"],
  ],
});

/** The arguments of `teapot pdr`. */
export type PdrArguments = ArgumentsOf<typeof pdr>;
