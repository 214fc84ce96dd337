import { callNative } from '../native.js';
import type { AttackEdit } from '../native.js';
import { joinColumns } from '../record/import/textattack/columns.js';

/** An input of several texts, for example premise and hypothesis. */
export interface InputColumns {
  /** The names, in order. */
  readonly names: readonly string[];
  readonly texts: readonly string[];
  /** The names of those that may be changed. */
  readonly attacked: readonly string[];
}

/** The text that the victim sees of several columns, and where they stand in it. */
export interface JoinedColumns {
  /** `Premise: …`, line end, `Hypothesis: …`, as TextAttack prints them. */
  readonly text: string;
  /** Ends of the spans that no edit may touch, in code points: captions, line ends between columns, columns that are not attacked. */
  readonly locked: readonly number[];
  /** Where the text of each column starts and ends, in code points. */
  readonly spans: readonly { readonly start: number; readonly end: number }[];
}

/**
 * Which columns of a pair TextAttack's recipes attack: all, but of premise and hypothesis the hypothesis only (`InputColumnModification`).
 */
export function defaultAttacked(names: readonly string[]): readonly string[] {
  const isPair = names.length === 2 && names.includes('premise') && names.includes('hypothesis');
  return isPair ? ['hypothesis'] : names;
}

/** Puts columns together to one text. */
export function joinInput({ names, texts, attacked }: InputColumns): JoinedColumns {
  const captions = names.map(captionOf);
  const locked: number[] = [];
  const spans: { readonly start: number; readonly end: number }[] = [];
  let at = 0;
  for (const [index, name] of names.entries()) {
    const begin = index === 0 ? 0 : at - 1;
    const start = at + codePoints(captions[index] ?? '') + 2;
    const end = start + codePoints(texts[index] ?? '');
    // The blank before a column that is attacked stays open: an edit may stand at its edge.
    locked.push(begin, attacked.includes(name) ? start - 1 : end);
    spans.push({ start, end });
    at = end + 1;
  }
  return { text: joinColumns({ names: captions, texts }), locked, spans };
}

/** The texts of the columns after edits on the joined text, by name. */
export function columnsAfter(columns: InputColumns, edits: readonly AttackEdit[]): Readonly<Record<string, string>> {
  const { spans } = joinInput(columns);
  return Object.fromEntries(
    columns.names.map((name, index) => {
      const { start, end } = spans[index] ?? { start: 0, end: 0 };
      const own = edits
        .filter((edit) => edit.end >= start && edit.start <= end)
        .map(({ start: from, end: to, replacement, kind }) => ({
          start: Math.max(0, from - start),
          end: to - start,
          replacement,
          kind,
        }));
      return [name, callNative((binding) => binding.applyEdits(columns.texts[index] ?? '', own))];
    }),
  );
}

/** The texts of the columns as they are, by name. */
export function columnsBefore({ names, texts }: InputColumns): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
}

/** Python's `capitalize`, as TextAttack writes names. */
function captionOf(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1).toLowerCase()}`;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
