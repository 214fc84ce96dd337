import { Parser } from 'csv-parse';

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
   * `strict` (default): a cell that starts with a quote must end with one (RFC 4180). `none`: a quote is a character
   * like any other, as in TSV files that are written without quoting; a cell can't hold a delimiter or a line end.
   */
  readonly quotes?: 'strict' | 'none';
  /** The longest row, in UTF-16 units: a quote that is never closed would gather the rest of the file. Default 64 Mi. */
  readonly maxRowLength?: number;
  /** Called for a row that can't be read, with its line and why; unless it throws, reading goes on. Default: throws. */
  readonly onBadRow?: (line: number, reason: string) => void;
}

const MAX_ROW_LENGTH = 64 * 1024 * 1024;

/** After a bad row the parser gets little text at first: another bad row may follow. In UTF-16 units. */
const FIRST_PORTION = 2048;

/**
 * csv-parse looks some bytes ahead before it decides about one; these line ends come after the last line, and the blank
 * rows that they make are dropped.
 */
const LOOK_AHEAD = 8;

/**
 * Splits text into rows and cells as RFC 4180 has it, with `\n` or `\r\n` as line end, as a stream. A file without any
 * `\n` in which `\r` occurs has `\r` as its line end.
 *
 * A row may hold line ends in quoted cells; its number is that of its first line. A blank line is a row of one empty cell
 * that is not quoted. Rows may differ in length: the caller knows what it expects.
 *
 * A row whose quotes are wrong costs that row alone: reading goes on at the line after the one at which the row starts.
 *
 * The parser is csv-parse. Whether a cell was quoted is read from the raw text of its row, since the parser's `cast`,
 * which knows it too, takes nine times as long (`docs/design/csv.md`).
 *
 * @param blocks Text in blocks of whole lines.
 * @yields Batches of rows: all that one block completes.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line when a quoted cell doesn't end where it should.
 */
export async function* readCsv(blocks: AsyncIterable<SourceBlock>, options: CsvOptions): AsyncGenerator<CsvRow[]> {
  let reader: RowReader | undefined;
  for await (const { text } of blocks) {
    reader ??= new RowReader(options, text.includes('\r') && !text.includes('\n') ? '\r' : '\n');
    reader.add(text);
    yield reader.rows();
  }
  if (reader === undefined) return;
  reader.end();
  yield reader.rows();
}

/** What csv-parse gives for a row with `raw`. */
interface RawRow {
  readonly record: readonly string[];
  /** The text of the row; of a line end of two characters it holds the first one. */
  readonly raw: string;
}

/** A block of text that is needed until the row that starts in it has been read. */
interface HeldBlock {
  readonly text: string;
  /** The 1-based line at its start. */
  readonly line: number;
  /** How many lines it holds. */
  readonly lines: number;
}

/** Feeds a parser, checks the quotes of its rows, and starts it anew after a bad row. */
class RowReader {
  readonly #options: Required<CsvOptions>;
  readonly #lineEnd: '\n' | '\r';
  /** The text from the row that is being read on. */
  #held: HeldBlock[] = [];
  #heldLength = 0;
  #parser: Parser;
  /** How many of the held blocks the parser has got, and how much of the next one. */
  #fedBlocks = 0;
  #fedLength = 0;
  #portion = Infinity;
  /** The 1-based line at which the next row starts. */
  #line = 1;
  /** Where a line starts in the first held block; it only moves forward. */
  #place = { line: 1, position: 0 };
  /** The 1-based line after the text that was added. */
  #nextBlockLine = 1;
  /** The number of lines of the file, once it is known. */
  #lastLine = Infinity;

  constructor(options: CsvOptions, lineEnd: '\n' | '\r') {
    const onBadRow = (line: number, reason: string): never => {
      throw new UsageError(ERROR_CODES.FORMAT, `${options.file}:${line}: ${reason}`);
    };
    this.#options = { delimiter: ',', quotes: 'strict', maxRowLength: MAX_ROW_LENGTH, onBadRow, ...options };
    this.#lineEnd = lineEnd;
    this.#parser = this.#newParser();
  }

