import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { readCsv } from './csv.js';
import type { CsvOptions, CsvRow } from './csv.js';
import { parseJson } from './json.js';
import { parseJsonPath, valueAt } from './json-path.js';
import { normalizeLabel } from './label.js';
import { readText } from './source-file.js';
import type { SourceFile } from './source-file.js';

/** The formats of a table. */
export type TableFormat = 'csv' | 'tsv' | 'jsonl' | 'parquet';

/** One row of a table. */
export interface TableRow {
  /** The 1-based line at which it starts; in Parquet the 1-based number of the row. */
  readonly line: number;
  /** The names of the columns: the header, or the keys of the object. */
  readonly columns: readonly string[];
  /**
   * The cells, as many as columns: texts in CSV and TSV (null for an empty cell without quotes), values of JSON in JSONL and
   * Parquet.
   */
  readonly values: readonly unknown[];
  /** Whether each cell was written in quotes; only in CSV and TSV. */
  readonly quoted?: readonly boolean[];
}

/** Options of {@link readTableRows}. */
export interface TableRowOptions {
  /** The columns to read from a Parquet file. Default: all. */
  readonly columns?: ((header: readonly string[]) => readonly string[]) | undefined;
  /** Called for a row that can't be read, with its line and why; unless it throws, reading goes on. Default: throws. */
  readonly onBadRow?: ((line: number, reason: string) => void) | undefined;
  /** Called with the line of a row that repeats the header, as in files put together; the row is left out. */
  readonly onRepeatedHeader?: ((line: number) => void) | undefined;
}

/** What every Parquet file starts with. */
const PARQUET_MAGIC = 'PAR1';

/** More columns than any table of texts has: the delimiter is another one, or the file no table. */
const MAX_COLUMNS = 10_000;

/**
 * Tells the format of a table: by its extension, else by its first bytes.
 *
 * @param head The first part of the file.
 */
