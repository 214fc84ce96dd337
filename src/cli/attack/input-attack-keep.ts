import type { AttackRecipe } from '../../attack/recipe.js';
import type { PerturbOptions } from '../../native.js';
import type { ValuesOf } from '../command.js';
import { nativeMetric } from '../native-metric.js';
import type { Note } from '../notes.js';
import type { CONSTRAINTS } from '../options/constraints.js';
import { readResources } from './input-attack-resources.js';
import type { ResourceArguments, Resources } from './input-attack-resources.js';

/** The arguments that say what an attack must keep, and which resources it has. */
export type KeepArguments = ResourceArguments &
  Partial<ValuesOf<typeof CONSTRAINTS>> & { readonly sSrc?: string | undefined };

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
  const keep: Omit<PerturbOptions, 'attacks' | 'seed'> = {
    protect: [...(argv.protect ?? [])],
    protectPlaceholders: argv.protectPlaceholders === true,
    protectQuoted: argv.protectQuoted === true,
    protectPatterns: [...(argv.protectPattern ?? [])],
  };
  if (argv.minSSrc !== undefined) {
    keep.minSSrc = argv.minSSrc;
    keep.sSrc = await nativeMetric(argv.sSrc ?? 'chrf');
  }
  if (argv.maxWordsChanged !== undefined) keep.maxWordsChanged = argv.maxWordsChanged;
  if (argv.maxShareChanged !== undefined) keep.maxShareChanged = argv.maxShareChanged;
  if (argv.maxEditDistance !== undefined) keep.maxEditDistance = argv.maxEditDistance;
  return { keep, ...(await readResources(argv, recipe, note)) };
}
