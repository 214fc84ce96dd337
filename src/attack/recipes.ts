import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { beam } from './search/beam.js';
import { bruteForce } from './search/brute-force.js';
import { greedyWordImportance } from './search/greedy-word-importance.js';
import type { SearchMethod } from './search/search-method.js';

/** A file, package or model that an attack can't do without. */
export interface ResourceNeed {
  /** What it is called on the command line: `--resource neighbours=FILE`. */
  readonly name: string;
  /** One sentence: what it is and how to get it. */
  readonly help: string;
}

/** An attack: which candidates it tries and how it searches among them. */
export interface AttackRecipe {
  /** Its name on the command line and in records. */
  readonly name: string;
  /** The paper or tool it comes from. */
  readonly source: string;
  /** How it differs from the original; empty when it doesn't. */
  readonly differences: readonly string[];
  /** Attacks or transformations of the native core that make the candidates. */
  readonly transformations: readonly string[];
  /** Constraints on top of those of the transformations. */
  readonly constraints?: { readonly maxWordsChanged?: number; readonly maxShareChanged?: number };
  /** How it searches. */
  readonly search: SearchMethod;
  /** What it can't do without; most need nothing. */
  readonly resources: readonly ResourceNeed[];
  /** True when the attack is meant for the goal `input-reduction`. */
  readonly reducesInput?: boolean;
}

const NEIGHBOURS: ResourceNeed = {
  name: 'neighbours',
  help: 'words and their replacements, a line each, separated by tabs, the nearest first (from WordNet or word vectors)',
};

const SEEDED = 'random choices are seeded for each text and word, not drawn from one global generator';

/** Every attack on texts, by name. */
export const ATTACK_RECIPES: readonly AttackRecipe[] = [
  {
    name: 'deepwordbug',
    source: 'Gao et al. 2018; TextAttack 0.3.11, PromptBench 0.0.4',
    differences: [SEEDED],
    transformations: ['deepwordbug'],
    search: greedyWordImportance('unk'),
    resources: [],
  },
  {
    name: 'textbugger',
    source: 'Li et al. 2019; TextAttack 0.3.11, PromptBench 0.0.4',
    differences: [SEEDED, 'the character part: no embedding neighbours and no sentence encoder'],
    transformations: ['textbugger'],
    search: greedyWordImportance('delete'),
    resources: [],
  },
  {
    name: 'pruthi',
    source: 'Pruthi et al. 2019; TextAttack 0.3.11',
    differences: ['the best text of all rounds is returned, not that of the last one'],
    transformations: ['pruthi'],
    constraints: { maxWordsChanged: 1 },
    search: beam(1),
    resources: [],
  },
  {
    name: 'homoglyph',
    source: 'TextAttack 0.3.11 (table), Gao et al. 2018 (search)',
    differences: [],
    transformations: ['homoglyph'],
    search: greedyWordImportance('unk'),
    resources: [],
  },
  {
    name: 'bad-characters',
    source: 'Boucher et al. 2022; TextAttack 0.3.11',
    differences: [SEEDED, 'greedy search by word importance instead of differential evolution'],
    transformations: ['bad-characters'],
    search: greedyWordImportance('delete'),
    resources: [],
  },
  {
    name: 'viper',
    source: 'Eger et al. 2019 (easy character embedding space); OpenAttack 2.1',
    differences: [SEEDED, 'greedy search by word importance instead of repeated random drawing'],
    transformations: ['viper'],
    search: greedyWordImportance('unk'),
    resources: [],
  },
  {
    name: 'typo',
    source: 'keyboard neighbours and slips, as in Pruthi et al. 2019',
    differences: [SEEDED],
    transformations: ['typo'],
    search: greedyWordImportance('unk'),
    resources: [],
  },
  {
    name: 'charswap',
    source: 'Michel et al. 2019 (TEAPOT)',
    differences: [SEEDED, 'greedy search by word importance instead of gradients'],
    transformations: ['charswap'],
    search: greedyWordImportance('unk'),
    resources: [],
  },
  {
    name: 'checklist',
    source: 'Ribeiro et al. 2020; PromptBench 0.0.4',
    differences: ['the 50 strings are seeded, not a fixed list', 'a candidate that does not help is not returned'],
    transformations: ['checklist'],
    search: bruteForce,
    resources: [],
  },
  {
    name: 'stresstest',
    source: 'Naik et al. 2018; PromptBench 0.0.4',
    differences: ['a candidate that does not help is not returned'],
    transformations: ['stresstest'],
    search: bruteForce,
    resources: [],
  },
  {
    name: 'contractions',
    source: 'Ribeiro et al. 2020; TextAttack 0.3.11 (part of CheckList)',
    differences: [],
    transformations: ['contractions'],
    search: beam(1),
    resources: [],
  },
  {
    name: 'input-reduction',
    source: 'Feng et al. 2018; TextAttack 0.3.11',
    differences: [],
    transformations: ['word-delete'],
    search: greedyWordImportance('delete'),
    resources: [],
    reducesInput: true,
  },
  {
    name: 'pwws',
    source: 'Ren et al. 2019; TextAttack 0.3.11',
    differences: ['synonyms come from the neighbours resource'],
    transformations: ['replace'],
    search: greedyWordImportance('weighted-saliency'),
    resources: [NEIGHBOURS],
  },
  {
    name: 'textfooler',
    source: 'Jin et al. 2020; TextAttack 0.3.11, PromptBench 0.0.4',
    differences: [
      'neighbours come from a resource; no part of speech and no sentence encoder unless --min-s-src asks for one',
    ],
    transformations: ['replace'],
    search: greedyWordImportance('delete'),
    resources: [NEIGHBOURS],
  },
];

/**
 * The attack of this name.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION`, with the nearest name and the list.
 */
export function attackRecipe(name: string): AttackRecipe {
  const recipe = ATTACK_RECIPES.find((one) => one.name === name);
  if (recipe !== undefined) return recipe;
  const names = ATTACK_RECIPES.map((one) => one.name);
  throw new UsageError(
    ERROR_CODES.INVALID_OPTION,
    `--attack ${name}: no such attack.${didYouMean(name, names)} Expected one of ${names.join(', ')}`,
  );
}