  /** Adds a block of whole lines. */
  add(text: string): void {
    // Of all blocks only the last one may end without a line end.
    const lines = countOf(text, this.#lineEnd) + (text.endsWith(this.#lineEnd) ? 0 : 1);
    this.#held.push({ text, line: this.#nextBlockLine, lines });
    this.#heldLength += text.length;
    this.#nextBlockLine += lines;
  }

  /** Says that no block follows. */
  end(): void {
    this.#lastLine = this.#nextBlockLine - 1;
    this.add(this.#lineEnd.repeat(LOOK_AHEAD));
  }

  /** The rows that the text added so far completes. */
  rows(): CsvRow[] {
    const rows: CsvRow[] = [];
    for (;;) {
      const hasFed = this.#feed();
      this.#take(rows);
      if (hasFed) continue;
      const { maxRowLength } = this.#options;
      const isTooLong = this.#heldLength > maxRowLength && this.#heldLength - this.#seek() > maxRowLength;
      const isOver = this.#lastLine !== Infinity;
      if ((!isTooLong && !isOver) || this.#line > this.#lastLine) return rows;
      this.#refuse('a quoted cell of the row that starts here never ends: is a quote missing?');
    }
  }

  /** Gives the parser its next portion; false when it has all. */
  #feed(): boolean {
    const block = this.#held[this.#fedBlocks];
    if (block === undefined) return false;
    const end = Math.min(block.text.length, this.#fedLength + this.#portion);
    // A portion ends between characters: the two halves of a pair stay together.
    const isSplit = end < block.text.length && (block.text.charCodeAt(end) & 0xfc00) === 0xdc00;
    const portion = block.text.slice(this.#fedLength, isSplit ? end + 1 : end);
    this.#parser.write(portion);
    this.#fedLength += portion.length;
    this.#portion *= 2;
    if (this.#fedLength >= block.text.length) {
      this.#fedBlocks += 1;
      this.#fedLength = 0;
    }
    return true;
  }

  /** Takes the rows that the parser has ready. */
  #take(rows: CsvRow[]): void {
    for (let row = this.#next(); row !== null; row = this.#next()) {
      if (this.#line > this.#lastLine) return;
      const quoted = quotedCells(row, this.#options);
      const lines = 1 + row.record.reduce((sum, cell) => sum + countOf(cell, this.#lineEnd), 0);
      if (typeof quoted !== 'string') {
        rows.push({ line: this.#line, cells: row.record, quoted });
        this.#line += lines;
        this.#release();
      } else if (lines === 1) {
        this.#options.onBadRow(this.#line, quoted);
        this.#line += 1;
        this.#release();
      } else {
        this.#refuse(quoted);
        return;
      }
    }
  }

  #next(): RawRow | null {
    return this.#parser.read() as RawRow | null;
  }

  /** Gives the row up and starts anew at the line after the one at which it starts. */
  #refuse(reason: string): void {
    this.#options.onBadRow(this.#line, reason);
    this.#line += 1;
    this.#release();
    this.#parser = this.#newParser();
    this.#fedBlocks = 0;
    this.#fedLength = this.#seek();
    this.#portion = FIRST_PORTION;
  }

  /** Where the next row starts in the first held block. */
  #seek(): number {
    const text = this.#held[0]?.text ?? '';
    while (this.#place.line < this.#line) {
      this.#place.position = text.indexOf(this.#lineEnd, this.#place.position) + 1;
      this.#place.line += 1;
    }
    return this.#place.position;
  }

  /** Lets go of the blocks before the next row. */
  #release(): void {
    for (let first = this.#held[0]; first !== undefined; first = this.#held[0]) {
      if (this.#line < first.line + first.lines || this.#fedBlocks === 0) break;
      this.#held.shift();
      this.#heldLength -= first.text.length;
      this.#fedBlocks -= 1;
      this.#place = { line: first.line + first.lines, position: 0 };
    }
  }

  #newParser(): Parser {
    const { delimiter, quotes } = this.#options;
    return new Parser({
      delimiter,
      quote: quotes === 'strict' ? '"' : null,
      record_delimiter: this.#lineEnd === '\n' ? ['\r\n', '\n'] : '\r',
      raw: true,
      relax_column_count: true,
      relax_quotes: true,
    });
  }
}

/**
 * Which cells of a row were written in quotes.
 *
 * The parser is lenient about a quote that closes too early, so that it stays in step: here such a row is found out.
 *
 * @returns One entry a cell, or what is wrong with the row.
 */
function quotedCells(
  { record, raw }: RawRow,
  { delimiter, quotes }: Required<CsvOptions>,
): readonly boolean[] | string {
  if (quotes === 'none' || !raw.includes('"')) return record.map(() => false);
  const quoted: boolean[] = [];
  let position = 0;
  for (const cell of record) {
    const isQuoted = raw[position] === '"';
    quoted.push(isQuoted);
    if (!isQuoted) position += cell.length + 1;
    else {
      const close = closingQuote(raw, position);
      const next = raw[close + 1] ?? '\n';
      if (next !== delimiter && next !== '\n' && next !== '\r') {
        const found = JSON.stringify(String.fromCodePoint(raw.codePointAt(close + 1) ?? 0));
        return `a quoted cell is followed by ${found}: a quote inside a quoted cell is written twice`;
      }
      position = close + 2;
    }
  }
  return quoted;
}

/** The position of the quote that ends the cell whose first quote is at `start`: quotes inside of it come in pairs. */
function closingQuote(raw: string, start: number): number {
  let close = raw.indexOf('"', start + 1);
  while (close !== -1 && raw[close + 1] === '"') close = raw.indexOf('"', close + 2);
  return close === -1 ? raw.length : close;
}

function countOf(text: string, search: string): number {
  let count = 0;
  for (let index = text.indexOf(search); index !== -1; index = text.indexOf(search, index + 1)) count += 1;
  return count;
}
