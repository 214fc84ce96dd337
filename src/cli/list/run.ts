import { listScorers } from '../../score/registry.js';
import type { ScorerDefinition } from '../../score/definition.js';
import { describeRange, formatParameter } from '../../score/parameters.js';
import type { ListArguments } from '../commands/list.js';
import { printResult } from '../terminal.js';

/** Runs `teapot list`. */
export async function runList({ what, format }: ListArguments): Promise<void> {
  await printResult(await listing(what, format), { format });
}

async function listing(what: ListArguments['what'], format: 'text' | 'json'): Promise<string> {
  if (what === 'scorers') return format === 'json' ? scorersJson() : scorersText();
  if (what === 'datasets') return (await import('./datasets.js')).listDatasets(format);
  if (what === 'transformations' || what === 'constraints' || what === 'searches') {
    return (await import('./blocks.js')).listBlocks(what, format);
  }
  const { listAttacks, listVictims } = await import('./attacks.js');
  return what === 'attacks' ? listAttacks(format) : await listVictims(format);
}

function scorersJson(): string {
  const plain = ({ key, aliases = [], name, description, origin, parameters }: ScorerDefinition): object => ({
    key,
    aliases,
    name,
    description,
    origin,
    parameters,
  });
  return `${JSON.stringify(listScorers().map(plain), undefined, 2)}\n`;
}

function scorersText(): string {
  const blocks = listScorers().map(({ key, aliases = [], description, origin, parameters }) => {
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
