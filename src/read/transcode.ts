import { TextDecoder } from 'node:util';

import { ERROR_CODES, UsageError } from '../errors.js';

/** More bytes without a line end are no line of text; the reader of lines has the same limit. */
const LONGEST_LINE_BYTES = 64 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** The encodings that messages and help name. Every other label that `TextDecoder` takes is read as well, in every command. */
export const ENCODINGS = ['utf-8', 'latin-1', 'windows-1252', 'utf-16'] as const;

/** Whether a label is that of ISO 8859-1, as here: the web takes it for windows-1252. */
export function isLatin1(label: string): boolean {
  return /^(?:latin-?1|iso-8859-1)$/iu.test(label);
}

/**
 * Checks the label of an encoding before any work.
 *
 * @returns The label, one name for each of {@link ENCODINGS}.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for what is no label.
 */
export function checkEncoding(label: string): string {
  if (isLatin1(label)) return 'latin-1';
  const lower = label.toLowerCase();
  if (lower === 'utf-16' || lower === 'utf16') return 'utf-16';
  return decoderOf(lower, false, label).encoding;
}

/**
 * Turns a stream in another encoding into UTF-8.
 *
 * Whole lines are decoded at a time, so that every piece begins where a character does, and a byte that is none in the
 * encoding is reported with its line.
 *
 * @param encoding Any label that `TextDecoder` knows.
 * @param name The file's name, for errors.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for an unknown encoding; `ERR_TEAPOT_FORMAT` with file, line and byte for
 *   bytes that are no text in it, and for a line that is too long.
 */
export async function* transcode(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
  name: string,
): AsyncGenerator<Uint8Array> {
  let codec: Codec | undefined;
  let carry: Uint8Array[] = [];
  let carryBytes = 0;
  let line = 1;
  const decode = (bytes: Buffer, { name: label, decoder, unit, isLineEnd }: Codec): Uint8Array => {
    try {
      const text = decoder().decode(bytes);
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) line += 1;
      return Buffer.from(text, 'utf8');
    } catch (cause) {
      throw badBytes(bytes, { encoding: label, unit, isLineEnd, name, line }, cause);
    }
  };
  for await (const chunk of chunks) {
    carry.push(chunk);
    carryBytes += chunk.length;
    if (!chunk.includes(LINE_FEED)) {
      if (carryBytes > LONGEST_LINE_BYTES) {
        throw new UsageError(
          ERROR_CODES.FORMAT,
          `${name}:${line}: the line is longer than ${LONGEST_LINE_BYTES} bytes: is this a text file with line ends?`,
        );
      }
      continue;
    }
    const bytes = Buffer.concat(carry);
    if (bytes.length < 2) continue;
    codec ??= codecOf(encoding, bytes);
    const { unit, isLineEnd } = codec;
    let end = bytes.length - (bytes.length % unit);
    while (end > 0 && !isLineEnd(bytes, end - unit)) end -= unit;
    carry = end === bytes.length ? [] : [bytes.subarray(end)];
    carryBytes = bytes.length - end;
    if (end > 0) yield decode(bytes.subarray(0, end), codec);
  }
  const rest = Buffer.concat(carry);
  codec ??= codecOf(encoding, rest);
  if (rest.length > 0) yield decode(rest, codec);
}

/** How one encoding is read. */
interface Codec {
  /** The encoding's own name. */
  readonly name: string;
  /** Bytes of which every character is a multiple, as far as line ends go. */
  readonly unit: 1 | 2;
  readonly isLineEnd: LineEndTest;
  /** The decoder of the next block: that of the first one takes a byte order mark away. */
  readonly decoder: () => InstanceType<typeof TextDecoder>;
}

function codecOf(encoding: string, first: Uint8Array): Codec {
  const label = withByteOrder(encoding.toLowerCase(), first);
  const once = decoderOf(label, false, encoding);
  const later = decoderOf(label, true, encoding);
  let isFirst = true;
  return {
    name: once.encoding,
    unit: once.encoding.startsWith('utf-16') ? 2 : 1,
    isLineEnd: lineEndTest(once.encoding),
    decoder: () => {
      const decoder = isFirst ? once : later;
      isFirst = false;
      return decoder;
    },
  };
}

/** The native reader's rule: UTF-16 is little endian unless a byte order mark says otherwise. */
function withByteOrder(label: string, first: Uint8Array): string {
  if (label !== 'utf-16' && label !== 'utf16') return label;
  return first[0] === 0xfe && first[1] === 0xff ? 'utf-16be' : 'utf-16le';
}

/** Whether the character at an index is a line feed. */
type LineEndTest = (bytes: Uint8Array, at: number) => boolean;

function lineEndTest(encoding: string): LineEndTest {
  if (encoding === 'utf-16le') return (bytes, at) => bytes[at] === LINE_FEED && bytes[at + 1] === 0;
  if (encoding === 'utf-16be') return (bytes, at) => bytes[at] === 0 && bytes[at + 1] === LINE_FEED;
  // In the other encodings no character of several bytes has this one.
  return (bytes, at) => bytes[at] === LINE_FEED;
}

function decoderOf(label: string, ignoreBOM: boolean, encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM });
  } catch (cause) {
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `the option \`encoding\` ${encoding}: there is no such encoding; expected ${ENCODINGS.join(', ')}, or another label of the Encoding Standard, such as gbk`,
      { cause },
    );
  }
}

interface Place {
  readonly encoding: string;
  readonly unit: number;
  readonly isLineEnd: LineEndTest;
  readonly name: string;
  readonly line: number;
}

/** Finds the first line of a block that is no text in the encoding, and the byte at which its decoder stops. */
function badBytes(
  block: Buffer,
  { encoding, unit, isLineEnd, name, line: blockLine }: Place,
  cause: unknown,
): UsageError {
  let line = blockLine;
  let start = 0;
  for (let at = 0; at < block.length; at += unit) {
    if (!isLineEnd(block, at) && at + unit < block.length) continue;
    const bytes = block.subarray(start, at + unit);
    const bad = stopsAt(bytes, encoding);
    if (bad !== undefined) {
      const found = `0x${(bytes[bad] ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
      return new UsageError(
        ERROR_CODES.FORMAT,
        `${name}:${line}: byte ${bad + 1} of the line (${found}) is not valid ${encoding}: ` +
          'name the encoding that the file has with the option `encoding`, or convert it to UTF-8',
        { cause },
      );
    }
    line += 1;
    start = at + unit;
  }
  return new UsageError(ERROR_CODES.FORMAT, `${name}: is not valid ${encoding}`, { cause });
}

/** The index of the byte at which a line is seen to be no text; undefined when it is one. */
function stopsAt(bytes: Buffer, encoding: string): number | undefined {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  for (let at = 0; at < bytes.length; at += 1) {
    try {
      decoder.decode(bytes.subarray(at, at + 1), { stream: true });
    } catch {
      return at;
    }
  }
  try {
    decoder.decode();
    return undefined;
  } catch {
    return bytes.length - 1;
  }
}
