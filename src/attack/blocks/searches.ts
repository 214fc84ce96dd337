import type { ParameterDefinition } from '../../score/parameters.js';
import { beam } from '../search/beam.js';
import { bruteForce } from '../search/brute-force.js';
import { genetic } from '../search/genetic.js';
import { greedyWordImportance } from '../search/greedy-word-importance.js';
import { improvedGenetic } from '../search/improved-genetic.js';
import { particleSwarm } from '../search/particle-swarm.js';
import { WORD_RANKINGS } from '../search/rank-words.js';
import type { SearchMethod } from '../search/search-method.js';
import { blockNamed, readBlockParameters, shownParameters } from './block.js';
import type { Block } from './block.js';

interface SearchBlock {
  readonly name: string;
  readonly alias?: string;
  readonly description: string;
  readonly source: string;
  readonly parameters: readonly ParameterDefinition[];
  /** It changes one word at a time: candidates of the text as a whole are out of its reach. */
  readonly isOfWords: boolean;
  readonly build: (value: (name: string) => number | string) => SearchMethod;
}

const POPULATION: readonly ParameterDefinition[] = [
  { name: 'population', type: 'integer', minimum: 2, maximum: 100_000, default: 60, help: 'Texts that are kept' },
  { name: 'rounds', type: 'integer', minimum: 0, maximum: 100_000, default: 20, help: 'Rounds after the first texts' },
];

const TEMPERATURE: ParameterDefinition = {
  name: 'temperature',
  type: 'number',
  above: 0,
  default: 0.3,
  help: 'Parents are drawn by exp(score / temperature)',
};

const SEARCHES: readonly SearchBlock[] = [
  {
    name: 'greedy-word-importance',
    alias: 'greedy-wir',
    description: 'words in the order of their importance, the best candidate of each',
    source: 'TextAttack 0.3.11 (greedy-word-wir)',
    parameters: [
      { name: 'ranking', type: 'choice', choices: WORD_RANKINGS, default: 'unk', help: 'How words are ranked' },
    ],
    isOfWords: true,
    build: (value) => greedyWordImportance(WORD_RANKINGS.find((one) => one === value('ranking')) ?? 'unk'),
  },
  {
    name: 'greedy',
    description: 'the best candidate of all words in each round',
    source: 'TextAttack 0.3.11 (greedy)',
    parameters: [],
    isOfWords: false,
    build: () => beam(1),
  },
  {
    name: 'beam',
    alias: 'beam-search',
    description: 'the best texts of each round, several at a time',
    source: 'TextAttack 0.3.11 (beam-search)',
    parameters: [
      { name: 'width', type: 'integer', minimum: 1, maximum: 100_000, default: 8, help: 'Texts kept in a round' },
    ],
    isOfWords: false,
    build: (value) => beam(Number(value('width'))),
  },
  {
    name: 'brute-force',
    description: 'every candidate of the original, the best one taken',
    source: 'PromptBench 0.0.4 (CheckList, StressTest)',
    parameters: [],
    isOfWords: false,
    build: () => bruteForce,
  },
  {
    name: 'genetic',
    alias: 'alzantot-genetic',
    description: 'a population of texts that are crossed and changed',
    source: 'Alzantot et al. 2018; TextAttack 0.3.11',
    parameters: [...POPULATION, TEMPERATURE],
    isOfWords: true,
    build: (value) =>
      genetic({
        population: Number(value('population')),
        rounds: Number(value('rounds')),
        temperature: Number(value('temperature')),
      }),
  },
  {
    name: 'improved-genetic',
    description: 'a population of one change each, crossed at one place; a word may be changed several times',
    source: 'Wang et al. 2019 (IGA); TextAttack 0.3.11',
    parameters: [
      ...POPULATION,
      TEMPERATURE,
      { name: 'changes', type: 'integer', minimum: 1, maximum: 100_000, default: 5, help: 'Changes of a word' },
    ],
    isOfWords: true,
    build: (value) =>
      improvedGenetic({
        population: Number(value('population')),
        rounds: Number(value('rounds')),
        temperature: Number(value('temperature')),
        changes: Number(value('changes')),
      }),
  },
  {
    name: 'particle-swarm',
    alias: 'pso',
    description: 'texts that turn to their own best and to the best of all',
    source: 'Zang et al. 2020; TextAttack 0.3.11',
    parameters: POPULATION,
    isOfWords: true,
    build: (value) => particleSwarm({ population: Number(value('population')), rounds: Number(value('rounds')) }),
  },
];

const BY_NAME: ReadonlyMap<string, SearchBlock> = new Map(
  SEARCHES.flatMap((one) => [
    [one.name, one] as const,
    ...(one.alias === undefined ? [] : [[one.alias, one] as const]),
  ]),
);

/** Every search method, for `teapot list searches`. */
export function searchBlocks(): readonly Block[] {
  return SEARCHES.map(({ name, description, source, parameters, alias }) => ({
    name,
    description: alias === undefined ? description : `${description} (also ${alias})`,
    source,
    parameters: shownParameters(parameters),
  }));
}

/**
 * The search method of a text such as `greedy-word-importance:delete`, `beam:4` or `genetic:population=20,rounds=5`: the names that
 * {@link SearchMethod.name} has.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION`.
 */
export function searchOf(text: string): SearchMethod {
  const block = blockNamed('--search', text, BY_NAME, 'searches');
  const values = readBlockParameters('--search', text, block.parameters);
  return block.build((name) => {
    const value = values[name];
    return typeof value === 'number' ? value : String(value);
  });
}

/** Whether a search method changes one word at a time, so that candidates of the text as a whole are out of its reach. */
export function isSearchOfWords({ name }: SearchMethod): boolean {
  return BY_NAME.get(name.split(':')[0] ?? '')?.isOfWords ?? false;
}
