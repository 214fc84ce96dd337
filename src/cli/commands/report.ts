import { REPORT_FORMATS } from '../../report/formats.js';
import { FIGURES } from '../../report/figures/figure-data.js';
import { defineCommand } from '../command.js';
import { inModes } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { ON_ERROR, PARALLEL_FILES, TEXT_READING } from '../options/input.js';
import { OUTPUT_FILE, OUTPUT_GROUP } from '../options/output.js';
import { RECORD_SOURCE_MODES } from '../options/record-source.js';
import { SCORERS } from '../options/scorers.js';
import { INTERVALS, SUCCESS_THRESHOLD } from '../options/statistics.js';

/** `teapot report`: a page, a figure or text about records, runs and documents. */
export const report = defineCommand({
  usage: 'report [inputs..]',
  describe: 'One page about records, runs and results; figures for papers; or the story as text',
  options: {
    inputs: {
      type: 'file',
      list: true,
      positional: true,
      help: 'Records, logs of other tools, the work folder of an attack, JSON of score, pdr, transfer or importance',
    },
    ...inModes(['records'], ON_ERROR),
    ...inModes(['files'], PARALLEL_FILES),
    ...inModes(['files'], TEXT_READING),
    ...SCORERS,
    ...SUCCESS_THRESHOLD,
    ...INTERVALS,
    labels: {
      type: 'text',
      metavar: 'WORDS',
      help: 'Words that attacks must not touch, for the audit: positive,negative',
    },
    nearTie: {
      type: 'number',
      minimum: 0,
      default: 0.001,
      help: 'The largest distance from the threshold that counts as a tie',
    },
    output: {
      ...OUTPUT_FILE.output,
      help: 'Where: .html, .svg, .pdf, .png or .txt; without it, text on the terminal',
    },
    format: {
      type: 'choice',
      choices: REPORT_FORMATS,
      help: 'Format, where the extension says none',
      group: OUTPUT_GROUP,
    },
    figure: { type: 'choice', choices: FIGURES, help: 'The chart that a figure shows', group: OUTPUT_GROUP },
    width: {
      type: 'text',
      preset: 'page',
      help: 'Width of a figure: column (84 mm), page (174 mm), or millimetres',
      group: OUTPUT_GROUP,
    },
    title: { type: 'text', help: 'Title of the page', group: OUTPUT_GROUP },
    maxRecords: {
      type: 'integer',
      minimum: 0,
      default: 50_000,
      help: 'Records in the page; beyond, a sample of each attack, model and result',
      group: OUTPUT_GROUP,
    },
  },
  modes: RECORD_SOURCE_MODES,
  mode: ({ inputs = [] }) => (inputs.length > 0 ? 'records' : 'files'),
  examples: [
    ['$0 report records.jsonl -o report.html', 'One page with charts and every record'],
    ['$0 report before.jsonl after.jsonl -o report.html', 'Two runs, compared item by item'],
    ['$0 report records.jsonl --figure scatter --width column -o scatter.svg', 'A figure for one column of a paper'],
    ['$0 report records.jsonl', 'The story in the terminal'],
  ],
});

/** The arguments of `teapot report`. */
export type ReportArguments = ArgumentsOf<typeof report>;
