import { defineCommand } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { ON_ERROR } from '../options/input.js';
import { shownFormat, OUTPUT_GROUP, GATED_OUTPUT } from '../options/output.js';
import { SCORERS } from '../options/scorers.js';
import { FAIL_IF, INTERVALS, SUCCESS_THRESHOLD } from '../options/statistics.js';

/** `teapot compare`: what became of each item between two runs. */
export const compare = defineCommand({
  usage: 'compare <a> <b>',
  describe:
    'Compare two attack runs item by item: fixed, broken, unchanged (a clean and an attacked run: import --clean)',
  options: {
    a: { type: 'file', positional: true, required: true, help: 'Records of the run before (- is stdin)' },
    b: { type: 'file', positional: true, required: true, help: 'Records of the run after' },
    key: {
      type: 'text',
      metavar: 'KEYS',
      default: 'id',
      help: 'What makes two records the same item: id, src, ref or grouping keys',
    },
    success: {
      type: 'choice',
      choices: ['teapot', 'tool'],
      default: 'teapot',
      help: "Whose verdict decides: teapot's criterion, or what the attacking tool said",
    },
    ...ON_ERROR,
    ...SCORERS,
    ...SUCCESS_THRESHOLD,
    ...INTERVALS,
    failIf: {
      ...FAIL_IF.failIf,
      help: "Exit with code 3 when it holds: 'broken>0', 'success_rate.difference>0.02'; repeat it for several",
    },
    ...GATED_OUTPUT,
    examples: {
      type: 'integer',
      minimum: 0,
      default: 5,
      help: 'How many items of each change are named',
      group: OUTPUT_GROUP,
    },
    perLine: {
      spellings: ['items'],
      type: 'file',
      writes: true,
      help: 'Write every item there, one JSON object a line; those that changed come first',
      group: OUTPUT_GROUP,
    },
  },
  idle: ({ success, ...args }) => ({
    examples: shownFormat(args) === 'csv' && 'CSV names no items',
    successThreshold: success === 'tool' && 'with --success tool the attacking tool decides',
  }),
  examples: [["$0 compare before.jsonl after.jsonl --fail-if 'broken>0'", 'Did the model become easier to attack?']],
});

/** The arguments of `teapot compare`. */
export type CompareArguments = ArgumentsOf<typeof compare>;
