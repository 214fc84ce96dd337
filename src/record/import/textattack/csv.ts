import { ERROR_CODES, UsageError } from '../../../errors.js';
import { parseJson } from '../../../read/json.js';
import { normalizeLabel } from '../../../read/label.js';
import { readCsv } from '../../../read/csv.js';
import type { CsvRow } from '../../../read/csv.js';
import type { SourceFile } from '../../../read/source-file.js';
import { repeatsHeader } from '../../../read/table-rows.js';
import type { ImportOptions } from '../importer.js';
import { RECORD_COLUMN } from '../../export/textattack.js';
import { checkRecord, makeRecord } from '../../schema.js';
import type { AttackRecord } from '../../schema.js';
import { badRow } from '../common/bad-row.js';
import { isNotANumber, numberRepeated, parseCount, parseNumber } from '../common/values.js';
import { cleanPair, decideLayout } from './pair.js';
import type { RawPair, TextLayout } from './pair.js';
import { resultOf, resultRecord, runName } from './result.js';
import { stripAnsi } from './ansi.js';

/** The columns that a log of TextAttack must have; releases wrote them in different orders. */
const NEEDED = ['original_text', 'perturbed_text'] as const;

/** Those that have a field in the record; everything else goes into `extra`. */
const KNOWN = [
  ...NEEDED,
  'original_score',
  'perturbed_score',
  'original_output',
  'perturbed_output',
  'ground_truth_output',
  'num_queries',
  'result_type',
] as const;

type Column = (typeof KNOWN)[number];

/** How many rows are looked at before the first is given out, to tell how the file marks changes. */
const LAYOUT_ROWS = 500;

/** More columns than any log has: the delimiter is another one, or the file no CSV. */
const MAX_COLUMNS = 10_000;

/** What TextAttack writes for a line end in a text, and between the columns of an input. */
const LINE_END = '<SPLIT>';

/** The same in releases up to 0.2.15. */
const OLD_LINE_END = '>>>>';

/** Whether a header is that of TextAttack's CSV log. */
export function isTextAttackHeader(header: string): boolean {
  const names = header.replaceAll('"', '').split(',');
  return NEEDED.every((name) => names.includes(name));
}

/**
 * Reads TextAttack's CSV log (`--log-to-csv`): columns by name in any order, all colouring styles.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line.
 */
export async function* readCsvLog(source: SourceFile, options: ImportOptions): AsyncGenerator<AttackRecord> {
  let waiting: CsvRow[] = [];
  const reader = new CsvLogReader(source.name, options);
  const csv = readCsv(source.blocks(), {
    file: source.name,
    onBadRow: (line, reason) => badRow(options, source.name, line, reason),
  });
  for await (const rows of csv) {
    options.signal?.throwIfAborted();
    for (const row of reader.data(rows)) waiting.push(row);
    if (reader.layout === undefined && waiting.length < LAYOUT_ROWS) continue;
    yield* reader.records(waiting);
    waiting = [];
  }
  reader.expectHeader();
  yield* reader.records(waiting);
}

class CsvLogReader {
  layout: TextLayout | undefined;
  readonly #file: string;
  readonly #options: ImportOptions;
  #lineEnd: string = LINE_END;
  #header: readonly string[] | undefined;
  #places = new Map<string, number>();
  /** The columns that TextAttack doesn't write. */
  #others: readonly (readonly [name: string, index: number])[] = [];
  #number = 0;

  constructor(file: string, options: ImportOptions) {
    this.#file = file;
    this.#options = options;
  }

