import { createHash } from 'node:crypto';
import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { readCsv } from './csv.js';
import type { AttackTexts, InputFile, SegmentBatch, SegmentSource } from './segment-source.js';
import { openSource } from './source-file.js';
import type { SourceFile } from './source-file.js';
import type { TableColumns } from './table-columns.js';
import { stripEnd } from './whitespace.js';

/** How a table is read. */
export interface TableOptions {
  /** Name of the encoding. Default UTF-8. */
  readonly encoding?: string | undefined;
  /** Leave whitespace at the end of a text where it is. */
  readonly keepTrailingWhitespace?: boolean | undefined;
  /** Stands for standard input when the path is `-`. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
}

/** The format of a table. */
type TableFormat = 'csv' | 'tsv' | 'jsonl';

/** A field of a record: a text, or several of them (references in JSONL). */
type Field = string | readonly string[];

/** One record: the fields that were asked for, in the order of the names. */
type Row = readonly Field[];

/**
 * Reads segments from the columns of a table: CSV (RFC 4180, with a header), TSV (with a header) or JSONL. A byte order
 * mark is removed, gzip unpacked. The extension says the format; without a known one, the first bytes do.
 *
 * In JSONL a field is a text, a number or a boolean; the field of a reference may be an array of texts.
 *
 * @param path A path, or `-` for standard input.
 * @param columns Which column is what.
 * @returns A source whose `batches` throws `UsageError` with file and line: `ERR_TEAPOT_READ`, or `ERR_TEAPOT_FORMAT`
 *   for a missing or ambiguous column (all columns are listed), a broken line, a record of another length, a missing field.
 */
export function openTable(path: string, columns: TableColumns, options: TableOptions = {}): SegmentSource {
  const hash = createHash('sha256');
  const counts = { rows: 0, loneCarriageReturns: 0, tokenized: 0 };
  const parts = partsOf(columns);

  function textOf(field: string): string {
    const text = options.keepTrailingWhitespace === true ? field : stripEnd(field);
    if (text.endsWith(' .')) counts.tokenized += 1;
    if (text.includes('\r')) counts.loneCarriageReturns += text.replaceAll('\r\n', '').split('\r').length - 1;
    return text;
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
      attacks: [attack],
    };
  }

  function referencesOf(row: Row): string | readonly string[] {
    const texts = parts.flatMap(({ part }, index) => (part === 'ref' ? [row[index] ?? ''].flat().map(textOf) : []));
    return texts.length === 1 ? (texts[0] ?? '') : texts;
  }

  return {
    async *batches(segments, run = {}) {
      const source = openSource(path, { ...options, signal: run.signal, onBytes: (bytes) => hash.update(bytes) });
      let rows: Row[] = [];
      for await (const more of readRows(source, parts)) {
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
      },
    ],
  };
}

interface TablePart {
  readonly part: 'id' | 'src' | 'advSrc' | 'out' | 'advOut' | 'ref';
  readonly name: string;
}

function partsOf({ refs, ...named }: TableColumns): readonly TablePart[] {
  const parts = Object.entries(named).map(([part, name]) => ({ part, name }) as TablePart);
  return [...parts.filter(({ name }) => name !== undefined), ...refs.map((name) => ({ part: 'ref' as const, name }))];
}

async function* readRows(source: SourceFile, parts: readonly TablePart[]): AsyncGenerator<readonly Row[]> {
  const format = formatOf(source.name, await source.head());
  if (format === 'jsonl') yield* readJsonRows(source, parts);
  else yield* readDelimitedRows(source, parts, format);
}

function formatOf(name: string, head: string): TableFormat {
  const extension = /\.(csv|tsv|jsonl|ndjson)(?:\.gz|\.zst)?$/i.exec(name)?.[1]?.toLowerCase();
  if (extension === 'csv' || extension === 'tsv') return extension;
  if (extension !== undefined || /^\s*\{/.test(head)) return 'jsonl';
  return head.split('\n', 1)[0]?.includes('\t') === true ? 'tsv' : 'csv';
}

async function* readDelimitedRows(
  source: SourceFile,
  parts: readonly TablePart[],
  format: 'csv' | 'tsv',
): AsyncGenerator<readonly Row[]> {
  const dialect = format === 'csv' ? { delimiter: ',' } : { delimiter: '\t', quotes: 'lenient' as const };
  let header: readonly string[] | undefined;
  let indexes: readonly number[] = [];
  for await (const rows of readCsv(source.blocks(), { file: source.name, ...dialect })) {
    const batch: Row[] = [];
    for (const { cells, line, quoted } of rows) {
      if (header === undefined) {
        header = cells;
        indexes = parts.map(({ name }) => columnIndex(name, cells, source.name));
        continue;
      }
      // A blank line holds no record, unless a table of one column has an empty text there.
      if (cells.length === 1 && cells[0] === '' && quoted[0] !== true && header.length > 1) continue;
      if (cells.length !== header.length) {
        throw formatError(
          `${source.name}:${line}: found ${cells.length} cells, expected ${header.length} as in the header.`,
        );
      }
      batch.push(indexes.map((index) => cells[index] ?? ''));
    }
    yield batch;
  }
}

/** The position of a column that is named, or counted as `#1`. */
function columnIndex(name: string, header: readonly string[], file: string): number {
  const list = header.map((column, index) => `#${index + 1} ${column}`).join(', ');
  const number = /^#(\d+)$/.exec(name)?.[1];
  if (number !== undefined && !header.includes(name)) {
    const index = Number(number) - 1;
    if (index >= 0 && index < header.length) return index;
    throw formatError(`${file}: there is no column ${name}. The columns are ${list}.`);
  }
  const first = header.indexOf(name);
  if (first < 0) {
    throw formatError(`${file}: there is no column "${name}".${didYouMean(name, header)} The columns are ${list}.`);
  }
  if (header.includes(name, first + 1)) {
    throw formatError(
      `${file}: several columns are named "${name}": choose one by its number. The columns are ${list}.`,
    );
  }
  return first;
}

async function* readJsonRows(source: SourceFile, parts: readonly TablePart[]): AsyncGenerator<readonly Row[]> {
  for await (const lines of source.lines()) {
    yield lines
      .filter(({ text }) => !/^[ \t]*$/.test(text))
      .map(({ text, line }) => {
        const record = parseRecord(text, `${source.name}:${line}`);
        return parts.map((part) => fieldOf(record, part, `${source.name}:${line}`));
      });
  }
}

function parseRecord(text: string, place: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw formatError(`${place}: not valid JSON: ${reason}. Expected one object a line.`, { cause });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw formatError(
    `${place}: expected a JSON object, found ${Array.isArray(value) ? 'an array' : JSON.stringify(value)}.`,
  );
}

function fieldOf(record: Record<string, unknown>, { name, part }: TablePart, place: string): Field {
  if (!Object.hasOwn(record, name)) {
    const keys = Object.keys(record);
    throw formatError(
      `${place}: there is no field "${name}".${didYouMean(name, keys)} The fields are ${keys.join(', ')}.`,
    );
  }
  const value = record[name];
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const isReference = part === 'ref';
  if (isReference && Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === 'string')) {
    return value;
  }
  const expected = isReference ? 'a text or an array of texts' : 'a text';
  throw formatError(`${place}: field "${name}" must be ${expected}, found ${JSON.stringify(value)}.`);
}

function formatError(message: string, options?: ErrorOptions): UsageError {
  return new UsageError(ERROR_CODES.FORMAT, message, options);
}
