import type { Measurement } from '../measure/measure.js';
import type { ScoreBatch } from '../score/score-batch.js';
import type { ScoredSegments } from '../score/score-corpus.js';
import { callNative } from '../native.js';
import type { RowColumn, RowDialect } from '../native.js';
import type { ParquetType } from '../parquet-encoder.js';
import { csvField, tsvField } from './delimited.js';
import type { RowFormat } from './formats.js';

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

/** Writes the numbers of every segment, batch by batch. */
export interface PerLineReporter {
  /** What stands before the first segment. */
  readonly header: string;
  /**
   * The lines of some consecutive segments under one attack; of Parquet, the row groups that are full.
   *
   * @param measured What the criteria say of them: one a pair of metrics, in the order of `metricPairs`.
   */
  rows(segments: ScoredSegments, attack: number, measured: readonly Measurement[]): Uint8Array;
  /** What stands behind the last segment. */
  end(): Uint8Array;
}

/** The names of the metrics of both sides; a side that isn't measured has none. */
export interface PerLineMetrics {
  readonly sSrc: readonly string[];
  readonly sTgt: readonly string[];
}

/**
 * Makes the writer of a format: `id`, the scores, whether the attack is successful, by which margin, and why the
 * criterion is undefined.
 *
 * Scores are fractions, in as few digits as give them back exactly. The id is the one of the input, or the line number.
 *
 * @param attacks The names of the attacks; with several, a second column says whose line it is.
 * @param metrics The names of the metrics; with several of a side, each has columns of its own: `d_tgt[bleu]`.
 */
export async function perLineReporter(
  format: RowFormat,
  attacks: readonly string[] = [],
  metrics: PerLineMetrics = { sSrc: [], sTgt: [] },
): Promise<PerLineReporter> {
  const several = attacks.length > 1;
  const columns = ['id', ...(several ? ['attack'] : []), ...scoreColumns(metrics).map(({ name }) => name)];
  const cells: CellsOf = (segments, attack, measured) =>
    cellsOf(segments, { attack, name: several ? attacks[attack] : undefined, metrics }, measured);
  if (format === 'parquet') return parquetReporter(columns, cells);
  return textReporter(dialectOf(format, columns), format === 'jsonl' ? undefined : columns, cells);
}

/** The scores of a segment under a pair of metrics. */
interface PairScores {
  readonly scores: ScoreBatch | undefined;
  readonly measured: Measurement;
}

/** A column of numbers: its name, and which pair of metrics has it. */
interface ScoreColumn {
  readonly name: string;
  readonly pair: number;
  readonly cells: (pair: PairScores) => Cells;
}

/** What depends on the metric of the source side, of the target side, and of both. */
const OF_SOURCE = { s_src: ({ scores }: PairScores) => numbers(scores?.sSrc) } as const;

const OF_TARGET = {
  s_tgt_base: ({ scores }: PairScores) => numbers(scores?.base),
  s_tgt_attacked: ({ scores }: PairScores) => numbers(scores?.base === undefined ? undefined : scores.attacked),
  d_tgt: ({ measured }: PairScores) => numbers(measured.dTgt),
  s_tgt: ({ scores }: PairScores) => numbers(scores?.base === undefined ? scores?.attacked : undefined),
} as const;

const OF_BOTH = {
  success: ({ measured: { margin } }: PairScores): Cells => margin && { kind: 'positive', values: margin },
  margin: ({ measured: { margin } }: PairScores) => numbers(margin),
  reason: ({ measured: { undefinedReasons } }: PairScores): Cells =>
    undefinedReasons.size === 0 ? undefined : { kind: 'sparse', texts: undefinedReasons },
} as const;

/** The columns of {@link PER_LINE_COLUMNS} after the id: one a metric that they depend on. */
function scoreColumns({ sSrc, sTgt }: PerLineMetrics): readonly ScoreColumn[] {
  const targets = Math.max(1, sTgt.length);
  const source = (sSrc.length > 1 ? sSrc : [undefined]).map((label, index) => ({ label, pair: index * targets }));
  const target = (sTgt.length > 1 ? sTgt : [undefined]).map((label, index) => ({ label, pair: index }));
  const both = source.flatMap((first) =>
    target.map((second) => ({
      label: [first.label, second.label].filter((label) => label !== undefined).join('|') || undefined,
      pair: first.pair + second.pair,
    })),
  );
  const columns = (
    quantities: Readonly<Record<string, ScoreColumn['cells']>>,
    places: readonly { readonly label: string | undefined; readonly pair: number }[],
  ): readonly ScoreColumn[] =>
    places.flatMap(({ label, pair }) =>
      Object.entries(quantities).map(([quantity, cells]) => ({
        name: label === undefined ? quantity : `${quantity}[${label}]`,
        pair,
        cells,
      })),
    );
  return [...columns(OF_SOURCE, source), ...columns(OF_TARGET, target), ...columns(OF_BOTH, both)];
}

