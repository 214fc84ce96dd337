import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';
import type { ScorerDefinition } from '../../score/registry.js';
import { printResult } from '../terminal.js';

/** What can be listed. */
const LISTS = ['scorers', 'attacks', 'victims', 'datasets'] as const;

interface ListArguments {
  readonly what: (typeof LISTS)[number];
  readonly format: 'text' | 'json';
}

/** `teapot list`: what `--s-src` and `--s-tgt`, `--attack`, `--model` and `--dataset` may be. */
export const command: CommandModule<object, ListArguments> = {
  command: 'list <what>',
  describe: 'List the scorers, attacks, victims or data sets',
  builder: (yargs) =>
    yargs
      .positional('what', { choices: LISTS, demandOption: true, describe: 'What to list' })
      .option('format', {
        choices: ['text', 'json'] as const,
        default: 'text' as const,
        describe: 'Format of the list',
      })
      .option('custom-scores-source', {
        type: 'string',
        array: true,
        requiresArg: true,
        describe: 'An ES module that registers metrics, to be listed as well',
      })
      .example('$0 list scorers', 'Keys and parameters of the scorers')
      .example('$0 list attacks', 'Sources, differences and resources of the attacks') as Argv<ListArguments>,
  handler: list,
};

async function list(argv: ArgumentsCamelCase<ListArguments>): Promise<void> {
  if (argv.what === 'datasets') {
    const { listDatasets } = await import('../list/datasets.js');
    await printResult(listDatasets(argv.format), { format: argv.format });
    return;
  }
  if (argv.what !== 'scorers') {
    const { listAttacks, listVictims } = await import('../list/attacks.js');
    await printResult(argv.what === 'attacks' ? listAttacks(argv.format) : await listVictims(argv.format), {
      format: argv.format,
    });
    return;
  }
  const { listScorers } = await import('../../score/registry.js');
  const scorers = listScorers();
  const text =
    argv.format === 'json' ? `${JSON.stringify(scorers.map(plain), undefined, 2)}\n` : await describe(scorers);
  await printResult(text, { format: argv.format });
}

function plain({ key, aliases = [], name, description, origin, parameters }: ScorerDefinition): object {
  return { key, aliases, name, description, origin, parameters };
}

async function describe(scorers: readonly ScorerDefinition[]): Promise<string> {
  const { describeRange, formatParameter } = await import('../../score/parameters.js');
  const blocks = scorers.map(({ key, aliases = [], description, origin, parameters }) => {
    const source = origin === 'built-in' ? '' : ` [${origin}]`;
    const rows = parameters.map((parameter) => {
      const preset = parameter.default === undefined ? '' : formatParameter(parameter.default);
      const flag = parameter.flag === undefined ? '' : `, or --${parameter.flag}`;
      return `    ${`${parameter.name}=${preset}`.padEnd(22)} ${parameter.help} (${describeRange(parameter)})${flag}\n`;
    });
    return `${[key, ...aliases].join(', ')}: ${description}${source}\n${rows.join('')}`;
  });
  return [
    'Scorers for --s-src and --s-tgt, written KEY or KEY:param=value,param=value\n\n',
    ...blocks,
    'exec:PROGRAM: any program; it reads {"hyp": …, "ref": …} a line and answers a number from 0 to 1 a line\n',
  ].join('');
}
