import type { AttackRecipe } from '../../attack/recipe.js';
import type { PerturbOptions } from '../../native.js';
import { nativeMetric } from '../native-metric.js';
import type { Note } from '../notes.js';
import { readNumber } from '../values.js';
import { readResources } from './input-attack-resources.js';
import type { ResourceArguments, Resources } from './input-attack-resources.js';

/** The arguments that say what an attack must keep, and what it has to hand. */
export interface KeepArguments extends ResourceArguments {
  readonly protect?: readonly string[] | undefined;
  readonly protectPlaceholders?: boolean | undefined;
  readonly protectQuoted?: boolean | undefined;
  readonly protectPattern?: readonly string[] | undefined;
  readonly minSSrc?: string | undefined;
  readonly sSrc?: string | undefined;
  readonly maxWordsChanged?: string | undefined;
  readonly maxShareChanged?: string | undefined;
  readonly maxEditDistance?: string | undefined;
}

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
  const fraction = { minimum: 0, maximum: 1 };
  const count = { integer: true, minimum: 0 };
  if (argv.minSSrc !== undefined) {
    keep.minSSrc = readNumber('--min-s-src', argv.minSSrc, fraction);
    keep.sSrc = await nativeMetric(argv.sSrc ?? 'chrf');
  }
  if (argv.maxWordsChanged !== undefined) {
    keep.maxWordsChanged = readNumber('--max-words-changed', argv.maxWordsChanged, count);
  }
  if (argv.maxShareChanged !== undefined) {
    keep.maxShareChanged = readNumber('--max-share-changed', argv.maxShareChanged, fraction);
  }
  if (argv.maxEditDistance !== undefined) {
    keep.maxEditDistance = readNumber('--max-edit-distance', argv.maxEditDistance, count);
  }
  return { keep, ...(await readResources(argv, recipe, note)) };
}
