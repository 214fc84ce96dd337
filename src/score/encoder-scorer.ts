import { ERROR_CODES, UsageError } from '../errors.js';
import { digest } from '../digest.js';
import { fitTokens, openOnnxModel } from '../onnx-model.js';
import type { OnnxModel } from '../onnx-model.js';
import { openSentenceEncoder, TOKEN_OUTPUTS } from '../sentence-encoder.js';
import { checkPairs, clampScore, referencesOf } from './pairs.js';
import type { Reference, Scorer } from './scorer.js';

/** So many texts are remembered: a source that several attacks or references share is encoded once. */
const REMEMBERED_TEXTS = 4096;

/** What the scorers of {@link encoderScorer} and {@link bertscoreScorer} are told of the run. */
export interface EncoderContext {
  readonly referenceCount: number;
  readonly version: string;
}

/**
 * The cosine of the two texts' vectors by a sentence encoder (a local ONNX model), 0 where it is below 0. A text with itself has 1. With
 * several references the best one counts.
 *
 * Texts are encoded one at a time: the numbers of quantised models depend on what else is in their batch, and a score must not.
 *
 * @param model A folder with `model.onnx` and `tokenizer.json`, or the name of a model that `teapot models` set up.
 * @throws {UsageError} as `openSentenceEncoder`.
 */
export async function encoderScorer(model: string, context: EncoderContext): Promise<Scorer> {
  const { embed, signature } = await openSentenceEncoder(model, 'encoder:model');
  const vectorOf = remembered(
    async (text, signal) => (await embed([text], signal === undefined ? {} : { signal }))[0] ?? new Float32Array(),
  );
  return pairScorer(
    'encoder',
    'Encoder cosine',
    signatureOf('encoder', signature, context),
    async (hyp, ref, signal) => {
      const [left, right] = [await vectorOf(hyp, signal), await vectorOf(ref, signal)];
      // Rounding would take a little from the cosine of a vector with itself.
      return left === right ? 1 : dot(left, right);
    },
  );
}

/**
 * BERTScore's F1 by the token vectors of a local ONNX model: each token of one text is matched with the nearest of the other; precision
 * is the mean over the hypothesis, recall that over the reference. The tokens that begin and end a text don't count, though others may be
 * matched with them; an empty text scores 0. Neither weights by rarity nor rescaling, and the vectors are those of the model's last layer: the numbers of
 * the package bert-score, which takes another layer of another model, are not these.
 *
 * Source: Zhang et al. 2020, BERTScore, section 3; the package bert-score 0.3.13 for tokens that begin and end a text.
 *
 * @throws {UsageError} as `openOnnxModel`; `ERR_TEAPOT_FORMAT` when the model gives no vectors of tokens.
 */
export async function bertscoreScorer(path: string, context: EncoderContext): Promise<Scorer> {
  const model = await openOnnxModel('bertscore:model', path);
  const output = TOKEN_OUTPUTS.find((name) => model.outputNames.includes(name));
  if (output === undefined) {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `bertscore:model ${path}: the model gives ${model.outputNames.join(', ')}, expected ${TOKEN_OUTPUTS.join(' or ')}`,
    );
  }
  const tokensOf = remembered((text) => tokenVectors(model, output, text));
  return pairScorer(
    'bertscore',
    'BERTScore',
    signatureOf('bertscore', model.signature, context),
    async (hyp, ref, signal) => {
      return bertscoreF1(await tokensOf(hyp, signal), await tokensOf(ref, signal));
    },
  );
}

/** The vectors of a text's tokens, each with length 1; the first and the last one begin and end it. */
async function tokenVectors(model: OnnxModel, output: string, text: string): Promise<readonly Float32Array[]> {
  const ids = fitTokens(model.tokenizer.encode(text).ids, model.mostTokens);
  const tensor = (await model.run(ids))[output];
  const size = tensor?.dims.at(-1) ?? 0;
  return ids.map((_, token) => {
    const vector = Float32Array.from({ length: size }, (__, axis) => tensor?.data[token * size + axis] ?? 0);
    const norm = Math.hypot(...vector);
    return norm === 0 ? vector : vector.map((one) => one / norm);
  });
}

/**
 * BERTScore's F1 of two texts by the vectors of their tokens.
 *
 * @param hypothesis Vectors of length 1; the first and the last begin and end the text.
 * @returns A fraction; 0 when one of the texts has no token of its own.
 */
export function bertscoreF1(hypothesis: readonly Float32Array[], reference: readonly Float32Array[]): number {
  const mean = (of: readonly Float32Array[], among: readonly Float32Array[]): number => {
    const own = of.slice(1, -1);
    const best = own.map((vector) => Math.max(...among.map((other) => dot(vector, other))));
    return own.length === 0 ? 0 : best.reduce((sum, one) => sum + one, 0) / own.length;
  };
  if (hypothesis.length <= 2 || reference.length <= 2) return 0;
  if (hypothesis === reference) return 1;
  const [precision, recall] = [mean(hypothesis, reference), mean(reference, hypothesis)];
  return precision + recall <= 0 ? 0 : clampScore((2 * precision * recall) / (precision + recall));
}

/** The model's own signature (hashes of its files, versions of the packages) as one hash. */
function signatureOf(key: string, model: string, { referenceCount, version }: EncoderContext): string {
  return `${key}|nrefs:${referenceCount}|model:${digest(model).slice(0, 16)}|version:${version}`;
}

function pairScorer(
  key: string,
  name: string,
  signature: string,
  scoreOf: (hypothesis: string, reference: string, signal: AbortSignal | undefined) => Promise<number>,
): Scorer {
  return {
    key,
    name,
    signature,
    async score(hypotheses: readonly string[], references: readonly Reference[], options = {}) {
      checkPairs(hypotheses, references);
      const scores = new Float64Array(hypotheses.length);
      for (const [index, hypothesis] of hypotheses.entries()) {
        options.signal?.throwIfAborted();
        for (const reference of referencesOf(references[index] ?? '')) {
          const score = clampScore(await scoreOf(hypothesis, reference, options.signal));
          scores[index] = Math.max(scores[index] ?? 0, score);
        }
        options.onProgress?.(index + 1, hypotheses.length);
      }
      return scores;
    },
  };
}

/** Remembers what was made of the last texts. */
function remembered<T>(make: (text: string, signal: AbortSignal | undefined) => Promise<T>) {
  const known = new Map<string, T>();
  return async (text: string, signal: AbortSignal | undefined): Promise<T> => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = await make(text, signal);
    known.set(text, made);
    const [oldest] = known.size > REMEMBERED_TEXTS ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    return made;
  };
}

function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let axis = 0; axis < left.length; axis += 1) sum += (left[axis] ?? 0) * (right[axis] ?? 0);
  return sum;
}
