import type { ModelResources } from './model-resources.js';
import { areInstalled, importPackage, packageVersion } from '../../optional-package.js';

/** The packages of the tagger; teapot does not install them. */
export const TAGGER_PACKAGES = ['wink-nlp', 'wink-eng-lite-web-model'] as const;

/** How to install them. */
export const TAGGER_INSTALL = `npm install ${TAGGER_PACKAGES.join(' ')}`;

/** Whether the tagger can be used here. */
export function isTaggerInstalled(): boolean {
  return areInstalled(TAGGER_PACKAGES);
}

/** The part of wink-nlp that is used. */
interface Wink {
  readonly its: { readonly value: unknown; readonly pos: unknown };
  readDoc(text: string): { tokens(): { out(what?: unknown): string[] } };
}

/**
 * Opens the tagger of English of the package wink-nlp: universal parts of speech (NOUN, VERB, ADJ …). A word that the tagger cuts into pieces
 * has the parts of all of them.
 *
 * @throws {UsageError} `ERR_TEAPOT_RESOURCE` when the packages are not installed, with the command that installs them.
 */
export async function openTagger(): Promise<{
  readonly tag: NonNullable<ModelResources['tag']>;
  readonly signature: string;
}> {
  const [program, model] = await Promise.all(
    TAGGER_PACKAGES.map(async (name) => {
      const module = (await importPackage(name, 'the tagger', TAGGER_INSTALL)) as { readonly default?: unknown };
      return module.default ?? module;
    }),
  );
  const wink = (program as (model: unknown, pipe: readonly string[]) => Wink)(model, ['sbd', 'pos']);
  const versions = await Promise.all(TAGGER_PACKAGES.map(packageVersion));
  return {
    tag: (text, words) => {
      const tokens = wink.readDoc(text).tokens();
      return tagWords(text, words, tokens.out(), tokens.out(wink.its.pos));
    },
    signature: JSON.stringify(['tagger', ...versions]),
  };
}

/**
 * The parts of speech of words from those of a tagger's tokens, which cut a text otherwise: of a word the parts of all tokens that
 * overlap it, joined by `+`; empty when none does.
 *
 * @param tokens In order; looked for in the text one behind the other.
 * @param parts One a token.
 */
export function tagWords(
  text: string,
  words: readonly { readonly start: number; readonly end: number }[],
  tokens: readonly string[],
  parts: readonly string[],
): string[] {
  const points = [...text];
  const starts: number[] = [];
  let units = 0;
  for (const point of points) {
    starts.push(units);
    units += point.length;
  }
  starts.push(units);
  const found: { readonly start: number; readonly end: number; readonly part: string }[] = [];
  let from = 0;
  for (const [index, token] of tokens.entries()) {
    const start = text.indexOf(token, from);
    if (start < 0) continue;
    from = start + token.length;
    found.push({ start, end: from, part: parts[index] ?? '' });
  }
  return words.map((word) => {
    const start = starts[word.start] ?? 0;
    const end = starts[word.end] ?? units;
    return found
      .filter((token) => token.start < end && token.end > start)
      .map(({ part }) => part)
      .join('+');
  });
}
