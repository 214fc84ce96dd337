import { Buffer, isUtf8 } from 'node:buffer';

import { ERROR_CODES, UsageError } from '../errors.js';

const UTF_16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** One line of a text file. */
export interface SourceLine {
  /** The text without its line end (`\n` or `\r\n`). A carriage return elsewhere is part of the text. */
  readonly text: string;
  /** 1-based. */
  readonly line: number;
}

/** Options of {@link readLines}. */
export interface LineOptions {
  /** Name of the file in errors. */
  readonly file: string;
  /** The longest line that is read, in bytes; a longer one is an error with its number. Default 64 MiB. */
  readonly maxLineBytes?: number;
  /** Leave the carriage return of a `\r\n` at the end of the line's text. Default false. */
  readonly keepCarriageReturns?: boolean;
  /** Take the first bytes away when they are a byte order mark. Default true. */
  readonly stripBom?: boolean;
}

/** A longer line can hardly be text, and JavaScript can't hold strings over 512 MiB. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** A run of whole lines. */
export interface SourceBlock {
  /** The text with its line ends; it ends in `\n`, but for the last block of a file without a last line end. */
  readonly text: string;
  /** The 1-based number of its first line. */
  readonly line: number;
}

/**
 * Splits a stream of bytes (UTF-8) at `\n` alone and takes one `\r` before it away, whatever the size of the chunks.
 *
 * A last line without a line end counts; an empty stream has no lines. U+2028, U+0085, a form feed and a lone carriage
 * return don't end a line (sacreBLEU's rule), so that line numbers agree with `wc -l`.
 *
 * @param chunks Bytes in any portions: a character or a line end may straddle a border.
 * @yields Batches of lines: all that one chunk completes.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file, line and byte when the bytes are no UTF-8, and with file and line
 *   when a line is longer than `maxLineBytes`.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  options: LineOptions,
): AsyncGenerator<SourceLine[]> {
  for await (const block of readBlocks(chunks, options)) {
    let { line } = block;
    const texts = block.text.split('\n');
    // The piece behind the last line feed is no line.
    if (block.text.endsWith('\n')) texts.pop();
    const keep = options.keepCarriageReturns === true;
    yield texts.map((text) => ({ text: !keep && text.endsWith('\r') ? text.slice(0, -1) : text, line: line++ }));
  }
}

/**
 * Decodes a stream of bytes (UTF-8) into blocks that end where a line ends: for readers whose unit is not the line,
 * but that count lines.
 *
 * @param chunks Bytes in any portions.
 * @throws As {@link readLines}.
 */
export async function* readBlocks(
  chunks: AsyncIterable<Uint8Array>,
  options: LineOptions,
): AsyncGenerator<SourceBlock> {
  const maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
  const strip = options.stripBom ?? true;
  let carry: Buffer[] = [];
  let carryBytes = 0;
  let line = 1;
  let offset = 0;

  const decode = (block: Buffer): SourceBlock => {
    const skip = strip && offset === 0 && startsWith(block, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
    const bytes = block.subarray(skip);
    if (offset === 0 && looksLikeUtf16(bytes)) throw isUtf16(options.file);
    if (!isUtf8(bytes)) throw invalidUtf8(bytes, offset + skip, line, options.file);
    offset += block.length;
    const decoded = { text: bytes.toString('utf8'), line };
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, end + 1)) line += 1;
    return decoded;
  };

  for await (const chunk of chunks) {
    const bytes = asBuffer(chunk);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    if (end === 0) {
      carry.push(bytes);
      carryBytes += bytes.length;
    } else {
      const first = carryBytes + bytes.indexOf(LINE_FEED);
      if (first > maxLineBytes) throw lineTooLong(options.file, line, maxLineBytes);
      const head = bytes.subarray(0, end);
      const block = carryBytes === 0 ? head : Buffer.concat([...carry, head]);
      carry = end === bytes.length ? [] : [bytes.subarray(end)];
      carryBytes = bytes.length - end;
      yield decode(block);
    }
    if (carryBytes > maxLineBytes) throw lineTooLong(options.file, line, maxLineBytes);
  }
  if (carryBytes > 0) {
    const rest = Buffer.concat(carry);
    const isMarkAlone = strip && offset === 0 && rest.equals(BYTE_ORDER_MARK);
    if (!isMarkAlone) yield decode(rest);
  }
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

function startsWith(bytes: Buffer, prefix: Buffer): boolean {
  return bytes.length >= prefix.length && bytes.compare(prefix, 0, prefix.length, 0, prefix.length) === 0;
}

function lineTooLong(file: string, line: number, maxLineBytes: number): UsageError {
  return new UsageError(
    ERROR_CODES.FORMAT,
    `${file}:${line}: the line is longer than ${maxLineBytes} bytes: is this a text file with line ends?`,
  );
}

/**
 * Makes the error that names the place of the first byte that is no UTF-8.
 *
 * @param bytes A block that {@link isUtf8} refused.
 * @param blockOffset The position of the block in the file, in bytes.
 * @param blockLine The 1-based line at which the block starts.
 */
function invalidUtf8(bytes: Buffer, blockOffset: number, blockLine: number, file: string): UsageError {
  const bad = firstInvalidByte(bytes);
  let line = blockLine;
  let lineStart = 0;
  for (let end = bytes.indexOf(LINE_FEED); end !== -1 && end < bad; end = bytes.indexOf(LINE_FEED, lineStart)) {
    line += 1;
    lineStart = end + 1;
  }
  const found = `0x${(bytes[bad] ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
  return new UsageError(
    ERROR_CODES.FORMAT,
    `${file}:${line}: byte ${bad - lineStart + 1} of the line (${found}, byte ${blockOffset + bad + 1} of the file) is not valid UTF-8: ` +
      'convert the file, or name its encoding with the option `encoding`',
  );
}

/** As the native reader has it: a byte order mark, or ASCII text without one, of which every second byte is zero. */
function looksLikeUtf16(bytes: Buffer): boolean {
  if (UTF_16_MARKS.some((mark) => startsWith(bytes, mark))) return true;
  const head = bytes.subarray(0, 64);
  if (head.length < 4) return false;
  return [0, 1].some((parity) => head.every((byte, index) => (index % 2 === parity) === (byte === 0)));
}

function isUtf16(file: string): UsageError {
  return new UsageError(
    ERROR_CODES.FORMAT,
    `${file}: this is UTF-16: convert the file to UTF-8, or name its encoding with the option \`encoding\` utf-16`,
  );
}

/** The index of the first byte that doesn't belong to valid UTF-8: valid prefixes end there. */
function firstInvalidByte(bytes: Buffer): number {
  // isUtf8 of a prefix is monotone but for characters that are cut off, so the search goes by whole characters.
  let low = 0;
  let high = bytes.length;
  while (high - low > 4) {
    const middle = characterStart(bytes, low + ((high - low) >> 1));
    if (middle <= low) break;
    if (isUtf8(bytes.subarray(low, middle))) low = middle;
    else high = middle;
  }
  while (low < high) {
    const length = characterLength(bytes[low] ?? 0);
    if (low + length > bytes.length || !isUtf8(bytes.subarray(low, low + length))) return low;
    low += length;
  }
  return low;
}

function characterStart(bytes: Buffer, index: number): number {
  let start = index;
  while (start > 0 && index - start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}

function characterLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
