import type { AttackRecipe } from '../../attack/recipe.js';
import type { PerturbOptions } from '../../native.js';
import type { Note } from '../notes.js';
import { readConstraints } from '../read-constraints.js';
import type { ConstraintArguments } from '../read-constraints.js';
import { readResources } from './input-attack-resources.js';
import type { ResourceArguments, Resources } from './input-attack-resources.js';

/** The arguments that say what an attack must keep, and which resources it has. */
export type KeepArguments = ResourceArguments & ConstraintArguments;

/** Constraints and resources of a run. */
export interface Kept extends Resources {
  readonly keep: Omit<PerturbOptions, 'attacks' | 'seed'>;
}

/**
 * Reads the constraints and loads the resources of an attack.
 *
 * @param note Is told which constraints of the original attack are not checked.
 * @throws {UsageError} `ERR_TEAPOT_RESOURCE` when the attack needs something that is not given; what the resources throw.
 */
export async function readKept(argv: KeepArguments, recipe: AttackRecipe, note: Note): Promise<Kept> {
  const keep = await readConstraints(argv);
  return { keep, ...(await readResources(argv, recipe, note)) };
}
