import { callNative } from '../native.js';
import type { AttackEdit, NativeAttackedText, PerturbOptions, TextWord } from '../native.js';
import type { RunOptions } from '../run-options.js';
import type { CandidateSource, Filter } from './candidates.js';
import { proposalsOf } from './proposals.js';
import { ProposedText } from './proposed-text.js';
import type { AttackRecipe, ProposalUse } from './recipe.js';
import { callResource } from './resource/model-resources.js';
import type { ModelResources } from './resource/model-resources.js';
import { neighbourText } from './resource/neighbour-table.js';

/** What candidates depend on. */
export interface CandidateSettings extends Pick<RunOptions, 'signal'> {
  readonly recipe: AttackRecipe;
  /** Seed of all draws. */
  readonly seed: number;
  /** Constraints and protection on top of the recipe's. */
  readonly keep?: Omit<PerturbOptions, 'attacks' | 'seed'> | undefined;
  /** Models of the user's: those that the recipe has a use for are used. */
  readonly models?: ModelResources | undefined;
  /** The least cosine of an encoder's vectors, instead of the recipe's. */
  readonly minEncoderCosine?: number | undefined;
}

/**
 * Takes one text apart.
 *
 * `item` is its position among all texts of the run, from 0: with the seed it decides every draw. `locked` are the ends of spans that no
 * edit may touch: start, end, start, end …, in code points.
 */
export type SourceOf = (
  text: string,
  item?: number,
  locked?: readonly number[],
) => CandidateSource | Promise<CandidateSource>;

/**
 * Makes the sources of candidates of a recipe: the native kernels with the recipe's constraints, with words from models and files where
 * the recipe takes them, and checked by models.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for constraints that are none, or words that the recipe lacks.
 */
export function candidateSources(settings: CandidateSettings): SourceOf {
  const { recipe, seed, keep, models = {}, signal } = settings;
  const options = signal === undefined ? {} : { signal };
  const replacementsOf = replacementSource(recipe, models, options);
  if (recipe.proposals !== undefined) return proposedSources(settings, recipe.proposals, options);
  if (replacementsOf === undefined) {
    const open = nativeSources(recipe, seed, keep);
    return (text, item = 0, locked = []) => constrained(open(text, item, locked), text, settings);
  }
  const openBare = nativeSources({ ...recipe, transformations: ['word-delete'] }, seed, keep);
  return async (text, item = 0, locked = []) => {
    const bare = openBare(text, item, locked);
    const all = bare.words();
    const found = bare.changeable().flatMap((word) => all[word] ?? []);
    const replacements = await replacementsOf(text, found);
    const table = new Map<string, string[]>();
    for (const [index, word] of found.entries()) {
      const fitting = (replacements[index] ?? []).filter((one) => !/[\t\r\n]/u.test(one) && one.trim() !== '');
      if (fitting.length > 0) table.set(word.text, [...new Set([...(table.get(word.text) ?? []), ...fitting])]);
    }
    const open = nativeSources(recipe, seed, { ...keep, replacements: neighbourText(table) });
    return constrained(open(text, item, locked), text, settings);
  };
}

/** Kernels with proposals beside their candidates. */
function proposedSources(
  settings: CandidateSettings,
  uses: readonly ProposalUse[],
  options: Pick<RunOptions, 'signal'>,
): SourceOf {
  const { recipe, seed, keep, models = {} } = settings;
  // The kernels give words and constraints; what they would do themselves is left out where there is nothing for them to do.
  const hasKernels = recipe.transformations.length > 0;
  const open = nativeSources(hasKernels ? recipe : { ...recipe, transformations: ['word-delete'] }, seed, keep);
  return async (text, item = 0, locked = []) => {
    const kernels = open(text, item, locked);
    const start = { text, words: kernels.words(), changeable: kernels.changeable(), seed, item };
    const proposals = await proposalsOf(uses, start, models, options);
    return constrained(new ProposedText(kernels, text, proposals, hasKernels), text, settings);
  };
}

