import { defineCommand } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { shownFormat, OUTPUT_GROUP, GATED_OUTPUT } from '../options/output.js';
import { RECORD_SOURCE, RECORD_SOURCE_MODES, recordSourceMode } from '../options/record-source.js';
import { SCORERS } from '../options/scorers.js';
import { FAIL_IF, SUCCESS_THRESHOLD } from '../options/statistics.js';

/** `teapot audit`: rows whose numbers contradict each other, and texts that are not what they should be. */
export const audit = defineCommand({
  usage: 'audit [records..]',
  describe: 'Find contradictions, no-op attacks, damaged labels, misaligned lines, mixed-up scales, duplicates',
  options: {
    ...RECORD_SOURCE,
    ...SCORERS,
    ...SUCCESS_THRESHOLD,
    labels: {
      type: 'text',
      metavar: 'WORDS',
      help: 'Words that attacks must not touch, beside quoted ones: positive,negative',
    },
    nearTie: {
      type: 'number',
      minimum: 0,
      default: 0.001,
      help: 'The largest distance from the threshold that counts as a tie',
    },
    ...FAIL_IF,
    failIf: {
      ...FAIL_IF.failIf,
      help: "Exit with code 3 when it holds: 'errors>0', 'unchanged>10'; repeat it for several",
    },
    ...GATED_OUTPUT,
    examples: {
      type: 'integer',
      minimum: 0,
      default: 3,
      help: 'How many findings of each rule are shown',
      group: OUTPUT_GROUP,
    },
    perLine: {
      spellings: ['findings'],
      type: 'file',
      writes: true,
      help: 'Write every finding there, one JSON object a line',
      group: OUTPUT_GROUP,
    },
  },
  modes: RECORD_SOURCE_MODES,
  mode: recordSourceMode,
  idle: (args) => ({ examples: shownFormat(args) === 'csv' && 'CSV shows no examples' }),
  examples: [
    ['$0 audit records.jsonl', 'What is odd about these records'],
    ["$0 audit --src a.txt --adv-src b.txt --fail-if 'errors>0'", 'Line-aligned files, in a pipeline'],
  ],
});

/** The arguments of `teapot audit`. */
export type AuditArguments = ArgumentsOf<typeof audit>;
