import type { SearchMethod } from './search/search-method.js';

/** A file, package or module that gives an attack its candidates. */
export type ResourceName = 'neighbours' | 'masked-lm' | 'tagger' | 'inflections' | 'entities';

/** Where words come from that may stand for another. */
export interface NeighbourUse {
  /** At most so many a word. */
  readonly count: number;
  /** Of word vectors: only those with at least this cosine. */
  readonly minCosine: number;
}

/** A constraint of an original attack that the native kernels can't check. */
export type ModelConstraint = 'sentence-encoder' | 'part-of-speech' | 'language-model';

/** Edits that models and lists propose, beside the candidates of the kernels. */
export interface ProposalUse {
  readonly name: (typeof PROPOSALS)[number];
  /** At most so many a place. */
  readonly count: number;
  /** Of a masked language model: only words with at least this probability. */
  readonly minConfidence?: number;
}

/** The names of {@link ProposalUse}. */
export const PROPOSALS = [
  'masked-replace',
  'masked-insert',
  'masked-merge',
  'inflections',
  'entities',
  'numbers',
] as const;

/** Constraints of an attack that the native kernels check. */
export interface RecipeConstraints {
  readonly minWordLength?: number;
  readonly maxWordsChanged?: number;
  /** A share of the words; the number that it allows is rounded up, as in TextAttack. */
  readonly maxShareChanged?: number;
  readonly roundsShareUp?: boolean;
  readonly maxEditDistance?: number;
}

/** Settings of a published version of an attack, in the words of {@link SETTINGS}. */
export type Settings = Readonly<Partial<Record<SettingName, string | number>>>;

/** Whose versions of an attack are known. OpenCompass runs PromptBench's, with a query budget of 100 passes and the best prompt only. */
export interface PublishedSettings {
  readonly textattack?: Settings;
  readonly promptbench?: Settings;
}

/** What an attack can set, in the order of tables. */
export const SETTINGS = [
  'candidates',
  'search',
  'stop words',
  'least word length',
  'most words changed',
  'most of the words changed',
  'most edits of characters',
  'candidates of a word',
  'least cosine of neighbours',
  'sentence encoder',
  'part of speech',
  'language model',
] as const;

/** One of {@link SETTINGS}. */
export type SettingName = (typeof SETTINGS)[number];

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
  /** Edits that models and lists propose. */
  readonly proposals?: readonly ProposalUse[];
  /** Constraints of its texts and words. */
  readonly constraints?: RecipeConstraints;
  /** Words of the English stop list (that of NLTK) are left alone. */
  readonly keepsStopWords?: boolean;
  /** What differs when prompts are attacked: PromptBench's settings, where TextAttack's hold for inputs. */
  readonly onPrompts?: Partial<Pick<AttackRecipe, 'constraints' | 'neighbours' | 'minEncoderCosine'>>;
  /** What the published versions set, as far as they have the attack. */
  readonly published?: PublishedSettings;
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
  /** Of these model constraints the user asked for each: without a model that checks it, the attack does not run. */
  readonly insistsOn?: readonly ModelConstraint[];
  /** Blocks that were given in the place of the recipe's, for example `search=beam:4`. */
  readonly changes?: readonly string[];
  /** The constraint on the part of speech lets a verb stand for a noun, and the other way round. */
  readonly mayExchangeVerbAndNoun?: boolean;
  /** The masked language model sees the word that it shall replace. */
  readonly seesWord?: boolean;
  /** The goal that the attack is meant for, where that is not `untargeted`: it is no attack on prompts. */
  readonly goal?: 'input-reduction' | 'non-overlapping-output' | 'minimise-metric';
  /** What compares outputs, where that is not `zero_one`. */
  readonly metric?: string;
  /** The threshold of the goal, where the original attack has one. */
  readonly goalThreshold?: number;
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
