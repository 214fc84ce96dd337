import type { Block } from '../../attack/blocks/block.js';
import { constraintBlocks } from '../../attack/blocks/constraints.js';
import { searchBlocks } from '../../attack/blocks/searches.js';
import { transformationBlocks } from '../../attack/blocks/transformations.js';

/** What parts of an attack can be listed, and how the option takes them. */
const LISTS: Readonly<
  Record<
    'transformations' | 'constraints' | 'searches',
    { readonly usage: string; readonly blocks: () => readonly Block[] }
  >
> = {
  transformations: {
    usage: 'Transformations for teapot attack --transformation NAME or NAME:param=value,param=value',
    blocks: transformationBlocks,
  },
  constraints: {
    usage: 'Constraints for teapot attack --constraint NAME or NAME=VALUE; NAME=none and none drop those of the attack',
    blocks: constraintBlocks,
  },
  searches: {
    usage: 'Search methods for teapot attack --search NAME or NAME:param=value,param=value',
    blocks: searchBlocks,
  },
};

/** `teapot list transformations`, `constraints` or `searches`: the parts that an attack can be put together of. */
export function listBlocks(what: keyof typeof LISTS, format: 'text' | 'json'): string {
  const { usage, blocks } = LISTS[what];
  if (format === 'json') return `${JSON.stringify(blocks(), null, 2)}\n`;
  const lines = blocks().map(({ name, description, source, parameters }) => {
    const shown = parameters.length === 0 ? '' : `    ${parameters.join('  ')}\n`;
    return `${name}: ${description} [${source}]\n${shown}`;
  });
  return [`${usage}\n\n`, ...lines].join('');
}
