import { ERROR_CODES, UsageError } from '../../errors.js';
import type { SourceFile } from '../../read/source-file.js';
import { parseColumnList } from '../../read/table-columns.js';
import { columnIndex, readTableRows, tableFormat } from '../../read/table-rows.js';
import type { TableRow } from '../../read/table-rows.js';
import type { Importer, ImportOptions } from '../importer.js';
import { checkRecord, makeRecord, PROMPT_TYPES, RESULTS } from '../schema.js';
import type { AttackRecord } from '../schema.js';
import { badRow } from './bad-row.js';
import { isObject, labelText } from './json-lines.js';
import { fileName, parseCount, parseNumber } from './values.js';

type Field = keyof typeof READERS;

/** What a reader says of a cell that doesn't fit its field. */
const UNFIT = Symbol('unfit');

const text = (value: unknown): unknown => labelText(value);
const number = (value: unknown): unknown => (typeof value === 'number' ? value : (parseNumber(String(value)) ?? UNFIT));
const count = (value: unknown): unknown => parseCount(String(value)) ?? UNFIT;
const oneOf =
  (known: readonly unknown[]) =>
  (value: unknown): unknown =>
    known.includes(String(value).toLowerCase()) ? String(value).toLowerCase() : UNFIT;
const json = (value: unknown): unknown => {
  if (isObject(value)) return value;
  try {
    const parsed: unknown = JSON.parse(String(value));
    return isObject(parsed) ? parsed : UNFIT;
  } catch {
    return UNFIT;
  }
};

/** How the cell of each field is read. */
const READERS = {
  id: text,
  run: text,
  unit: oneOf(['input', 'prompt']),
  attack: text,
  model: text,
  dataset: text,
  prompt_type: oneOf(PROMPT_TYPES),
  source_model: text,
  src: text,
  adv_src: text,
  out: text,
  adv_out: text,
  ref: text,
  refs: (value: unknown): unknown => referenceList(value) ?? UNFIT,
  columns: json,
  original_score: number,
  attacked_score: number,
  metric: text,
  scale: (value: unknown): unknown => ([1, 100].includes(Number(value)) ? Number(value) : UNFIT),
  result: oneOf(RESULTS),
  queries: count,
  elapsed_ms: count,
  measured: json,
  provenance: json,
  extra: json,
  schema: text,
  other_fields: json,
} as const;

/** A table must have one of them to be about attacks. */
const ESSENTIAL = new Set<string>(['src', 'adv_src', 'out', 'adv_out', 'original_score', 'attacked_score']);

const TEXTS = new Set<string>(['src', 'adv_src', 'out', 'adv_out']);

/**
 * Reads a table (CSV, TSV, JSONL, Parquet) whose columns are named like the fields of a record, or by `--columns
 * src=original,adv_src=perturbed,…` (a name, or `#3` for the third). All other columns go into `extra`. Lines of JSONL that
 * are records already stay as they are.
 *
 * An empty cell of CSV or TSV is missing; an empty text is written in quotes.
 */
