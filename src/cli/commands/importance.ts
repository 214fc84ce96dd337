import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';

import type { ImportanceArguments } from '../importance/run.js';

/** `teapot importance`: which words an answer hangs on. */
export const command: CommandModule<object, ImportanceArguments> = {
  command: 'importance [text..]',
  describe: 'Which words an answer hangs on, by leaving each out',
  builder: (yargs) =>
    yargs
      .positional('text', { type: 'string', array: true, describe: 'Texts, instead of --data or --src' })
      .option('data', { ...value('A table of texts (.csv .tsv .jsonl .parquet)'), group: 'Inputs:' })
      .option('columns', { ...value('Which column of --data is what: src=…,ref=…'), group: 'Inputs:' })
      .option('src', { ...value('The texts, one a line'), group: 'Inputs:' })
      .option('ref', { ...value('Their labels or reference outputs, one a line'), group: 'Inputs:' })
      .option('first', { ...value('The first N texts only', 'n'), group: 'Inputs:' })
      .option('scores', {
        ...value('Scores instead of a victim: {"text", "score"} a line, the whole text first'),
        group: 'Inputs:',
      })
      .option('config', { ...value('Prompts of a task, as for "teapot attack"'), group: 'Prompts:' })
      .option('dataset', { ...value('Prompts on this data set; --data names its file'), group: 'Prompts:' })
      .option('prompts', { ...value('The prompts, one a line, or JSONL'), group: 'Prompts:' })
      .option('shot', { ...value('Few-shot examples an input (0)'), group: 'Prompts:' })
      .option('generate-len', { ...value('The longest answer of the model, in tokens (64)'), group: 'Prompts:' })
      .option('model', { ...value('The victim KIND:NAME (lexicon)'), group: 'Victim:' })
      .option('base-url', { ...value('Base URL of an openai: victim'), group: 'Victim:' })
      .option('s-tgt', {
        ...value('Measure outputs with this metric instead of the probability of the label'),
        group: 'Victim:',
      })
      .option('format', {
        ...value('Format of the results'),
        choices: ['text', 'json', 'html'] as const,
        default: 'text' as const,
        group: 'Output:',
      })
      .option('output', { ...value('Write the results there', 'o'), group: 'Output:' })
      .example('$0 importance "A warm and very, very funny film."', 'With the lexicon')
      .example('$0 importance --scores log.jsonl', 'From logged scores') as unknown as Argv<ImportanceArguments>,
  handler: importance,
};

async function importance(argv: ArgumentsCamelCase<ImportanceArguments>): Promise<void> {
  const { runImportance } = await import('../importance/run.js');
  await runImportance(argv);
}

function value(describe: string, alias?: string) {
  return { type: 'string', requiresArg: true, describe, ...(alias === undefined ? {} : { alias }) } as const;
}
