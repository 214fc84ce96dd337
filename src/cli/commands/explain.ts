import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';

import type { ExplainArguments } from '../explain/run.js';
import { recordSourceOptions } from '../record-source.js';

/** `teapot explain`: why one attack is, or is not, successful. */
export const command: CommandModule<object, ExplainArguments> = {
  command: 'explain [records..]',
  describe: 'Why one record or line is successful or not: scores, n-grams, aligned diff, margin',
  builder: (yargs) =>
    recordSourceOptions(yargs)
      .option('id', value('The record with this id'))
      .option('line', value('The record (or line) at this place, from 1'))
      .option('s-src', { ...value('Metric of the source side'), default: 'chrf' })
      .option('s-tgt', { ...value('Metric of the target side'), default: 'chrf' })
      .option('success-threshold', { ...value('An attack succeeds when s_src + d_tgt is above it'), default: '1' })
      .option('format', { ...value('Format of the results'), choices: ['text', 'json'] as const })
      .option('output', { ...value('Write the results there (.txt or .json)'), alias: 'o' })
      .example(
        '$0 explain --line 3 --src examples/translation/src.fr --adv-src examples/translation/adv.homoglyph.fr',
        'The third line of two files',
      )
      .example('$0 explain records.jsonl --id run-1/42', 'One record') as unknown as Argv<ExplainArguments>,
  handler: explain,
};

async function explain(argv: ArgumentsCamelCase<ExplainArguments>): Promise<void> {
  const { runExplain } = await import('../explain/run.js');
  await runExplain(argv);
}

function value(describe: string) {
  return { type: 'string', requiresArg: true, describe } as const;
}
