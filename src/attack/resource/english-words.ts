import { importPackage, packageVersion, packageFolder } from '../../optional-package.js';
import type { EntitySpan, ModelResources } from './model-resources.js';
import { tagWords } from './tagger.js';

/** The package with English inflections, names and places; teapot does not install it. */
export const ENGLISH_PACKAGE = 'compromise';

/** How to install it. */
export const ENGLISH_INSTALL = `npm install ${ENGLISH_PACKAGE}`;

/** Whether it can be used here. */
export function isEnglishInstalled(): boolean {
  return packageFolder(ENGLISH_PACKAGE) !== undefined;
}

interface Term {
  readonly text: string;
  readonly tags: readonly string[];
}

/** The part of compromise that is used. */
interface Compromise {
  (text: string): { json(options: { readonly offset: boolean }): readonly { readonly terms: readonly Term[] }[] };
  model(): Model;
  methods(): {
    readonly two: {
      readonly transform: {
        readonly verb: {
          toInfinitive(word: string, model: Model, tense: string): string;
          conjugate(infinitive: string, model: Model): Readonly<Record<string, string>>;
        };
        readonly noun: { toPlural(word: string, model: Model): string; toSingular(word: string, model: Model): string };
        readonly adjective: {
          toComparative(word: string, model: Model): string;
          toSuperlative(word: string, model: Model): string;
          fromComparative(word: string, model: Model): string;
          fromSuperlative(word: string, model: Model): string;
        };
      };
    };
  };
}

interface Model {
  readonly one: { readonly lexicon: Readonly<Record<string, string | readonly string[]>> };
}

/** Kinds of names and places, and the tags of compromise that they have; the first kind that fits counts. */
const KINDS = [
  ['first name', ['FirstName', 'MaleName', 'FemaleName']],
  ['last name', ['LastName']],
  ['country', ['Country']],
  ['nationality', ['Demonym']],
  ['city', ['City']],
  ['region', ['Region']],
] as const;

/** Forms of a verb that are one word. */
const VERB_FORMS = ['Infinitive', 'PastTense', 'PresentTense', 'Gerund', 'Participle'] as const;

/**
 * Opens the English words of the package compromise: inflections of nouns, verbs and adjectives, and names and places with others of their
 * kind, both by the parts and names that the package finds in the text.
 *
 * @throws {UsageError} `ERR_TEAPOT_RESOURCE` when the package is not installed, with the command that installs it.
 */
export async function openEnglishWords(
  what: string,
): Promise<Required<Pick<ModelResources, 'inflect' | 'entities'>> & { readonly signature: string }> {
  const module = (await importPackage(ENGLISH_PACKAGE, what, ENGLISH_INSTALL)) as { readonly default: Compromise };
  const nlp = module.default;
  const lists = namesByKind(nlp.model());
  const termsOf = (text: string): readonly Term[] =>
    nlp(text)
      .json({ offset: true })
      .flatMap(({ terms }) => terms);
  const tagsOf = (text: string, spans: readonly { readonly start: number; readonly end: number }[]): string[] => {
    const terms = termsOf(text);
    const tokens = terms.map((term) => term.text);
    return tagWords(
      text,
      spans,
      tokens,
      terms.map(({ tags }) => tags.join(' ')),
    );
  };
  return {
    inflect: (text, words) =>
      tagsOf(text, words).map((tags, index) => inflections(words[index]?.text ?? '', tags, nlp)),
    entities: (text, words) => {
      const tags = tagsOf(text, words);
      const points = [...text];
      const found: (EntitySpan & { readonly kind: string })[] = [];
      for (const [index, word] of words.entries()) {
        const kind = kindOf(tags[index] ?? '');
        if (kind === undefined) continue;
        const last = found.at(-1);
        const between = last === undefined ? '' : points.slice(last.end, word.start).join('');
        // "New York" is one place; first and last names are exchanged one by one.
        if (last !== undefined && last.kind === kind && !kind.endsWith('name') && between === ' ') {
          found.splice(-1, 1, { ...last, end: word.end });
        } else found.push({ kind, start: word.start, end: word.end, others: lists.get(kind) ?? [] });
      }
      return found.filter(({ kind, start, end, others }) => {
        // As in CheckList, a place that is on no list has no other of its kind.
        return kind.endsWith('name') || others.includes(titled(points.slice(start, end).join('')));
      });
    },
    signature: JSON.stringify(['english', await packageVersion(ENGLISH_PACKAGE)]),
  };
}

function kindOf(tags: string): (typeof KINDS)[number][0] | undefined {
  const all = new Set(tags.split(/[ +]/u));
  return KINDS.find(([, known]) => known.some((tag) => all.has(tag)))?.[0];
}

/** The words of each kind that the package knows, with capitals, sorted. */
function namesByKind({ one }: Model): ReadonlyMap<string, readonly string[]> {
  const lists = new Map<string, string[]>(KINDS.map(([kind]) => [kind, []]));
  for (const [word, tag] of Object.entries(one.lexicon)) {
    const kind = kindOf([tag].flat().join(' '));
    const isOneName = kind?.endsWith('name') === true && /[ -]/u.test(word);
    if (kind !== undefined && !isOneName && /^[\p{L} .'-]+$/u.test(word)) lists.get(kind)?.push(titled(word));
  }
  return new Map([...lists].map(([kind, words]) => [kind, [...new Set(words)].toSorted()]));
}

function titled(text: string): string {
  return text.toLowerCase().replace(/(?<=^|[ .-])\p{L}/gu, (letter) => letter.toUpperCase());
}

/** The other forms of a word as the part of speech that its tags say; none of other parts. */
function inflections(word: string, tags: string, nlp: Compromise): readonly string[] {
  const { verb, noun, adjective } = nlp.methods().two.transform;
  const model = nlp.model();
  const lower = word.toLowerCase();
  const all = new Set(tags.split(/[ +]/u));
  const forms: string[] = [];
  if (all.has('Verb') || all.has('Auxiliary') || all.has('Copula')) {
    const tense = ['PastTense', 'PresentTense', 'Gerund', 'Participle'].find((one) => all.has(one));
    const infinitive = tense === undefined ? lower : verb.toInfinitive(lower, model, tense);
    const conjugated = verb.conjugate(infinitive === '' ? lower : infinitive, model);
    forms.push(...VERB_FORMS.map((form) => conjugated[form] ?? ''), infinitive);
  } else if (all.has('Adjective') || all.has('Comparative') || all.has('Superlative')) {
    const base = all.has('Comparative')
      ? adjective.fromComparative(lower, model)
      : all.has('Superlative')
        ? adjective.fromSuperlative(lower, model)
        : lower;
    forms.push(base, adjective.toComparative(base, model), adjective.toSuperlative(base, model));
  } else if (all.has('Noun') && !all.has('Pronoun')) {
    const singular = all.has('Plural') ? noun.toSingular(lower, model) : lower;
    forms.push(singular, all.has('Uncountable') ? singular : noun.toPlural(singular, model));
  }
  return [...new Set(forms)].filter((form) => form !== lower && /^[\p{L}'-]+$/u.test(form)).toSorted();
}
