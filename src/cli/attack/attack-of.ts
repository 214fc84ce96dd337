import { buildAttack, hasBlocks } from '../../attack/blocks/attack-blocks.js';
import { SEMANTIC } from '../../attack/prompt-recipes.js';
import type { AttackRecipe } from '../../attack/recipe.js';
import type { ConstraintArguments } from '../read-constraints.js';
import { invalid } from '../values.js';

/** The arguments that name an attack and its parts. */
export interface BlockArguments extends Pick<ConstraintArguments, 'stopWords' | 'minSSrc'> {
  readonly attack?: string | undefined;
  readonly transformation?: readonly string[] | undefined;
  readonly constraint?: readonly string[] | undefined;
  readonly search?: string | undefined;
  readonly minWordLength?: number | undefined;
  readonly maxWordsChanged?: number | undefined;
  readonly maxShareChanged?: number | undefined;
  readonly maxEditDistance?: number | undefined;
  readonly minEncoderCosine?: number | undefined;
}

/** Options that set what a constraint of the same name sets. */
const SAME = {
  'stop-words': 'stopWords',
  'min-word-length': 'minWordLength',
  'max-words-changed': 'maxWordsChanged',
  'max-share-changed': 'maxShareChanged',
  'max-edit-distance': 'maxEditDistance',
  'min-s-src': 'minSSrc',
  'sentence-encoder': 'minEncoderCosine',
} as const satisfies Readonly<Record<string, keyof BlockArguments>>;

/**
 * The attack of a run: that of `--attack` with the blocks that were given, or one of blocks alone.
 *
 * @param find Gives the recipe of a name.
 * @returns The attack, and the arguments that its constraints stand for.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for blocks that don't exist or don't go together, and what `find` throws.
 */
export function attackOf(
  argv: BlockArguments,
  find: (name: string) => AttackRecipe,
): { readonly recipe: AttackRecipe; readonly constraints: Pick<ConstraintArguments, 'stopWords' | 'minSSrc'> } {
  const { transformation: transformations, constraint: constraints, search, attack } = argv;
  const isCustom = attack === undefined && transformations !== undefined;
  const recipe = isCustom ? undefined : find(attack ?? 'deepwordbug');
  const blocks = { transformations, constraints, search };
  if (recipe?.name === SEMANTIC.name && hasBlocks(blocks)) {
    throw invalid('the attack semantic takes whole wordings: leave --transformation, --constraint and --search out');
  }
  for (const [name, argument] of Object.entries(SAME)) {
    const isGiven = constraints?.some((one) => one.split('=')[0] === name) === true;
    if (isGiven && argv[argument] !== undefined) {
      const flag = argument.replace(/[A-Z]/gu, (letters) => `-${letters.toLowerCase()}`);
      throw invalid(`--constraint ${name} and --${flag} set the same: give one of them`);
    }
  }
  const built = buildAttack(recipe, blocks);
  const { stopWords, minSSrc } = built;
  return {
    recipe: built.recipe,
    constraints: { ...(stopWords !== undefined && { stopWords }), ...(minSSrc !== undefined && { minSSrc }) },
  };
}
