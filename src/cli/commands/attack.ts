import type { CommandModule } from 'yargs';

import { invalid } from '../values.js';
import type { AttackArguments } from '../attack/input-attack.js';
import type { PromptAttackArguments } from '../attack/prompt-plan.js';

/** `teapot attack`: attacks the inputs of a victim, or the prompts of a task, and keeps what came of it. */
export const command: CommandModule<object, Given & Underscored> = {
  command: 'attack',
  describe: 'Attack the inputs or the prompts of a model under a query budget',
  builder: (yargs) =>
    yargs
      .option('data', { ...value('A table of inputs (.csv .tsv .jsonl .parquet)'), group: 'Inputs:' })
      .option('columns', { ...value('Which column of --data is what: src=…,ref=…'), group: 'Inputs:' })
      .option('src', { ...value('The inputs, one a line, instead of --data'), group: 'Inputs:' })
      .option('ref', { ...value('Their labels or reference outputs, one a line'), group: 'Inputs:' })
      .option('first', { ...value('Use the first N inputs or items only', 'n'), group: 'Inputs:' })
      .option('config', { ...value('A prompt attack as YAML; flags go before it'), group: 'Prompts:' })
      .option('dataset', { ...value('Attack prompts on this data set; --data names its file'), group: 'Prompts:' })
      .option('prompts', { ...value('The prompts, one a line, or JSONL (those of the data set)'), group: 'Prompts:' })
      .option('shot', { ...value('Few-shot examples an input (0)'), group: 'Prompts:' })
      .option('generate-len', { ...value('The longest answer of the model, in tokens (64)'), group: 'Prompts:' })
      .option('prompt-topk', { ...value('How many of the best prompts are attacked (1)'), group: 'Prompts:' })
      .option('wordings', {
        ...value(
          'Other wordings of the prompts, for the attack "semantic": a file, or the KIND:NAME of a model that is asked',
        ),
        group: 'Prompts:',
      })
      .option('transfer', {
        ...value('Ask --model about the attacked prompts of these records instead of attacking'),
        group: 'Prompts:',
      })
      .option('dry-run', {
        type: 'boolean',
        describe: 'Print how many calls and tokens a prompt attack may cost, and stop',
        group: 'Prompts:',
      })
      .option('generate_len', UNDERSCORED)
      .option('query_budget', UNDERSCORED)
      .option('prompt_topk', UNDERSCORED)
      .option('attack', { ...value('The attack (deepwordbug); see "teapot list attacks"'), group: 'Attack:' })
      .option('goal', {
        ...value('untargeted, targeted, input-reduction, minimise-metric or maximise-d-tgt (untargeted)'),
        group: 'Attack:',
      })
      .option('target', { ...value('The label that the goal "targeted" wants'), group: 'Attack:' })
      .option('goal-threshold', { ...value('When a metric goal is reached, a fraction'), group: 'Attack:' })
      .option('query-budget', {
        ...value('The most queries an input (no limit), or passes over the data a prompt (100)'),
        group: 'Attack:',
      })
      .option('seed', { ...value('Seed of all draws (12345)'), group: 'Attack:' })
      .option('protect', {
        ...value('A word or phrase that no edit may touch; repeat it for several'),
        array: true,
        group: 'Attack:',
      })
      .option('protect-placeholders', { ...flag('No edit touches a {placeholder}'), group: 'Attack:' })
      .option('protect-quoted', { ...flag('No edit touches quoted text'), group: 'Attack:' })
      .option('protect-pattern', {
        ...value('No edit touches what matches this regular expression; repeat it for several'),
        array: true,
        group: 'Attack:',
      })
      .option('min-s-src', {
        ...value('Keep only texts with at least this --s-src to the original, a fraction'),
        group: 'Attack:',
      })
      .option('max-words-changed', { ...value('The most words changed, by alignment'), group: 'Attack:' })
      .option('max-edit-distance', { ...value('The largest Levenshtein distance from the original'), group: 'Attack:' })
      .option('max-share-changed', { ...value('The largest share of words changed, by alignment'), group: 'Attack:' })
      .option('neighbours', {
        ...value('Words for others: "wordnet", vectors (word2vec, GloVe, .npy, .safetensors), or a table with tabs'),
        group: 'Resources:',
      })
      .option('neighbour-count', { ...value('The most neighbours of a word (set by the attack)'), group: 'Resources:' })
      .option('min-cosine', {
        ...value('The least cosine of neighbours by vectors (set by the attack)'),
        group: 'Resources:',
      })
      .option('encoder', {
        ...value('A sentence encoder: a folder with model.onnx and tokenizer.json, or the .onnx file'),
        group: 'Resources:',
      })
      .option('min-encoder-cosine', {
        ...value('The least cosine of a text and its original (set by the attack, for USE)'),
        group: 'Resources:',
      })
      .option('masked-lm', {
        ...value('A masked language model: a folder with model.onnx and tokenizer.json, or the .onnx file'),
        group: 'Resources:',
      })
      .option('resources', {
        ...value('An ES module with models: embed, tag, predict, neighbours'),
        group: 'Resources:',
      })
      .option('model', {
        ...value('The victim KIND:NAME: lexicon, openai:, command:, module:, replay: (lexicon)'),
        group: 'Victim:',
      })
      .option('base-url', { ...value('Base URL of an openai: victim'), group: 'Victim:' })
      .option('parallel', { ...value('Inputs attacked at the same time (1)'), group: 'Victim:' })
      .option('s-src', { ...value('Metric of the source side (chrf)'), group: 'Metrics:' })
      .option('s-tgt', { ...value('Metric of the target side (zero_one)'), group: 'Metrics:' })
      .option('success-threshold', {
        ...value('An attack succeeds when s_src + d_tgt is above it (1)'),
        group: 'Metrics:',
      })
      .option('work-dir', { ...value('Folder for records, parallel files and the cache of answers'), group: 'Output:' })
      .option('resume', {
        type: 'boolean',
        describe: 'Go on with the run that --work-dir holds',
        group: 'Output:',
      })
      .option('format', {
        ...value('Format of the summary'),
        choices: ['text', 'json'] as const,
        default: 'text' as const,
        group: 'Output:',
      })
      .example(
        'teapot attack --data reviews.csv --columns src=text,ref=label --work-dir run',
        'Offline, with the lexicon',
      )
      .example(
        'teapot attack --src reviews.txt --attack pruthi --query-budget 50 --work-dir run',
        'Without labels: against the own first answer',
      )
      .example(
        'teapot attack --config attack.yaml --work-dir run',
        'The prompts of a task, ranked and attacked',
      ) as never,
  handler: async (given) => {
    const argv = withoutUnderscores(given);
    if (argv.config !== undefined || argv.dataset !== undefined || argv.prompts !== undefined) {
      refuse(argv, INPUT_ONLY, 'belongs to attacks on inputs, but --config, --dataset and --prompts attack prompts');
      const { transfer } = argv;
      if (transfer !== undefined) {
        const { runPromptTransfer } = await import('../attack/prompt-transfer.js');
        await runPromptTransfer({ ...argv, transfer });
        return;
      }
      const { runPromptAttack } = await import('../attack/prompt-attack.js');
      await runPromptAttack(argv);
      return;
    }
    refuse(argv, PROMPT_ONLY, 'belongs to attacks on prompts, which need --config or --dataset');
    const { runInputAttack } = await import('../attack/input-attack.js');
    await runInputAttack(argv);
  },
};

