import { defineCommand } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { REQUIRED_RECORDS } from '../options/input.js';
import { TABLE_OUTPUT } from '../options/output.js';
import { SOURCE_SCORER } from '../options/scorers.js';
import { INTERVALS } from '../options/statistics.js';

/** `teapot validate`: whether metrics of the source side agree with people. */
export const validate = defineCommand({
  usage: 'validate <records..>',
  describe: 'Does a metric agree with people? Correlations, tests between metrics, the threshold that ratings support',
  options: {
    ...REQUIRED_RECORDS,
    ratings: {
      type: 'file',
      list: true,
      required: true,
      help: 'Tables with the columns item and rating (see "teapot agree"); repeat it for several',
    },
    key: { type: 'file', help: 'The key that "teapot sample" wrote; without it an item is the id of a record' },
    ...SOURCE_SCORER,
    sSrc: {
      ...SOURCE_SCORER.sSrc,
      list: true,
      help: 'A metric: KEY or KEY:param=value,…; several by commas between keys, or repeat it',
    },
    keptFrom: {
      type: 'number',
      preset: 'for yes/no ratings: more than half say yes',
      help: 'The meaning counts as kept where the mean rating is at least this',
    },
    by: { type: 'text', metavar: 'KEYS', help: 'Also for every group of these keys' },
    resamples: { type: 'integer', minimum: 100, maximum: 100_000, default: 1000, help: 'Resamples and permutations' },
    ...TABLE_OUTPUT,
    ...INTERVALS,
  },
  examples: [
    [
      '$0 validate records.jsonl --ratings ratings.csv --key sheet.key.json --s-src chrf,bleu,ter',
      'Which of three metrics people support',
    ],
  ],
});

/** The arguments of `teapot validate`. */
export type ValidateArguments = ArgumentsOf<typeof validate>;
