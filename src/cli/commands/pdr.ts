import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';

import type { PdrRunArguments } from '../pdr/run.js';
import { intervalOptions, recordOptions, tableOptions } from '../record-options.js';

/** `teapot pdr`: tables of performance drop rates. */
export const command: CommandModule<object, PdrRunArguments> = {
  command: 'pdr <records..>',
  describe: 'Tables of performance drop rates (PDR) from attack records',
  builder: (yargs) =>
    intervalOptions(tableOptions(recordOptions(yargs)))
      .option('by', {
        type: 'string',
        requiresArg: true,
        default: 'attack',
        describe: 'Group by these keys; with two or more the last one makes the columns: attack,dataset',
      })
      .option('table', {
        type: 'string',
        requiresArg: true,
        choices: ['promptbench'] as const,
        describe: 'The tables that PromptBench publishes, instead of --by',
      })
      .option('long', { type: 'boolean', describe: 'One row a group with all its numbers, also for several keys' })
      .option('trim', {
        type: 'string',
        requiresArg: true,
        default: '0.1',
        describe: 'The share that the trimmed mean cuts at each end',
      })
      .option('fail-if', {
        type: 'string',
        requiresArg: true,
        array: true,
        describe: "Exit with code 3 when a number over all attacks passes: 'micro_pdr>0.5'; repeat it for several",
      })
      .example('$0 pdr records.jsonl --by attack,dataset', 'Mean drop rate and its spread, attack by data set')
      .example(
        '$0 pdr records.jsonl --table promptbench -o tables.tex',
        "PromptBench's tables for a paper",
      ) as unknown as Argv<PdrRunArguments>,
  handler: pdr,
};

async function pdr(argv: ArgumentsCamelCase<PdrRunArguments>): Promise<void> {
  const { runPdr } = await import('../pdr/run.js');
  await runPdr(argv);
}
