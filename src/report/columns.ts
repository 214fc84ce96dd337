import type { z } from 'zod';

import { oneLine } from './one-line.js';
import { csvRecord } from './delimited.js';
import type { Grid, GridCell } from './grid.js';
import { formatFixed, formatP, formatPercent, formatShortest } from '../number-format.js';

/** A value of a table before it gets a format; null is undefined. */
export type Value = string | number | boolean | null;

/**
 * What a column holds, which says how people see it, what `--fail-if` may do with it and what its JSON Schema is.
 *
 * - `text`: a name.
 * - `count`: an integer from 0.
 * - `score`: a fraction in [0, 1]; people see it multiplied by `--scale`.
 * - `difference`: a difference of scores; people see it multiplied by `--scale`.
 * - `rate`: a share in [0, 1]; people see percent.
 * - `p`: a p-value.
 * - `number`: anything else.
 * - `flag`: true or false.
 */
export type Kind = 'text' | 'count' | 'score' | 'difference' | 'rate' | 'p' | 'number' | 'flag';

/** How the values of a table are shown to people. */
export interface TextStyle {
  /** Scores are multiplied by it. */
  readonly scale: number;
}

/** A value of a table's rows, declared once: JSON, CSV, gates, text, Markdown and LaTeX follow from it. */
export interface ValueColumn<Row> {
  /** Its name in JSON, CSV and gates: snake_case; JSON nests at the dots (`d_tgt.mean`). */
  readonly name: string;
  readonly kind: Kind;
  /** What it means, as the JSON Schema says it. */
  readonly describe: string;
  readonly value: (row: Row) => Value;
  /** What people read above it; without one they don't see the column. */
  readonly heading?: string;
  /** What people read in it; else the value as its kind is shown. Null is shown as undefined. */
  readonly text?: (row: Row, style: TextStyle) => string | null;
  /** Decimals that people see: 3 for scores, 4 for numbers. */
  readonly decimals?: number;
  /** Whether `--fail-if` may name it: numbers may, unless this is false. */
  readonly gate?: boolean;
  /** A mark of significance after the value, for people. */
  readonly mark?: (row: Row) => string;
  /** Which of several rows is printed bold in LaTeX. */
  readonly best?: 'highest' | 'lowest';
  /** JSON leaves it out where it is null: it belongs to some of the rows only. */
  readonly optional?: boolean;
}

/** A part of the rows that only JSON has: a list, a map. */
export interface JsonColumn<Row> {
  readonly name: string;
  readonly kind: 'json';
  readonly value: (row: Row) => unknown;
  readonly schema: (zod: typeof z) => z.ZodType;
}

/** A column of a {@link Table}. */
export type Column<Row> = ValueColumn<Row> | JsonColumn<Row>;

/** Rows of results with their columns. */
export interface Table<Row> {
  /** A line above the table. */
  readonly title?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** What people see for an undefined value. Default `-`. */
  readonly undefinedText?: string;
  /** Leaves out the columns that are undefined in every row, for people. */
  readonly omitEmpty?: boolean;
}

/** The columns that aren't JSON's alone. */
export function valueColumns<Row>(columns: readonly Column<Row>[]): readonly ValueColumn<Row>[] {
  return columns.filter((column): column is ValueColumn<Row> => column.kind !== 'json');
}

/**
 * A row as JSON has it, every number in full precision: names are nested at their dots.
 *
 * A level whose values are all null is null itself: `"interval": null`.
 */
export function objectOf<Row>(columns: readonly Column<Row>[], row: Row): Record<string, unknown> {
  const entries = columns.map((column) => [column.name, column.value(row), isOptional(column)] as const);
  return nested(entries.filter(([, value, optional]) => !(optional && value === null)));
}

function isOptional<Row>(column: Column<Row>): boolean {
  return column.kind !== 'json' && column.optional === true;
}