/** Gives the words that may stand for each word of a text. */
type ReplacementsOf = (text: string, words: readonly TextWord[]) => Promise<readonly (readonly string[])[]>;

/** What a recipe's words come from; undefined when that is none of the models. */
function replacementSource(
  recipe: AttackRecipe,
  { predict, neighbours }: ModelResources,
  options: Pick<RunOptions, 'signal'>,
): ReplacementsOf | undefined {
  if (recipe.needs.includes('masked-lm')) {
    if (predict === undefined) return undefined;
    const count = recipe.neighbours?.count ?? 0;
    const asked = { ...options, isMasked: recipe.seesWord !== true };
    return async (text, words) => {
      const call = () => predict(text, words, count, asked);
      const predicted = await callResource<readonly string[]>('predict', call, words.length, options);
      return predicted.map((one) => one.slice(0, count));
    };
  }
  if (neighbours === undefined || recipe.neighbours === undefined) return undefined;
  return async (_, found) => {
    const words = [...new Set(found.map(({ text }) => text))];
    const given = await callResource<readonly string[]>(
      'neighbours',
      () => neighbours(words, options),
      words.length,
      options,
    );
    const byWord = new Map(words.map((word, index) => [word, given[index] ?? []]));
    return found.map(({ text }) => byWord.get(text) ?? []);
  };
}

/** The words of texts, as the kernels see them. */
export function nativeWords(): (text: string) => readonly TextWord[] {
  const generator = callNative((binding) => new binding.CandidateGenerator({ attacks: ['word-delete'] }));
  return (text) => callNative(() => generator.words(text));
}

/** Numbers of words of texts, as the kernels count them. */
export function countWords(texts: readonly string[]): readonly number[] {
  return callNative((binding) => binding.countWords([...texts]));
}

/** Takes texts apart for a recipe's kernels. */
export function nativeSources(
  recipe: Pick<AttackRecipe, 'transformations' | 'constraints' | 'keepsStopWords' | 'withNeighbours'>,
  seed: number,
  keep: CandidateSettings['keep'],
): (text: string, item: number, locked?: readonly number[]) => NativeAttackedText {
  const added = keep?.replacements === undefined ? [] : (recipe.withNeighbours ?? []);
  const generator = callNative(
    (binding) =>
      new binding.CandidateGenerator({
        ...recipe.constraints,
        ...(recipe.keepsStopWords === true ? { stopWords: binding.englishStopWordList() } : {}),
        ...keep,
        attacks: [...recipe.transformations, ...added],
        seed,
      }),
  );
  return (text, item, locked = []) =>
    callNative(() => generator.open(text, item, locked.length === 0 ? undefined : [...locked]));
}

/** The source with the recipe's model constraints, as far as there are models for them. */
function constrained(
  source: CandidateSource,
  text: string,
  { recipe, models = {}, minEncoderCosine, signal }: CandidateSettings,
): CandidateSource | Promise<CandidateSource> {
  const has = (name: string): boolean => recipe.modelConstraints?.some((one) => one === name) === true;
  const tag = has('part-of-speech') ? models.tag : undefined;
  const embed = has('sentence-encoder') ? models.embed : undefined;
  if (tag === undefined && embed === undefined) return source;
  const options = signal === undefined ? {} : { signal };
  return (async () => {
    const filters: Filter[] = [];
    if (tag !== undefined)
      filters.push(await samePart(text, source.words(), tag, recipe.mayExchangeVerbAndNoun === true, options));
    if (embed !== undefined) {
      const least = minEncoderCosine ?? recipe.minEncoderCosine ?? 0.8;
      filters.push(await nearInMeaning(text, least, embed, options));
    }
    return new ConstrainedText(source, filters);
  })();
}

