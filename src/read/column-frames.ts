import { ERROR_CODES, UsageError } from '../errors.js';

/** The longest header of a frame, in bytes. */
const MAX_HEADER_BYTES = 1024 * 1024;

/** The most bytes that the columns of a frame may have: a batch of Arrow has fewer. */
const MAX_FRAME_BYTES = 2 ** 31 - 1;

const LENGTH_BYTES = 4;

/** A column of a frame. Texts lie as in Apache Arrow (`utf8`); a number that is missing is NaN. */
export type FrameColumn =
  | { readonly type: 'utf8'; readonly values: Uint8Array; readonly offsets: Int32Array }
  | { readonly type: 'float64'; readonly values: Float64Array }
  | { readonly type: 'uint8'; readonly values: Uint8Array };

/** Some consecutive rows of a table, column by column. */
export interface Frame {
  readonly rows: number;
  readonly columns: ReadonlyMap<string, FrameColumn>;
}

/** What the header of a frame says of a column: its name, type and how many bytes it has. */
interface ColumnHeader {
  readonly name: string;
  readonly type: FrameColumn['type'];
  readonly bytes: number;
  /** Bytes of the offsets, which stand before the values; of texts alone. */
  readonly offsets?: number;
}

/**
 * Reads frames of columns: a length (32 bits, little-endian), a JSON header `{"rows", "columns": [{"name", "type", "bytes",
 * "offsets"}]}`, then the bytes of each column, little-endian. A length of 0 ends the stream.
 *
 * @param chunks The bytes, cut anywhere.
 * @param name What they are called in messages.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` for bytes that are no frames, and for a stream that ends without its end mark:
 *   rows may be missing.
 */