export const table: Importer = {
  name: 'table',
  description: 'CSV, TSV, JSONL or Parquet with --columns',
  detect: (head, file) => {
    if (/^\s*\{\s*"schema"\s*:\s*"teapot\.record\//u.test(head)) return 1;
    return namesFields(head, file) ? 0.5 : 0;
  },
  import: readTable,
};

async function* readTable(source: SourceFile, options: ImportOptions): AsyncGenerator<AttackRecord> {
  const isJson = tableFormat(source.name, await source.head()) === 'jsonl';
  const reader = new TableReader(source.name, isJson, options);
  const onBadRow = (line: number, reason: string): void => badRow(options, source.name, line, reason);
  for await (const rows of readTableRows(source, { onBadRow })) {
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
  readonly fields: readonly (readonly [field: Field, index: number])[];
  readonly others: readonly number[];
}

class TableReader {
  readonly #file: string;
  /** Each row is an object with keys of its own. */
  readonly #isJson: boolean;
  readonly #options: ImportOptions;
  readonly #wanted: ReadonlyMap<string, readonly string[]> | undefined;
  #layout: Layout | undefined;
  #number = 0;

  constructor(file: string, isJson: boolean, options: ImportOptions) {
    this.#file = file;
    this.#isJson = isJson;
    this.#options = options;
    const { columns } = options;
    this.#wanted = columns === undefined ? undefined : parseColumnList(columns, Object.keys(READERS));
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
    return names.find((name) => !columns.includes(name) && !/^#\d+$/u.test(name));
  }

  #fromCells(row: TableRow): AttackRecord {
    // The rows of CSV and Parquet share one list of columns; objects have their own.
    if (this.#layout?.columns !== row.columns) this.#layout = this.#layoutOf(row);
    const fields: Record<string, unknown> = {};
    const references: string[] = [];
    const others: [string, unknown][] = this.#layout.others.map((index) => [
      row.columns[index] ?? '',
      row.values[index] ?? null,
    ]);
    for (const [field, index] of this.#layout.fields) {
      const cell = row.values[index] ?? null;
      if (cell === null) {
        if (TEXTS.has(field) && !isRecordRow(row))
          this.#warn(row.line, 'missing-value', `${field} is empty: taken as missing`);
        continue;
      }
      const value = READERS[field](cell);
      if (value === UNFIT) {
        this.#warn(row.line, 'unfit-value', `${JSON.stringify(cell).slice(0, 80)} is no ${field}: kept in extra`);
        others.push([row.columns[index] ?? field, cell]);
      } else if (field === 'ref') references.push(value as string);
      else fields[field] = value;
    }
    return this.#make(row, fields, references, others);
  }

  #make(
    row: TableRow,
    { refs, extra, provenance, schema, other_fields: otherFields, ...fields }: Record<string, unknown>,
    references: readonly string[],
    others: readonly (readonly [string, unknown])[],
  ): AttackRecord {
    const defaults = this.#options.defaults ?? {};
    const ref = refs ?? (references.length > 1 ? references : (references[0] ?? null));
    const isExported = typeof schema === 'string' && schema.startsWith('teapot.record/');
    return makeRecord({
      run: isExported ? null : fileName(this.#file),
      ...defaults,
      ...(otherFields as object | undefined),
      ...fields,
      id: (fields['id'] as string | undefined) ?? String(this.#number),
      unit: (fields['unit'] as AttackRecord['unit'] | undefined) ?? 'input',
      source_model: (fields['source_model'] ?? (isExported ? null : (fields['model'] ?? defaults.model)) ?? null) as
        | string
        | null,
      ref: ref as AttackRecord['ref'],
      provenance: isExported
        ? ((provenance ?? null) as AttackRecord['provenance'])
        : ((provenance as AttackRecord['provenance'] | undefined) ?? {
            tool: null,
            version: null,
            file: this.#file,
            line: row.line,
          }),
      extra: { ...Object.fromEntries(others), ...(extra as object | undefined) },
      ...(isExported && { schema }),
    });
  }

  #layoutOf(row: TableRow): Layout {
    const { columns } = row;
    const fields: (readonly [Field, number])[] = [];
    if (this.#wanted === undefined) {
      for (const [index, name] of columns.entries()) {
        if (!Object.hasOwn(READERS, name)) continue;
        columnIndex(name, columns, this.#file);
        fields.push([name as Field, index]);
      }
    } else {
      for (const [field, names] of this.#wanted) {
        for (const name of names)
          fields.push([field as Field, columnIndex(name, columns, `${this.#file}:${row.line}`)]);
      }
    }
    if (!fields.some(([field]) => ESSENTIAL.has(field))) {
      throw new UsageError(
        ERROR_CODES.FORMAT,
        `${this.#file}: no column of texts or scores: name them, for example --columns src=original,adv_src=perturbed. ` +
          `The columns are ${columns.slice(0, 30).join(', ')}${columns.length > 30 ? ', …' : ''}.`,
      );
    }
    const used = new Set(fields.map(([, index]) => index));
    return { columns, fields, others: [...columns.keys()].filter((index) => !used.has(index)) };
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
    try {
      list = JSON.parse(value);
    } catch {
      return undefined;
    }
  }
  return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined;
}

/** Whether the header, or the first object, names a text before and after the attack. */
function namesFields(head: string, file: string): boolean {
  const format = tableFormat(file, head);
  const first = head.split('\n', 1)[0] ?? '';
  if (format === 'parquet') return file.endsWith('.parquet');
  const delimiter = { csv: ',', tsv: '\t', jsonl: ',' }[format];
  const names =
    format === 'jsonl'
      ? Array.from(first.matchAll(/"(\w+)"\s*:/gu), (match) => match[1] ?? '')
      : first.split(delimiter).map((name) => name.trim().replaceAll('"', ''));
  return (names.includes('src') && names.includes('adv_src')) || (names.includes('out') && names.includes('adv_out'));
}