function nested(
  entries: readonly (readonly [name: string, value: unknown, ...rest: unknown[]])[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const levels = new Map<string, [string, unknown][]>();
  for (const [name, value] of entries) {
    const dot = name.indexOf('.');
    if (dot === -1) {
      result[name] = value;
      continue;
    }
    const [head, rest] = [name.slice(0, dot), name.slice(dot + 1)];
    const level = levels.get(head);
    if (level === undefined) {
      levels.set(head, [[rest, value]]);
      // The order of the keys is the order of the columns.
      result[head] = null;
    } else level.push([rest, value]);
  }
  for (const [head, level] of levels) {
    const isUndefined = level.every(([, value]) => value === null);
    result[head] = isUndefined ? null : nested(level);
  }
  return result;
}

/**
 * Names of a group: one column a grouping key, null where the records have no value.
 *
 * @param noValue What people read for null.
 */
export function groupColumns<Row>(
  keys: readonly string[],
  groupOf: (row: Row) => readonly (string | null)[],
  noValue: string,
): readonly ValueColumn<Row>[] {
  return keys.map((name, index) => ({
    name,
    kind: 'text',
    describe: `The group's ${name}; null where the records have none`,
    heading: name,
    value: (row) => groupOf(row)[index] ?? null,
    text: (row) => oneLine(groupOf(row)[index] ?? noValue),
  }));
}

/** The values of the keys in the row of all groups together. */
export function allGroups(keys: readonly string[]): readonly string[] {
  return keys.map((_, index) => (index === 0 ? 'all' : ''));
}

/** Columns of a part of a row, as columns of the row; where the part is missing, every value is undefined. */
export function liftColumns<Outer, Row>(
  columns: readonly Column<Row>[],
  of: (outer: Outer) => Row | null,
): readonly Column<Outer>[] {
  return columns.map((column): Column<Outer> => {
    const lifted =
      <R>(take: (row: Row) => R) =>
      (outer: Outer): R | null => {
        const row = of(outer);
        return row === null ? null : take(row);
      };
    if (column.kind === 'json') return { ...column, value: lifted(column.value) };
    const { text, mark, ...rest } = column;
    return {
      ...rest,
      value: lifted(column.value),
      ...(text !== undefined && {
        text: (outer: Outer, style: TextStyle) => lifted((row: Row) => text(row, style))(outer),
      }),
      ...(mark !== undefined && { mark: (outer: Outer) => lifted(mark)(outer) ?? '' }),
    };
  });
}

/** The two columns of a map of counts by reason: the sum for tables and gates, the reasons for JSON. */
export function reasonColumns<Row>(
  describe: string,
  reasonsOf: (row: Row) => ReadonlyMap<string, number>,
): readonly [ValueColumn<Row>, JsonColumn<Row>] {
  return [
    {
      name: 'undefined.count',
      kind: 'count',
      describe,
      heading: 'undefined',
      value: (row) => [...reasonsOf(row).values()].reduce((sum, count) => sum + count, 0),
    },
    {
      name: 'undefined.reasons',
      kind: 'json',
      value: (row) => Object.fromEntries(reasonsOf(row)),
      schema: (zod) => zod.record(zod.string(), zod.number().int().nonnegative()).describe('How many, by reason'),
    },
  ];
}

/** A table as CSV: the names of the columns, then every value in full precision; nothing where it is undefined. */
export function csvOf<Row>({ columns, rows }: Table<Row>): string {
  const shown = valueColumns(columns);
  const cell = (value: Value): string => {
    if (value === null) return '';
    return typeof value === 'number' ? formatShortest(value) : String(value);
  };
  return [
    csvRecord(shown.map(({ name }) => name)),
    ...rows.map((row) => csvRecord(shown.map(({ value }) => cell(value(row))))),
  ].join('');
}

/** A table as people see it: the columns that have a heading. */
export function gridOf<Row>(table: Table<Row>, style: TextStyle): Grid {
  const { title, rows, undefinedText = '-' } = table;
  const shown = valueColumns(table.columns).filter(
    (column) =>
      column.heading !== undefined &&
      !(table.omitEmpty === true && rows.every((row) => textOf(column, row, style) === null)),
  );
  const best = shown.map((column) => bestOf(column, rows));
  return {
    ...(title !== undefined && { title }),
    columns: shown.map(({ heading = '', kind }) => ({ name: heading, align: isText(kind) ? 'left' : 'right' })),
    rows: rows.map((row) =>
      shown.map((column, index): GridCell => {
        const text = textOf(column, row, style) ?? undefinedText;
        const strong = best[index] !== undefined && column.value(row) === best[index];
        const mark = column.mark?.(row) ?? '';
        return strong || mark !== '' ? { text, strong, mark } : text;
      }),
    ),
  };
}

/** What people read in a column of a row; null where it is undefined. */
export function textOf<Row>(column: ValueColumn<Row>, row: Row, style: TextStyle): string | null {
  if (column.text !== undefined) return column.text(row, style);
  return valueText(column.value(row), column.kind, style, column.decimals);
}

/** A value as its kind is shown to people; null where it is undefined. */
export function valueText(value: Value, kind: Kind, { scale }: TextStyle, decimals?: number): string | null {
  if (value === null) return null;
  if (typeof value !== 'number') return typeof value === 'string' ? oneLine(value) : value ? 'yes' : 'no';
  switch (kind) {
    case 'score':
    case 'difference':
      return formatFixed(value * scale, decimals ?? 3);
    case 'rate':
      return formatPercent(value);
    case 'p':
      return formatP(value);
    case 'number':
      return formatFixed(value, decimals ?? 4);
    case 'count':
    case 'text':
    case 'flag':
      return String(value);
  }
}

/** The numbers of a row that `--fail-if` may name; null where one is undefined. */
export function numbersOf<Row>(columns: readonly Column<Row>[], row: Row): ReadonlyMap<string, number | null> {
  return new Map(
    gateColumns(columns).map(({ name, value }) => {
      const number = value(row);
      return [name, typeof number === 'number' ? number : null];
    }),
  );
}

/** The names that {@link numbersOf} gives. */
export function numberNames<Row>(columns: readonly Column<Row>[]): readonly string[] {
  return gateColumns(columns).map(({ name }) => name);
}

function gateColumns<Row>(columns: readonly Column<Row>[]): readonly ValueColumn<Row>[] {
  return valueColumns(columns).filter(({ kind, gate }) => gate !== false && !isText(kind) && kind !== 'flag');
}

function bestOf<Row>({ best, value }: ValueColumn<Row>, rows: readonly Row[]): number | undefined {
  if (best === undefined || rows.length < 2) return undefined;
  const values = rows.map(value).filter((number) => typeof number === 'number');
  if (values.length === 0) return undefined;
  let found = values[0];
  for (const number of values) {
    if (best === 'highest' ? number > (found ?? number) : number < (found ?? number)) found = number;
  }
  return found;
}

function isText(kind: Kind): boolean {
  return kind === 'text';
}
