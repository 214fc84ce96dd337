import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';

import type { CompareArguments } from '../compare/run.js';
import { intervalOptions, tableOptions } from '../record-options.js';

/** `teapot compare`: what became of each item between two runs. */
export const command: CommandModule<object, CompareArguments> = {
  command: 'compare <a> <b>',
  describe: 'Compare two runs item by item: fixed, broken, unchanged, with paired tests',
  builder: (yargs) =>
    intervalOptions(tableOptions(yargs))
      .positional('a', { type: 'string', demandOption: true, describe: 'Records of the run before (- is stdin)' })
      .positional('b', { type: 'string', demandOption: true, describe: 'Records of the run after' })
      .option('key', { ...value('What makes two records the same item: id, src, ref or grouping keys'), default: 'id' })
      .option('success', {
        ...value("Whose verdict decides: teapot's criterion, or what the attacking tool said"),
        choices: ['teapot', 'tool'] as const,
        default: 'teapot' as const,
      })
      .option('s-src', { ...value('Metric of the source side'), default: 'chrf' })
      .option('s-tgt', { ...value('Metric of the target side'), default: 'chrf' })
      .option('success-threshold', { ...value('An attack succeeds when s_src + d_tgt is above it'), default: '1' })
      .option('examples', { ...value('How many items of each change are named'), default: '5' })
      .option('items', value('Write every item there, one JSON object a line; those that changed come first'))
      .option('on-error', {
        ...value('At a line that is no record: stop, skip it, or read on and report all of them'),
        choices: ['stop', 'skip', 'collect'] as const,
        default: 'stop' as const,
      })
      .option('fail-if', {
        ...value("Exit with code 3 when it holds: 'broken>0', 'success_rate_difference>0.02'; repeat it for several"),
        array: true,
      })
      .example(
        "$0 compare before.jsonl after.jsonl --fail-if 'broken>0'",
        'Did the model become easier to attack?',
      ) as unknown as Argv<CompareArguments>,
  handler: compare,
};

async function compare(argv: ArgumentsCamelCase<CompareArguments>): Promise<void> {
  const { runCompare } = await import('../compare/run.js');
  await runCompare(argv);
}

function value(describe: string) {
  return { type: 'string', requiresArg: true, describe } as const;
}
