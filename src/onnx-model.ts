import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { ERROR_CODES, TeapotError, UsageError } from './errors.js';
import { fileDigest } from './digest.js';
import { modelFolder, modelName, READY_FILE } from './model-folder.js';
import { importPackage, packageVersion } from './optional-package.js';

/** The packages that run a model; teapot does not install them. */
export const ONNX_PACKAGES = ['onnxruntime-node', '@huggingface/tokenizers'] as const;

/** How to install them: without the setting, the first one looks for a download that plain registries don't have. */
export const ONNX_INSTALL = `ONNXRUNTIME_NODE_INSTALL=skip npm install ${ONNX_PACKAGES.join(' ')}`;

/** Tokens of a text. */
export interface Tokens {
  readonly ids: readonly number[];
  readonly tokens: readonly string[];
}

/** The part of `@huggingface/tokenizers` that is used. */
export interface Tokenizer {
  encode(text: string, options?: { readonly add_special_tokens?: boolean }): Tokens;
  token_to_id(token: string): number | undefined;
}

/** Numbers of a model with their shape. */
export interface Tensor {
  readonly data: ArrayLike<number>;
  readonly dims: readonly number[];
}

/** The part of a session of `onnxruntime-node` that is used. */
export interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, Tensor>>>;
}

/** A language model that runs here. */
export interface OnnxModel {
  readonly tokenizer: Tokenizer;
  /** What `tokenizer.json` says of the vocabulary. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The folder of the model. */
  readonly folder: string;
  /** The most tokens of a text. */
  readonly mostTokens: number;
  /** Hashes of all files and versions of the packages that can change an answer. */
  readonly signature: string;
  readonly outputNames: readonly string[];
  /** Runs one text through the model. */
  run(ids: readonly number[]): Promise<Readonly<Record<string, Tensor>>>;
}

