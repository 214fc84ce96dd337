import { callNative } from '../native.js';
import type { CandidateList, PerturbOptions, TextWord } from '../native.js';
import type { RunOptions } from '../run-options.js';
import type { AttackRecipe } from './recipe.js';
import { callResource } from './resource/model-resources.js';
import type { ModelResources } from './resource/model-resources.js';
import { neighbourText } from './resource/neighbour-table.js';
import type { CandidateSource } from './search/search-method.js';

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

/** Makes the source of candidates for one text. */
export type SourceOf = (text: string) => Promise<CandidateSource>;

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
  if (replacementsOf === undefined) {
    const source = nativeSource(recipe, seed, keep);
    return async (text) => constrained(source, text, settings);
  }
  const words = nativeWords();
  const stopWords = new Set(
    recipe.keepsStopWords === true ? callNative((binding) => binding.englishStopWordList()) : [],
  );
  return async (text) => {
    const found = words(text).filter((word) => !stopWords.has(word.text));
    const replacements = await replacementsOf(text, found);
    const table = new Map<string, string[]>();
    for (const [index, word] of found.entries()) {
      const fitting = (replacements[index] ?? []).filter((one) => !/[\t\r\n]/u.test(one) && one.trim() !== '');
      if (fitting.length > 0) table.set(word.text, [...new Set([...(table.get(word.text) ?? []), ...fitting])]);
    }
    const source = nativeSource(recipe, seed, { ...keep, replacements: neighbourText(table) });
    return constrained(source, text, settings);
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

function nativeSource(recipe: AttackRecipe, seed: number, keep: CandidateSettings['keep']): CandidateSource {
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
  return {
    words: (text) => callNative(() => generator.words(text)),
    candidates: (text, request) => callNative(() => generator.candidates(text, request)),
  };
}

/** The source with the recipe's model constraints, as far as there are models for them. */
async function constrained(
  source: CandidateSource,
  text: string,
  { recipe, models = {}, minEncoderCosine, signal }: CandidateSettings,
): Promise<CandidateSource> {
  const options = signal === undefined ? {} : { signal };
  const filters: Filter[] = [];
  const has = (name: string): boolean => recipe.modelConstraints?.some((one) => one === name) === true;
  const words = source.words(text);
  if (has('part-of-speech') && models.tag !== undefined)
    filters.push(await samePart(source, text, words, models.tag, recipe.mayExchangeVerbAndNoun === true, options));
  if (has('sentence-encoder') && models.embed !== undefined) {
    const least = minEncoderCosine ?? recipe.minEncoderCosine ?? 0.8;
    filters.push(await nearInMeaning(text, least, models.embed, options));
  }
  if (filters.length === 0) return source;
  return {
    words: (of) => source.words(of),
    async candidates(of, request) {
      let list = await source.candidates(of, request);
      if (request.texts === false) return list;
      for (const filter of filters) {
        const kept = await filter(list);
        list = {
          words: list.words.filter((_, index) => kept[index]),
          edits: list.edits.filter((_, index) => kept[index]),
          texts: list.texts.filter((_, index) => kept[index]),
        };
      }
      return list;
    },
  };
}

/** Which candidates stay. */
type Filter = (list: CandidateList) => Promise<readonly boolean[]>;

async function nearInMeaning(
  text: string,
  minCosine: number,
  embed: NonNullable<ModelResources['embed']>,
  options: Pick<RunOptions, 'signal'>,
): Promise<Filter> {
  const embedAll = (texts: readonly string[]) =>
    callResource<ArrayLike<number>>('embed', () => embed(texts, options), texts.length, options);
  const [original = []] = await embedAll([text]);
  return async ({ texts }) => {
    const vectors = texts.length === 0 ? [] : await embedAll(texts);
    return vectors.map((vector) => cosine(original, vector) >= minCosine);
  };
}

async function samePart(
  source: CandidateSource,
  text: string,
  words: readonly TextWord[],
  tag: NonNullable<ModelResources['tag']>,
  mayExchange: boolean,
  options: Pick<RunOptions, 'signal'>,
): Promise<Filter> {
  const tagsOf = (of: string, its: readonly TextWord[]) =>
    callResource<string>('tag', () => tag(of, its, options), its.length, options);
  const original = await tagsOf(text, words);
  return async (list) => {
    const kept: boolean[] = [];
    for (const [index, edited] of list.texts.entries()) {
      const word = list.words[index] ?? -1;
      const its = source.words(edited);
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
