import type { SearchMethod } from './search/search-method.js';

/** A file, package or module that gives an attack its candidates. */
export type ResourceName = 'neighbours' | 'masked-lm';

/** Where words come from that may stand for another. */
export interface NeighbourUse {
  /** At most so many a word. */
  readonly count: number;
  /** Of word vectors: only those with at least this cosine. */
  readonly minCosine: number;
}

/** A constraint of an original attack that the native kernels can't check. */
export type ModelConstraint = 'sentence-encoder' | 'part-of-speech' | 'language-model';

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
  /** Words of the English stop list are left alone; the character attacks of the native core have that of their own. */
  readonly keepsStopWords?: boolean;
  /** How it searches. */
  readonly search: SearchMethod;
  /** What it can't do without; most need nothing. */
  readonly needs: readonly ResourceName[];
  /** How it uses neighbours, if it does. */
  readonly neighbours?: NeighbourUse;
  /** Transformations that are added when neighbours are given, for an attack that does not need them. */
  readonly withNeighbours?: readonly string[];
  /** Constraints of the original that this attack has only with a model of the user's, and the least cosine of the encoder. */
  readonly modelConstraints?: readonly ModelConstraint[];
  readonly minEncoderCosine?: number;
  /** The constraint on the part of speech lets a verb stand for a noun, and the other way round. */
  readonly mayExchangeVerbAndNoun?: boolean;
  /** The masked language model sees the word that it shall replace. */
  readonly seesWord?: boolean;
  /** True when the attack is meant for the goal `input-reduction`. */
  readonly reducesInput?: boolean;
}

/** What stands in `differences` of every attack that draws. */
export const SEEDED = 'random choices are seeded for each text and word, not drawn from one global generator';

/**
 * The cosine that belongs to an angular similarity s = 1 − arccos(cosine) ÷ π, which TextAttack's recipes state.
 *
 * @example angular(0.5); // 0
 */
export function angular(similarity: number): number {
  return Math.cos(Math.PI * (1 - similarity));
}
