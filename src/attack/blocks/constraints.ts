import { describeRange, parseParameter } from '../../score/parameters.js';
import type { ParameterDefinition } from '../../score/parameters.js';
import type { AttackRecipe, ModelConstraint, RecipeConstraints } from '../recipe.js';
import { blockNamed, nameOf, shownParameters, wrongBlock } from './block.js';
import type { Block } from './block.js';

const FLAG = '--constraint';

/** A constraint that stands for what the recipe sets. */
const NONE = 'none';

const count = (help: string): ParameterDefinition => ({
  name: 'value',
  type: 'integer',
  minimum: 0,
  maximum: 2 ** 31 - 1,
  help,
});
const fraction = (help: string): ParameterDefinition => ({
  name: 'value',
  type: 'number',
  minimum: 0,
  maximum: 1,
  help,
});

interface ConstraintBlock {
  readonly description: string;
  readonly source: string;
  readonly value: ParameterDefinition;
}

const CONSTRAINTS = {
  'stop-words': {
    description: 'these words are left alone: english, or a file; the option is --stop-words',
    source: 'TextAttack 0.3.11 (stopword)',
    value: { name: 'value', type: 'text', default: 'english', help: 'english or a file' },
  },
  'min-word-length': {
    description: 'shorter words are left alone; the option is --min-word-length',
    source: 'TextAttack 0.3.11 (min-word-length)',
    value: count('Code points'),
  },
  'max-words-changed': {
    description: 'most words changed, by alignment; the option is --max-words-changed',
    source: 'TextAttack 0.3.11 (max-words-perturbed)',
    value: count('Words'),
  },
  'max-share-changed': {
    description: 'most words changed, as a share of the words, rounded up; --max-share-changed rounds down',
    source: 'TextAttack 0.3.11 (max-words-perturbed)',
    value: fraction('A share of the words'),
  },
  'max-edit-distance': {
    description: 'largest Levenshtein distance from the original, in characters; the option is --max-edit-distance',
    source: 'TextAttack 0.3.11 (edit-distance)',
    value: count('Code points'),
  },
  'min-s-src': {
    description: 'smallest s_src of a text against its original, by --s-src; the option is --min-s-src',
    source: 'Michel et al. 2019; TextAttack 0.3.11 (bleu, chrf, meteor)',
    value: fraction('A score'),
  },
  'sentence-encoder': {
    description: 'least cosine of a text and its original (--encoder, or embed of a --resources module)',
    source: 'TextAttack 0.3.11 (use, bert-score)',
    value: { name: 'value', type: 'number', minimum: -1, maximum: 1, default: 0.8, help: 'A cosine' },
  },
  'part-of-speech': {
    description:
      'a word keeps its part of speech, or becomes a noun of a verb and back (a tagger, or tag of a --resources module)',
    source: 'TextAttack 0.3.11 (part-of-speech)',
    value: { name: 'value', type: 'choice', choices: ['same', 'verb-noun'], default: 'same', help: 'Which parts' },
  },
} as const satisfies Readonly<Record<string, ConstraintBlock>>;

/** The name of a constraint. */
export type ConstraintName = keyof typeof CONSTRAINTS;

const NAMES = Object.keys(CONSTRAINTS) as readonly ConstraintName[];

/** Constraints of single words: nothing to an attack on texts as a whole. */
export const OF_WORDS: ReadonlySet<string> = new Set(['stop-words', 'min-word-length', 'part-of-speech']);

/** Every constraint, for `teapot list constraints`. */
export function constraintBlocks(): readonly Block[] {
  return NAMES.map((name) => {
    const { description, source, value } = CONSTRAINTS[name];
    const [shown = ''] = shownParameters([value]);
    return { name, description, source, parameters: [shown.replace(/^value=/u, '')] };
  });
}

/** Constraints that are set or, where a recipe has them, dropped. */
export interface GivenConstraints {
  /** Drops all constraints of the recipe first. */
  readonly dropsAll: boolean;
  /** By name; null drops the recipe's. */
  readonly values: ReadonlyMap<ConstraintName, string | number | null>;
}

/**
 * Reads constraints: `NAME`, `NAME=VALUE`, `NAME=none` to drop one of the recipe, `none` to drop all of the recipe.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for one that is none, is given twice, or a value out of range.
 */
