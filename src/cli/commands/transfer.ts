import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';

import { intervalOptions, recordOptions, tableOptions } from '../record-options.js';
import type { TransferRunArguments } from '../pdr/run-transfer.js';

/** `teapot transfer`: the matrix attack × (source → target model). */
export const command: CommandModule<object, TransferRunArguments> = {
  command: 'transfer <records..>',
  describe: 'How far attacks made on one model work on another: attack by source→target model',
  builder: (yargs) =>
    intervalOptions(tableOptions(recordOptions(yargs)))
      .option('own', { type: 'boolean', describe: 'Also the attacks on the model that they were made on' })
      .option('trim', {
        type: 'string',
        requiresArg: true,
        default: '0.1',
        describe: 'The share that the trimmed mean cuts at each end',
      })
      .example(
        '$0 transfer records.jsonl --own',
        'Drop rates on every target beside those on the source model',
      ) as unknown as Argv<TransferRunArguments>,
  handler: transfer,
};

async function transfer(argv: ArgumentsCamelCase<TransferRunArguments>): Promise<void> {
  const { runTransfer } = await import('../pdr/run-transfer.js');
  await runTransfer(argv);
}