export async function* readFrames(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Frame> {
  const bytes = new Bytes(chunks);
  for (let index = 1; ; index += 1) {
    const place = `${name}: frame ${index}`;
    const length = (await take(bytes, LENGTH_BYTES, place)).readUInt32LE(0);
    if (length === 0) {
      if (!(await bytes.isAtEnd())) throw invalid(`${place}: bytes follow the end mark.`);
      return;
    }
    if (length > MAX_HEADER_BYTES) {
      throw invalid(
        `${place}: a header of ${length} bytes, expected at most ${MAX_HEADER_BYTES}: these are no frames.`,
      );
    }
    const { rows, columns } = readHeader((await take(bytes, length, place)).toString('utf8'), place);
    const read = new Map<string, FrameColumn>();
    for (const column of columns) read.set(column.name, await readColumn(bytes, column, rows, place));
    yield { rows, columns: read };
  }
}

/** A frame as bytes. `more` goes into its header. */
export function encodeFrame({ rows, columns }: Frame, more: object = {}): Buffer {
  const headers: ColumnHeader[] = [];
  const parts: Uint8Array[] = [];
  for (const [name, column] of columns) {
    const values = bytesOf(column.values);
    if (column.type === 'utf8') {
      const offsets = bytesOf(column.offsets);
      headers.push({ name, type: column.type, bytes: values.length, offsets: offsets.length });
      parts.push(offsets, values);
    } else {
      headers.push({ name, type: column.type, bytes: values.length });
      parts.push(values);
    }
  }
  const header = Buffer.from(JSON.stringify({ rows, columns: headers, ...more }), 'utf8');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(header.length);
  return Buffer.concat([length, header, ...parts]);
}

/** The mark after the last frame. */
export const END_OF_FRAMES: Uint8Array = new Uint8Array(LENGTH_BYTES);

/** The texts of a column, as strings. */
export function textsOf({ values, offsets }: FrameColumn & { readonly type: 'utf8' }): readonly string[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const [first = 0] = offsets;
  const texts: string[] = [];
  for (let row = 0; row + 1 < offsets.length; row += 1) {
    texts.push(decoder.decode(values.subarray((offsets[row] ?? 0) - first, (offsets[row + 1] ?? 0) - first)));
  }
  return texts;
}

/** A column of texts. */
export function columnOfTexts(texts: readonly string[]): FrameColumn & { readonly type: 'utf8' } {
  const encoded = texts.map((text) => Buffer.from(text, 'utf8'));
  const offsets = new Int32Array(texts.length + 1);
  for (const [row, { length }] of encoded.entries()) offsets[row + 1] = (offsets[row] ?? 0) + length;
  return { type: 'utf8', values: Buffer.concat(encoded), offsets };
}

function readHeader(text: string, place: string): { readonly rows: number; readonly columns: readonly ColumnHeader[] } {
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch (cause) {
    throw invalid(`${place}: the header is no JSON.`, cause);
  }
  const { rows, columns } = (header ?? {}) as { readonly rows?: unknown; readonly columns?: unknown };
  if (!isCount(rows) || !Array.isArray(columns)) throw invalid(`${place}: the header lacks rows or columns.`);
  return { rows, columns: columns.map((column: unknown) => columnHeader(column, rows, place)) };
}

function columnHeader(column: unknown, rows: number, place: string): ColumnHeader {
  const { name, type, bytes, offsets } = (column ?? {}) as Partial<Record<keyof ColumnHeader, unknown>>;
  if (typeof name !== 'string' || !isCount(bytes)) throw invalid(`${place}: a column lacks its name or its bytes.`);
  const expected = { utf8: undefined, float64: rows * 8, uint8: rows };
  if (type !== 'utf8' && type !== 'float64' && type !== 'uint8') {
    throw invalid(`${place}, column ${name}: type ${JSON.stringify(type)}, expected utf8, float64 or uint8.`);
  }
  if (type === 'utf8' ? offsets !== (rows + 1) * 4 : bytes !== expected[type]) {
    throw invalid(`${place}, column ${name}: its bytes are not those of ${rows} rows.`);
  }
  return { name, type, bytes, ...(type === 'utf8' && { offsets: (rows + 1) * 4 }) };
}

async function readColumn(
  bytes: Bytes,
  { name, type, bytes: length, offsets = 0 }: ColumnHeader,
  rows: number,
  place: string,
): Promise<FrameColumn> {
  const at = `${place}, column ${name}`;
  const starts = toNumbers(await take(bytes, offsets, at), Int32Array);
  const values = await take(bytes, length, at);
  if (type === 'uint8') return { type, values };
  if (type === 'float64') return { type, values: toNumbers(values, Float64Array) };
  if ((starts[rows] ?? 0) - (starts[0] ?? 0) !== length) throw invalid(`${at}: its offsets don't fit its bytes.`);
  return { type, values, offsets: starts };
}

function toNumbers<A extends Int32Array | Float64Array>(bytes: Buffer, type: new (buffer: ArrayBuffer) => A): A {
  // Numbers must lie at a multiple of their size; a part of a larger buffer need not.
  return new type(new Uint8Array(bytes).buffer);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

async function take(bytes: Bytes, length: number, place: string): Promise<Buffer> {
  if (length > MAX_FRAME_BYTES) throw invalid(`${place}: ${length} bytes, expected at most ${MAX_FRAME_BYTES}.`);
  const taken = await bytes.take(length);
  if (taken === undefined) throw invalid(`${place}: the stream ends too early: rows may be missing.`);
  return taken;
}

/** Bytes that are asked for by number, from chunks of any size. */
class Bytes {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Uint8Array[] = [];
  #length = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next bytes; undefined when there are fewer. */
  async take(length: number): Promise<Buffer | undefined> {
    while (this.#length < length) if (!(await this.#more())) return undefined;
    const all = this.#held.length === 1 ? this.#held[0] : Buffer.concat(this.#held);
    const whole = all ?? new Uint8Array();
    this.#held = [whole.subarray(length)];
    this.#length -= length;
    return Buffer.from(whole.buffer, whole.byteOffset, length);
  }

  async isAtEnd(): Promise<boolean> {
    return this.#length === 0 && !(await this.#more());
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done === true) return false;
    this.#held.push(value);
    this.#length += value.length;
    return true;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function invalid(message: string, cause?: unknown): UsageError {
  return new UsageError(ERROR_CODES.FORMAT, message, { cause });
}
