import { ERROR_CODES, UsageError } from '../../errors.js';
import { openSource } from '../../read/source-file.js';
import { ByteReader } from './byte-reader.js';
import { NUMBER_BYTES, readNumbers } from './number-array.js';
import type { NumberFormat } from './number-array.js';
import { VectorTableBuilder } from './vector-table.js';
import type { VectorTable } from './vector-table.js';
import { vectorVocabulary } from './vector-vocabulary.js';

/** Where the numbers of a table stand in a file. */
export interface ArrayLayout {
  readonly format: NumberFormat;
  readonly rows: number;
  /** Numbers a row. */
  readonly columns: number;
}

/** Bytes read at a time, about. */
const PORTION_BYTES = 1 << 20;

/** The formats of `.npy` that hold vectors. */
const DESCRIPTIONS: Readonly<Record<string, NumberFormat>> = { '<f2': 'float16', '<f4': 'float32', '<f8': 'float64' };

/** The types of safetensors that hold vectors. */
const TYPES: Readonly<Record<string, NumberFormat>> = {
  F16: 'float16',
  BF16: 'bfloat16',
  F32: 'float32',
  F64: 'float64',
};

/**
 * Reads the vectors of a NumPy file (`.npy`, versions 1 to 3: `float16`, `float32` or `float64`, little-endian, two dimensions in C order).
 * The words stand in a file beside it; see {@link vectorVocabulary}.
 *
 * Source: NumPy's NEP 1 and `numpy.lib.format`.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` for any other file; `ERR_TEAPOT_RESOURCE` without a vocabulary.
 */
export async function readNpyVectors(path: string, signal: AbortSignal | undefined): Promise<VectorTable> {
  const reader = new ByteReader(openSource(path, { signal }).chunks(), path);
  try {
    return await readRows(path, reader, await readNpyHeader(reader, path));
  } finally {
    await reader.close();
  }
}

/**
 * Reads the vectors of a safetensors file: its one table of two dimensions, or the one named `…word_embeddings.weight` or
 * `…embed_tokens.weight`. The words stand in a file beside it.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` for any other file; `ERR_TEAPOT_RESOURCE` without a vocabulary.
 */
export async function readSafetensorsVectors(path: string, signal: AbortSignal | undefined): Promise<VectorTable> {
  const reader = new ByteReader(openSource(path, { signal }).chunks(), path);
  try {
    const { start, ...layout } = await readSafetensorsHeader(reader, path);
    await reader.skip(start, 'the tensors before the table');
    return await readRows(path, reader, layout);
  } finally {
    await reader.close();
  }
}

async function readNpyHeader(reader: ByteReader, path: string): Promise<ArrayLayout> {
  const magic = await reader.read(8, 'the header');
  if (Buffer.from(magic.subarray(0, 6)).toString('latin1') !== '\u0093NUMPY') {
    throw refused(path, 'is no .npy file: it does not begin with \\x93NUMPY');
  }
  const [major = 0, minor = 0] = magic.subarray(6);
  if (major < 1 || major > 3) throw refused(path, `has version ${major}.${minor} of .npy, expected 1, 2 or 3`);
  const width = major === 1 ? 2 : 4;
  const length = Buffer.from(await reader.read(width, 'the header')).readUIntLE(0, width);
  if (length > 1 << 20) throw refused(path, `has a header of ${length} bytes, expected less than 1 MiB`);
  const header = Buffer.from(await reader.read(length, 'the header')).toString(major === 3 ? 'utf8' : 'latin1');
  const description = /'descr':\s*'([^']*)'/u.exec(header)?.[1];
  const format = DESCRIPTIONS[description ?? ''];
  if (format === undefined) {
    const found = description ?? header.trim().slice(0, 60);
    throw refused(path, `holds ${found}, expected <f4, <f2 or <f8: save array.astype('<f4')`);
  }
  if (!/'fortran_order':\s*False/u.test(header)) {
    throw refused(path, 'is in Fortran order, expected C order: save numpy.ascontiguousarray(array)');
  }
  const shape = /'shape':\s*\(([^)]*)\)/u.exec(header)?.[1] ?? '';
  const sizes = shape.split(',').flatMap((size) => (size.trim() === '' ? [] : [Number(size)]));
  return layoutOf(path, format, sizes);
}

async function readSafetensorsHeader(
  reader: ByteReader,
  path: string,
): Promise<ArrayLayout & { readonly start: number }> {
  const length = Number(Buffer.from(await reader.read(8, 'the header')).readBigUInt64LE());
  if (length > 1 << 26) throw refused(path, `is no safetensors file: its header would have ${length} bytes`);
  const text = Buffer.from(await reader.read(length, 'the header')).toString('utf8');
  const tables = Object.entries(jsonObject(text, path)).flatMap(([name, value]) => {
    const { dtype, shape, data_offsets: offsets } = Object(value) as Record<string, unknown>;
    const isTable = Array.isArray(shape) && shape.length === 2 && Array.isArray(offsets);
    return isTable ? [{ name, dtype: String(dtype), shape: shape.map(Number), start: Number(offsets[0]) }] : [];
  });
  const named = tables.filter(({ name }) => /(?:^|\.)(?:word_embeddings|embed_tokens)\.weight$/u.test(name));
  const [table] = named.length > 0 ? named : tables;
  if (table === undefined || (named.length === 0 && tables.length > 1)) {
    const found = tables.length === 0 ? 'no table' : tables.map(({ name }) => name).join(', ');
    throw refused(path, `holds ${found.slice(0, 200)}, expected one table, or one named word_embeddings.weight`);
  }
  const format = TYPES[table.dtype];
  if (format === undefined) throw refused(path, `${table.name} holds ${table.dtype}, expected F32, F16, BF16 or F64`);
  return { ...layoutOf(path, format, table.shape), start: table.start };
}

function layoutOf(path: string, format: NumberFormat, sizes: readonly number[]): ArrayLayout {
  const [rows = 0, columns = 0] = sizes;
  if (sizes.length !== 2 || !Number.isSafeInteger(rows) || !(columns > 0 && columns < 1 << 16)) {
    throw refused(path, `has the shape (${sizes.join(', ')}), expected (number of words, numbers a word)`);
  }
  return { format, rows, columns };
}

async function readRows(path: string, reader: ByteReader, layout: ArrayLayout): Promise<VectorTable> {
  const { format, rows, columns } = layout;
  const words = await vectorVocabulary(path, rows);
  const builder = new VectorTableBuilder(columns, rows);
  const rowBytes = columns * NUMBER_BYTES[format];
  const portion = Math.max(1, Math.floor(PORTION_BYTES / rowBytes));
  for (let row = 0; row < rows && !builder.isFull; row += portion) {
    const count = Math.min(portion, rows - row);
    const numbers = readNumbers(await reader.read(count * rowBytes, `row ${row + 1} of ${rows}`), format);
    for (let index = 0; index < count; index += 1) {
      const word = words[row + index];
      if (word === undefined) continue;
      if (!builder.add(word, numbers.subarray(index * columns, (index + 1) * columns))) {
        throw refused(path, `row ${row + index + 1} (${word}) holds a number that is not finite`);
      }
    }
  }
  return builder.build();
}

function jsonObject(text: string, path: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch (cause) {
    throw refused(path, 'is no safetensors file: its header is no JSON', cause);
  }
}

function refused(path: string, what: string, cause?: unknown): UsageError {
  return new UsageError(ERROR_CODES.FORMAT, `${path}: ${what}`, { cause });
}
