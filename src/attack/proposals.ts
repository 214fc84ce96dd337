import type { TextWord } from '../native.js';
import { randomOf } from '../random.js';
import type { RunOptions } from '../run-options.js';
import { isNumberWord, numberOf, numberWords } from './number-words.js';
import type { Proposal } from './proposed-text.js';
import type { ProposalUse } from './recipe.js';
import { callResource } from './resource/model-resources.js';
import type { ModelResources } from './resource/model-resources.js';

type Options = Pick<RunOptions, 'signal'>;

/** Key of the draws of names, places and numbers. */
const DRAWS = 11;

/** What proposals are made from. */
export interface ProposalStart {
  readonly text: string;
  readonly words: readonly TextWord[];
  /** Words that the attack may change. */
  readonly changeable: readonly number[];
  readonly seed: number;
  readonly item: number;
}

/** The edits that models and lists propose for a text; they are the same in every round. */
export async function proposalsOf(
  uses: readonly ProposalUse[],
  start: ProposalStart,
  models: ModelResources,
  options: Options,
): Promise<readonly Proposal[]> {
  const found: Proposal[] = [];
  for (const use of uses) found.push(...(await MAKERS[use.name](use, start, models, options)));
  return found;
}

type Maker = (
  use: ProposalUse,
  start: ProposalStart,
  models: ModelResources,
  options: Options,
) => Promise<readonly Proposal[]>;

const MAKERS: Readonly<Record<ProposalUse['name'], Maker>> = {
  'masked-replace': masked(({ words, changeable }) => changeable.flatMap((word) => places(words, word, word))),
  'masked-insert': inserted,
  'masked-merge': merged,
  inflections: inflected,
  entities: exchanged,
  numbers: renumbered,
};

interface Place {
  readonly word: number;
  readonly start: number;
  readonly end: number;
}

function places(words: readonly TextWord[], first: number, last: number): Place[] {
  const [from, to] = [words[first], words[last]];
  return from === undefined || to === undefined ? [] : [{ word: first, start: from.start, end: to.end }];
}

/** Words in the place of spans that are masked as one. */
function masked(spansOf: (start: ProposalStart) => readonly Place[]): Maker {
  return async ({ count, minConfidence }, start, { predict }, options) => {
    const spans = spansOf(start);
    if (predict === undefined || spans.length === 0) return [];
    const points = [...start.text];
    const asked = spans.map(({ start: from, end }) => ({
      start: from,
      end,
      text: points.slice(from, end).join(''),
      changeable: true,
    }));
    const call = () => predict(start.text, asked, count, { ...options, isMasked: true, minConfidence });
    const given = await callResource<readonly string[]>('predict', call, asked.length, options);
    return spans.flatMap((span, index) =>
      usable(given[index] ?? [], asked[index]?.text ?? '', count).map((word) => replaced(span, word)),
    );
  };
}

/** A new word before each word: one text a place, in which a letter stands for it. */
async function inserted(
  { count, minConfidence }: ProposalUse,
  { text, words, changeable }: ProposalStart,
  { predict }: ModelResources,
  options: Options,
): Promise<readonly Proposal[]> {
  if (predict === undefined) return [];
  const points = [...text];
  const found: Proposal[] = [];
  for (const index of changeable) {
    const word = words[index];
    if (word === undefined) continue;
    const opened = [...points.slice(0, word.start), 'x', ' ', ...points.slice(word.start)].join('');
    const place = { start: word.start, end: word.start + 1, text: 'x', changeable: true };
    const call = () => predict(opened, [place], count, { ...options, isMasked: true, minConfidence });
    const [given = []] = await callResource<readonly string[]>('predict', call, 1, options);
    for (const fresh of usable(given, word.text, count)) {
      found.push(replaced({ word: index, start: word.start, end: word.end }, `${fresh} ${word.text}`));
    }
  }
  return found;
}

/** The parts of speech of two words that become one, as in TextAttack 0.3.11 (`find_merge_index`). */
const MERGES: Readonly<Record<string, readonly string[]>> = {
  NOUN: ['NOUN'],
  ADJ: ['NOUN', 'NUM', 'ADJ', 'ADV'],
  ADV: ['ADJ', 'VERB'],
  VERB: ['ADV', 'VERB', 'NOUN', 'ADJ'],
  DET: ['NOUN', 'ADJ'],
  PRON: ['NOUN', 'ADJ'],
  NUM: ['NUM', 'NOUN'],
};