/** Kernels with models behind them. */
class ConstrainedText implements CandidateSource {
  readonly #kernels: CandidateSource;
  readonly #filters: readonly Filter[];

  constructor(kernels: CandidateSource, filters: readonly Filter[]) {
    this.#kernels = kernels;
    this.#filters = filters;
  }

  readonly allows: Filter = async (texts, words) => {
    let left = texts.map((_, index) => index);
    for (const filter of this.#filters) {
      const kept = await filter(
        left.map((index) => texts[index] ?? ''),
        left.map((index) => words[index] ?? -1),
      );
      left = left.filter((_, place) => kept[place]);
    }
    const allowed = new Set(left);
    return texts.map((_, index) => allowed.has(index));
  };

  words(): readonly TextWord[] {
    return this.#kernels.words();
  }

  changeable(): readonly number[] {
    return this.#kernels.changeable();
  }

  without(words: readonly number[], isLeftOut: boolean): readonly string[] {
    return this.#kernels.without(words, isLeftOut);
  }

  begin(edits: readonly AttackEdit[]): boolean {
    return this.#kernels.begin(edits);
  }

  propose(draw: number, word?: number): number {
    return this.#kernels.propose(draw, word);
  }

  texts(start: number, end: number): readonly string[] {
    return this.#kernels.texts(start, end);
  }

  wordOf(candidate: number): number {
    return this.#kernels.wordOf(candidate);
  }

  editOf(candidate: number): AttackEdit | null {
    return this.#kernels.editOf(candidate);
  }

  accept(candidate: number): void {
    this.#kernels.accept(candidate);
  }

  edits(): readonly AttackEdit[] {
    return this.#kernels.edits();
  }
}

async function nearInMeaning(
  text: string,
  minCosine: number,
  embed: NonNullable<ModelResources['embed']>,
  options: Pick<RunOptions, 'signal'>,
): Promise<Filter> {
  const embedAll = (texts: readonly string[]) =>
    callResource<ArrayLike<number>>('embed', () => embed(texts, options), texts.length, options);
  const [original = []] = await embedAll([text]);
  return async (texts) => {
    const vectors = texts.length === 0 ? [] : await embedAll(texts);
    return vectors.map((vector) => cosine(original, vector) >= minCosine);
  };
}

async function samePart(
  text: string,
  words: readonly TextWord[],
  tag: NonNullable<ModelResources['tag']>,
  mayExchange: boolean,
  options: Pick<RunOptions, 'signal'>,
): Promise<Filter> {
  const tagsOf = (of: string, its: readonly TextWord[]) =>
    callResource<string>('tag', () => tag(of, its, options), its.length, options);
  const original = await tagsOf(text, words);
  const wordsOf = nativeWords();
  return async (texts, changed) => {
    const kept: boolean[] = [];
    for (const [index, edited] of texts.entries()) {
      const word = changed[index] ?? -1;
      const its = wordsOf(edited);
      // A replacement that is not one word has no part of speech.
      const tags = its.length === words.length && word >= 0 ? await tagsOf(edited, its) : [];
      const [before, after] = [original[word] ?? '', tags[word]];
      kept.push(
        before === after || (mayExchange && after !== undefined && isVerbOrNoun(before) && isVerbOrNoun(after)),
      );
    }
    return kept;
  };
}

function isVerbOrNoun(part: string): boolean {
  return /^(?:noun|verb)$/iu.test(part);
}

/** 0 where one has no length. */
function cosine(left: ArrayLike<number>, right: ArrayLike<number>): number {
  let [product, leftSquares, rightSquares] = [0, 0, 0];
  for (let axis = 0; axis < left.length; axis += 1) {
    const [a, b] = [left[axis] ?? 0, right[axis] ?? 0];
    product += a * b;
    leftSquares += a * a;
    rightSquares += b * b;
  }
  return leftSquares === 0 || rightSquares === 0 ? 0 : product / Math.sqrt(leftSquares * rightSquares);
}
