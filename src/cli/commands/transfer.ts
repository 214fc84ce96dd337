import { defineCommand } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { REQUIRED_RECORDS } from '../options/input.js';
import { isForPrograms, OUTPUT_GROUP, TABLE_OUTPUT } from '../options/output.js';
import { INTERVALS, TRIM } from '../options/statistics.js';

/** `teapot transfer`: the matrix attack × (source → target model). */
export const transfer = defineCommand({
  usage: 'transfer <records..>',
  describe: 'How far attacks made on one model work on another: attack by source→target model',
  options: {
    ...REQUIRED_RECORDS,
    own: { type: 'flag', help: 'Also the attacks on the model that they were made on', group: OUTPUT_GROUP },
    ...TABLE_OUTPUT,
    ...INTERVALS,
    ...TRIM,
  },
  idle: ({ format, output }) => {
    const reason =
      !isForPrograms({ format, output }) &&
      'this table shows neither intervals nor trimmed means; --format csv and json do';
    return { confidence: reason, seed: reason, trim: reason };
  },
  examples: [['$0 transfer records.jsonl --own', 'Drop rates on every target beside those on the source model']],
});

/** The arguments of `teapot transfer`. */
export type TransferArguments = ArgumentsOf<typeof transfer>;