function flag(describe: string) {
  return { type: 'boolean', describe } as const;
}

function value(describe: string, alias?: string) {
  return { type: 'string', requiresArg: true, describe, ...(alias === undefined ? {} : { alias }) } as const;
}

type Given = AttackArguments & PromptAttackArguments;

/** Options with underscores, as OpenCompass and PromptBench spell them: understood, but not shown in the help. */
const UNDERSCORED = { type: 'string', requiresArg: true, hidden: true } as const;

interface Underscored {
  readonly generate_len?: string;
  readonly query_budget?: string;
  readonly prompt_topk?: string;
}

function withoutUnderscores(given: Given & Underscored): Given {
  const { generate_len, query_budget, prompt_topk, ...argv } = given;
  return {
    ...argv,
    generateLen: oneOf('generate-len', argv.generateLen, generate_len),
    queryBudget: oneOf('query-budget', argv.queryBudget, query_budget),
    promptTopk: oneOf('prompt-topk', argv.promptTopk, prompt_topk),
  };
}

function oneOf(name: string, dashed: string | undefined, underscored: string | undefined): string | undefined {
  if (dashed === undefined || underscored === undefined) return dashed ?? underscored;
  throw invalid(`--${name} is given in two spellings: leave one out`);
}

/** Options that mean nothing for the other kind of attack. */
const INPUT_ONLY = [
  'columns',
  'src',
  'ref',
  'goal',
  'target',
  'goalThreshold',
  'parallel',
  'sSrc',
  'sTgt',
  'successThreshold',
] as const;
const PROMPT_ONLY = ['shot', 'generateLen', 'promptTopk', 'wordings', 'dryRun', 'transfer'] as const;

/** An option that would do nothing, silently, is refused. */
function refuse(argv: Given, names: readonly (keyof Given)[], why: string): void {
  const given = names.find((name) => argv[name] !== undefined);
  if (given === undefined) return;
  throw invalid(`--${given.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)} ${why}`);
}
