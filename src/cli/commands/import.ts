import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';

import type { ImportArguments } from '../records/run-import.js';

const FORMATS = [
  'auto',
  'textattack',
  'openattack',
  'promptbench',
  'opencompass',
  'garak',
  'table',
  'parallel',
] as const;

/** `teapot import`: logs of other tools, tables and parallel files into attack records. */
export const command: CommandModule<object, ImportArguments> = {
  command: 'import <format> [files..]',
  describe: "Read other tools' logs, tables or parallel files into attack records",
  builder: (yargs) =>
    yargs
      .positional('format', {
        choices: FORMATS,
        demandOption: true,
        describe: 'What wrote the files; auto looks at them',
      })
      .positional('files', {
        type: 'string',
        array: true,
        describe: 'Files (also .gz and .zst); - is stdin; parallel takes --src, --adv-src, … instead',
      })
      .option('output', value('Write the records there (JSONL; .gz and .zst are compressed). Default: stdout', 'o'))
      .option('on-error', {
        ...value('At a row that can not be read: stop, skip it, or read on and report all of them'),
        choices: ['stop', 'skip', 'collect'] as const,
        default: 'stop' as const,
      })
      .option('warnings', value('Write every warning there, one JSON object a line (stderr shows the first ones)'))
      .option('encoding', { ...value('How the files are encoded'), default: 'utf-8' })
      .option(
        'columns',
        value('table: which column is what: src=…,adv_src=…,out=…,adv_out=…,ref=…,result=… (a name, or #3)'),
      )
      .option('markers', {
        ...value('textattack: how changed words are marked (default: told from the file)'),
        choices: ['file', 'html', 'plain'] as const,
      })
      .option('src', value('parallel: the original inputs, one a line'))
      .option('adv-src', value('parallel: the attacked inputs'))
      .option('out', value('parallel: the outputs for the original inputs'))
      .option('adv-out', value('parallel: the outputs for the attacked inputs'))
      .option('ref', { ...value('parallel: the reference outputs; repeat it for several'), array: true })
      .option('line-breaks', {
        ...value('parallel: escape when the files were exported with --line-breaks escape'),
        choices: ['escape'] as const,
      })
      .option('run', value('Name of the run, where the files tell none'))
      .option('attack', value('Name of the attack, where the files tell none'))
      .option('model', value('Name of the model'))
      .option('dataset', value('Name of the data set'))
      .option('prompt-type', {
        ...value('Type of the prompts'),
        choices: ['zs-task', 'zs-role', 'fs-task', 'fs-role'] as const,
      })
      .group(['run', 'attack', 'model', 'dataset', 'prompt-type'], 'Grouping keys that the files do not tell:')
      .example('$0 import auto log.csv -o records.jsonl', "Any tool's log")
      .example('$0 import textattack log.csv summary.json -o records.jsonl', "Compared with the tool's own summary")
      .example(
        '$0 import table data.parquet --columns src=text,adv_src=attacked,ref=label',
        'A table',
      ) as unknown as Argv<ImportArguments>,
  handler: run,
};

async function run(argv: ArgumentsCamelCase<ImportArguments>): Promise<void> {
  const { runImport } = await import('../records/run-import.js');
  await runImport(argv);
}

function value(describe: string, alias?: string) {
  return { type: 'string', requiresArg: true, describe, ...(alias === undefined ? {} : { alias }) } as const;
}
