import { ERROR_CODES, UsageError } from '../errors.js';
import type { SourceBlock } from './lines.js';

/** One row of a CSV or TSV file. */
export interface CsvRow {
  /** The 1-based line at which the row starts. */
  readonly line: number;
  /** The cells, without quotes and the line end. */
  readonly cells: readonly string[];
  /** Whether each cell was written in quotes: `"1"` is a text where `1` is a number. */
  readonly quoted: readonly boolean[];
}

/** Options of {@link readCsv}. */
export interface CsvOptions {
  /** Name of the file in errors. */
  readonly file: string;
  /** What stands between two cells, one character. Default `,`. */
  readonly delimiter?: string;
  /**
   * `strict` (default): a cell that starts with a quote must end with one (RFC 4180). `lenient`: when it doesn't end on
   * the same line right before a delimiter, the quote is a character like any other, as texts in TSV files have it.
   */
  readonly quotes?: 'strict' | 'lenient';
  /** The longest row, in UTF-16 units: a quote that is never closed would gather the rest of the file. Default 64 Mi. */
  readonly maxRowLength?: number;
  /** Called for a row that can't be read, with its line and why; unless it throws, reading goes on. Default: throws. */
  readonly onBadRow?: (line: number, reason: string) => void;
}

const MAX_ROW_LENGTH = 64 * 1024 * 1024;

/**
 * Splits text into rows and cells as RFC 4180 has it, with `\n` or `\r\n` as line end, as a stream.
 *
 * A row may hold line ends in quoted cells; its number is that of its first line. A blank line is a row of one empty cell
 * that is not quoted. Rows may differ in length: the caller knows what it expects.
 *
 * Written by hand because csv-parse tells whether a cell was quoted only through its `cast` option, which makes it 12
 * times slower, doesn't tell the line at which a row starts, and can't go on behind a bad row; the tests compare the two.
 *
 * @param blocks Text in blocks of whole lines.
 * @yields Batches of rows: all that one block completes.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line when a quoted cell doesn't end where it should.
 */
export async function* readCsv(blocks: AsyncIterable<SourceBlock>, options: CsvOptions): AsyncGenerator<CsvRow[]> {
  const splitter = new RowSplitter(options);
  for await (const block of blocks) yield splitter.split(block.text);
  yield splitter.end();
}

/** Splits block after block; the text of an unfinished row is carried over to the next one. */
class RowSplitter {
  readonly #options: Required<CsvOptions>;
  #text = '';
  #position = 0;
  /** The 1-based line at `#position`. */
  #line = 1;
  /** An unfinished row is looked at again when it has doubled: the work stays linear in its length. */
  #wantedLength = 0;
  /** Where the next delimiter and line feed are: searched again only when they are passed. */
  #nextDelimiter = -1;
  #nextLineFeed = -1;

  constructor(options: CsvOptions) {
    const onBadRow = (line: number, reason: string): never => {
      throw new UsageError(ERROR_CODES.FORMAT, `${options.file}:${line}: ${reason}`);
    };
    this.#options = { delimiter: ',', quotes: 'strict', maxRowLength: MAX_ROW_LENGTH, onBadRow, ...options };
  }

  /** Splits the next block. */
  split(block: string): CsvRow[] {
    this.#text = this.#position >= this.#text.length ? block : this.#text.slice(this.#position) + block;
    this.#position = 0;
    this.#restart();
    return this.#text.length < this.#wantedLength ? [] : this.#rows(false);
  }

  /** Finishes the last row. */
  end(): CsvRow[] {
    return this.#rows(true);
  }

