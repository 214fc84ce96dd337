import { ERROR_CODES, UsageError } from '../../errors.js';
import { openSource } from '../../read/source-file.js';
import { tableFormat } from '../../read/table-rows.js';
import type { RunOptions } from '../../run-options.js';
import { notEmpty, readRows, readTextLines, rowError } from '../rows.js';
import type { DataRow } from '../rows.js';

/** What reading takes last. */
export type ReadRun = Pick<RunOptions, 'signal'>;

/** The one file of a data set that has one. */
export function onlyFile(paths: readonly string[], name: string): string {
  const [path, ...more] = paths;
  if (path !== undefined && more.length === 0) return path;
  throw new UsageError(ERROR_CODES.INVALID_OPTION, `the data set ${name} reads one file, found ${paths.length}`);
}

/** How the columns of a published TSV or CSV file are called here. */
export interface GlueColumns {
  /** Column of the file (its header's name, or its number from 0) → name in the template. */
  readonly columns: Readonly<Record<string, string>>;
  /** True when the file has no header: columns are then numbers. */
  readonly isBare?: boolean;
  /** How many columns a file without a header has. */
  readonly width?: number;
  /** The same for the copies as JSONL and Parquet, where columns have other names. */
  readonly fields?: Readonly<Record<string, string>>;
}

/**
 * Reads a file of GLUE: TSV as published (no quoting at all: a quote is a character), or the copies of the same data as JSONL and Parquet.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line for a column that is missing or a row of another width.
 */
export async function readGlue(path: string, wanted: GlueColumns, run: ReadRun): Promise<readonly DataRow[]> {
  const format = tableFormat(path, await openSource(path, run).head());
  if (format === 'jsonl' || format === 'parquet')
    return rename(await readRows(path, run), wanted.fields ?? wanted.columns);
  const lines = (await readTextLines(path, run)).filter(({ text }) => text !== '');
  const cells = lines.map(({ text, line }) => ({
    place: `${path}:${line}`,
    cells: text.replace(/\r$/u, '').split('\t'),
  }));
  const header = wanted.isBare === true ? undefined : cells.shift();
  const names = header?.cells ?? Array.from({ length: wanted.width ?? 0 }, (_, index) => String(index));
  const rows = cells.map(({ place, cells: row }) => {
    if (row.length !== names.length) {
      throw rowError(place, `found ${row.length} columns between tabs, expected ${names.length}: ${names.join(', ')}`);
    }
    return { place, values: Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])) };
  });
  return rename(notEmpty(rows, path), wanted.columns);
}

/** Picks and renames columns. */
export function rename(rows: readonly DataRow[], columns: Readonly<Record<string, string>>): readonly DataRow[] {
  return rows.map(({ place, values }) => {
    const picked: Record<string, unknown> = {};
    for (const [from, to] of Object.entries(columns)) {
      if (!Object.hasOwn(values, from)) {
        throw rowError(place, `there is no column "${from}"; the columns are ${Object.keys(values).join(', ')}`);
      }
      picked[to] = values[from];
    }
    return { place, values: picked };
  });
}

/** Reads a file that is one JSON document. */
export async function readDocument(path: string, run: ReadRun): Promise<unknown> {
  const text = (await readTextLines(path, run)).map((one) => one.text).join('\n');
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw rowError(`${path}:1`, `not one JSON document: ${(cause as Error).message}`);
  }
}

/** A property of a value that may be no object. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** A property that must be a list. */
export function listOf(value: unknown, name: string, place: string): readonly unknown[] {
  const list = field(value, name);
  if (Array.isArray(list)) return list;
  throw rowError(place, `"${name}" must be a list, found ${JSON.stringify(list ?? null).slice(0, 60)}`);
}

/** A property that must be a text. */
export function textIn(value: unknown, name: string, place: string): string {
  const text = field(value, name);
  if (typeof text === 'string') return text;
  throw rowError(place, `"${name}" must be a text, found ${JSON.stringify(text ?? null).slice(0, 60)}`);
}