function numbers(values: Float64Array | undefined): Cells {
  return values && { kind: 'numbers', values };
}

/** The cells of one column for the rows of a batch; `undefined` where the run has no such number. */
type Cells =
  | { readonly kind: 'numbers' | 'positive'; readonly values: Float64Array }
  | { readonly kind: 'count'; readonly first: number }
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'sparse'; readonly texts: ReadonlyMap<number, string> }
  | undefined;

type CellsOf = (segments: ScoredSegments, attack: number, measured: readonly Measurement[]) => readonly Cells[];

function cellsOf(
  { ids, firstSegment, attacks }: ScoredSegments,
  {
    attack,
    name,
    metrics,
  }: { readonly attack: number; readonly name: string | undefined; readonly metrics: PerLineMetrics },
  measured: readonly Measurement[],
): readonly Cells[] {
  const none: Measurement = { undefinedReasons: new Map() };
  const pairs = measured.length;
  return [
    ids === undefined ? { kind: 'count', first: firstSegment + 1 } : { kind: 'texts', texts: ids },
    ...(name === undefined ? [] : [{ kind: 'constant', text: name } as const]),
    ...scoreColumns(metrics).map(({ pair, cells }) =>
      cells({ scores: attacks[attack * pairs + pair], measured: measured[pair] ?? none }),
    ),
  ];
}

/** A text format. Rows are written by the native core: in JavaScript they took longer than the scores themselves. */
function textReporter(
  { quote, ...dialect }: Dialect,
  header: readonly string[] | undefined,
  cells: CellsOf,
): PerLineReporter {
  const column = (column: Cells): RowColumn => {
    switch (column?.kind) {
      case undefined:
        return {};
      case 'numbers':
        return { values: column.values };
      case 'positive':
        return { values: column.values, positive: true };
      case 'count':
        return { first: column.first };
      case 'texts':
        return { texts: column.texts.map(quote) };
      case 'constant':
        return { texts: [quote(column.text)], constant: true };
      case 'sparse': {
        const sorted = [...column.texts].toSorted(([a], [b]) => a - b);
        return { rows: sorted.map(([row]) => row), texts: sorted.map(([, text]) => quote(text)) };
      }
    }
  };
  return {
    header:
      header === undefined
        ? ''
        : header.map((name, index) => `${dialect.starts[index] ?? ''}${quote(name)}`).join('') + dialect.end,
    rows: (segments, attack, measured) =>
      callNative(({ formatRows }) =>
        formatRows(dialect, cells(segments, attack, measured).map(column), segments.count),
      ),
    end: () => new Uint8Array(),
  };
}

/** Parquet. An id is a text there, also where it is the number of the line: a column has one type. */
async function parquetReporter(columns: readonly string[], cells: CellsOf): Promise<PerLineReporter> {
  const { ParquetEncoder } = await import('../parquet-encoder.js');
  const encoder = new ParquetEncoder(
    columns.map((name) => ({ name, type: PARQUET_TYPES[name.replace(/\[.*$/su, '')] ?? 'number' })),
  );
  const cell = (column: Cells, row: number): string | number | boolean | null => {
    switch (column?.kind) {
      case undefined:
        return null;
      case 'numbers':
        return column.values[row] ?? Number.NaN;
      case 'positive':
        return (column.values[row] ?? Number.NaN) > 0;
      case 'count':
        return String(column.first + row);
      case 'texts':
        return column.texts[row] ?? null;
      case 'constant':
        return column.text;
      case 'sparse':
        return column.texts.get(row) ?? null;
    }
  };
  return {
    header: '',
    rows(segments, attack, measured) {
      const groups: Uint8Array[] = [];
      const batch = cells(segments, attack, measured);
      for (let row = 0; row < segments.count; row += 1) {
        const group = encoder.add(batch.map((column) => cell(column, row)));
        if (group !== undefined) groups.push(group);
      }
      return Buffer.concat(groups);
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
interface Dialect extends RowDialect {
  /** Quotes a text. */
  readonly quote: (text: string) => string;
}

function dialectOf(format: Exclude<RowFormat, 'parquet'>, columns: readonly string[]): Dialect {
  const separated = (separator: string): string[] => columns.map((_, index) => (index === 0 ? '' : separator));
  switch (format) {
    case 'tsv':
      return { starts: separated('\t'), end: '\n', empty: '', quote: tsvField };
    case 'csv':
      return { starts: separated(','), end: '\r\n', empty: '', quote: csvField };
    case 'jsonl':
      return {
        starts: columns.map((name, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`),
        end: '}\n',
        empty: 'null',
        quote: (text) => JSON.stringify(text),
      };
  }
}
