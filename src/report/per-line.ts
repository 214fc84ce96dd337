import type { Measurement } from '../criterion/measure.js';
import type { ScoredSegments } from '../score/score-corpus.js';
import { ParquetEncoder } from '../parquet-encoder.js';
import type { ParquetType } from '../parquet-encoder.js';
import { csvField, tsvField } from './delimited.js';
import { formatShortest } from './number-format.js';

/** The columns of a file of lines, in order. A column without a value in a run is empty (null in JSON). */
export const PER_LINE_COLUMNS = [
  'id',
  's_src',
  's_tgt_base',
  's_tgt_attacked',
  'd_tgt',
  's_tgt',
  'success',
  'margin',
  'reason',
] as const;

/** The columns when a run has several attacks: every segment has one line an attack. */
const SEVERAL_COLUMNS = ['id', 'attack', ...PER_LINE_COLUMNS.slice(1)];

/** The formats of a file of lines, by extension. */
export const PER_LINE_FORMATS = ['tsv', 'csv', 'jsonl', 'parquet'] as const;

/** One of {@link PER_LINE_FORMATS}. */
export type PerLineFormat = (typeof PER_LINE_FORMATS)[number];

type Cell = string | number | boolean | null;

/** Writes the numbers of every segment, batch by batch. */
export interface PerLineReporter {
  /** What stands before the first segment. */
  readonly header: string;
  /** The lines of some consecutive segments under one attack; of Parquet, the row groups that are full. */
  rows(segments: ScoredSegments, attack: number, measured: Measurement): string | Uint8Array;
  /** What stands behind the last segment. */
  end(): string | Uint8Array;
}

/**
 * The format that a file name says; `.gz` and `.zst` behind it are passed over.
 *
 * @returns Undefined when the extension says none.
 */
export function perLineFormatOf(path: string): PerLineFormat | undefined {
  const extension = /\.([^./\\]+?)(?:\.gz|\.zst)?$/i.exec(path)?.[1]?.toLowerCase();
  return PER_LINE_FORMATS.find((format) => format === extension);
}

/**
 * Makes the writer of a format: `id`, the scores, whether the attack is successful, by which margin, and why the
 * criterion is undefined.
 *
 * Scores and the margin are multiplied by the scale, in as few digits as give them back exactly. The id is the one of
 * the input, or the line number.
 *
 * @param scale Every score is multiplied by it.
 * @param attacks The names of the attacks; with several, a second column says whose line it is.
 */
export function perLineReporter(
  format: PerLineFormat,
  scale: number,
  attacks: readonly string[] = [],
): PerLineReporter {
  const several = attacks.length > 1;
  const columns: readonly string[] = several ? SEVERAL_COLUMNS : PER_LINE_COLUMNS;
  const writer =
    format === 'parquet' ? parquetWriter(columns) : textWriter(dialect(format, columns), columns, format !== 'jsonl');
  return {
    header: writer.header,
    end: () => writer.end(),
    rows(segments, attack, measured) {
      const scores = segments.attacks[attack];
      const scaled = (array: Float64Array | undefined, index: number): number | null => {
        const value = array?.[index];
        return value === undefined ? null : value * scale;
      };
      const withReferences = scores?.base !== undefined;
      for (let index = 0; index < segments.count; index += 1) {
        const margin = measured.margin?.[index];
        writer.add([
          segments.ids?.[index] ?? segments.firstSegment + index + 1,
          ...(several ? [attacks[attack] ?? ''] : []),
          scaled(scores?.sSrc, index),
          scaled(scores?.base, index),
          withReferences ? scaled(scores?.attacked, index) : null,
          scaled(measured.dTgt, index),
          withReferences ? null : scaled(scores?.attacked, index),
          margin === undefined ? null : margin > 0,
          scaled(measured.margin, index),
          measured.undefinedReasons.get(index) ?? null,
        ]);
      }
      return writer.take();
    },
  };
}

/** Gathers lines until they are taken. */
interface LineWriter {
  readonly header: string;
  add(cells: readonly Cell[]): void;
  take(): string | Uint8Array;
  end(): string | Uint8Array;
}

function textWriter(dialect: Dialect, columns: readonly string[], hasHeader: boolean): LineWriter {
  let text = '';
  return {
    header: hasHeader ? writeLine(dialect, columns) : '',
    add: (cells) => {
      text += writeLine(dialect, cells);
    },
    take: () => {
      const taken = text;
      text = '';
      return taken;
    },
    end: () => '',
  };
}

/** An id is a text in Parquet, also where it is the number of the line: a column has one type. */
function parquetWriter(columns: readonly string[]): LineWriter {
  const encoder = new ParquetEncoder(columns.map((name) => ({ name, type: PARQUET_TYPES[name] ?? 'number' })));
  let groups: Uint8Array[] = [];
  return {
    header: '',
    add: ([id, ...cells]) => {
      const group = encoder.add([id === null ? null : String(id), ...cells]);
      if (group !== undefined) groups.push(group);
    },
    take: () => {
      const taken = Buffer.concat(groups);
      groups = [];
      return taken;
    },
    end: () => encoder.finish(),
  };
}

const PARQUET_TYPES: Readonly<Partial<Record<string, ParquetType>>> = {
  id: 'text',
  attack: 'text',
  success: 'boolean',
  reason: 'text',
};

/** How a text format writes a line. */
interface Dialect {
  /** What stands before each cell. */
  readonly starts: readonly string[];
  readonly end: string;
  /** A cell without a value. */
  readonly empty: string;
  /** Quotes a text; the other cells (nearly all) need no look at their characters. */
  readonly quote: (text: string) => string;
}

function dialect(format: Exclude<PerLineFormat, 'parquet'>, columns: readonly string[]): Dialect {
  const separated = (separator: string): readonly string[] => columns.map((_, index) => (index === 0 ? '' : separator));
  switch (format) {
    case 'tsv':
      return { starts: separated('\t'), end: '\n', empty: '', quote: tsvField };
    case 'csv':
      return { starts: separated(','), end: '\r\n', empty: '', quote: csvField };
    case 'jsonl':
      return {
        starts: columns.map((name, index) => `${index === 0 ? '{' : ','}"${name}":`),
        end: '}\n',
        empty: 'null',
        quote: (text) => JSON.stringify(text),
      };
  }
}

function writeLine({ starts, end, empty, quote }: Dialect, cells: readonly Cell[]): string {
  let line = '';
  for (let column = 0; column < cells.length; column += 1) {
    const cell = cells[column] ?? null;
    if (cell === null) line += starts[column] + empty;
    else if (typeof cell === 'number') line += starts[column] + formatShortest(cell);
    else line += starts[column] + (typeof cell === 'string' ? quote(cell) : String(cell));
  }
  return line + end;
}
