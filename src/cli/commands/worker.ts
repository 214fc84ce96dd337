import { defineCommand, inModes } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { TEXT_READING } from '../options/input.js';
import { SCORERS } from '../options/scorers.js';
import { DISTRIBUTION, SUCCESS_THRESHOLD } from '../options/statistics.js';

const GROUP = 'Rows:';

/** `teapot worker`: scores columns of texts that another program sends, and sums up scores that it kept. */
export const worker = defineCommand({
  usage: 'worker <job>',
  describe: 'For other programs, such as the Spark job: score frames of columns on stdin, or sum up their scores',
  modes: { scores: '"worker scores"', partial: '"worker partial"' },
  mode: ({ job }) => job,
  options: {
    job: {
      type: 'choice',
      choices: ['scores', 'partial'],
      positional: true,
      required: true,
      help: 'scores: texts in, the scores of every row out; partial: scores in, one partial result for "teapot merge" out',
    },
    frames: {
      type: 'file',
      default: '-',
      help: 'The frames of columns (docs/scale.md); - is stdin',
      group: GROUP,
    },
    sides: {
      type: 'choice',
      choices: ['both', 'source', 'target'],
      default: 'both',
      help: 'Which sides the rows have',
      group: GROUP,
    },
    references: {
      type: 'integer',
      minimum: 1,
      default: 1,
      modes: ['partial'],
      help: 'References of a row, where there are any',
      group: GROUP,
    },
    by: {
      type: 'text',
      metavar: 'COLUMNS',
      modes: ['partial'],
      help: 'Columns that the rows are grouped by, with commas between',
      group: GROUP,
    },
    shard: {
      type: 'text',
      metavar: 'I/N',
      modes: ['partial'],
      preset: '1/1',
      help: 'Which part of the run the rows are',
      group: GROUP,
    },
    inputName: {
      type: 'text',
      modes: ['partial'],
      preset: 'stdin',
      help: 'The name of the whole input, the same for every part',
      group: GROUP,
    },
    inputRows: {
      type: 'integer',
      minimum: 0,
      modes: ['partial'],
      preset: 'those of the part',
      help: 'Rows of the whole input',
      group: GROUP,
    },
    inputHash: {
      type: 'text',
      metavar: 'SHA-256',
      modes: ['partial'],
      preset: 'zeros',
      help: 'What identifies the whole input: parts with another one are not merged',
      group: GROUP,
    },
    keepTrailingWhitespace: TEXT_READING.keepTrailingWhitespace,
    ...SCORERS,
    // What is summed up was scored before.
    ...inModes(['scores'], { javaCommand: SCORERS.javaCommand }),
    ...SUCCESS_THRESHOLD,
    ...inModes(['partial'], DISTRIBUTION),
  },
  idle: ({ sides }) => {
    const source = sides === 'target' && 'the source side is not measured';
    const target = sides === 'source' && 'the target side is not measured';
    return { sSrc: source, srcLang: source, sTgt: target, tgtLang: target, references: target };
  },
  examples: [['$0 worker scores --s-tgt bleu < frames > scores', 'The scores of every row of frames']],
});

/** The arguments of `teapot worker`. */
export type WorkerArguments = ArgumentsOf<typeof worker>;
