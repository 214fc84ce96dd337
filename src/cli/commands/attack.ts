import { defineCommand, inGroup, inModes } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { CONSTRAINTS } from '../options/constraints.js';
import { GATED_OUTPUT, OUTPUT_GROUP } from '../options/output.js';
import { SCORERS } from '../options/scorers.js';
import { FAIL_IF, SUCCESS_THRESHOLD } from '../options/statistics.js';
import { PROMPT_TASK, VICTIM, VICTIM_INPUTS } from '../options/victim.js';

const ATTACK = 'Attack:';
const RESOURCES = 'Resources:';

/** `teapot attack`: attacks the inputs of a victim, or the prompts of a task, and keeps what came of it. */
export const attack = defineCommand({
  usage: 'attack',
  describe: 'Attack the inputs or the prompts of a model under a query budget',
  options: {
    data: VICTIM_INPUTS.data,
    columns: { ...VICTIM_INPUTS.columns, modes: ['inputs'], needs: ['data'] },
    ...inModes(['inputs'], {
      attackColumns: {
        type: 'text',
        metavar: 'NAMES',
        preset: 'all; of premise and hypothesis the hypothesis',
        needs: ['columns'],
        help: 'Of an input of several columns (--columns src=NAME+NAME), those that are attacked: NAME, NAME+NAME or all',
        group: VICTIM_INPUTS.columns.group,
      },
      src: VICTIM_INPUTS.src,
      ref: VICTIM_INPUTS.ref,
    }),
    first: VICTIM_INPUTS.first,
    config: PROMPT_TASK.config,
    dataset: PROMPT_TASK.dataset,
    ...inModes(['prompts', 'transfer'], {
      shot: PROMPT_TASK.shot,
      generateLen: PROMPT_TASK.generateLen,
    }),
    prompts: { ...PROMPT_TASK.prompts, modes: ['inputs', 'prompts'] },
    ...inModes(['prompts'], {
      promptTopk: {
        type: 'integer',
        minimum: 1,
        preset: '1',
        spellings: ['prompt_topk'],
        help: 'How many of the best prompts are attacked',
        group: 'Prompts:',
      },
      wordings: {
        type: 'text',
        metavar: 'FILE|KIND:NAME',
        help: 'Other wordings of the prompts, for the attack "semantic": a file, or a model that is asked',
        group: 'Prompts:',
      },
    }),
    autocorrect: {
      type: 'file',
      modes: ['inputs'],
      metavar: 'fold|FILE',
      help: 'Ask once more about corrected texts (look-alikes undone; also slips, by the words of FILE) and compare accuracies',
      group: VICTIM.model.group,
    },
    dryRun: {
      type: 'flag',
      modes: ['inputs', 'prompts'],
      help: 'Print what the attacks may cost at most, and stop',
      group: ATTACK,
    },
    countRefusals: {
      type: 'flag',
      modes: ['inputs', 'prompts'],
      help: 'Answers that are none (refused, filtered, cut, a tool call) count as answers like any other',
      group: ATTACK,
    },
    transfer: {
      type: 'file',
      help: 'Ask --model about the attacked prompts of these records instead of attacking',
      group: 'Prompts:',
    },
    ...inModes(['inputs', 'prompts'], {
      attack: {
        type: 'text',
        list: true,
        metavar: 'ATTACK',
        preset: 'deepwordbug',
        help: 'The attack ("teapot list attacks"); repeat it to run each on each --model',
        group: ATTACK,
      },
      transformation: {
        type: 'text',
        list: true,
        metavar: 'NAME',
        preset: 'set by the attack',
        help: 'What is done to texts, instead of what the attack does; repeat it for several ("teapot list transformations")',
        group: ATTACK,
      },
      constraint: {
        type: 'text',
        list: true,
        metavar: 'NAME[=VALUE]',
        preset: 'set by the attack',
        help: 'A constraint by name, on top of the attack\'s; NAME=none drops one, none all ("teapot list constraints")',
        group: ATTACK,
      },
      search: {
        type: 'text',
        metavar: 'NAME',
        preset: 'set by the attack',
        help: 'How the best text is looked for ("teapot list searches")',
        group: ATTACK,
      },
      queryBudget: {
        type: 'integer',
        minimum: 0,
        preset: 'no limit an input, 100 a prompt',
        spellings: ['query_budget'],
        help: 'The most queries an input, or passes over the data a prompt',
        group: ATTACK,
      },
      ...inGroup(ATTACK, CONSTRAINTS),
    }),
    // The placeholders of prompts are always left alone.
    protectPlaceholders: { ...CONSTRAINTS.protectPlaceholders, modes: ['inputs'], group: ATTACK },
    seed: { type: 'integer', minimum: 0, preset: '12345', help: 'Seed of all draws', group: ATTACK },
    ...inModes(['inputs'], {
      goal: {
        type: 'text',
        preset: 'untargeted',
        help: 'untargeted, targeted, input-reduction, non-overlapping-output, minimise-metric or maximise-d-tgt',
        group: ATTACK,
      },
      target: { type: 'text', metavar: 'LABEL', help: 'The label that the goal "targeted" wants', group: ATTACK },
      goalThreshold: {
        type: 'number',
        minimum: 0,
        maximum: 1,
        help: 'When the goal is reached (1 - p(label), a metric, d_tgt), a fraction',
        group: ATTACK,
      },
    }),
    ...inModes(
      ['inputs', 'prompts'],
      inGroup(RESOURCES, {
        neighbours: {
          type: 'file',
          help: 'Words for others: "wordnet", vectors (word2vec, GloVe, .npy, .safetensors), or a table with tabs',
        },
        neighbourCount: {
          type: 'integer',
          minimum: 1,
          preset: 'set by the attack',
          help: 'The most neighbours of a word',
        },
        minCosine: {
          type: 'number',
          minimum: -1,
          maximum: 1,
          preset: 'set by the attack',
          help: 'The least cosine of neighbours by vectors',
        },
        encoder: {
          type: 'file',
          help: 'A sentence encoder: a folder with model.onnx and tokenizer.json, or the .onnx file',
        },
        minEncoderCosine: {
          type: 'number',
          minimum: -1,
          maximum: 1,
          preset: 'set by the attack, for USE',
          help: 'The least cosine of a text and its original',
        },
        maskedLm: {
          type: 'file',
          help: 'A masked language model: a folder with model.onnx and tokenizer.json, or the .onnx file',
        },
        resources: {
          type: 'file',
          metavar: 'MODULE',
          help: 'An ES module with models: embed, tag, predict, neighbours, inflect, entities',
        },
      }),
    ),
    verbose: {
      type: 'flag',
      modes: ['inputs', 'prompts'],
      help: 'Show each result as it comes, with the text as a difference',
      group: OUTPUT_GROUP,
    },
    ...VICTIM,
    model: {
      ...VICTIM.model,
      list: true,
      help: 'The victim ("teapot list victims"); repeat it to attack each with each --attack',
    },
    ...inModes(['inputs'], {
      parallel: {
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        default: 1,
        help: 'Inputs attacked at the same time',
        group: VICTIM.model.group,
      },
      ...SCORERS,
      sTgt: { ...SCORERS.sTgt, preset: 'zero_one' },
      ...SUCCESS_THRESHOLD,
    }),
    workDir: {
      type: 'file',
      metavar: 'DIR',
      help: 'Folder for records, parallel files and the cache of answers',
      group: OUTPUT_GROUP,
    },
    resume: { type: 'flag', help: 'Go on with the run that --work-dir holds', group: OUTPUT_GROUP },
    ...GATED_OUTPUT,
    failIf: { ...FAIL_IF.failIf, help: FAIL_IF.failIf.help.replace('success_rate', 'success_over_attacked.rate') },
  },
  modes: {
    inputs: 'attacks on inputs',
    prompts: 'attacks on prompts (--config, --dataset, --prompts)',
    transfer: '--transfer',
  },
  mode: ({ config, dataset, prompts, transfer }) => {
    if (transfer !== undefined) return 'transfer';
    return (config ?? dataset ?? prompts) === undefined ? 'inputs' : 'prompts';
  },
  idle: ({ model = ['lexicon'], config, dryRun, transfer, shot = 0 }) => ({
    failIf: dryRun === true && 'a dry run measures nothing',
    seed:
      transfer !== undefined &&
      config === undefined &&
      shot === 0 &&
      'it draws the examples of --shot, and there are none',
    baseUrl:
      config === undefined &&
      !model.some((one) => one.startsWith('openai:')) &&
      `the victim is ${model.join(', ')}, not an openai: one`,
  }),
  examples: [
    ['$0 attack --data reviews.csv --columns src=text,ref=label --work-dir run', 'Offline, with the lexicon'],
    [
      '$0 attack --src reviews.txt --attack pruthi --query-budget 50 --work-dir run',
      'Without labels: against the own first answer',
    ],
    [
      '$0 attack --src reviews.txt --transformation swap --transformation keyboard --search beam:4',
      'Put together of blocks',
    ],
    ['$0 attack --config attack.yaml --work-dir run', 'The prompts of a task, ranked and attacked'],
    [
      '$0 attack --data reviews.csv --columns src=text,ref=label --attack deepwordbug --attack pruthi --work-dir run',
      'Each attack on each victim, with one table',
    ],
  ],
});

/** The arguments of `teapot attack`. */
export type AttackArguments = ArgumentsOf<typeof attack>;