export function tableFormat(name: string, head: string): TableFormat {
  const extension = /\.(csv|tsv|jsonl|ndjson|parquet)(?:\.gz|\.zst)?$/iu.exec(name)?.[1]?.toLowerCase();
  if (extension === 'parquet' || head.startsWith(PARQUET_MAGIC)) return 'parquet';
  if (extension === 'csv' || extension === 'tsv') return extension;
  // A JSON array of objects counts as JSONL: its values are values of JSON too.
  if (extension !== undefined || /^\s*(?:\{|\[\s*[{\]])/u.test(head)) return 'jsonl';
  return firstLine(head).includes('\t') ? 'tsv' : 'csv';
}

/** The first line of a file; where no line feed ends a line, a carriage return does. */
export function firstLine(head: string): string {
  const end = head.search(head.includes('\n') ? /\r?\n/u : /\r/u);
  return end === -1 ? head : head.slice(0, end);
}

/**
 * Reads a table with a header (CSV, TSV), one object a line (JSONL), or Parquet, as a stream.
 *
 * Blank lines hold no row, unless a table of one column has an empty text there.
 *
 * @yields Batches of rows, in order.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line for a broken row, one with more or fewer cells than the header.
 */
export async function* readTableRows(source: SourceFile, options: TableRowOptions = {}): AsyncGenerator<TableRow[]> {
  const onBadRow =
    options.onBadRow ??
    ((line: number, reason: string): never => {
      throw new UsageError(ERROR_CODES.FORMAT, `${source.name}:${line}: ${reason}`);
    });
  const format = tableFormat(source.name, await source.head());
  if (format === 'parquet') yield* readParquetRows(source, options);
  else if (format === 'jsonl') yield* readJsonRows(source, onBadRow);
  else yield* readDelimitedRows(source, format, onBadRow, options.onRepeatedHeader);
}

/** Reads one column of a table, or a value inside of one. */
export interface ColumnReader {
  /** The position of the column. */
  readonly index: number;
  /** Where the value stands inside of the column; empty for the column itself. */
  readonly path: readonly (string | number)[];
  /** The value of a row; undefined where the path leads nowhere. */
  read(row: TableRow): unknown;
}

/**
 * Finds a column by its name, by its number (`#3`), or a value inside of it by a path (`doc.text`, `resps[0][0]`). A
 * column whose name reads like a path is found by that name.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` as {@link columnIndex} does.
 */
export function columnReader(name: string, columns: readonly string[], file: string): ColumnReader {
  const [column, ...path] = columns.includes(name) ? [] : (parseJsonPath(name) ?? []);
  if (path.length === 0 || typeof column !== 'string' || !columns.includes(column)) {
    const index = columnIndex(name, columns, file);
    return { index, path: [], read: (row) => row.values[index] };
  }
  const index = columnIndex(column, columns, file);
  return { index, path, read: ({ values }) => valueAt(values[index], path) };
}

/**
 * The text of a cell that holds a label or an output: a number of a data frame is the same label as `1` and as `1.0`, a
 * text in quotes is what it is.
 */
export function labelCell(row: TableRow, index: number, value: unknown): unknown {
  const isBare = row.quoted !== undefined && row.quoted[index] !== true;
  return isBare && typeof value === 'string' ? normalizeLabel(value) : value;
}

/**
 * The position of a column that is named, or counted as `#1`.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` when there is none or several have the name; all columns are listed.
 */
export function columnIndex(name: string, columns: readonly string[], file: string): number {
  const list = columnList(columns);
  const number = /^#(\d+)$/u.exec(name)?.[1];
  if (number !== undefined && !columns.includes(name)) {
    const index = Number(number) - 1;
    if (index >= 0 && index < columns.length) return index;
    throw formatError(`${file}: there is no column ${name}. The columns are ${list}.`);
  }
  const first = columns.indexOf(name);
  if (first < 0) {
    throw formatError(`${file}: there is no column "${name}".${didYouMean(name, columns)} The columns are ${list}.`);
  }
  if (columns.includes(name, first + 1)) {
    throw formatError(
      `${file}: several columns are named "${name}": choose one by its number. The columns are ${list}.`,
    );
  }
  return first;
}

function columnList(columns: readonly string[]): string {
  const shown = columns.slice(0, 50).map((column, index) => `#${index + 1} ${column}`);
  return shown.join(', ') + (columns.length > shown.length ? `, … (${columns.length} in all)` : '');
}

async function* readDelimitedRows(
  source: SourceFile,
  format: 'csv' | 'tsv',
  onBadRow: (line: number, reason: string) => void,
  onRepeatedHeader?: (line: number) => void,
): AsyncGenerator<TableRow[]> {
  const isBare = format === 'tsv' && !hasQuotedCells(await source.head());
  const dialect: Pick<CsvOptions, 'delimiter' | 'quotes'> =
    format === 'csv' ? {} : { delimiter: '\t', quotes: isBare ? 'none' : 'strict' };
  let header: readonly string[] | undefined;
  for await (const rows of readCsv(source.blocks(), { file: source.name, onBadRow, ...dialect })) {
    const batch: TableRow[] = [];
    for (const row of rows) {
      const { cells, quoted } = isBare ? withoutMinimalQuotes(row) : row;
      const { line } = row;
      if (header === undefined) {
        header = cells;
        if (header.length > MAX_COLUMNS) {
          throw formatError(
            `${source.name}:${line}: ${header.length} columns, more than ${MAX_COLUMNS}: is this a table?`,
          );
        }
        continue;
      }
      if (cells.length === 1 && cells[0] === '' && quoted[0] !== true && header.length > 1) continue;
      if (cells.length !== header.length) {
        onBadRow(line, `found ${cells.length} cells, expected ${header.length} as in the header.`);
      } else if (repeatsHeader(cells, header)) onRepeatedHeader?.(line);
      else {
        const values = cells.map((cell, index) => (cell === '' && quoted[index] !== true ? null : cell));
        batch.push({ line, columns: header, values, quoted });
      }
    }
    yield batch;
  }
}

/** Whether a row is the header again. In a table of one column its name may be a text like any other. */
export function repeatsHeader(cells: readonly string[], header: readonly string[]): boolean {
  return header.length > 1 && cells.length === header.length && cells.every((cell, index) => cell === header[index]);
}

/**
 * Whether the texts of a TSV file are all in quotes: its header is, or its first row is one that teapot 0.1 exported.
 *
 * TSV has no quoting of its own, and texts may begin with a quote; where quotes are not used throughout, only a cell that
 * needed them is taken as quoted.
 */
function hasQuotedCells(head: string): boolean {
  const [header = '', first = ''] = head.split(/\r?\n|\r/u, 2);
  const isQuoted = (cell: string): boolean => cell.length > 1 && cell.startsWith('"') && cell.endsWith('"');
  return header.split('\t').every(isQuoted) || (header.startsWith('schema\t') && first.startsWith('"teapot.record/'));
}

/** Takes away the quotes of cells that were quoted because they are empty or hold quotes, as data frames write them. */
function withoutMinimalQuotes({ cells, quoted }: CsvRow): Pick<CsvRow, 'cells' | 'quoted'> {
  if (!cells.some((cell) => cell.startsWith('"'))) return { cells, quoted };
  const isMinimal = cells.map(
    (cell) => cell === '""' || (/^"(?:[^"]|"")*"$/u.test(cell) && cell.slice(1, -1).includes('""')),
  );
  return {
    cells: cells.map((cell, index) => (isMinimal[index] === true ? cell.slice(1, -1).replaceAll('""', '"') : cell)),
    quoted: isMinimal,
  };
}

/** A JSON array must fit into memory; JSONL need not. */
const MAX_ARRAY_BYTES = 256 * 1024 * 1024;

async function* readJsonRows(
  source: SourceFile,
  onBadRow: (line: number, reason: string) => void,
): AsyncGenerator<TableRow[]> {
  if (/^\s*\[/u.test(await source.head())) {
    yield readJsonArray(await readText(source, MAX_ARRAY_BYTES), source.name, onBadRow);
    return;
  }
  for await (const lines of source.lines()) {
    const batch: TableRow[] = [];
    for (const { text, line } of lines) {
      if (/^[ \t]*$/u.test(text)) continue;
      const record = parseObject(text);
      if (typeof record === 'string') onBadRow(line, record);
      else batch.push({ line, columns: Object.keys(record), values: Object.values(record) });
    }
    yield batch;
  }
}

/** The objects of a JSON array; as in Parquet, a row has its number in place of a line. */
function readJsonArray(text: string, file: string, onBadRow: (line: number, reason: string) => void): TableRow[] {
  const parsed = parseJson(text);
  if ('problem' in parsed) throw formatError(`${file}: no JSON array of objects: ${parsed.problem}`);
  return (parsed.value as readonly unknown[]).flatMap((value, index) => {
    const record = objectOf(value);
    if (typeof record !== 'string') {
      return [{ line: index + 1, columns: Object.keys(record), values: Object.values(record) }];
    }
    onBadRow(index + 1, record);
    return [];
  });
}

/** The object of a line, or what is wrong with it. */
function parseObject(text: string): Record<string, unknown> | string {
  const parsed = parseJson(text);
  if ('problem' in parsed) return parsed.problem;
  return objectOf(parsed.value);
}

function objectOf(value: unknown): Record<string, unknown> | string {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return `expected a JSON object, found ${Array.isArray(value) ? 'an array' : JSON.stringify(value).slice(0, 60)}.`;
}

async function* readParquetRows(source: SourceFile, options: TableRowOptions): AsyncGenerator<TableRow[]> {
  const { openParquet, plainValue } = await import('./parquet.js');
  const file = await openParquet(source.path ?? '-');
  try {
    const columns = options.columns?.(file.columns) ?? file.columns;
    for await (const { firstRow, rows } of file.rows(columns)) {
      yield rows.map((row, index) => ({
        line: firstRow + index,
        columns,
        values: row.map(plainValue),
      }));
    }
  } finally {
    await file.close();
  }
}

function formatError(message: string): UsageError {
  return new UsageError(ERROR_CODES.FORMAT, message);
}
