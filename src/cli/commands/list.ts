import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';

interface ListArguments {
  readonly what: 'scorers';
}

/** `teapot list scorers`: what `--s-src` and `--s-tgt` may be. */
export const command: CommandModule<object, ListArguments> = {
  command: 'list <what>',
  describe: 'List the scorers',
  builder: (yargs) =>
    yargs.positional('what', {
      choices: ['scorers'] as const,
      demandOption: true,
      describe: 'What to list',
    }) as Argv<ListArguments>,
  handler: list,
};

async function list(_argv: ArgumentsCamelCase<ListArguments>): Promise<void> {
  await Promise.resolve();
  process.stdout.write('chrf\n');
}