/** One word in the place of two. */
async function merged(
  use: ProposalUse,
  start: ProposalStart,
  models: ModelResources,
  options: Options,
): Promise<readonly Proposal[]> {
  const { tag } = models;
  if (tag === undefined) return [];
  const { text, words } = start;
  const tags = await callResource<string>('tag', () => tag(text, words, options), words.length, options);
  const open = new Set(start.changeable);
  const pairs = words.flatMap((_, index) => {
    const mergeable = MERGES[tags[index] ?? '']?.includes(tags[index + 1] ?? '') === true;
    return mergeable && open.has(index) && open.has(index + 1) ? places(words, index, index + 1) : [];
  });
  return masked(() => pairs)(use, start, models, options);
}

async function inflected(
  _: ProposalUse,
  { text, words, changeable }: ProposalStart,
  { inflect }: ModelResources,
  options: Options,
): Promise<readonly Proposal[]> {
  if (inflect === undefined) return [];
  const forms = await callResource<readonly string[]>(
    'inflect',
    () => inflect(text, words, options),
    words.length,
    options,
  );
  return changeable.flatMap((index) => {
    const [place] = places(words, index, index);
    return place === undefined ? [] : (forms[index] ?? []).map((form) => replaced(place, form));
  });
}

/** Other names and places of the same kind, drawn. */
async function exchanged(
  { count }: ProposalUse,
  start: ProposalStart,
  { entities }: ModelResources,
  options: Options,
): Promise<readonly Proposal[]> {
  if (entities === undefined) return [];
  const { text, words } = start;
  const spans = await callResource('entities', () => entities(text, words, options), undefined, options);
  const points = [...text];
  const found: Proposal[] = [];
  for (const span of spans) {
    const word = words.findIndex((one) => one.start < span.end && one.end > span.start);
    if (word < 0) continue;
    const random = randomOf(start.seed, start.item, DRAWS, span.start);
    const own = points.slice(span.start, span.end).join('');
    for (let draw = 0; draw < count; draw += 1) {
      const other = span.others[random.below(span.others.length)];
      if (other !== undefined && other !== own) found.push(replaced({ word, start: span.start, end: span.end }, other));
    }
  }
  return found;
}

/** Other numbers, up to twice the number, in digits or words as it is written (TextAttack 0.3.11, `WordSwapChangeNumber`). */
async function renumbered({ count }: ProposalUse, start: ProposalStart): Promise<readonly Proposal[]> {
  const { text, words } = start;
  const points = [...text];
  const found: Proposal[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) break;
    if (/^\d{1,15}$/u.test(word.text)) {
      const [place] = places(words, index, index);
      if (place !== undefined) found.push(...numbered(place, Number(word.text), count, start, String));
      continue;
    }
    let last = index;
    const said: string[] = [];
    for (let at = index; at < words.length; at += 1) {
      const next = words[at];
      const lower = next?.text.toLowerCase() ?? '';
      const isJoined = at === index || points.slice(words[at - 1]?.end, next?.start).join('') === ' ';
      if (!isJoined) break;
      if (isNumberWord(lower)) {
        said.push(lower);
        last = at;
      } else if (lower !== 'and' || said.length === 0) break;
    }
    const value = numberOf(said);
    const [place] = places(words, index, last);
    if (value !== undefined && place !== undefined) found.push(...numbered(place, value, count, start, numberWords));
    index = last;
  }
  return found;
}

function numbered(
  place: Place,
  value: number,
  count: number,
  { seed, item }: ProposalStart,
  write: (value: number) => string,
): readonly Proposal[] {
  // As in TextAttack, "too", "to" and "for" in figures stay as they are.
  if ([0, 2, 4].includes(value)) return [];
  const change = value + 1;
  const least = Math.max(value - change, 1);
  const random = randomOf(seed, item, DRAWS, place.start);
  return Array.from({ length: count }, () => least + random.below(value + change - least))
    .filter((other) => other !== value)
    .map((other) => replaced(place, write(other)));
}

function replaced({ word, start, end }: Place, replacement: string): Proposal {
  return { word, edit: { start, end, replacement, kind: 'replace' } };
}

/** Predictions that are a word with a letter, and not the one that stands there. */
function usable(words: readonly string[], own: string, count: number): readonly string[] {
  return [...new Set(words)].slice(0, count).filter((word) => word !== own && /^\S*[a-zA-Z]\S*$/u.test(word));
}