/** Names of models in a folder, the preferred one first. */
const MODEL_FILES = ['model.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'onnx/model_quantized.onnx'];

/**
 * Opens a model from local files: `model.onnx` with `tokenizer.json` (and `tokenizer_config.json`) beside it or in the folder above.
 *
 * Texts run one at a time, on one thread: quantised models scale numbers by all texts of a batch, so that a text's numbers would hang on
 * its neighbours.
 *
 * @param flag The option that names it, for messages.
 * @param path The folder, or the model's file, or the name of a model that `teapot models` set up.
 * @throws {UsageError} `ERR_TEAPOT_READ` when a file is missing; `ERR_TEAPOT_RESOURCE` when a package is missing, with the command that
 *   installs it; `ERR_TEAPOT_FORMAT` when a file is no model or no tokenizer.
 */
export async function openOnnxModel(flag: string, path: string): Promise<OnnxModel> {
  const file = await modelFile(flag, path);
  const tokenizerFile = await besideOrAbove(file, 'tokenizer.json');
  if (tokenizerFile === undefined) {
    throw new UsageError(
      ERROR_CODES.READ,
      `${flag} ${path}: found no tokenizer.json beside ${file} or in the folder above`,
    );
  }
  const configFile = await besideOrAbove(file, 'tokenizer_config.json');
  const settings = await readJson(tokenizerFile);
  const config = configFile === undefined ? {} : await readJson(configFile);
  const [ort, tokenizers] = await loadPackages(flag);
  const files = [file, tokenizerFile, ...(configFile === undefined ? [] : [configFile])];
  const digests = await Promise.all(files.map((one) => fileDigest(one, Number.POSITIVE_INFINITY)));
  const versions = await Promise.all(ONNX_PACKAGES.map(packageVersion));
  const session = await openSession(ort, file);
  const runner = sessionRunner(session, ort.Tensor, file);
  return {
    tokenizer: makeTokenizer(tokenizers.Tokenizer, settings, config, tokenizerFile),
    settings,
    folder: dirname(tokenizerFile),
    mostTokens: mostTokens(settings, config),
    signature: JSON.stringify(['onnx', ...digests, ...versions]),
    outputNames: session.outputNames,
    run: runner,
  };
}

/** The part of `onnxruntime-node` that is used. */
interface Runtime {
  readonly InferenceSession: { create(path: string, options: object): Promise<Session> };
  readonly Tensor: TensorClass;
}

type TensorClass = new (type: string, data: BigInt64Array, dims: readonly number[]) => object;

interface Tokenizers {
  readonly Tokenizer: new (settings: object, config: object) => Tokenizer;
}

/**
 * Makes the function that runs one text: it fills the inputs that the model has.
 *
 * @param file The model, for messages.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` when the model wants something else than tokens.
 */
export function sessionRunner(session: Session, Tensor: TensorClass, file: string): OnnxModel['run'] {
  const fills: Readonly<Record<string, (id: number, index: number) => number>> = {
    input_ids: (id) => id,
    attention_mask: () => 1,
    token_type_ids: () => 0,
    position_ids: (_, index) => index,
  };
  const unknown = session.inputNames.filter((name) => fills[name] === undefined);
  if (unknown.length > 0 || !session.inputNames.includes('input_ids')) {
    const found = session.inputNames.join(', ');
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${file}: has the inputs ${found}, expected input_ids, attention_mask and token_type_ids`,
    );
  }
  return async (ids) => {
    const feeds = session.inputNames.map((name) => {
      const fill = fills[name];
      const values = BigInt64Array.from(ids, (id, index) => BigInt(fill?.(id, index) ?? 0));
      return [name, new Tensor('int64', values, [1, ids.length])] as const;
    });
    try {
      return await session.run(Object.fromEntries(feeds));
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new TeapotError(ERROR_CODES.RESOURCE, `${file}: the model failed: ${reason}`, { cause });
    }
  };
}

/**
 * The longest text: what the tokenizer's files say, else 512 tokens.
 *
 * @param settings `tokenizer.json`.
 * @param config `tokenizer_config.json`.
 */
function mostTokens(settings: Readonly<Record<string, unknown>>, config: Readonly<Record<string, unknown>>): number {
  const truncation = Object(settings['truncation']) as Record<string, unknown>;
  const stated = [truncation['max_length'], config['model_max_length']].filter(
    (one): one is number => typeof one === 'number' && one >= 4 && one < 1_000_000,
  );
  return Math.min(...stated, stated.length === 0 ? 512 : Number.POSITIVE_INFINITY);
}

/** Cuts a text's tokens to what the model takes; the last one stays, since it ends the text. */
export function fitTokens(ids: readonly number[], most: number): readonly number[] {
  return ids.length <= most ? ids : [...ids.slice(0, most - 1), ids.at(-1) ?? 0];
}

async function loadPackages(flag: string): Promise<readonly [Runtime, Tokenizers]> {
  const [ort, tokenizers] = ONNX_PACKAGES;
  return [
    defaulted(await importPackage(ort, flag, ONNX_INSTALL)) as unknown as Runtime,
    defaulted(await importPackage(tokenizers, flag, ONNX_INSTALL)) as unknown as Tokenizers,
  ];
}

/** Packages in CommonJS come with their exports under `default`, or not, as the version of Node.js sees them. */
function defaulted(module: unknown): object {
  const { default: inner } = Object(module) as { readonly default?: unknown };
  return Object.assign({}, typeof inner === 'object' ? inner : {}, Object(module));
}

async function openSession(ort: Runtime, file: string): Promise<Session> {
  try {
    const options = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential', logSeverityLevel: 3 };
    return await ort.InferenceSession.create(file, options);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(ERROR_CODES.FORMAT, `${file}: is no model that onnxruntime-node can open: ${reason}`, {
      cause,
    });
  }
}

function makeTokenizer(
  Make: Tokenizers['Tokenizer'],
  settings: Readonly<Record<string, unknown>>,
  config: Readonly<Record<string, unknown>>,
  file: string,
): Tokenizer {
  try {
    return new Make(settings, config);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(ERROR_CODES.FORMAT, `${file}: is no tokenizer that can be used: ${reason}`, { cause });
  }
}

async function modelFile(flag: string, path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    const name = modelName(path);
    if (name === undefined) throw new UsageError(ERROR_CODES.READ, `${flag} ${path}: no such file or folder`);
    const folder = modelFolder(name);
    if (await isFile(join(folder, READY_FILE))) return modelFile(flag, folder);
    throw new UsageError(
      ERROR_CODES.RESOURCE,
      `${flag} ${path}: is not set up: run "teapot models --setup ${path}" (see "teapot models")`,
    );
  }
  if (found.isFile()) return path;
  for (const name of MODEL_FILES) if (await isFile(join(path, name))) return join(path, name);
  throw new UsageError(ERROR_CODES.READ, `${flag} ${path}: found none of ${MODEL_FILES.join(', ')} in that folder`);
}

async function besideOrAbove(file: string, name: string): Promise<string | undefined> {
  for (const folder of [dirname(file), dirname(dirname(file))]) {
    if (await isFile(join(folder, name))) return join(folder, name);
  }
  return undefined;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

async function readJson(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return Object(JSON.parse(await readFile(file, 'utf8'))) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new UsageError(ERROR_CODES.FORMAT, `${file}: can't be read as JSON`, { cause });
  }
}
