import { ERROR_CODES, UsageError } from '../../errors.js';
import type { TextWord } from '../../native.js';
import type { ModelResources } from './model-resources.js';
import { fitTokens, openOnnxModel } from '../../onnx-model.js';
import type { OnnxModel, Tensor } from '../../onnx-model.js';
import { WORD } from './vector-table.js';
import { wholeWords } from './whole-words.js';

/**
 * Opens a masked language model from local files; see {@link openOnnxModel}.
 *
 * It predicts for the place of each word: in the text as it stands (BERT-Attack), or with the word masked (BAE). Only pieces that are whole
 * words are predictions: letters, hyphens, apostrophes, not the word itself. A word of several pieces is masked as one. A word behind the
 * most tokens that the model takes has no predictions.
 *
 * @throws {UsageError} as {@link openOnnxModel}; `ERR_TEAPOT_FORMAT` when the model gives no `logits`, or has no `[MASK]`.
 */
export async function openMaskedLanguageModel(
  path: string,
): Promise<{ readonly predict: NonNullable<ModelResources['predict']>; readonly signature: string }> {
  const model = await openOnnxModel('the option `maskedLm`', path);
  return { predict: makePredictor(model, path), signature: JSON.stringify(['masked-lm', model.signature]) };
}

/**
 * The function that predicts words.
 *
 * @param path The model, for messages.
 */
export function makePredictor(
  model: Pick<OnnxModel, 'tokenizer' | 'run' | 'outputNames' | 'mostTokens' | 'settings'>,
  path: string,
): NonNullable<ModelResources['predict']> {
  const { tokenizer, outputNames, mostTokens } = model;
  const mask = ['[MASK]', '<mask>'].find((token) => tokenizer.token_to_id(token) !== undefined);
  const maskId = mask === undefined ? undefined : tokenizer.token_to_id(mask);
  if (mask === undefined || maskId === undefined || !outputNames.includes('logits')) {
    const found = `${mask === undefined ? 'no [MASK]' : mask} and the outputs ${outputNames.join(', ')}`;
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `the option \`maskedLm\` ${path}: has ${found}; expected a mask and logits: a model for masked language modelling`,
    );
  }
  const words = new Map([...(wholeWords(model.settings['model']) ?? [])].filter(([, word]) => WORD.test(word)));
  const pieces = (text: string): number => tokenizer.encode(text, { add_special_tokens: false }).ids.length;
  const logitsOf = async (ids: readonly number[]): Promise<Tensor | undefined> => (await model.run(ids))['logits'];

  return async (text, found, count, { signal, isMasked, minConfidence }) => {
    const points = [...text];
    const before = (word: TextWord): string => points.slice(0, word.start).join('');
    const whole = tokenizer.encode(text).ids;
    const isShort = whole.length <= mostTokens;
    const asItStands =
      isMasked === false && found.length > 0 ? await logitsOf(fitTokens(whole, mostTokens)) : undefined;
    const predictions: (readonly string[])[] = [];
    for (const word of found) {
      signal?.throwIfAborted();
      if (asItStands !== undefined && isShort && pieces(word.text) === 1) {
        // Behind the token that begins the text.
        const place = 1 + pieces(before(word));
        if (whole[place] === tokenizer.encode(word.text, { add_special_tokens: false }).ids[0]) {
          predictions.push(likeliest(asItStands, place, words, count, word.text, minConfidence));
          continue;
        }
      }
      const masked = tokenizer.encode(`${before(word)}${mask}${points.slice(word.end).join('')}`).ids;
      const place = masked.indexOf(maskId);
      const logits = place < 0 || place >= mostTokens - 1 ? undefined : await logitsOf(fitTokens(masked, mostTokens));
      predictions.push(logits === undefined ? [] : likeliest(logits, place, words, count, word.text, minConfidence));
    }
    return predictions;
  };
}

/** The words with the largest numbers at a place, of those with at least this probability; ties by number in the vocabulary. */
function likeliest(
  { data, dims }: Tensor,
  place: number,
  words: ReadonlyMap<number, string>,
  count: number,
  own: string,
  minConfidence = 0,
): string[] {
  const size = dims[2] ?? 0;
  const start = place * size;
  const floor = minConfidence > 0 ? Math.log(minConfidence) + logSum(data, start, size) : Number.NEGATIVE_INFINITY;
  const found: { readonly word: string; readonly logit: number }[] = [];
  const left = own.toLowerCase();
  let least = Number.NEGATIVE_INFINITY;
  for (const [id, word] of words) {
    const logit = data[start + id] ?? Number.NEGATIVE_INFINITY;
    if (!(logit > least) || logit < floor || word.toLowerCase() === left) continue;
    let at = found.length;
    while (at > 0 && (found[at - 1]?.logit ?? Number.POSITIVE_INFINITY) < logit) at -= 1;
    found.splice(at, 0, { word, logit });
    if (found.length > count) found.pop();
    if (found.length === count) least = found.at(-1)?.logit ?? least;
  }
  return found.map(({ word }) => word);
}

/** log Σ exp of numbers: what a logit of probability 1 would be. */
function logSum(data: ArrayLike<number>, start: number, size: number): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let at = start; at < start + size; at += 1) largest = Math.max(largest, data[at] ?? largest);
  let sum = 0;
  for (let at = start; at < start + size; at += 1) sum += Math.exp((data[at] ?? Number.NEGATIVE_INFINITY) - largest);
  return largest + Math.log(sum);
}
