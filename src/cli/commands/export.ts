import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';

import { recordOptions } from '../record-options.js';
import type { ExportArguments } from '../records/run-export.js';

/** `teapot export`: attack records into parallel files, TextAttack's CSV or plain tables. */
export const command: CommandModule<object, ExportArguments> = {
  command: 'export <format> <records..>',
  describe: "Write attack records as parallel files, TextAttack's CSV or a plain table",
  builder: (yargs) =>
    recordOptions(
      yargs.positional('format', {
        choices: ['parallel', 'textattack', 'table'] as const,
        demandOption: true,
        describe: 'What to write',
      }),
    )
      .option('output', {
        ...value(
          'textattack, table: the file (table: .csv .tsv .jsonl .parquet; compressed by .gz .zst). Default: CSV on stdout',
        ),
        alias: 'o',
      })
      .option('src', value('parallel: where the original inputs go, one a line'))
      .option('adv-src', value('parallel: where the attacked inputs go'))
      .option('out', value('parallel: where the outputs for the original inputs go'))
      .option('adv-out', value('parallel: where the outputs for the attacked inputs go'))
      .option('ref', { ...value('parallel: where the references go; repeat it for several'), array: true })
      .option('line-breaks', {
        ...value(
          'parallel: a text with a line break is an error, gets spaces, or is escaped (\\n \\r \\\\) in every line',
        ),
        choices: ['error', 'space', 'escape'] as const,
      })
      .option('missing', {
        ...value(
          'parallel: a record without one of the texts is left out, gets an empty line, or is an error (default: skip)',
        ),
        choices: ['skip', 'empty', 'error'] as const,
      })
      .example('$0 export parallel records.jsonl --src src.txt --adv-src adv.txt', 'Two aligned files')
      .example(
        '$0 export table records.jsonl -o records.parquet',
        'A table of all fields',
      ) as unknown as Argv<ExportArguments>,
  handler: run,
};

async function run(argv: ArgumentsCamelCase<ExportArguments>): Promise<void> {
  const { runExport } = await import('../records/run-export.js');
  await runExport(argv);
}

function value(describe: string) {
  return { type: 'string', requiresArg: true, describe } as const;
}
