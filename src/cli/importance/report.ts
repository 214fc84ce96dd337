import picocolors from 'picocolors';

import { csvOf, gridOf } from '../../report/columns.js';
import type { ValueColumn } from '../../report/columns.js';
import type { TableFormat } from '../../report/formats.js';
import { renderJson } from '../../report/json.js';
import { renderGrids } from '../../report/render-grids.js';
import { formatFixed, formatSigned } from '../../number-format.js';
import type { TextImportance, WordImportance } from '../../attack/importance.js';
import { writeFileSafely } from '../../output-file.js';
import { visible } from '../../visible.js';
import type { RunFolder } from '../attack/run-folder.js';

/** What became of one text. */
export type ImportanceItem = TextImportance | { readonly text: string; readonly error: string };

/** What was found out about texts. */
export interface Found {
  readonly items: readonly ImportanceItem[];
  readonly model: string;
  readonly unused?: number;
}

/** The most that the importance of words may cost. */
export interface ImportanceEstimate {
  readonly texts: number;
  /** Questions about a text, or passes over the data with a prompt. */
  readonly queries: number;
  /** Texts that the victim is asked about. */
  readonly calls: number;
}

/** What `--dry-run` prints. */
export function estimateReport(estimate: ImportanceEstimate, format: 'text' | 'json'): string {
  if (format === 'json') return renderJson({ schema: 'teapot.importance-estimate/1', ...estimate });
  const { texts, queries, calls } = estimate;
  return `Texts:\t${texts}\nQueries, at most:\t${queries}\nCalls of the model, at most:\t${calls}\n`;
}

/** Writes what was found into the work folder, if there is one, and marks the run as complete. */
export async function keepImportance(run: RunFolder, found: Found): Promise<void> {
  const path = run.path('importance.json');
  if (path !== undefined) await writeFileSafely(path, [renderJson(importanceDocument(found))]);
  await run.complete();
}

/** From these shares of the strongest word on, a word is coloured and printed bold. */
const [COLORED, STRONG] = [1 / 4, 2 / 3] as const;

/** The texts with their words in colours (red supports the answer, blue speaks against it), then a line a word. */
function importanceText(items: readonly ImportanceItem[], color: boolean): string {
  return items
    .map((item) => ('error' in item ? visible(`${item.text}\nerror: ${item.error}\n`) : block(item, color)))
    .join('\n');
}

/** The JSON document; scores are fractions. */
export function importanceDocument({ model, items, unused }: Found): unknown {
  return {
    schema: 'teapot.importance/1',
    model,
    ...(unused === undefined ? {} : { unused_scores: unused }),
    items,
  };
}

/** The importance of words in a format. */
export function importanceReport(result: Found, format: Exclude<TableFormat, 'html'>, color: boolean): string {
  const { items } = result;
  const rows = items.flatMap((item, index): WordRow[] =>
    'error' in item ? [] : item.words.map((word) => ({ item: index + 1, word })),
  );
  switch (format) {
    case 'json':
      return renderJson(importanceDocument(result));
    case 'text':
      return importanceText(items, color);
    case 'csv':
      return csvOf({ columns: WORD_COLUMNS, rows });
    case 'markdown':
    case 'latex':
      return renderGrids([gridOf({ columns: WORD_COLUMNS, rows, undefinedText: 'n/a' }, { scale: 1 })], format);
  }
}

/** A word of one of the texts, which are counted from 1. */
interface WordRow {
  readonly item: number;
  readonly word: WordImportance;
}

const WORD_COLUMNS: readonly ValueColumn<WordRow>[] = [
  { name: 'text', kind: 'count', describe: 'Its text, from 1', heading: 'text', value: ({ item }) => item },
  {
    name: 'position',
    kind: 'count',
    describe: 'Its place among the words, from 0',
    heading: 'position',
    value: ({ word }) => word.position,
  },
  { name: 'word', kind: 'text', describe: 'The word', heading: 'word', value: ({ word }) => word.word },
  { name: 'start', kind: 'count', describe: 'Index of its first code point', value: ({ word }) => word.start },
  { name: 'end', kind: 'count', describe: 'Index after its last code point', value: ({ word }) => word.end },
  {
    name: 'importance',
    kind: 'number',
    describe: 'Score of the text - score without the word',
    heading: 'importance',
    value: ({ word }) => word.importance,
    text: ({ word: { importance } }) => (importance === null ? null : formatSigned(importance, 4)),
  },
];

function block(item: TextImportance, color: boolean): string {
  const { red, blue, bold } = picocolors.createColors(color);
  const show = ({ word, importance }: WordImportance, share: number): string => {
    if (share < COLORED) return visible(word);
    const shown = (importance ?? 0) > 0 ? red(visible(word)) : blue(visible(word));
    return share < STRONG ? shown : bold(shown);
  };
  const text = marked(item, show);
  const head = `${item.output === null ? 'score' : item.output}:\t${formatFixed(item.score, 4)}`;
  const lines = item.words.map(
    ({ position, word, importance }) =>
      `${position}\t${word}\t${importance === null ? 'n/a' : formatSigned(importance, 4)}\n`,
  );
  return `${text}\n${visible(`${head}\n${lines.join('')}`)}`;
}

/** The text with each word shown by `show`, which gets its importance as a share of the strongest one's. */
function marked({ text, words }: TextImportance, show: (word: WordImportance, share: number) => string): string {
  const points = [...text];
  const strongest = Math.max(0, ...words.map(({ importance }) => Math.abs(importance ?? 0)));
  const parts: string[] = [];
  let at = 0;
  for (const word of words) {
    parts.push(visible(points.slice(at, word.start).join('')));
    parts.push(show(word, strongest === 0 ? 0 : Math.abs(word.importance ?? 0) / strongest));
    at = word.end;
  }
  return [...parts, visible(points.slice(at).join(''))].join('');
}
