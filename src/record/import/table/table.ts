import { ERROR_CODES, UsageError } from '../../../errors.js';
import type { SourceFile } from '../../../read/source-file.js';
import { parseColumnList } from '../../../read/table-columns.js';
import { columnReader, firstLine, labelCell, readTableRows, tableFormat } from '../../../read/table-rows.js';
import type { ColumnReader, TableRow } from '../../../read/table-rows.js';
import { defineImporter } from '../importer.js';
import { withoutRepeats } from '../runs/pair-runs.js';
import type { RunImporter } from '../runs/run-importer.js';
import type { EvaluatedItem, EvaluatedRun } from '../runs/run.js';
import type { ImportOptions } from '../importer.js';
import { FIELD_KINDS } from '../../fields.js';
import type { FieldKind } from '../../fields.js';
import { checkRecord, makeRecord } from '../../schema.js';
import type { AttackRecord } from '../../schema.js';
import { badRow } from '../common/bad-row.js';
import { guessColumns } from './guess-columns.js';
import { parseJsonPath, valueAt } from '../../../read/json-path.js';
import { parseJson } from '../../../read/json.js';
import { labelText } from '../../../read/label.js';
import { isObject } from '../common/json-lines.js';
import { fileName, numberRepeated, parseCount, parseNumber } from '../common/values.js';

type CellReader = (value: unknown) => unknown;

/** What a reader says of a cell that doesn't fit its field. */
const UNFIT = Symbol('unfit');

const number: CellReader = (value) => (typeof value === 'number' ? value : (parseNumber(String(value)) ?? UNFIT));

const json: CellReader = (value) => {
  if (isObject(value)) return value;
  const parsed = parseJson(String(value));
  return 'value' in parsed && isObject(parsed.value) ? parsed.value : UNFIT;
};

const CELL_READERS: Readonly<Record<Exclude<FieldKind['kind'], 'choice'>, CellReader>> = {
  text: labelText,
  number,
  count: (value) => parseCount(String(value)) ?? UNFIT,
  references: (value) => (Array.isArray(value) ? value.map(labelText) : labelText(value)),
  object: json,
};

/** One of some values, in any case; texts that are numbers count as those. */
function choice(values: readonly (string | number)[]): CellReader {
  return (cell) => {
    const text = String(cell).toLowerCase();
    return (
      values.find((value) => String(value) === text || (typeof value === 'number' && value === Number(text))) ?? UNFIT
    );
  };
}

/** A column of results may also say whether the attack succeeded. */
function attackResult(known: CellReader): CellReader {
  return (cell) => {
    const text = String(cell).toLowerCase();
    return text === 'true' ? 'successful' : text === 'false' ? 'failed' : known(cell);
  };
}

/** How the cell of each column is read: those of the record's fields, and the two that only tables have. */
const READERS: ReadonlyMap<string, CellReader> = new Map<string, CellReader>([
  ...[...FIELD_KINDS].map(([name, field]): [string, CellReader] => {
    const reader = field.kind === 'choice' ? choice(field.values) : CELL_READERS[field.kind];
    return [name, name === 'result' ? attackResult(reader) : reader];
  }),
  ['refs', (value) => referenceList(value) ?? UNFIT],
  ['other_fields', json],
]);

/** A table must have one of them to be about attacks. */
const ESSENTIAL = new Set<string>(['src', 'adv_src', 'out', 'adv_out', 'original_score', 'attacked_score']);

const TEXTS = new Set<string>(['src', 'adv_src', 'out', 'adv_out']);

/** Outputs and references: numbers of data frames among them are labels. */
const LABELS = new Set<string>(['out', 'adv_out', 'ref']);

/**
 * Reads a table (CSV, TSV, JSONL, Parquet) whose columns are named like the fields of a record, or by `--columns
 * src=original,adv_src=perturbed,…` (a name, or `#3` for the third). All other columns go into `extra`. Lines of JSONL that
 * are records already stay as they are.
 *
 * An empty cell of CSV or TSV is missing; an empty text is written in quotes.
 */
