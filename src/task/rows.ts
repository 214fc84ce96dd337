import { ERROR_CODES, UsageError } from '../errors.js';
import { readList } from '../read/list.js';
import { openSource } from '../read/source-file.js';
import { readTableRows, tableFormat } from '../read/table-rows.js';
import type { RunOptions } from '../run-options.js';

/** One row of a data set: column name to value. */
export interface DataRow {
  /** Where it stands, `file:line`, for messages. */
  readonly place: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Reads a table (JSONL, CSV, TSV, Parquet) whole.
 *
 * @throws {UsageError} `ERR_TEAPOT_EMPTY_INPUT` when it has no row; what `readTableRows` throws.
 */
export async function readRows(path: string, options: Pick<RunOptions, 'signal'> = {}): Promise<readonly DataRow[]> {
  const source = openSource(path, options);
  const format = tableFormat(source.name, await source.head());
  const rows: DataRow[] = [];
  for await (const batch of readTableRows(source)) {
    for (const { columns, values, line } of batch) {
      const cells = columns.map((name, index) => {
        const value = values[index] ?? null;
        // An empty cell of CSV and TSV is an empty text.
        return [name, value === null && format !== 'jsonl' && format !== 'parquet' ? '' : value] as const;
      });
      rows.push({ place: `${source.name}:${line}`, values: Object.fromEntries(cells) });
    }
  }
  return notEmpty(rows, path);
}

/** Reads the lines of a text file. */
export async function readTextLines(
  path: string,
  options: Pick<RunOptions, 'signal'> = {},
): Promise<readonly { readonly text: string; readonly line: number }[]> {
  const lines: { readonly text: string; readonly line: number }[] = [];
  for await (const batch of readList(path, 'data', options)) {
    for (const { text, line } of batch) lines.push({ text, line });
  }
  return lines;
}

/** Refuses an empty data set. */
export function notEmpty(rows: readonly DataRow[], path: string): readonly DataRow[] {
  if (rows.length === 0) throw new UsageError(ERROR_CODES.EMPTY_INPUT, `${path}: the data set has no row`);
  return rows;
}

/** An error of a row's format. */
export function rowError(place: string, message: string): UsageError {
  return new UsageError(ERROR_CODES.FORMAT, `${place}: ${message}`);
}
