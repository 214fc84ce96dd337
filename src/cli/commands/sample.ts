import { defineCommand } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { REQUIRED_RECORDS } from '../options/input.js';
import { OUTPUT_GROUP } from '../options/output.js';
import { SCORERS } from '../options/scorers.js';
import { SEED, SUCCESS_THRESHOLD } from '../options/statistics.js';

const GROUP = 'Sample:';

/** `teapot sample`: a sheet on which people rate how much meaning attacks keep. */
export const sample = defineCommand({
  usage: 'sample <records..>',
  describe: 'Draw attacks for people to rate, as a sheet that hides attack, metric and verdict',
  options: {
    ...REQUIRED_RECORDS,
    n: { type: 'integer', minimum: 1, default: 200, help: 'How many attacks', group: GROUP },
    strata: {
      type: 'text',
      metavar: 'KEYS',
      default: 'attack',
      help: 'Draw equally many of each: grouping keys, and "margin" for four bands of the margin to success',
      group: GROUP,
    },
    repeats: {
      type: 'integer',
      minimum: 0,
      preset: 'a tenth',
      help: 'Attacks that stand twice, unmarked',
      group: GROUP,
    },
    controls: {
      type: 'integer',
      minimum: 0,
      preset: 'a twentieth',
      help: 'Pairs with a known answer: equal texts, and texts of different records',
      group: GROUP,
    },
    ratingScale: {
      type: 'choice',
      choices: ['0-5', '1-5', 'yes-no'],
      default: '0-5',
      help: 'The scale of the ratings',
      group: GROUP,
    },
    question: { type: 'text', help: 'The question above the sheet', group: GROUP },
    seed: { ...SEED.seed, default: 12_345, help: 'Seed of the draw', group: GROUP },
    ...SCORERS,
    ...SUCCESS_THRESHOLD,
    output: {
      type: 'file',
      alias: 'o',
      required: true,
      writes: true,
      help: 'The sheet: .csv to fill in, .html to open in a browser (it saves a CSV)',
      group: OUTPUT_GROUP,
    },
    key: {
      type: 'file',
      writes: true,
      preset: 'the sheet with .key.json',
      help: 'Where to write what stands behind each item: not for raters',
      group: OUTPUT_GROUP,
    },
  },
  examples: [
    ['$0 sample records.jsonl --n 200 --strata attack,margin -o sheet.html', 'A page for raters, and its key'],
  ],
  idle: ({ strata }) => {
    const reason = !strata.split(',').includes('margin') && 'metrics are used by --strata margin only';
    return {
      sSrc: reason,
      sTgt: reason,
      srcLang: reason,
      tgtLang: reason,
      value: reason,
      customScoresSource: reason,
      meteorJar: reason,
      javaCommand: reason,
      successThreshold: reason,
    };
  },
});

/** The arguments of `teapot sample`. */
export type SampleArguments = ArgumentsOf<typeof sample>;
