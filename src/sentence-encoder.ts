import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ERROR_CODES, UsageError } from './errors.js';
import type { RunOptions } from './run-options.js';
import { fitTokens, openOnnxModel } from './onnx-model.js';
import type { OnnxModel, Tensor } from './onnx-model.js';

/** Encodes texts: N texts to N vectors of length 1, in order. */
export type Embed = (texts: readonly string[], options: Pick<RunOptions, 'signal'>) => Promise<readonly Float32Array[]>;

/** Outputs of models that hold a vector of the whole text. */
const TEXT_OUTPUTS = ['sentence_embedding', 'text_embeds'];

/** Outputs of models that hold a vector of each token. */
export const TOKEN_OUTPUTS = ['last_hidden_state', 'token_embeddings'];

/**
 * Opens a sentence encoder from local files; see {@link openOnnxModel}.
 *
 * The vector of a text is the model's own, where it has an output for it, else that of its first token when
 * `1_Pooling/config.json` says so, else the mean over its tokens. It has length 1. Texts longer than the model takes are cut.
 *
 * Source: the package sentence-transformers.
 *
 * @param flag What names the model, for messages.
 * @throws {UsageError} as {@link openOnnxModel}; `ERR_TEAPOT_FORMAT` when the model gives no such output.
 */
export async function openSentenceEncoder(
  path: string,
  flag = 'the option `encoder`',
): Promise<{ readonly embed: Embed; readonly signature: string }> {
  const model = await openOnnxModel(flag, path);
  const takesFirst = await takesFirstToken(model.folder);
  return {
    embed: makeEncoder(model, takesFirst, path),
    signature: JSON.stringify(['encoder', model.signature, takesFirst ? 'cls' : 'mean']),
  };
}

/**
 * The function that encodes texts, one after the other.
 *
 * @param takesFirst The vector of the first token stands for the text.
 * @param path The model, for messages.
 */
export function makeEncoder(
  model: Pick<OnnxModel, 'tokenizer' | 'run' | 'outputNames' | 'mostTokens'>,
  takesFirst: boolean,
  path: string,
): Embed {
  const { outputNames } = model;
  const output = [...TEXT_OUTPUTS, ...TOKEN_OUTPUTS].find((name) => outputNames.includes(name));
  if (output === undefined) {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `the option \`encoder\` ${path}: the model gives ${outputNames.join(', ')}, expected one of ${[...TEXT_OUTPUTS, ...TOKEN_OUTPUTS].join(', ')}`,
    );
  }
  return async (texts, { signal }) => {
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      signal?.throwIfAborted();
      const { ids } = model.tokenizer.encode(text);
      const tensor = (await model.run(fitTokens(ids, model.mostTokens)))[output];
      if (tensor === undefined)
        throw new UsageError(ERROR_CODES.FORMAT, `the option \`encoder\` ${path}: gave no ${output}`);
      vectors.push(pool(tensor, takesFirst));
    }
    return vectors;
  };
}

/**
 * The vector of a text with length 1 (of zeros as it is): of a tensor (1, size) itself, of (1, tokens, size) the mean over the tokens, or the first
 * one.
 */
export function pool({ data, dims }: Tensor, takesFirst: boolean): Float32Array {
  const size = dims.at(-1) ?? 0;
  const tokens = dims.length === 3 && !takesFirst ? (dims[1] ?? 1) : 1;
  const sums = new Float64Array(size);
  for (let token = 0; token < tokens; token += 1) {
    for (let axis = 0; axis < size; axis += 1) sums[axis] = (sums[axis] ?? 0) + (data[token * size + axis] ?? 0);
  }
  const norm = Math.hypot(...sums);
  return Float32Array.from(sums, (sum) => (norm === 0 ? 0 : sum / norm));
}

async function takesFirstToken(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, '1_Pooling', 'config.json'), 'utf8').catch(() => '{}');
  try {
    return (Object(JSON.parse(text)) as Record<string, unknown>)['pooling_mode_cls_token'] === true;
  } catch (cause) {
    throw new UsageError(ERROR_CODES.FORMAT, `${join(folder, '1_Pooling/config.json')}: is no JSON`, { cause });
  }
}