export function readConstraintBlocks(texts: readonly string[]): GivenConstraints {
  const names = new Map([...NAMES, NONE].map((name) => [name, name]));
  const values = new Map<ConstraintName, string | number | null>();
  let dropsAll = false;
  for (const text of texts) {
    if (/^[^=]*:/u.test(text)) throw wrongBlock(`${FLAG} ${text}: expected NAME or NAME=VALUE`);
    const name = blockNamed(FLAG, text, names, 'constraints');
    const rest = text === nameOf(text) ? undefined : text.slice(name.length + 1);
    if (name === NONE) {
      if (rest !== undefined || dropsAll) throw wrongBlock(`${FLAG} ${text}: "none" takes no value and is given once`);
      dropsAll = true;
      continue;
    }
    const known = name as ConstraintName;
    if (values.has(known)) throw wrongBlock(`${FLAG} ${text}: ${name} is given twice`);
    const definition: ParameterDefinition = CONSTRAINTS[known].value;
    const value =
      rest === undefined
        ? definition.default
        : rest === NONE
          ? null
          : parseParameter(definition, rest, `${FLAG} ${name}`);
    if (value === undefined) throw wrongBlock(`${FLAG} ${name}: expected ${name}=VALUE, ${describeRange(definition)}`);
    values.set(known, typeof value === 'boolean' ? null : value);
  }
  return { dropsAll, values };
}

/** What constraints set in a recipe. */
type ConstraintSettings = Pick<
  AttackRecipe,
  'constraints' | 'keepsStopWords' | 'modelConstraints' | 'minEncoderCosine' | 'mayExchangeVerbAndNoun' | 'insistsOn'
>;

/** A recipe's constraints with these; `stopWords` and `minSSrc` are left to who reads files and scorers. */
export function withConstraints(
  recipe: ConstraintSettings,
  { dropsAll, values }: GivenConstraints,
): { readonly settings: ConstraintSettings; readonly stopWords?: string; readonly minSSrc?: number } {
  const base: ConstraintSettings = dropsAll ? {} : recipe;
  const own: { -readonly [K in keyof RecipeConstraints]: RecipeConstraints[K] } = { ...base.constraints };
  const number = (name: ConstraintName, key: Exclude<keyof RecipeConstraints, 'roundsShareUp'>): void => {
    const value = values.get(name);
    if (value === undefined) return;
    delete own[key];
    if (value !== null) own[key] = Number(value);
  };
  number('min-word-length', 'minWordLength');
  number('max-words-changed', 'maxWordsChanged');
  number('max-share-changed', 'maxShareChanged');
  number('max-edit-distance', 'maxEditDistance');
  if (own.maxShareChanged === undefined) delete own.roundsShareUp;
  else if (values.has('max-share-changed')) own.roundsShareUp = true;
  const models = new Set<ModelConstraint>(base.modelConstraints);
  const insistsOn = new Set<ModelConstraint>(base.insistsOn);
  for (const name of ['sentence-encoder', 'part-of-speech'] as const) {
    const value = values.get(name);
    if (value === undefined) continue;
    models.delete(name);
    insistsOn.delete(name);
    if (value === null) continue;
    models.add(name);
    insistsOn.add(name);
  }
  const cosine = values.get('sentence-encoder');
  const part = values.get('part-of-speech');
  const stop = values.get('stop-words');
  const least = values.get('min-s-src');
  const keepsStopWords = stop === undefined ? base.keepsStopWords === true : stop === 'english';
  const exchanges = part === undefined ? base.mayExchangeVerbAndNoun === true : part === 'verb-noun';
  const minEncoderCosine = typeof cosine === 'number' ? cosine : base.minEncoderCosine;
  return {
    settings: {
      constraints: own,
      keepsStopWords,
      modelConstraints: [...models],
      insistsOn: [...insistsOn],
      mayExchangeVerbAndNoun: exchanges,
      ...(minEncoderCosine !== undefined && models.has('sentence-encoder') && { minEncoderCosine }),
    },
    ...(typeof stop === 'string' && stop !== 'english' && { stopWords: stop }),
    ...(typeof least === 'number' && { minSSrc: least }),
  };
}

/** The constraints of a recipe as `--constraint` takes them. */
export function constraintsOf(recipe: ConstraintSettings): readonly string[] {
  const { constraints = {}, modelConstraints = [] } = recipe;
  const shown: string[] = recipe.keepsStopWords === true ? ['stop-words=english'] : [];
  const add = (name: ConstraintName, value: string | number | undefined): void => {
    if (value !== undefined) shown.push(`${name}=${value}`);
  };
  add('min-word-length', constraints.minWordLength);
  add('max-words-changed', constraints.maxWordsChanged);
  add('max-share-changed', constraints.maxShareChanged);
  add('max-edit-distance', constraints.maxEditDistance);
  if (modelConstraints.includes('sentence-encoder')) add('sentence-encoder', recipe.minEncoderCosine ?? 0.8);
  if (modelConstraints.includes('part-of-speech')) {
    add('part-of-speech', recipe.mayExchangeVerbAndNoun === true ? 'verb-noun' : 'same');
  }
  return shown;
}