  #rows(isEnd: boolean): CsvRow[] {
    const rows: CsvRow[] = [];
    this.#wantedLength = 0;
    while (this.#position < this.#text.length) {
      const start = this.#position;
      const row = this.#row();
      if (row instanceof BadRow) {
        if (row.isUnfinished && !isEnd && this.#text.length - start <= this.#options.maxRowLength) {
          this.#position = start;
          this.#restart();
          this.#wantedLength = (this.#text.length - start) * 2;
          break;
        }
        this.#options.onBadRow(this.#line, row.reason);
        // Reading goes on behind the line at which the row went wrong.
        this.#position = indexOrEnd(this.#text, '\n', this.#position) + 1;
        this.#restart();
      } else rows.push(row);
      this.#line += countLineFeeds(this.#text, start, this.#position);
    }
    this.#position = Math.min(this.#position, this.#text.length);
    return rows;
  }

  /** Reads one row from `#position` to behind its line feed. */
  #row(): CsvRow | BadRow {
    const cells: string[] = [];
    const quoted: boolean[] = [];
    const text = this.#text;
    for (;;) {
      const cell = text[this.#position] === '"' ? this.#quotedCell() : undefined;
      if (cell instanceof BadRow) return cell;
      cells.push(cell ?? this.#plainCell());
      quoted.push(cell !== undefined);
      const isLast = text[this.#position] !== this.#options.delimiter;
      this.#position += 1;
      if (isLast) return { line: this.#line, cells, quoted };
      if (this.#position === text.length) {
        cells.push('');
        quoted.push(false);
        return { line: this.#line, cells, quoted };
      }
    }
  }

  #plainCell(): string {
    const { delimiter } = this.#options;
    const start = this.#position;
    if (this.#nextDelimiter < start) this.#nextDelimiter = indexOrEnd(this.#text, delimiter, start);
    if (this.#nextLineFeed < start) this.#nextLineFeed = indexOrEnd(this.#text, '\n', start);
    const isLast = this.#nextLineFeed <= this.#nextDelimiter;
    const end = isLast ? this.#nextLineFeed : this.#nextDelimiter;
    this.#position = end;
    return this.#text.slice(start, isLast && end > start && this.#text[end - 1] === '\r' ? end - 1 : end);
  }

  /** Reads a quoted cell; undefined, without moving, when its quote is a character like any other. */
  #quotedCell(): string | undefined | BadRow {
    const { delimiter, quotes } = this.#options;
    const start = this.#position + 1;
    let from = start;
    let hasDouble = false;
    let close = this.#text.indexOf('"', from);
    while (close !== -1 && this.#text[close + 1] === '"') {
      hasDouble = true;
      from = close + 2;
      close = this.#text.indexOf('"', from);
    }
    const isLenient = quotes === 'lenient';
    if (close === -1) {
      if (isLenient) return undefined;
      this.#position = this.#text.length;
      return new BadRow('a quoted cell of the row that starts here never ends: is a quote missing?', true);
    }
    const end = this.#text[close + 1] === '\r' && (this.#text[close + 2] ?? '\n') === '\n' ? close + 2 : close + 1;
    const next = this.#text[end];
    const content = this.#text.slice(start, close);
    const isClosed = next === undefined || next === '\n' || next === delimiter;
    if (isLenient && (!isClosed || content.includes('\n'))) return undefined;
    this.#position = end;
    if (!isClosed) {
      const found = JSON.stringify(String.fromCodePoint(this.#text.codePointAt(end) ?? 0));
      return new BadRow(`a quoted cell is followed by ${found}: a quote inside a quoted cell is written twice`, false);
    }
    return hasDouble ? content.replaceAll('""', '"') : content;
  }

  #restart(): void {
    this.#nextDelimiter = -1;
    this.#nextLineFeed = -1;
    if (this.#position > this.#text.length) this.#position = this.#text.length;
  }
}

/** Why a row can't be read. */
class BadRow {
  readonly reason: string;
  /** The text ends in the row: more of it may make it good. */
  readonly isUnfinished: boolean;

  constructor(reason: string, isUnfinished: boolean) {
    this.reason = reason;
    this.isUnfinished = isUnfinished;
  }
}

function indexOrEnd(text: string, search: string, from: number): number {
  const index = text.indexOf(search, from);
  return index === -1 ? text.length : index;
}

function countLineFeeds(text: string, from: number, to: number): number {
  let count = 0;
  for (let index = text.indexOf('\n', from); index !== -1 && index < to; index = text.indexOf('\n', index + 1))
    count += 1;
  return count;
}
