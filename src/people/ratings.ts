import { basename } from 'node:path';

import { ERROR_CODES, UsageError } from '../errors.js';
import { openSource } from '../read/source-file.js';
import { readTableRows } from '../read/table-rows.js';
import type { TableRow } from '../read/table-rows.js';
import type { RatingTable } from './agreement.js';

/** One rating. */
export interface Rating {
  readonly item: string;
  readonly rater: string;
  readonly value: number;
}

/** All ratings of some files. */
export interface Ratings {
  readonly ratings: readonly Rating[];
  /** Items without a rating, by rater: left open, not zero. */
  readonly open: number;
}

/** Columns of a sheet that hold no rating. */
const OTHER_COLUMNS = new Set(['item', 'rater', 'original', 'perturbed', 'comment', 'question']);

/** Words that stand for a rating on a yes/no scale. */
const WORDS: ReadonlyMap<string, number> = new Map([
  ['yes', 1],
  ['true', 1],
  ['no', 0],
  ['false', 0],
]);

/**
 * Reads ratings from tables (CSV, TSV, JSONL, Parquet): the columns `item` and `rating`, and `rater`, which is the file's name
 * where it is missing. A table without `rating` has one column a rater.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line: no number, an item that a rater rated twice with unlike values.
 */
export async function readRatings(paths: readonly string[], signal?: AbortSignal): Promise<Ratings> {
  const ratings = new Map<string, Rating>();
  let open = 0;
  for (const path of paths) {
    const name = basename(path).replace(/\.[^.]+(?:\.gz|\.zst)?$/u, '');
    for await (const rows of readTableRows(openSource(path, { signal }))) {
      for (const row of rows) {
        for (const { item, rater, cell } of cellsOf(row, path, name)) {
          const value = numberOf(cell, `${path}:${row.line}`, item);
          if (value === null) {
            open += 1;
            continue;
          }
          const key = JSON.stringify([rater, item]);
          const before = ratings.get(key);
          if (before !== undefined && before.value !== value) {
            throw new UsageError(
              ERROR_CODES.FORMAT,
              `${path}:${row.line}: ${rater} rates ${item} with ${value}, and with ${before.value} before: keep one of them`,
            );
          }
          ratings.set(key, { item, rater, value });
        }
      }
    }
  }
  if (ratings.size === 0) {
    throw new UsageError(
      ERROR_CODES.EMPTY_INPUT,
      `${paths.join(', ')}: there is no rating: fill in the column "rating"`,
    );
  }
  return { ratings: [...ratings.values()], open };
}

function cellsOf(
  row: TableRow,
  path: string,
  name: string,
): readonly { readonly item: string; readonly rater: string; readonly cell: unknown }[] {
  const cell = (column: string): unknown => row.values[row.columns.indexOf(column)];
  if (!row.columns.includes('item')) {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${path}: found the columns ${row.columns.join(', ')}; expected "item" and "rating" ("rater" if one file holds several)`,
    );
  }
  const item = String(cell('item') ?? '');
  if (row.columns.includes('rating')) {
    const rater = cell('rater');
    return [
      {
        item,
        rater: rater === undefined || rater === null || rater === '' ? name : String(rater),
        cell: cell('rating'),
      },
    ];
  }
  return row.columns
    .filter((column) => !OTHER_COLUMNS.has(column))
    .map((rater) => ({ item, rater, cell: cell(rater) }));
}

function numberOf(cell: unknown, place: string, item: string): number | null {
  if (cell === null || cell === undefined || cell === '') return null;
  const text = String(cell);
  const value = typeof cell === 'number' ? cell : (WORDS.get(text.toLowerCase()) ?? Number(text));
  if (Number.isFinite(value)) return value;
  throw new UsageError(
    ERROR_CODES.FORMAT,
    `${place}: the rating of ${item} is "${text.slice(0, 40)}", expected a number, yes or no; leave it empty for no rating`,
  );
}

/** Ratings as a table: one row an item, one column a rater, both in order of their names. */
export function ratingTable(ratings: readonly Rating[]): {
  readonly items: readonly string[];
  readonly raters: readonly string[];
  readonly table: RatingTable;
} {
  const items = [...new Set(ratings.map(({ item }) => item))].toSorted();
  const raters = [...new Set(ratings.map(({ rater }) => rater))].toSorted();
  const [row, column] = [items, raters].map((names) => new Map(names.map((name, index) => [name, index])));
  const table: (number | null)[][] = items.map(() => raters.map(() => null));
  for (const { item, rater, value } of ratings) {
    const cells = table[row?.get(item) ?? -1];
    if (cells !== undefined) cells[column?.get(rater) ?? -1] = value;
  }
  return { items, raters, table };
}

/** The mean of the ratings of each item; items without any are left out. */
export function meanRatings(items: readonly string[], table: RatingTable): ReadonlyMap<string, number> {
  const means = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const values = (table[index] ?? []).filter((value) => value !== null);
    if (values.length > 0) means.set(item, values.reduce((sum, value) => sum + value, 0) / values.length);
  }
  return means;
}
