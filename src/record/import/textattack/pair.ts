import { columnKey, columnNames, commonNames, joinColumns, splitColumns } from './columns.js';
import { styleOfPair, unmarkPair } from './markers.js';
import type { ChangedWord, MarkerStyle } from './markers.js';

/** Both texts of a result as they stand in the file, line ends restored. */
export interface RawPair {
  readonly original: string;
  readonly perturbed: string;
}

/** How a file writes its texts: decided once, from its first results. */
export interface TextLayout {
  readonly style: MarkerStyle;
  /** The names of the columns as they are printed; empty for an input of one column. */
  readonly names: readonly string[];
}

/** Both texts of a result as the attack had them. */
export interface CleanPair {
  readonly original: string;
  readonly perturbed: string;
  readonly columns: { original: Record<string, string>; perturbed: Record<string, string> } | null;
  readonly changed: readonly ChangedWord[];
  /** Whether the markers of both texts agree. */
  readonly isConsistent: boolean;
}

/**
 * Tells from the first results of a file how it writes its texts.
 *
 * @param style The style, if the user named it.
 */
export function decideLayout(pairs: readonly RawPair[], style?: MarkerStyle): TextLayout {
  for (const marked of style === undefined ? (['file', 'html'] as const) : [style]) {
    const names = namesOf(pairs, marked);
    if (names.length > 0) return { style: marked, names };
  }
  const decided = style ?? majority(pairs);
  return { style: decided, names: namesOf(pairs, 'plain') };
}

/** Takes the names of columns and the markers out of both texts. */
export function cleanPair(pair: RawPair, layout: TextLayout): CleanPair {
  const originals = splitNamed(pair.original, layout);
  const perturbeds = splitNamed(pair.perturbed, layout);
  if (originals === undefined || perturbeds === undefined) {
    return { ...unmarkPair(pair.original, pair.perturbed, layout.style), columns: null };
  }
  const unmarked = originals.map((text, index) => unmarkPair(text, perturbeds[index] ?? '', layout.style));
  const { names } = layout;
  const left = unmarked.map((each) => each.original);
  const right = unmarked.map((each) => each.perturbed);
  return {
    original: joinColumns({ names, texts: left }),
    perturbed: joinColumns({ names, texts: right }),
    columns: { original: byName(names, left), perturbed: byName(names, right) },
    changed: unmarked.flatMap((each) => each.changed),
    isConsistent: unmarked.every((each) => each.isConsistent),
  };
}

function namesOf(pairs: readonly RawPair[], style: MarkerStyle): string[] {
  return commonNames(
    pairs.flatMap(({ original, perturbed }) => [columnNames(original, style), columnNames(perturbed, style)]),
  );
}

/** The names may stand without markers in a file with markers: TextAttack leaves them out for Chinese and Korean. */
function splitNamed(text: string, { names, style }: TextLayout): readonly string[] | undefined {
  if (names.length === 0) return undefined;
  return (splitColumns(text, names, style) ?? splitColumns(text, names, 'plain'))?.texts;
}

function majority(pairs: readonly RawPair[]): MarkerStyle {
  const votes = { file: 0, html: 0, plain: 0 };
  for (const { original, perturbed } of pairs) {
    const style = styleOfPair(original, perturbed);
    if (style !== undefined) votes[style] += 1;
  }
  if (votes.file > 0 && votes.file >= votes.html && votes.file >= votes.plain) return 'file';
  return votes.html > 0 && votes.html >= votes.plain ? 'html' : 'plain';
}

function byName(names: readonly string[], texts: readonly string[]): Record<string, string> {
  // fromEntries defines own properties: a column named __proto__ stays one.
  return Object.fromEntries(names.map((name, index) => [columnKey(name), texts[index] ?? '']));
}
