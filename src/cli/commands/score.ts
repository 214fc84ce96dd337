import { defineCommand, inModes } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { ON_ERROR, PARALLEL_FILES, RECORD_FILES, TEXT_READING, THREADS } from '../options/input.js';
import { splitMetrics } from '../../score/metric-list.js';
import { formatOfPath, SCORE_FORMATS } from '../../report/formats.js';
import { idlePaper, OUTPUT_FILE, OUTPUT_GROUP, PAPER } from '../options/output.js';
import { SCORERS } from '../options/scorers.js';
import { DISTRIBUTION, FAIL_IF, SEED, SUCCESS_THRESHOLD } from '../options/statistics.js';
import { readShard } from '../values.js';

const INPUT_GROUP = PARALLEL_FILES.src.group;
const STATISTICS_GROUP = SUCCESS_THRESHOLD.successThreshold.group;
const RECORDS_GROUP = 'Attack records:';

/** `teapot [score]`: measures an attack on aligned texts; `teapot score RECORDS…`: measures attack records. */
export const score = defineCommand({
  usage: 'score [records..]',
  describe: 'Measure an attack on aligned texts or attack records: s_src, d_tgt, success rate (the default command)',
  options: {
    ...RECORD_FILES,
    ...inModes(['files'], {
      ...PARALLEL_FILES,
      advSrc: { ...PARALLEL_FILES.advSrc, list: true, help: 'The attacked inputs; repeat it for several attacks' },
      advOut: {
        ...PARALLEL_FILES.advOut,
        list: true,
        help: 'The outputs for the attacked inputs; as often as --adv-src',
      },
      name: {
        type: 'text',
        list: true,
        help: 'The name of an attack, in the order of --adv-src; for several attacks',
        group: INPUT_GROUP,
      },
    }),
    data: {
      type: 'file',
      list: true,
      help: 'A table (.csv .tsv .jsonl .parquet) instead of the files above; several, a folder or a pattern in the order of names',
      group: INPUT_GROUP,
    },
    columns: {
      type: 'text',
      metavar: 'NAMES',
      needs: ['data'],
      help: 'Which column of --data is what: src=…,adv_src=…,out=…,adv_out=…,ref=…,id=… (a name, or #3 for the third)',
      group: INPUT_GROUP,
    },
    ...inModes(['files', 'table'], { encoding: TEXT_READING.encoding }),
    keepTrailingWhitespace: TEXT_READING.keepTrailingWhitespace,
    ...inModes(['files'], THREADS),
    shard: {
      type: 'text',
      metavar: 'I/N',
      read: readShard,
      help: 'Score part I of N alone and write a partial result, for teapot merge',
      group: INPUT_GROUP,
    },
    ...inModes(['table', 'records'], {
      by: {
        type: 'text',
        metavar: 'KEYS',
        preset: 'attack for records',
        help: 'Group by these keys of records or columns of the table; none for one summary',
        group: INPUT_GROUP,
      },
    }),
    ...inModes(['records'], {
      onError: { ...ON_ERROR.onError, group: RECORDS_GROUP },
    }),
    ...SCORERS,
    sSrc: {
      ...SCORERS.sSrc,
      metavar: 'METRICS',
      help: 'Metric of the source side: KEY or KEY:param=value,…; or several',
    },
    sTgt: {
      ...SCORERS.sTgt,
      metavar: 'METRICS',
      preset: 'chrf; of records the one that they name',
      help: 'Metric of the target side, several (chrf,bleu,ter), or auto: chosen by the outputs',
    },
    corpusLevel: {
      type: 'flag',
      help: 'Add the scores of the whole corpus, as sacreBLEU has them: chrF, BLEU and TER (1 − TER)',
      group: STATISTICS_GROUP,
    },
    // No default here: a warning says where the threshold does nothing.
    successThreshold: {
      type: 'number',
      preset: '1',
      help: SUCCESS_THRESHOLD.successThreshold.help,
      group: STATISTICS_GROUP,
    },
    percentile: DISTRIBUTION.percentile,
    confidence: {
      type: 'number',
      above: 0,
      below: 1,
      help: 'Add intervals of this confidence, for example 0.95: bootstrap for means, Wilson for the success rate',
      group: STATISTICS_GROUP,
    },
    ...SEED,
    thresholdSweep: DISTRIBUTION.thresholdSweep,
    ...FAIL_IF,
    format: {
      type: 'choice',
      choices: SCORE_FORMATS,
      help: 'Format of the results',
      group: OUTPUT_GROUP,
    },
    terse: { type: 'flag', help: 'One number a line (as --format terse)', group: OUTPUT_GROUP },
    ...OUTPUT_FILE,
    perLine: {
      type: 'file',
      writes: true,
      help: 'Write the numbers of every line there (.tsv .csv .jsonl .parquet; records: .jsonl)',
      group: OUTPUT_GROUP,
    },
    ...inModes(['files'], {
      comparisons: {
        type: 'file',
        writes: true,
        help: 'Write the paired tests between several attacks there (.csv)',
        group: OUTPUT_GROUP,
      },
    }),
    ...PAPER,
    scale: {
      type: 'number',
      above: 0,
      default: 100,
      help: 'Scores are multiplied by it for people; JSON and CSV have fractions',
      group: OUTPUT_GROUP,
    },
  },
  modes: {
    files: 'line-aligned files (--src, --adv-src, …)',
    table: 'a table (--data)',
    records: 'files of records (teapot score RECORDS)',
  },
  mode: ({ records = [], data }) => (data !== undefined ? 'table' : records.length > 0 ? 'records' : 'files'),
  idle: ({
    confidence,
    advSrc = [],
    advOut = [],
    format,
    output,
    terse,
    shard,
    records = [],
    sSrc,
    sTgt,
    data,
    by = data === undefined && records.length > 0 ? 'attack' : 'none',
  }) => {
    const isSeveral = Math.max(advSrc.length, advOut.length) > 1;
    // A partial result is JSON wherever it goes.
    const shown = shard !== undefined ? 'json' : terse === true ? 'terse' : (format ?? formatOfPath(output ?? ''));
    const inGroups =
      by !== 'none' &&
      shown !== 'json' &&
      shown !== 'csv' &&
      'a table of groups has no column for it; --format json and csv have, and --by none';
    const hasSeveralMetrics =
      [sSrc, sTgt].some((metrics) => metrics !== undefined && splitMetrics(metrics).length > 1) &&
      shown !== 'json' &&
      shown !== 'csv' &&
      'a table of several metrics has no column for it; --format json and csv have';
    return {
      percentile: inGroups || hasSeveralMetrics,
      thresholdSweep: inGroups || hasSeveralMetrics,
      seed:
        confidence === undefined &&
        !isSeveral &&
        'it draws the intervals of --confidence and the tests between several attacks',
      comparisons: !isSeveral && 'there is one attack, and nothing to compare it with',
      scale:
        (shown === 'json' || shown === 'csv' || shown === 'html' || shown === 'junit') &&
        `scores are fractions in ${String(shown)} output`,
      ...idlePaper(shown),
    };
  },
  examples: [
    [
      '$0 --src examples/translation/src.fr --adv-src examples/translation/adv.charswap.fr --out examples/translation/base.en --adv-out examples/translation/adv.charswap.en --ref examples/translation/ref.en',
      'Both sides of an attack on a translator',
    ],
    ['$0 --src examples/translation/src.fr --adv-src examples/translation/adv.charswap.fr', 'The source side alone'],
    [
      '$0 --src examples/translation/src.fr --adv-src examples/translation/adv.charswap.fr --adv-src examples/translation/adv.homoglyph.fr --name charswap --name homoglyph',
      'Two attacks side by side, with paired tests',
    ],
    ['$0 list scorers', 'What --s-src and --s-tgt may be'],
  ],
});

/** The arguments of `teapot score`. */
export type ScoreArguments = ArgumentsOf<typeof score>;
