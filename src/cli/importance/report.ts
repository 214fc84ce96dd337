import picocolors from 'picocolors';

import { formatFixed, formatSigned } from '../../number-format.js';
import type { TextImportance, WordImportance } from '../../attack/importance.js';
import { visible } from '../../visible.js';

/** What became of one text. */
export type ImportanceItem = TextImportance | { readonly text: string; readonly error: string };

/** What was found out about texts. */
export interface Found {
  readonly items: readonly ImportanceItem[];
  readonly model: string;
  readonly unused?: number;
}

/** From these shares of the strongest word on, a word is coloured and printed bold. */
const [COLORED, STRONG] = [1 / 4, 2 / 3] as const;

/** The texts with their words in colours (red supports the answer, blue speaks against it), then a line a word. */
export function importanceText(items: readonly ImportanceItem[], color: boolean): string {
  return items
    .map((item) => ('error' in item ? visible(`${item.text}\nerror: ${item.error}\n`) : block(item, color)))
    .join('\n');
}

/** One JSON document; scores are fractions. */
export function importanceJson(model: string, items: readonly ImportanceItem[], unused?: number): string {
  const document = {
    schema: 'teapot.importance/1',
    model,
    ...(unused === undefined ? {} : { unused_scores: unused }),
    items,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

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