  expectHeader(): void {
    if (this.#header === undefined) throw this.#error(1, 'empty, expected the header of a TextAttack CSV log');
  }

  /** The rows of data: without the header, blank lines and rows of another length. */
  *data(rows: readonly CsvRow[]): Generator<CsvRow> {
    for (const row of rows) {
      if (this.#header === undefined) this.#readHeader(row);
      else if (repeatsHeader(row.cells, this.#header)) {
        this.#warn(row.line, 'repeated-header', 'the row repeats the header: it was left out');
      } else if (row.cells.length === this.#header.length) yield row;
      else if (row.cells.length > 1 || row.cells[0] !== '') {
        const columns = `${row.cells.length} cells, expected ${this.#header.length} as in the header`;
        badRow(this.#options, this.#file, row.line, `${columns}: is the file cut off, or a quote missing?`);
      }
    }
  }

  *records(rows: readonly CsvRow[]): Generator<AttackRecord> {
    this.layout ??= this.#decideLayout(rows);
    for (const row of rows) {
      const exported = this.#exported(row);
      const record = exported === undefined ? this.#record(row, this.layout) : this.#exportedRecord(row, exported);
      if (record !== undefined) yield record;
    }
  }

  /** Old releases wrote another line end: it is theirs when it stands between the names of columns. */
  #decideLayout(rows: readonly CsvRow[]): TextLayout {
    const own = rows.filter((row) => this.#exported(row) === undefined);
    const decide = (): TextLayout =>
      decideLayout(
        own.map((row) => this.#pair(row)),
        this.#options.markers,
      );
    const layout = decide();
    if (layout.names.length > 0 || !own.some(({ cells }) => cells.some((cell) => cell.includes(OLD_LINE_END)))) {
      return layout;
    }
    this.#lineEnd = OLD_LINE_END;
    const old = decide();
    if (old.names.length > 0) return old;
    this.#lineEnd = LINE_END;
    return layout;
  }

  #readHeader(row: CsvRow): void {
    const header = row.cells;
    if (header.length > MAX_COLUMNS) {
      throw this.#error(row.line, `${header.length} columns: no log of TextAttack has more than ${MAX_COLUMNS}`);
    }
    for (const [index, name] of numberRepeated(header).entries()) {
      const written = header[index] ?? '';
      if (name !== written) {
        if ((KNOWN as readonly string[]).includes(written)) {
          throw this.#error(row.line, `the column ${JSON.stringify(written)} is there twice: rename one`);
        }
        const message = `another column is named ${JSON.stringify(written)}: this one is kept as ${JSON.stringify(name)}`;
        this.#warn(row.line, 'repeated-column', message);
      }
      this.#places.set(name, index);
    }
    const missing = NEEDED.filter((name) => !this.#places.has(name));
    if (missing.length > 0) {
      const found = header.slice(0, 12).map((name) => JSON.stringify(name.slice(0, 40)));
      throw this.#error(
        row.line,
        `no log of TextAttack: no column ${missing.join(', ')} among ${found.join(', ')}${header.length > 12 ? ', …' : ''}`,
      );
    }
    this.#header = header;
    this.#others = [...this.#places].filter(([name]) => !(KNOWN as readonly string[]).includes(name));
  }

  #record(row: CsvRow, layout: TextLayout): AttackRecord {
    const texts = cleanPair(this.#pair(row, true), layout);
    if (!texts.isConsistent && layout.style !== 'plain') {
      this.#warn(
        row.line,
        'unclear-markers',
        'the unmarked words of the two texts differ: markers are taken away as far as they pair up',
      );
    }
    this.#number += 1;
    const resultType = this.#cell(row, 'result_type');
    if (resultType !== null && resultOf(resultType) === undefined) {
      this.#warn(row.line, 'unknown-result', `result_type is ${JSON.stringify(resultType)}: result is null`);
    }
    return resultRecord(
      {
        number: this.#number,
        run: runName(this.#file),
        line: row.line,
        texts,
        resultType,
        out: this.#label(row, 'original_output'),
        advOut: this.#label(row, 'perturbed_output'),
        ref: this.#label(row, 'ground_truth_output'),
        originalScore: this.#score(row, 'original_score'),
        perturbedScore: this.#score(row, 'perturbed_score'),
        queries: this.#queries(row),
        extra: this.#extra(row),
      },
      this.#file,
    );
  }

  /** What {@link exportTextAttack} wrote beside TextAttack's own columns; undefined for a row of the tool itself. */
  #exported(row: CsvRow): string | undefined {
    const cell = row.cells[this.#places.get(RECORD_COLUMN) ?? -1];
    return cell?.startsWith('{') === true ? cell : undefined;
  }

  /** The record of an exported row: its texts hold no markers and no colours. */
  #exportedRecord(row: CsvRow, rest: string): AttackRecord | undefined {
    const [src, advSrc] = NEEDED.map((column) => (this.#cell(row, column) ?? '').replaceAll(LINE_END, '\n'));
    const parsed = parseJson(rest);
    const checked =
      'problem' in parsed
        ? { problem: { path: '$', message: parsed.problem } }
        : checkRecord({
            src,
            adv_src: advSrc,
            out: this.#cell(row, 'original_output'),
            adv_out: this.#cell(row, 'perturbed_output'),
            ref: this.#cell(row, 'ground_truth_output'),
            original_score: this.#score(row, 'original_score'),
            attacked_score: this.#score(row, 'perturbed_score'),
            queries: this.#queries(row),
            ...(parsed.value as object),
          });
    if ('record' in checked) return makeRecord(checked.record);
    const { path, message } = checked.problem;
    badRow(this.#options, this.#file, row.line, `${RECORD_COLUMN}: ${path}: ${message}`);
    return undefined;
  }

  #pair(row: CsvRow, warn = false): RawPair {
    const [original, perturbed] = NEEDED.map((column) => {
      const raw = row.cells[this.#places.get(column) ?? -1] ?? '';
      const text = stripAnsi(raw);
      if (warn && text !== raw)
        this.#warn(row.line, 'ansi-codes', `${column} held terminal colours: they are taken away`);
      if (warn) this.#warnOfLineEnds(row.line, column, text);
      return text.replaceAll(this.#lineEnd, '\n');
    });
    return { original: original ?? '', perturbed: perturbed ?? '' };
  }

  /** Names an old line end that may as well be part of the text: in an input of one column nothing tells them apart. */
  #warnOfLineEnds(line: number, column: string, text: string): void {
    if (this.layout === undefined || this.layout.names.length > 0) return;
    if (!text.includes(OLD_LINE_END)) return;
    const message = `${column}: ${OLD_LINE_END} is left as it is; releases up to 0.2.15 wrote it for a line end`;
    this.#warn(line, 'unclear-line-end', message);
  }

  /** The text of a cell; null where the file has no such column or the cell is empty. */
  #cell(row: CsvRow, column: Column): string | null {
    const cell = row.cells[this.#places.get(column) ?? -1];
    return cell === undefined || cell === '' ? null : cell;
  }

  #label(row: CsvRow, column: Column): string | null {
    const index = this.#places.get(column);
    if (index === undefined) return null;
    const cell = row.cells[index] ?? '';
    if (cell !== '') return row.quoted[index] === true ? cell : normalizeLabel(cell);
    if (row.quoted[index] === true && this.#hasTextOutputs(row)) {
      this.#warn(row.line, 'empty-output', `${column} is an empty text`);
      return '';
    }
    this.#warn(row.line, 'missing-value', `${column} is empty: taken as missing`);
    return null;
  }

  /** Data frames write a missing label like an empty text; where the other outputs are texts, it is one. */
  #hasTextOutputs(row: CsvRow): boolean {
    return (['original_output', 'perturbed_output', 'ground_truth_output'] as const).some((column) => {
      const index = this.#places.get(column) ?? -1;
      const cell = row.cells[index] ?? '';
      return row.quoted[index] === true && cell !== '' && parseNumber(cell) === undefined;
    });
  }

  #score(row: CsvRow, column: Column): number | null {
    const cell = this.#cell(row, column);
    const value = cell === null ? undefined : parseNumber(cell);
    if (cell !== null && value === undefined) {
      const found = isNotANumber(cell) ? `${cell}: undefined` : `${JSON.stringify(cell)}, no number`;
      this.#warn(row.line, 'no-number', `${column} is ${found}, taken as missing`);
    }
    return value ?? null;
  }

  #queries(row: CsvRow): number | null {
    const cell = this.#cell(row, 'num_queries');
    const value = cell === null ? undefined : parseCount(cell);
    if (cell !== null && value === undefined) {
      this.#warn(row.line, 'no-number', `num_queries is ${JSON.stringify(cell)}, no count: taken as missing`);
    }
    return value ?? null;
  }

  #extra(row: CsvRow): Record<string, unknown> {
    return Object.fromEntries(this.#others.map(([name, index]) => [name, row.cells[index]]));
  }

  #error(line: number, message: string): UsageError {
    return new UsageError(ERROR_CODES.FORMAT, `${this.#file}:${line}: ${message}`);
  }

  #warn(line: number | null, code: string, message: string): void {
    this.#options.onWarning?.({ file: this.#file, line, code, message });
  }
}
