import { TABLE_FORMATS } from '../../report/formats.js';
import { defineCommand, inModes } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { OUTPUT_FILE, OUTPUT_GROUP } from '../options/output.js';
import { TARGET_SCORER } from '../options/scorers.js';
import { PROMPT_TASK, VICTIM, VICTIM_INPUTS } from '../options/victim.js';

/** `teapot importance`: which words an answer depends on. */
export const importance = defineCommand({
  usage: 'importance [text..]',
  describe: 'Which words an answer depends on, by leaving each out',
  options: {
    text: { type: 'text', list: true, positional: true, help: 'Texts, instead of --data or --src' },
    data: { ...VICTIM_INPUTS.data, modes: ['data', 'src', 'prompts'] },
    columns: { ...VICTIM_INPUTS.columns, modes: ['data'] },
    src: { ...VICTIM_INPUTS.src, modes: ['src'] },
    ref: { ...VICTIM_INPUTS.ref, modes: ['src'] },
    first: { ...VICTIM_INPUTS.first, modes: ['data', 'src', 'prompts'] },
    scores: {
      type: 'file',
      help: 'Scores instead of a victim: {"text", "score"} a line, the whole text first',
      group: 'Inputs:',
    },
    config: {
      ...PROMPT_TASK.config,
      modes: ['prompts', 'text', 'data', 'src'],
      help: 'Prompts of a task, as for "teapot attack"',
    },
    dataset: { ...PROMPT_TASK.dataset, modes: ['prompts', 'text', 'data', 'src'] },
    prompts: { ...PROMPT_TASK.prompts, modes: ['prompts', 'text', 'data', 'src'] },
    shot: { ...PROMPT_TASK.shot, modes: ['prompts'] },
    generateLen: { ...PROMPT_TASK.generateLen, modes: ['prompts'] },
    model: { ...VICTIM.model, modes: ['data', 'src', 'text', 'prompts'] },
    baseUrl: { ...VICTIM.baseUrl, modes: ['data', 'src', 'text', 'prompts'] },
    sTgt: {
      ...TARGET_SCORER.sTgt,
      preset: 'the probability of the label',
      modes: ['data', 'src', 'text'],
      help: 'Measure outputs with this metric',
      group: VICTIM.model.group,
    },
    ...inModes(['data', 'src', 'text', 'prompts'], {
      workDir: {
        type: 'file',
        metavar: 'DIR',
        help: 'Folder for the result and the cache of answers',
        group: OUTPUT_GROUP,
      },
      resume: { type: 'flag', help: 'Go on with the run that --work-dir holds', group: OUTPUT_GROUP },
      dryRun: { type: 'flag', help: 'Print what it may cost at most, and stop', group: VICTIM.model.group },
    }),
    format: {
      type: 'choice',
      choices: TABLE_FORMATS,
      help: 'Format of the results',
      group: OUTPUT_GROUP,
    },
    ...OUTPUT_FILE,
  },
  modes: {
    scores: 'logged scores (--scores)',
    prompts: 'prompts (--config, --dataset, --prompts)',
    text: 'texts on the command line',
    data: 'a table (--data)',
    src: 'a file of texts (--src)',
  },
  mode: ({ scores, config, dataset, prompts, text = [], data }) => {
    if (scores !== undefined) return 'scores';
    if ((config ?? dataset ?? prompts) !== undefined) return 'prompts';
    if (text.length > 0) return 'text';
    return data === undefined ? 'src' : 'data';
  },
  idle: ({ model = 'lexicon', config }) => ({
    baseUrl: config === undefined && !model.startsWith('openai:') && `the victim is ${model}, not an openai: one`,
  }),
  examples: [
    ['$0 importance "A warm and very, very funny film."', 'With the lexicon'],
    ['$0 importance --scores log.jsonl', 'From logged scores'],
  ],
});

/** The arguments of `teapot importance`. */
export type ImportanceArguments = ArgumentsOf<typeof importance>;