export const table: RunImporter = {
  ...defineImporter({
    name: 'table',
    description: 'CSV, TSV, JSONL or Parquet with --columns',
    detect: (head, file) => {
      if (/^\s*\{\s*"schema"\s*:\s*"teapot\.record\//u.test(head)) return 1;
      return namesFields(head, file) ? 0.5 : 0;
    },
    import: readTable,
  }),
  readRuns,
};

/**
 * Reads the rows as the items of one run, to be paired with another: `src`, `out`, `ref` and `original_score` are what the
 * columns say, `id` names the item.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when nothing names the items: rows are never paired by their order.
 */
async function readRuns(source: SourceFile, options: ImportOptions): Promise<EvaluatedRun[]> {
  const isJson = tableFormat(source.name, await source.head()) === 'jsonl';
  const reader = new TableReader(source.name, isJson, options);
  const items: EvaluatedItem[] = [];
  let metric: string | null = null;
  let model: string | null = null;
  const onBadRow = (line: number, reason: string): void => badRow(options, source.name, line, reason);
  const onRepeatedHeader = (line: number): void => reader.warnOfHeader(line);
  for await (const rows of readTableRows(source, { onBadRow, onRepeatedHeader })) {
    for (const row of rows) {
      const record = reader.record(row);
      if (record === undefined) continue;
      const raw = Object.fromEntries(row.columns.map((name, index) => [name, row.values[index] ?? null]));
      const namedAs =
        options.pairBy === undefined ? undefined : labelText(valueAt(raw, parseJsonPath(options.pairBy) ?? []));
      if (namedAs === null || (namedAs === undefined && !reader.hasIds)) {
        throw new UsageError(
          ERROR_CODES.INVALID_OPTION,
          `${source.name}:${row.line}: nothing names the item: give its id in the option columns (id=…) or its path in the option pair-by`,
        );
      }
      metric ??= record.metric;
      model ??= record.model;
      items.push({
        key: namedAs ?? record.id,
        file: source.name,
        line: row.line,
        texts: new Map(record.src === null ? [] : [['src', record.src]]),
        prompt: record.src,
        out: record.out,
        ref: record.ref,
        score: record.original_score === null ? null : record.original_score / (record.scale ?? 1),
        raw,
      });
    }
  }
  const onBad = (item: EvaluatedItem, message: string): void => badRow(options, source.name, item.line ?? 1, message);
  return [
    {
      tool: 'table',
      version: null,
      file: source.name,
      run: null,
      model,
      dataset: null,
      metric: metric ?? (items.some(({ score }) => score !== null) ? 'score' : null),
      template: null,
      reported: null,
      items: withoutRepeats(items, options, onBad),
    },
  ];
}

async function* readTable(source: SourceFile, options: ImportOptions): AsyncGenerator<AttackRecord> {
  const isJson = tableFormat(source.name, await source.head()) === 'jsonl';
  const reader = new TableReader(source.name, isJson, options);
  const onBadRow = (line: number, reason: string): void => badRow(options, source.name, line, reason);
  const onRepeatedHeader = (line: number): void => reader.warnOfHeader(line);
  for await (const rows of readTableRows(source, { onBadRow, onRepeatedHeader })) {
    options.signal?.throwIfAborted();
    for (const row of rows) {
      const record = reader.record(row);
      if (record !== undefined) yield record;
    }
  }
}

/** Where the fields of a record stand in a row. */
interface Layout {
  readonly columns: readonly string[];
  readonly fields: readonly (readonly [field: string, column: ColumnReader])[];
  /** The other columns, under names that are unique. */
  readonly others: readonly (readonly [name: string, index: number])[];
}

class TableReader {
  readonly #file: string;
  /** Each row is an object with keys of its own. */
  readonly #isJson: boolean;
  readonly #options: ImportOptions;
  readonly #wanted: ReadonlyMap<string, readonly string[]> | undefined;
  #layout: Layout | undefined;
  #number = 0;

  /** Whether a column names the rows. */
  get hasIds(): boolean {
    return this.#layout?.fields.some(([field]) => field === 'id') ?? false;
  }

  constructor(file: string, isJson: boolean, options: ImportOptions) {
    this.#file = file;
    this.#isJson = isJson;
    this.#options = options;
    const { columns } = options;
    this.#wanted = columns === undefined ? undefined : parseColumnList(columns, [...READERS.keys()]);
  }

  /** The record of a row; undefined for one that was passed over. */
  record(row: TableRow): AttackRecord | undefined {
    this.#number += 1;
    const whole = this.#isJson && this.#wanted === undefined ? wholeRecord(row) : undefined;
    if (whole === undefined) {
      const missing = this.#isJson ? this.#missingColumn(row) : undefined;
      if (missing === undefined) return this.#fromCells(row);
      badRow(
        this.#options,
        this.#file,
        row.line,
        `there is no field "${missing}". The fields are ${row.columns.join(', ')}.`,
      );
      return undefined;
    }
    const checked = checkRecord(whole);
    if ('record' in checked) return checked.record;
    badRow(this.#options, this.#file, row.line, `${checked.problem.path}: ${checked.problem.message}`);
    return undefined;
  }

  /** A column that was asked for and that an object lacks. */
  #missingColumn({ columns }: TableRow): string | undefined {
    const names = this.#wanted === undefined ? [] : [...this.#wanted.values()].flat();
    return names.find((name) => {
      if (columns.includes(name) || /^#\d+$/u.test(name)) return false;
      const [column] = parseJsonPath(name) ?? [];
      return typeof column !== 'string' || !columns.includes(column);
    });
  }

  #fromCells(row: TableRow): AttackRecord {
    // The rows of CSV and Parquet share one list of columns; objects have their own.
    if (this.#layout?.columns !== row.columns) this.#layout = this.#layoutOf(row);
    const fields: Record<string, unknown> = {};
    const references: string[] = [];
    const others: [string, unknown][] = this.#layout.others.map(([name, index]) => [name, row.values[index] ?? null]);
    for (const [field, column] of this.#layout.fields) {
      const value = column.read(row) ?? null;
      const cell = LABELS.has(field) ? labelCell(row, column.index, value) : value;
      if (cell === null) {
        if (TEXTS.has(field) && !isRecordRow(row))
          this.#warn(row.line, 'missing-value', `${field} is empty: taken as missing`);
        continue;
      }
      const read = READERS.get(field)?.(cell) ?? UNFIT;
      if (read === UNFIT) {
        this.#warn(row.line, 'unfit-value', `${JSON.stringify(cell).slice(0, 80)} is no ${field}: kept in extra`);
        others.push([row.columns[column.index] ?? field, cell]);
      } else if (field === 'ref') references.push(...([read].flat() as string[]));
      else fields[field] = read;
    }
    return this.#make(row, fields, references, others);
  }

  #make(
    row: TableRow,
    { refs, extra, provenance, schema, other_fields: otherFields, ...fields }: Record<string, unknown>,
    references: readonly string[],
    others: readonly (readonly [string, unknown])[],
  ): AttackRecord {
    const ref = refs ?? (references.length > 1 ? references : (references[0] ?? null));
    const isExported = typeof schema === 'string' && schema.startsWith('teapot.record/');
    // A column of that name in a table that is no export is a column like any other.
    const ownSchema = isExported || schema === undefined ? {} : { schema };
    return makeRecord({
      run: isExported ? null : fileName(this.#file),
      ...(otherFields as object | undefined),
      ...fields,
      id: (fields['id'] as string | undefined) ?? String(this.#number),
      unit: (fields['unit'] as AttackRecord['unit'] | undefined) ?? 'input',
      source_model: (fields['source_model'] ?? (isExported ? null : fields['model']) ?? null) as string | null,
      ref: ref as AttackRecord['ref'],
      provenance: isExported
        ? ((provenance ?? null) as AttackRecord['provenance'])
        : ((provenance as AttackRecord['provenance'] | undefined) ?? {
            tool: null,
            version: null,
            file: this.#file,
            line: row.line,
          }),
      extra: { ...Object.fromEntries(others), ...ownSchema, ...(extra as object | undefined) },
      ...(isExported && { schema }),
    });
  }

  #layoutOf(row: TableRow): Layout {
    const { columns } = row;
    const fields: (readonly [string, ColumnReader])[] = [];
    if (this.#wanted === undefined) {
      for (const name of columns) {
        if (READERS.has(name)) fields.push([name, columnReader(name, columns, this.#file)]);
      }
    } else {
      const place = `${this.#file}:${row.line}`;
      for (const [field, names] of this.#wanted) {
        for (const name of names) fields.push([field, columnReader(name, columns, place)]);
      }
    }
    if (!fields.some(([field]) => ESSENTIAL.has(field))) {
      const guess = guessColumns(columns);
      throw new UsageError(
        ERROR_CODES.FORMAT,
        `${this.#file}: no column of texts or scores: name them, for example the option \`columns\` ${guess ?? 'src=original,adv_src=perturbed'}${guess === undefined ? '' : ' (guessed by their names)'}. ` +
          `The columns are ${columns.slice(0, 30).join(', ')}${columns.length > 30 ? ', …' : ''}.`,
      );
    }
    // A column of which only a part is a field stays whole in extra.
    const used = new Set(fields.flatMap(([, { index, path }]) => (path.length === 0 ? [index] : [])));
    const indexes = [...columns.keys()].filter((index) => !used.has(index));
    const names = this.#uniqueNames(
      indexes.map((index) => columns[index] ?? ''),
      row.line,
    );
    return { columns, fields, others: indexes.map((index, place) => [names[place] ?? '', index]) };
  }

  /** The names of the columns, those that occur again with a number: `note`, `note (2)`. */
  #uniqueNames(columns: readonly string[], line: number): readonly string[] {
    const names = numberRepeated(columns);
    const repeated = new Set(columns.filter((name, index) => columns.indexOf(name) < index));
    for (const name of repeated) {
      const message = `several columns are named ${JSON.stringify(name)}: the others are ${JSON.stringify(`${name} (2)`)}, …`;
      this.#warn(line, 'repeated-column', message);
    }
    return names;
  }

  /** Says that a row repeats the header. */
  warnOfHeader(line: number): void {
    this.#warn(line, 'repeated-header', 'the row repeats the header: it was left out');
  }

  #warn(line: number, code: string, message: string): void {
    this.#options.onWarning?.({ file: this.#file, line, code, message });
  }
}

/** Whether a row was a record: it names the schema. */
function isRecordRow({ columns, values }: TableRow): boolean {
  const index = columns.indexOf('schema');
  const schema = values[index];
  return index !== -1 && typeof schema === 'string' && schema.startsWith('teapot.record/');
}

/** An object that is a record already. */
function wholeRecord(row: TableRow): object | undefined {
  if (!isRecordRow(row)) return undefined;
  const { columns, values } = row;
  return Object.fromEntries(columns.map((column, position) => [column, values[position]]));
}

function referenceList(value: unknown): string[] | undefined {
  let list = value;
  if (typeof value === 'string') {
    const parsed = parseJson(value);
    list = 'value' in parsed ? parsed.value : undefined;
  }
  return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined;
}

/**
 * The columns that a table may be imported with, guessed by their names.
 *
 * @param head The first part of the file.
 * @returns undefined when it is no table, or its columns have other names.
 */
export function proposeColumns(head: string, file: string): string | undefined {
  const names = columnNames(head, file);
  return names.length > 1 ? guessColumns(names) : undefined;
}

/** Whether the header, or the first object, names a text before and after the attack. */
function namesFields(head: string, file: string): boolean {
  if (tableFormat(file, head) === 'parquet') return file.endsWith('.parquet');
  const names = columnNames(head, file);
  return (names.includes('src') && names.includes('adv_src')) || (names.includes('out') && names.includes('adv_out'));
}

/** The names of the columns in the header, or in the first object. */
function columnNames(head: string, file: string): readonly string[] {
  const format = tableFormat(file, head);
  // The objects of an array may start on the line after its bracket.
  const first = firstLine(head.replace(/^\s*\[\s*/u, ''));
  if (format === 'parquet') return [];
  if (format === 'jsonl') return Array.from(first.matchAll(/"([^"\\]+)"\s*:/gu), (match) => match[1] ?? '');
  return first.split(format === 'csv' ? ',' : '\t').map((name) => name.trim().replaceAll('"', ''));
}
