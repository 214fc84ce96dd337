import { defineCommand, inModes } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { ENCODING, PARALLEL_FILES } from '../options/input.js';
import { OUTPUT_FILE, OUTPUT_GROUP } from '../options/output.js';
import { ON_ERROR, PROMPT_TYPES } from '../../record/vocabulary.js';

const FORMATS = [
  'auto',
  'textattack',
  'openattack',
  'promptbench',
  'opencompass',
  'garak',
  'lm-eval',
  'promptfoo',
  'inspect',
  'helm',
  'opencompass-results',
  'jailbreakbench',
  'pyrit',
  'agentdojo',
  'advglue',
  'wmt-mqm',
  'table',
  'parallel',
] as const;

/** The formats of which a clean and an attacked run can be paired. */
const PAIRED = ['auto', 'lm-eval', 'promptfoo', 'inspect', 'helm', 'opencompass-results', 'table'] as const;
const PAIRED_GROUP = 'Two runs of an evaluation:';

const LOGS = FORMATS.filter((format) => format !== 'parallel');
const KEYS_GROUP = 'Grouping keys that the files do not say:';

/** `teapot import`: logs of other tools, tables and parallel files into attack records. */
export const importRecords = defineCommand({
  usage: 'import <format> [files..]',
  describe: "Read other tools' logs, tables or parallel files into attack records",
  options: {
    format: {
      type: 'choice',
      choices: FORMATS,
      positional: true,
      required: true,
      help: 'What wrote the files; auto looks at them',
    },
    files: {
      type: 'file',
      list: true,
      positional: true,
      modes: LOGS,
      help: 'Files (also .gz and .zst) or folders of a run; - is stdin; parallel takes --src, --adv-src, … instead',
    },
    encoding: ENCODING,
    onError: {
      type: 'choice',
      choices: ON_ERROR,
      default: 'stop',
      modes: LOGS,
      help: "At a row that can't be read: stop, skip it, or read on and report all of them",
    },
    columns: {
      type: 'text',
      metavar: 'NAMES',
      modes: ['table'],
      help: 'Which column is what: src=…,adv_src=…,out=…,adv_out=…,ref=…,result=… (a name, #3, or a path: doc.text)',
    },
    markers: {
      type: 'choice',
      choices: ['file', 'html', 'plain'],
      preset: 'what the file looks like',
      modes: ['textattack'],
      help: 'How changed words are marked in the log',
    },
    clean: { type: 'file', modes: PAIRED, needs: ['attacked'], group: PAIRED_GROUP, help: 'The run without an attack' },
    attacked: {
      type: 'file',
      metavar: '[NAME=]FILE',
      list: true,
      modes: PAIRED,
      needs: ['clean'],
      group: PAIRED_GROUP,
      help: 'A run of the same items under attack, with the name of the attack; repeat it for several',
    },
    pairBy: {
      type: 'text',
      metavar: 'PATH',
      modes: PAIRED,
      preset: "the tool's own ids",
      group: PAIRED_GROUP,
      help: 'What an item and its attacked form have in common: metadata.group, doc.id',
    },
    text: {
      type: 'text',
      metavar: 'PATH',
      modes: PAIRED,
      preset: 'what differs between the runs',
      group: PAIRED_GROUP,
      help: 'The attacked text of an item: doc.text, vars.text, or prompt',
    },
    metric: {
      type: 'text',
      metavar: 'NAME',
      modes: ['auto', 'lm-eval', 'promptfoo', 'inspect', 'helm'],
      preset: "the tool's first one",
      group: PAIRED_GROUP,
      help: 'Which of several scores of an item counts',
    },
    filter: {
      type: 'text',
      metavar: 'NAME',
      modes: ['auto', 'lm-eval'],
      preset: 'the one that finds most answers',
      group: PAIRED_GROUP,
      help: 'Which of several filters of an answer counts',
    },
    ...inModes(['parallel'], PARALLEL_FILES),
    lineBreaks: {
      type: 'choice',
      choices: ['escape'],
      modes: ['parallel'],
      help: 'escape when the files were exported with --line-breaks escape',
      group: PARALLEL_FILES.src.group,
    },
    run: { type: 'text', metavar: 'NAME', help: 'Name of the run', group: KEYS_GROUP },
    attack: { type: 'text', metavar: 'NAME', help: 'Name of the attack', group: KEYS_GROUP },
    model: { type: 'text', metavar: 'NAME', help: 'Name of the model', group: KEYS_GROUP },
    dataset: { type: 'text', metavar: 'NAME', help: 'Name of the data set', group: KEYS_GROUP },
    promptType: {
      type: 'choice',
      choices: PROMPT_TYPES,
      help: 'Type of the prompts',
      group: KEYS_GROUP,
    },
    output: {
      ...OUTPUT_FILE.output,
      preset: 'stdout',
      help: 'Write the records there (JSONL; .gz and .zst are compressed)',
    },
    warnings: {
      type: 'file',
      writes: true,
      help: 'Write every warning there, one JSON object a line (stderr shows the first ones)',
      group: OUTPUT_GROUP,
    },
  },
  modes: Object.fromEntries(FORMATS.map((format) => [format, `the format ${format}`])),
  mode: ({ format }) => format,
  examples: [
    ['$0 import auto log.csv -o records.jsonl', "Any tool's log"],
    ['$0 import textattack log.csv summary.json -o records.jsonl', "Compared with the tool's own summary"],
    [
      '$0 import lm-eval --clean clean.jsonl --attacked swap=attacked.jsonl -o records.jsonl',
      'A clean and an attacked run',
    ],
    ['$0 import table data.parquet --columns src=text,adv_src=attacked,ref=label', 'A table'],
  ],
});

/** The arguments of `teapot import`. */
export type ImportArguments = ArgumentsOf<typeof importRecords>;
