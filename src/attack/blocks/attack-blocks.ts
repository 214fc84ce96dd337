import { ERROR_CODES, UsageError } from '../../errors.js';
import type { AttackRecipe } from '../recipe.js';
import { greedyWordImportance } from '../search/greedy-word-importance.js';
import { beam } from '../search/beam.js';
import { constraintsOf, OF_WORDS, readConstraintBlocks, withConstraints } from './constraints.js';
import { isSearchOfWords, searchOf } from './searches.js';
import { isOfWholeText, readTransformations, transformationsOf } from './transformations.js';

/** Parts of an attack by name, each in the place of the recipe's. */
export interface AttackBlocks {
  /** `NAME` or `NAME:param=value`, see `teapot list transformations`; all of the recipe's are replaced. */
  readonly transformations?: readonly string[] | undefined;
  /** `NAME`, `NAME=VALUE`, `NAME=none` or `none`, see `teapot list constraints`; each replaces the recipe's of the same name. */
  readonly constraints?: readonly string[] | undefined;
  /** `NAME` or `NAME:param=value`, see `teapot list searches`. */
  readonly search?: string | undefined;
}

/** An attack put together, and what else its constraints ask for. */
export interface BuiltAttack {
  readonly recipe: AttackRecipe;
  /** The file of the constraint `stop-words`. */
  readonly stopWords?: string | undefined;
  /** The value of the constraint `min-s-src`. */
  readonly minSSrc?: number | undefined;
}

/** What an attack is called that was put together without a recipe. */
const CUSTOM = 'custom';

/** The blocks of a recipe as the options take them: given again, they make the same attack. */
export function blocksOf(recipe: AttackRecipe): {
  readonly transformations: readonly string[];
  readonly constraints: readonly string[];
  readonly search: string;
} {
  return {
    transformations: transformationsOf(recipe),
    constraints: constraintsOf(recipe),
    search: recipe.search.name,
  };
}

/** Whether any block is given. */
export function hasBlocks({ transformations = [], constraints = [], search }: AttackBlocks): boolean {
  return transformations.length > 0 || constraints.length > 0 || search !== undefined;
}

/**
 * Puts an attack together: a recipe with these blocks in the place of its own. Without a recipe the transformations have to be given;
 * there are no constraints but the given ones, and the search is `greedy-word-importance:unk`, for texts as a whole `greedy`.
 *
 * The name says what was changed, for example `deepwordbug[search=beam:4]`, so that tables keep such attacks apart.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for a block that does not exist, or blocks that don't go together.
 */
export function buildAttack(recipe: AttackRecipe | undefined, blocks: AttackBlocks): BuiltAttack {
  if (!hasBlocks(blocks)) {
    if (recipe === undefined) throw wrong('an attack without a recipe needs --transformation');
    return { recipe };
  }
  const { transformations: given = [], constraints: asked = [], search } = blocks;
  if (recipe === undefined && given.length === 0) throw wrong('an attack without a recipe needs --transformation');
  const made = given.length === 0 ? undefined : readTransformations(given);
  const bare: AttackRecipe | undefined =
    recipe === undefined || made === undefined ? recipe : without(recipe, WORD_SETTINGS);
  const transformed = { ...(bare ?? BLANK), ...made };
  const isWhole = transformed.proposals === undefined && transformed.transformations.every(isOfWholeText);
  const method =
    search === undefined ? (recipe?.search ?? (isWhole ? beam(1) : greedyWordImportance('unk'))) : searchOf(search);
  if (isWhole && isSearchOfWords(method)) {
    throw wrong(
      `candidates of ${transformed.transformations.join(' and ')} are of the text as a whole, and ${method.name} changes words: ` +
        '--search greedy, beam or brute-force',
    );
  }
  const constraints = readConstraintBlocks(asked);
  for (const name of isWhole ? OF_WORDS : []) {
    if ([...constraints.values].some(([one, value]) => one === name && value !== null)) {
      throw wrong(`--constraint ${name} does nothing here: ${transformed.transformations.join(', ')} changes no word`);
    }
  }
  const { settings, stopWords, minSSrc } = withConstraints(transformed, constraints);
  const changed = [
    ...(given.length === 0 ? [] : [`transformation=${given.join('+')}`]),
    ...(asked.length === 0 ? [] : [`constraint=${asked.join('+')}`]),
    ...(search === undefined ? [] : [`search=${method.name}`]),
  ];
  const name = `${recipe?.name ?? CUSTOM}[${changed.join(';')}]`;
  const rest = without(transformed, ['minEncoderCosine']);
  return { recipe: { ...rest, ...settings, name, search: method, changes: changed }, stopWords, minSSrc };
}

/** What transformations say of a recipe. */
const WORD_SETTINGS = ['neighbours', 'withNeighbours', 'seesWord', 'proposals'] as const;

const BLANK: AttackRecipe = {
  name: CUSTOM,
  source: 'put together of blocks',
  differences: [],
  transformations: [],
  search: beam(1),
  needs: [],
};

function without<T extends object, K extends keyof T>(value: T, names: readonly K[]): T {
  const kept = { ...value };
  for (const name of names) delete kept[name];
  return kept;
}

function wrong(message: string): UsageError {
  return new UsageError(ERROR_CODES.INVALID_OPTION, message);
}
