import type { MarkerStyle } from './markers.js';

/** The texts of an input with several columns, as TextAttack prints them: `Premise: …\nHypothesis: …`. */
export interface ColumnTexts {
  /** The names as they are printed: the first letter is upper case, the others lower case. */
  readonly names: readonly string[];
  /** The texts, in the same order. */
  readonly texts: readonly string[];
}

/** What a column's name looks like in front of its text; old releases mark it once, new ones twice. */
const MARKED_NAMES: Readonly<Record<Exclude<MarkerStyle, 'plain'>, RegExp>> = {
  file: /(?:^|\n)\[\[(?:\[\[([^[\]\n]+)\]\]|([^[\]\n]+))\]\]: /gu,
  html: /(?:^|\n)<font color = bold>(?:<font color = underline>([^<>\n]+)<\/font>|([^<>\n]+))<\/font>: /gu,
};

/** Python's `capitalize`: nothing but the first letter is upper case. */
const PLAIN_NAME = /(?:^|\n)([\p{Lu}\d_][\p{Ll}\d_. -]{0,39}): /gu;

interface NamePlace {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the names of columns that a text may start its parts with.
 *
 * @returns The names in order, empty when the text doesn't start with one or has fewer than two.
 */
export function columnNames(text: string, style: MarkerStyle): string[] {
  const places = namePlaces(text, style);
  return places[0]?.start === 0 && places.length > 1 ? places.map((place) => place.name) : [];
}

/**
 * The names that all texts have in common, in order: a text may itself hold lines that look like a name.
 *
 * @param candidates What {@link columnNames} found in each text.
 */
export function commonNames(candidates: readonly (readonly string[])[]): string[] {
  const [first, ...others] = candidates;
  if (first === undefined) return [];
  const common = others.reduce<readonly string[]>((names, other) => inOrder(names, other), first);
  return common.length > 1 && common[0] === first[0] ? [...common] : [];
}

/**
 * Cuts a text into its columns.
 *
 * @param names What {@link commonNames} found for the file.
 * @returns undefined when the text doesn't hold all names in that order, starting with the first.
 */
export function splitColumns(text: string, names: readonly string[], style: MarkerStyle): ColumnTexts | undefined {
  const places: NamePlace[] = [];
  for (const place of namePlaces(text, style)) {
    if (place.name === names[places.length]) places.push(place);
  }
  if (names.length < 2 || places.length < names.length || places[0]?.start !== 0) return undefined;
  const texts = places.map((place, index) => text.slice(place.end, places[index + 1]?.start));
  return { names, texts };
}

/** Puts columns together as TextAttack prints them without markers. */
export function joinColumns({ names, texts }: ColumnTexts): string {
  return names.map((name, index) => `${name}: ${texts[index] ?? ''}`).join('\n');
}

/** The name of a column in the data set: TextAttack's print only capitalizes it. */
export function columnKey(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function namePlaces(text: string, style: MarkerStyle): NamePlace[] {
  const pattern = style === 'plain' ? PLAIN_NAME : MARKED_NAMES[style];
  return Array.from(text.matchAll(pattern), (match) => ({
    name: match[1] ?? match[2] ?? '',
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** The longest run of names of the first list that the second one holds in the same order, taken greedily. */
function inOrder(names: readonly string[], others: readonly string[]): string[] {
  let position = 0;
  return names.filter((name) => {
    const found = others.indexOf(name, position);
    if (found !== -1) position = found + 1;
    return found !== -1;
  });
}
