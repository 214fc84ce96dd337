import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import type { AttackRecipe } from './recipe.js';
import { CHARACTER_RECIPES } from './recipes/characters.js';
import { TEXT_RECIPES } from './recipes/texts.js';
import { WORD_RECIPES } from './recipes/words.js';

export type { AttackRecipe } from './recipe.js';

/** Every attack on texts. */
export const ATTACK_RECIPES: readonly AttackRecipe[] = [...CHARACTER_RECIPES, ...TEXT_RECIPES, ...WORD_RECIPES];

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
    `the option \`attack\` ${name}: no such attack.${didYouMean(name, names)} Expected one of ${names.join(', ')}`,
  );
}
