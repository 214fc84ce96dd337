import { formatOfPath, SCORE_FORMATS } from '../../report/formats.js';
import { defineCommand } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { idlePaper, OUTPUT_FILE, OUTPUT_GROUP, PAPER } from '../options/output.js';
import { FAIL_IF, SEED } from '../options/statistics.js';

/** `teapot merge`: the result of a run from the partial results of its parts. */
export const merge = defineCommand({
  usage: 'merge <partials..>',
  describe: 'Merge the partial results of score --shard: the result of the run as if it had not been cut',
  options: {
    partials: {
      type: 'file',
      list: true,
      positional: true,
      required: true,
      help: 'The partial results of all parts, in any order',
    },
    confidence: {
      type: 'number',
      above: 0,
      below: 1,
      help: 'Add intervals of this confidence, for example 0.95: bootstrap for means, Wilson for the success rate',
      group: 'Statistics:',
    },
    ...SEED,
    ...FAIL_IF,
    format: {
      type: 'choice',
      choices: SCORE_FORMATS,
      help: 'Format of the results',
      group: OUTPUT_GROUP,
    },
    ...OUTPUT_FILE,
    ...PAPER,
    scale: {
      type: 'number',
      above: 0,
      default: 100,
      help: 'Scores are multiplied by it for people; JSON and CSV have fractions',
      group: OUTPUT_GROUP,
    },
  },
  idle: ({ confidence, format, output }) => {
    const shown = format ?? formatOfPath(output ?? '');
    return {
      seed: confidence === undefined && 'it draws the intervals of --confidence',
      scale:
        (shown === 'json' || shown === 'csv' || shown === 'html' || shown === 'junit') &&
        `scores are fractions in ${shown} output`,
      ...idlePaper(shown),
    };
  },
  examples: [
    ['$0 score --shard 1/16 --src a.txt --adv-src b.txt -o part-1.json', 'One part of sixteen'],
    ['$0 merge part-*.json', 'The result of all parts'],
  ],
});

/** The arguments of `teapot merge`. */
export type MergeArguments = ArgumentsOf<typeof merge>;
