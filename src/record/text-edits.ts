import { ERROR_CODES, TeapotError } from '../errors.js';
import { runNative } from '../native.js';
import type { TextEdit, TextEdits } from '../native.js';
import type { RunOptions } from '../run-options.js';

export type { TextEdit, TextEdits };

/** The kind of an edit. */
export type EditKind = TextEdit['kind'];

/** All kinds, in the order of reports. */
export const EDIT_KINDS: readonly EditKind[] = [
  'swap',
  'drop',
  'add',
  'substitute',
  'homoglyph',
  'invisible',
  'case',
  'whitespace',
  'word_replaced',
  'word_inserted',
  'word_deleted',
  'appended',
  'prepended',
];

/** How many pairs are handed to the native core at a time: between two portions progress is told. */
const PORTION = 1024;

/**
 * Finds what an attack did to each text: words are aligned first, characters inside similar words second, so that an
 * inserted word moves nothing else.
 *
 * @param originals N texts.
 * @param edited N texts, aligned with the originals.
 * @returns N reports in the same order; equal texts have no edits. Positions and distances count code points.
 * @throws {TeapotError} `ERR_TEAPOT_LENGTH_MISMATCH` when the lengths differ.
 * @example const [report] = await findEdits(['the tea'], ['the tee']); // substitute, 'a' → 'e', position 6
 */
export async function findEdits(
  originals: readonly string[],
  edited: readonly string[],
  options: RunOptions = {},
): Promise<TextEdits[]> {
  if (originals.length !== edited.length) {
    const message = `findEdits: ${originals.length} originals and ${edited.length} edited texts; expected as many of both.`;
    throw new TeapotError(ERROR_CODES.LENGTH_MISMATCH, message);
  }
  const reports: TextEdits[] = [];
  for (let start = 0; start < originals.length; start += PORTION) {
    const left = originals.slice(start, start + PORTION);
    const right = edited.slice(start, start + PORTION);
    const portion = await runNative((binding, cancellation) => binding.findEdits(left, right, cancellation), options);
    for (const report of portion) reports.push(report);
    options.onProgress?.(reports.length, originals.length);
  }
  return reports;
}

/** What {@link foldTexts} makes the same. */
export interface Folding {
  /** Invisible characters are removed, look-alikes replaced by one of their kind (Unicode's skeletons, UTS 39). */
  readonly confusables?: boolean;
  /** Lower case. */
  readonly case?: boolean;
  /** Every run of whitespace becomes one space, none at the ends. */
  readonly whitespace?: boolean;
}

/**
 * Folds texts to what a reader sees: for comparing and scoring, not for showing.
 *
 * @param texts N texts.
 * @returns N texts in the same order.
 */
export async function foldTexts(
  texts: readonly string[],
  folding: Folding,
  options: RunOptions = {},
): Promise<string[]> {
  return runNative((binding) => binding.foldTexts([...texts], { ...folding }), options);
}

/**
 * A character as people can look it up: `U+0430`.
 *
 * @param text one or more characters.
 */
export function codePoints(text: string): string {
  return [...text]
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
    .join(' ');
}
