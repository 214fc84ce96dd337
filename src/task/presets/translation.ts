import { basename } from 'node:path';

import { ERROR_CODES, UsageError } from '../../errors.js';
import { notEmpty, readRows, readTextLines, rowError } from '../rows.js';
import type { DataRow } from '../rows.js';
import { field } from './files.js';
import type { ReadRun } from './files.js';
import type { Preset } from './preset.js';

/** Names of languages for the prompts. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ar: 'Arabic',
  de: 'German',
  en: 'English',
  es: 'Spanish',
  fr: 'French',
  it: 'Italian',
  ja: 'Japanese',
  ko: 'Korean',
  nl: 'Dutch',
  ro: 'Romanian',
  ru: 'Russian',
  zh: 'Chinese',
};

/**
 * Reads a parallel corpus: two files (plain text or IWSLT's XML), source first, or one JSONL or Parquet file whose rows hold
 * `translation: {de: …, en: …}`, the first language being the source.
 *
 * The languages are the last parts of the files' names (`tst.de-en.de.xml`, `testset.fr`).
 */
async function readPairs(paths: readonly string[], name: string, run: ReadRun): Promise<readonly DataRow[]> {
  const [sources, targets, ...more] = paths;
  if (sources === undefined || more.length > 0) {
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `the data set ${name} reads one or two files, found ${paths.length}`,
    );
  }
  if (targets === undefined) return readTranslations(sources, run);
  const [source, target] = [await readSide(sources, run), await readSide(targets, run)];
  if (source.length !== target.length) {
    throw new UsageError(
      ERROR_CODES.LENGTH_MISMATCH,
      `${sources} has ${source.length} segments, ${targets} has ${target.length}: they must be aligned`,
    );
  }
  const languages = { source_language: languageOf(sources), target_language: languageOf(targets) };
  const rows = source.map(({ text, line }, index) => ({
    place: `${sources}:${line}`,
    values: { ...languages, source: text, target: target[index]?.text ?? '' },
  }));
  return notEmpty(rows, sources);
}

async function readTranslations(path: string, run: ReadRun): Promise<readonly DataRow[]> {
  return (await readRows(path, run)).map(({ place, values }) => {
    const pair = Object.entries(field(values, 'translation') ?? {});
    const [[from = '', source] = [], [to = '', target] = []] = pair;
    if (pair.length !== 2 || typeof source !== 'string' || typeof target !== 'string') {
      throw rowError(place, 'expected "translation" with two languages, for example {"de": "…", "en": "…"}');
    }
    return { place, values: { source_language: language(from), target_language: language(to), source, target } };
  });
}

/** The segments of one side: the lines, or the `<seg>` elements of XML. */
async function readSide(
  path: string,
  run: ReadRun,
): Promise<readonly { readonly text: string; readonly line: number }[]> {
  const lines = await readTextLines(path, run);
  if (!/\.xml(?:\.gz|\.zst)?$/iu.test(path)) return lines;
  const segments = lines.flatMap(({ text, line }) => {
    const segment = /<seg\b[^>]*>(.*?)<\/seg>/u.exec(text)?.[1];
    if (segment === undefined && /<seg\b/u.test(text))
      throw rowError(`${path}:${line}`, 'a <seg> without its end on the line');
    return segment === undefined ? [] : [{ text: unescapeXml(segment).trim(), line }];
  });
  if (segments.length === 0) throw rowError(path, 'there is no <seg> in it: expected the XML of IWSLT 2017');
  return segments;
}

function unescapeXml(text: string): string {
  const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/gu, (whole, name: string) => named[name] ?? whole);
}

function languageOf(path: string): string {
  const code = /\.([a-z]{2})(?:\.(?:xml|txt|gz|zst))*$/iu.exec(basename(path))?.[1]?.toLowerCase();
  return code === undefined ? 'the source language' : language(code);
}

function language(code: string): string {
  return LANGUAGES[code] ?? code;
}

function translation(parts: Pick<Preset, 'name' | 'aliases' | 'description' | 'files'>): Preset {
  return {
    ...parts,
    content: '{source_language}: {source}\n{target_language}:',
    answer: 'target',
    labels: undefined,
    rule: 'text',
    metric: 'bleu',
    protect: ['translate'],
    examples: [
      {
        source_language: 'German',
        target_language: 'English',
        source: 'Das Boot ist alt.',
        target: 'The boat is old.',
      },
      {
        source_language: 'German',
        target_language: 'English',
        source: 'Wo ist die Brücke?',
        target: 'Where is the bridge?',
      },
      { source_language: 'German', target_language: 'English', source: 'Sie liest viel.', target: 'She reads a lot.' },
    ],
    taskPrompts: [
      'Translate the text as exactly as you can and write the translation only.',
      'Give the translation of the following text.',
      'Say the same in the other language, without notes.',
    ],
    rolePrompts: [
      'You interpret at a conference. Translate what the speaker says.',
      'As a translator of books, put the text into the other language.',
      'Act as a translation engine that prints the translation and nothing else.',
    ],
    read: (paths, run) => readPairs(paths, parts.name, run),
  };
}

/** Data sets of translations. */
export const TRANSLATION_PRESETS: readonly Preset[] = [
  translation({
    name: 'iwslt',
    aliases: ['iwslt2017', 'iwslt-2017'],
    description: 'Talks, translated (IWSLT 2017)',
    files: "IWSLT 2017's two files (XML or text), source first, or JSONL or Parquet with translation",
  }),
  translation({
    name: 'un_multi',
    description: 'Documents of the United Nations, translated',
    files: 'the two aligned text files of the UN Parallel Corpus, source first, or JSONL or Parquet with translation',
  }),
];
