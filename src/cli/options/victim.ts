import type { OptionTable } from '../command.js';

const GROUP = 'Victim:';

/** Who is asked. */
export const VICTIM = {
  model: {
    type: 'text',
    metavar: 'KIND:NAME',
    preset: 'lexicon',
    help: 'The victim; see "teapot list victims"',
    group: GROUP,
  },
  baseUrl: { type: 'text', metavar: 'URL', help: 'Base URL of an openai: victim', group: GROUP },
} as const satisfies OptionTable;

/** The prompts of a task. */
export const PROMPT_TASK = {
  config: { type: 'file', help: 'A prompt attack as YAML; flags go before it', group: 'Prompts:' },
  dataset: {
    type: 'text',
    metavar: 'NAME',
    help: 'Prompts on this data set; --data names its file',
    group: 'Prompts:',
  },
  prompts: {
    type: 'file',
    help: 'The prompts: one a line, JSONL, a list of a Python or JSON file, or an archive of PromptBench (.md)',
    preset: 'those of the data set',
    group: 'Prompts:',
  },
  shot: { type: 'integer', minimum: 0, preset: '0', help: 'Few-shot examples an input', group: 'Prompts:' },
  generateLen: {
    type: 'integer',
    minimum: 1,
    preset: '64',
    spellings: ['generate_len'],
    help: 'The longest answer of the model, in tokens',
    group: 'Prompts:',
  },
} as const satisfies OptionTable;

/** What is attacked or explained when it isn't prompts. */
export const VICTIM_INPUTS = {
  data: { type: 'file', help: 'A table of inputs (.csv .tsv .jsonl .parquet)', group: 'Inputs:' },
  columns: {
    type: 'text',
    metavar: 'NAMES',
    preset: 'src=src,ref=ref',
    help: 'Which column of --data is what: src=…,ref=…; src=NAME+NAME is an input of two columns',
    group: 'Inputs:',
  },
  src: { type: 'file', help: 'The inputs, one a line, instead of --data', group: 'Inputs:' },
  ref: { type: 'file', help: 'Their labels or reference outputs, one a line', group: 'Inputs:' },
  first: {
    type: 'integer',
    minimum: 1,
    alias: 'n',
    metavar: 'N',
    help: 'Use the first N inputs or items only',
    group: 'Inputs:',
  },
} as const satisfies OptionTable;
