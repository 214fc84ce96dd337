import { defineCommand } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { OUTPUT_GROUP, TABLE_OUTPUT } from '../options/output.js';
import { INTERVALS } from '../options/statistics.js';

/** `teapot agree`: whether raters agree with each other, with themselves and with known answers. */
export const agree = defineCommand({
  usage: 'agree <ratings..>',
  describe: 'Do people agree? Krippendorff’s alpha, kappa, agreement by rater, repeats and controls',
  options: {
    ratings: {
      type: 'file',
      list: true,
      positional: true,
      required: true,
      help: 'Tables with the columns item and rating, and rater unless a file is one rater’s',
    },
    key: { type: 'file', help: 'The key that "teapot sample" wrote: for repeats, controls and --into' },
    into: {
      type: 'file',
      list: true,
      needs: ['key'],
      help: 'Records of the sample: each gets the mean of its ratings as "human"; with --rated',
    },
    rated: { type: 'file', writes: true, needs: ['into'], help: 'Where the records of --into go', group: OUTPUT_GROUP },
    ...TABLE_OUTPUT,
    ...INTERVALS,
  },
  examples: [['$0 agree ratings-*.csv --key sheet.key.json', 'Agreement of all raters, with intervals over items']],
});

/** The arguments of `teapot agree`. */
export type AgreeArguments = ArgumentsOf<typeof agree>;
