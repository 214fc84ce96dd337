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
}

/** Makes the source of candidates for one text. */
export type SourceOf = (text: string) => Promise<CandidateSource>;

/**
 * Makes the sources of candidates of a recipe: the native kernels with the recipe's constraints, then the models of the user's.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for constraints that are none, or words that the recipe lacks.
 */
export function candidateSources({ recipe, seed, keep, models = {}, signal }: CandidateSettings): SourceOf {
  const options = signal === undefined ? {} : { signal };
  const { predict } = models;
  if (!recipe.needs.includes('masked-lm') || predict === undefined) {
    const source = nativeSource(recipe, seed, keep);
    return async (text) => constrained(source, text, recipe, models, options);
  }
  const words = nativeWords();
  return async (text) => {
    const found = words(text);
    const count = recipe.neighbours?.count ?? 0;
    const call = () => predict(text, found, count, options);
    const predicted = await callResource<readonly string[]>('predict', call, found.length, options);
    const table = new Map<string, string[]>();
    for (const [index, word] of found.entries()) {
      const fitting = (predicted[index] ?? [])
        .slice(0, count)
        .filter((one) => !/[\t\r\n]/u.test(one) && one.trim() !== '');
      table.set(word.text, [...new Set([...(table.get(word.text) ?? []), ...fitting])]);
    }
    const source = nativeSource(recipe, seed, { ...keep, replacements: neighbourText(table) });
    return constrained(source, text, recipe, models, options);
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
  recipe: AttackRecipe,
  models: ModelResources,
  options: Pick<RunOptions, 'signal'>,
): Promise<CandidateSource> {
  const filters: Filter[] = [];
  const has = (name: string): boolean => recipe.modelConstraints?.some((one) => one === name) === true;
  const words = source.words(text);
  if (has('part-of-speech') && models.tag !== undefined)
    filters.push(await samePart(source, text, words, models.tag, options));
  if (has('sentence-encoder') && models.embed !== undefined) {
    filters.push(await nearInMeaning(text, recipe.minEncoderCosine ?? 0.8, models.embed, options));
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
      kept.push(its.length === words.length && word >= 0 && (await tagsOf(edited, its))[word] === original[word]);
    }
    return kept;
  };
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
