import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';

import type { EditsArguments } from '../edits/run.js';
import { tableOptions } from '../record-options.js';
import { recordSourceOptions } from '../record-source.js';

/** `teapot edits`: what attacks did to texts. */
export const command: CommandModule<object, EditsArguments> = {
  command: 'edits [records..]',
  describe: 'What attacks did to texts: edits by kind, and s_src as a reader sees it',
  builder: (yargs) =>
    tableOptions(recordSourceOptions(yargs))
      .option('by', { type: 'string', requiresArg: true, default: 'attack', describe: 'Group by these keys' })
      .option('s-src', {
        type: 'string',
        requiresArg: true,
        default: 'chrf',
        describe: 'Metric of the source side: KEY or KEY:param=value,…',
      })
      .option('per-record', {
        type: 'string',
        requiresArg: true,
        describe: 'Write the records with every edit there (.jsonl, also .gz and .zst)',
      })
      .example('$0 edits records.jsonl', 'Edits by kind, attack by attack')
      .example(
        '$0 edits --src examples/translation/src.fr --adv-src examples/translation/adv.homoglyph.fr',
        'The same of line-aligned files',
      ) as unknown as Argv<EditsArguments>,
  handler: edits,
};

async function edits(argv: ArgumentsCamelCase<EditsArguments>): Promise<void> {
  const { runEdits } = await import('../edits/run.js');
  await runEdits(argv);
}
