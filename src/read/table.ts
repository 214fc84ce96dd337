import { createHash } from 'node:crypto';
import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { parseJsonPath, valueAt } from './json-path.js';
import type { AttackTexts, InputFile, SegmentBatch, SegmentSource } from './segment-source.js';
import { openSource } from './source-file.js';
import type { SourceFile } from './source-file.js';
import type { TableColumns } from './table-columns.js';
import { columnReader, labelCell, readTableRows, tableFormat } from './table-rows.js';
import type { ColumnReader, TableRow } from './table-rows.js';
import { stripEnd } from './whitespace.js';

/** How many rows with a missing text are named; all are counted. */
const SHOWN_ROWS = 20;

/** How a table is read. */
export interface TableOptions {
  /** Name of the encoding. Default UTF-8. */
  readonly encoding?: string | undefined;
  /** Leave whitespace at the end of a text where it is. */
  readonly keepTrailingWhitespace?: boolean | undefined;
  /** Stands for standard input when the path is `-`. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
}

/** Outputs and references: numbers of data frames among them are labels. */
const LABELS: ReadonlySet<string> = new Set(['out', 'advOut', 'ref']);

/** A field of a record: a text, or several of them (references in JSONL). */
type Field = string | readonly string[];

/** One record: the fields that were asked for, in the order of the names. */
type Row = readonly Field[];

/**
 * Reads segments from the columns of a table: CSV (RFC 4180, with a header), TSV (with a header), JSONL or Parquet. A byte
 * order mark is removed, gzip and zstd unpacked. The extension says the format; without a known one, the first bytes do.
 *
 * In JSONL a field is a text, a number or a boolean; the field of a reference may be an array of texts. A null of Parquet is
 * an empty text, counted in `inputs`.
 *
 * @param path A path, or `-` for standard input.
 * @param columns Which column is what.
 * @returns A source whose `batches` throws `UsageError` with file and line: `ERR_TEAPOT_READ`, or `ERR_TEAPOT_FORMAT`
 *   for a missing or ambiguous column (all columns are listed), a broken line, a record of another length, a missing field.
 */
export function openTable(path: string, columns: TableColumns, options: TableOptions = {}): SegmentSource {
  const hash = createHash('sha256');
  const counts = { rows: 0, loneCarriageReturns: 0, tokenized: 0, missing: 0, controls: 0 };
  const missingRows: number[] = [];
  const repeatedHeaders: number[] = [];
  const parts = partsOf(columns);

  function textOf(field: string): string {
    const text = options.keepTrailingWhitespace === true ? field : stripEnd(field);
    if (text.endsWith(' .')) counts.tokenized += 1;
    if (text.includes('\r')) counts.loneCarriageReturns += text.replaceAll('\r\n', '').split('\r').length - 1;
    return text;
  }

  function noteMissing(row: number): void {
    if (missingRows.at(-1) === row) return;
    counts.missing += 1;
    if (missingRows.length < SHOWN_ROWS) missingRows.push(row);
  }

  function onRepeatedHeader(line: number): void {
    repeatedHeaders.push(line);
  }

  function batchOf(rows: readonly Row[]): SegmentBatch {
    const column = (part: TablePart['part']): readonly string[] | undefined => {
      const index = parts.findIndex((one) => one.part === part);
      return index < 0 ? undefined : rows.map((row) => textOf(String(row[index] ?? '')));
    };
    const [src, advSrc, out, advOut] = [column('src'), column('advSrc'), column('out'), column('advOut')];
    const idIndex = parts.findIndex(({ part }) => part === 'id');
    const attack: AttackTexts = { ...(advSrc && { advSrc }), ...(advOut && { advOut }) };
    return {
      firstSegment: counts.rows,
      count: rows.length,
      ...(idIndex >= 0 && { ids: rows.map((row) => String(row[idIndex] ?? '')) }),
      ...(src && { src }),
      ...(out && { out }),
      ...(columns.refs.length > 0 && { refs: rows.map((row) => referencesOf(row)) }),
      ...groupsOf(rows),
      attacks: [attack],
    };
  }

  function groupsOf(rows: readonly Row[]): Pick<SegmentBatch, 'groups'> {
    const indexes = parts.flatMap(({ part }, index) => (part === 'group' ? [index] : []));
    if (indexes.length === 0) return {};
    // An empty cell has no value, as a missing one.
    return { groups: indexes.map((index) => rows.map((row) => String(row[index] ?? '') || null)) };
  }

  function referencesOf(row: Row): string | readonly string[] {
    const texts = parts.flatMap(({ part }, index) => (part === 'ref' ? [row[index] ?? ''].flat().map(textOf) : []));
    return texts.length === 1 ? (texts[0] ?? '') : texts;
  }

  return {
    async *batches(segments, run = {}) {
      const source = openSource(path, {
        ...options,
        signal: run.signal,
        onBytes: (bytes) => hash.update(bytes),
        onControlBytes: (count) => (counts.controls += count),
      });
      let rows: Row[] = [];
      for await (const more of readRows(source, parts, { onMissing: noteMissing, onRepeatedHeader })) {
        for (const row of more) {
          rows.push(row);
          if (rows.length >= segments) {
            yield batchOf(rows);
            counts.rows += rows.length;
            rows = [];
          }
        }
      }
      if (rows.length > 0) {
        yield batchOf(rows);
        counts.rows += rows.length;
      }
      if (counts.rows === 0) {
        throw new UsageError(ERROR_CODES.EMPTY_INPUT, `${source.name}: no samples: the table has no record.`);
      }
    },
    inputs: async (): Promise<readonly InputFile[]> => [
      {
        role: 'data',
        name: path === '-' ? '<stdin>' : path,
        lines: counts.rows,
        sha256: hash.copy().digest('hex'),
        loneCarriageReturns: counts.loneCarriageReturns,
        tokenizedLines: counts.tokenized,
        ...(counts.controls > 0 && { controlCharacters: counts.controls }),
        ...(repeatedHeaders.length > 0 && { repeatedHeaders }),
        ...(counts.missing > 0 && { missing: { count: counts.missing, rows: missingRows } }),
      },
    ],
  };
}

interface TablePart {
  readonly part: 'id' | 'src' | 'advSrc' | 'out' | 'advOut' | 'ref' | 'group';
  readonly name: string;
}

function partsOf({ refs, groups = [], ...named }: TableColumns): readonly TablePart[] {
  const parts = Object.entries(named).map(([part, name]) => ({ part, name }) as TablePart);
  return [
    ...parts.filter(({ name }) => name !== undefined),
    ...refs.map((name) => ({ part: 'ref' as const, name })),
    ...groups.map((name) => ({ part: 'group' as const, name })),
  ];
}

interface RowNotes {
  /** A text is missing in a row. */
  onMissing(row: number): void;
  /** A row repeats the header. */
  onRepeatedHeader(line: number): void;
}

async function* readRows(
  source: SourceFile,
  parts: readonly TablePart[],
  { onMissing, onRepeatedHeader }: RowNotes,
): AsyncGenerator<readonly Row[]> {
  const format = tableFormat(source.name, await source.head());
  let header: readonly string[] | undefined;
  let readers: readonly ColumnReader[] = [];
  const readersOf = (columns: readonly string[]): readonly ColumnReader[] =>
    parts.map(({ name }) => columnReader(name, columns, source.name));
  /** Of Parquet only the columns that were asked for are read. */
  const wanted = (columns: readonly string[]): readonly string[] => {
    const all = readersOf(columns);
    const indexes = [...new Set(all.map(({ index }) => index))];
    readers = all.map(({ index, path }) => ({
      index: indexes.indexOf(index),
      path,
      read: ({ values }) => valueAt(values[indexes.indexOf(index)], path),
    }));
    return indexes.map((index) => columns[index] ?? '');
  };
  for await (const rows of readTableRows(source, { columns: wanted, onRepeatedHeader })) {
    yield rows.map((row) => {
      const { columns, line } = row;
      if (format === 'jsonl') return parts.map((part) => fieldOf(row, part, `${source.name}:${line}`));
      if (header !== columns) {
        header = columns;
        if (format !== 'parquet') readers = readersOf(columns);
      }
      return readers.map((reader, part) => {
        const name = parts[part]?.part;
        const found = reader.read(row) ?? null;
        const value = name !== undefined && LABELS.has(name) ? labelCell(row, reader.index, found) : found;
        // An empty cell of CSV and TSV is an empty text; only Parquet has a value that is missing.
        if (value === null && format === 'parquet') onMissing(line);
        if (value === null || typeof value === 'string') return value ?? '';
        return name === 'ref' && isTextList(value) ? value : JSON.stringify(value);
      });
    });
  }
  if (format === 'parquet') await drain(source);
}

/** Reads on to the end of the file for its hash: Parquet is read out of order, not through the source. */
async function drain(source: SourceFile): Promise<void> {
  const chunks = source.chunks()[Symbol.asyncIterator]();
  while ((await chunks.next()).done !== true);
}

function fieldOf(row: TableRow, { name, part }: TablePart, place: string): Field {
  const value = fieldAt(row, name, place);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const isReference = part === 'ref';
  if (isReference && isTextList(value)) return value;
  const expected = isReference ? 'a text or an array of texts' : 'a text';
  throw formatError(`${place}: field "${name}" must be ${expected}, found ${JSON.stringify(value)}.`);
}

/** The value of a field, or one inside of it by its path. */
function fieldAt({ columns, values }: TableRow, name: string, place: string): unknown {
  const whole = columns.indexOf(name);
  if (whole >= 0) return values[whole];
  const [column, ...path] = parseJsonPath(name) ?? [];
  const index = columns.indexOf(String(column));
  const value = path.length > 0 && index >= 0 ? valueAt(values[index], path) : undefined;
  if (value !== undefined) return value;
  throw formatError(
    `${place}: there is no field "${name}".${didYouMean(name, columns)} The fields are ${columns.join(', ')}.`,
  );
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === 'string');
}

function formatError(message: string, options?: ErrorOptions): UsageError {
  return new UsageError(ERROR_CODES.FORMAT, message, options);
}
