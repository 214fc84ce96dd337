import { EXPLAIN_FORMATS } from '../../report/formats.js';
import { defineCommand } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { OUTPUT_FILE, OUTPUT_GROUP } from '../options/output.js';
import { RECORD_SOURCE, RECORD_SOURCE_MODES, recordSourceMode } from '../options/record-source.js';
import { SCORERS } from '../options/scorers.js';
import { SUCCESS_THRESHOLD } from '../options/statistics.js';

/** `teapot explain`: why one attack is, or is not, successful. */
export const explain = defineCommand({
  usage: 'explain [records..]',
  describe: 'Why one record or line is successful or not: scores, n-grams, aligned diff, margin',
  options: {
    ...RECORD_SOURCE,
    id: { type: 'text', help: 'The record with this id' },
    line: { type: 'integer', minimum: 1, help: 'The record (or line) at this place, from 1' },
    ...SCORERS,
    ...SUCCESS_THRESHOLD,
    format: { type: 'choice', choices: EXPLAIN_FORMATS, help: 'Format of the results', group: OUTPUT_GROUP },
    output: { ...OUTPUT_FILE.output, help: 'Write the results there (.txt, .json or .html)' },
  },
  modes: RECORD_SOURCE_MODES,
  mode: recordSourceMode,
  examples: [
    [
      '$0 explain --line 3 --src examples/translation/src.fr --adv-src examples/translation/adv.homoglyph.fr',
      'The third line of two files',
    ],
    ['$0 explain records.jsonl --id run-1/42', 'One record'],
  ],
});

/** The arguments of `teapot explain`. */
export type ExplainArguments = ArgumentsOf<typeof explain>;
