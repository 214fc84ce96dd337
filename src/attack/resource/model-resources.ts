import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ERROR_CODES, TeapotError, UsageError } from '../../errors.js';
import type { TextWord } from '../../native.js';
import type { RunOptions } from '../../run-options.js';
import { fileDigest } from '../../digest.js';

type Awaitable<T> = T | Promise<T>;
type Signal = Pick<RunOptions, 'signal'>;

/** What a module may export for attacks that need models; each function may be missing. */
export interface ModelResources {
  /** A sentence encoder: N texts to N vectors of the same length. */
  embed?(texts: readonly string[], options: Signal): Awaitable<readonly (readonly number[] | Float32Array)[]>;
  /** A tagger: the part of speech of each word of a text, any names. */
  tag?(text: string, words: readonly TextWord[], options: Signal): Awaitable<readonly string[]>;
  /**
   * A masked language model: for each word of a text up to `count` words that may stand in its place, the likeliest first. `isMasked` says
   * whether the attack wants the word masked, or the text as it stands; `minConfidence` is the least probability of a word, where the model has
   * probabilities.
   */
  predict?(
    text: string,
    words: readonly TextWord[],
    count: number,
    options: Signal & { readonly isMasked?: boolean | undefined; readonly minConfidence?: number | undefined },
  ): Awaitable<readonly (readonly string[])[]>;
  /** Words that may stand for another: those of each word, the nearest first. */
  neighbours?(words: readonly string[], options: Signal): Awaitable<readonly (readonly string[])[]>;
  /** The other inflected forms of each word of a text. */
  inflect?(text: string, words: readonly TextWord[], options: Signal): Awaitable<readonly (readonly string[])[]>;
  /** The names and places in a text, with others of their kind. */
  entities?(text: string, words: readonly TextWord[], options: Signal): Awaitable<readonly EntitySpan[]>;
}

/** A name or place: its code points from `start` to `end` (exclusive), and what may stand there. */
export interface EntitySpan {
  readonly start: number;
  readonly end: number;
  readonly others: readonly string[];
}

/** Models, and what can change their answers. */
export interface LoadedResources {
  readonly models: ModelResources;
  /** Hashes and parameters of the module and files. */
  readonly signature: string;
}

const FUNCTIONS = ['embed', 'tag', 'predict', 'neighbours', 'inflect', 'entities'] as const;

/**
 * Loads an ES module that exports `embed`, `tag`, `predict`, `neighbours`, `inflect` or `entities`; what they give is checked at each call.
 *
 * @throws {UsageError} `ERR_TEAPOT_READ` when it can't be loaded; `ERR_TEAPOT_FORMAT` when it exports none of them.
 */
export async function loadModelResources(path: string): Promise<LoadedResources> {
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = (await import(pathToFileURL(resolve(path)).href)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new UsageError(ERROR_CODES.READ, `the option \`resources\` ${path} can't be loaded as a module`, { cause });
  }
  const found = FUNCTIONS.filter((name) => typeof exported[name] === 'function');
  if (found.length === 0) {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `the option \`resources\` ${path} exports none of ${FUNCTIONS.join(', ')}; expected for example ` +
        '`export function embed(texts) { return texts.map(() => [1, 0]); }`',
    );
  }
  const models = Object.fromEntries(found.map((name) => [name, exported[name]])) as ModelResources;
  return { models, signature: JSON.stringify(['module', (await fileDigest(resolve(path))) ?? path]) };
}

/**
 * Calls a function of the user's module.
 *
 * @param expected Number of items that must come back; any number if undefined.
 * @throws {TeapotError} `ERR_TEAPOT_RESOURCE` when it fails or gives something else.
 */
export async function callResource<T>(
  name: (typeof FUNCTIONS)[number],
  call: () => Awaitable<readonly T[]>,
  expected: number | undefined,
  { signal }: Signal,
): Promise<readonly T[]> {
  let given: unknown;
  try {
    given = await call();
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    // What teapot's own resources say is plain enough.
    if (cause instanceof TeapotError) throw cause;
    throw new TeapotError(ERROR_CODES.RESOURCE, `${name} of the module of the option \`resources\` failed: ${reason}`, {
      cause,
    });
  }
  signal?.throwIfAborted();
  if (!Array.isArray(given) || (expected !== undefined && given.length !== expected)) {
    const found = Array.isArray(given) ? `${given.length} items` : typeof given;
    throw new TeapotError(
      ERROR_CODES.RESOURCE,
      `${name} of the module of the option \`resources\` gave ${found}, expected an array${expected === undefined ? '' : ` of ${expected}`}`,
    );
  }
  return given as T[];
}
