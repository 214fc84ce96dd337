import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { readCsv } from './csv.js';
import { parseJson } from './json.js';
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
}

/** Options of {@link readTableRows}. */
export interface TableRowOptions {
  /** The columns to read from a Parquet file. Default: all. */
  readonly columns?: ((header: readonly string[]) => readonly string[]) | undefined;
  /** Called for a row that can't be read, with its line and why; unless it throws, reading goes on. Default: throws. */
  readonly onBadRow?: ((line: number, reason: string) => void) | undefined;
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
  if (extension !== undefined || /^\s*\{/u.test(head)) return 'jsonl';
  return head.split('\n', 1)[0]?.includes('\t') === true ? 'tsv' : 'csv';
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
  else yield* readDelimitedRows(source, format, onBadRow);
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
): AsyncGenerator<TableRow[]> {
  const dialect = format === 'csv' ? { delimiter: ',' } : { delimiter: '\t', quotes: 'lenient' as const };
  let header: readonly string[] | undefined;
  for await (const rows of readCsv(source.blocks(), { file: source.name, onBadRow, ...dialect })) {
    const batch: TableRow[] = [];
    for (const { cells, line, quoted } of rows) {
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
      if (cells.length === header.length) {
        const values = cells.map((cell, index) => (cell === '' && quoted[index] !== true ? null : cell));
        batch.push({ line, columns: header, values });
      } else onBadRow(line, `found ${cells.length} cells, expected ${header.length} as in the header.`);
    }
    yield batch;
  }
}

async function* readJsonRows(
  source: SourceFile,
  onBadRow: (line: number, reason: string) => void,
): AsyncGenerator<TableRow[]> {
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

/** The object of a line, or what is wrong with it. */
function parseObject(text: string): Record<string, unknown> | string {
  const parsed = parseJson(text);
  if ('problem' in parsed) return parsed.problem;
  const { value } = parsed;
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
