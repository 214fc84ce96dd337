import { Buffer, isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

import { parquetMetadataAsync, parquetRead, parquetReadObjects, parquetSchema } from 'hyparquet';
import type { AsyncBuffer, FileMetaData, SchemaTree } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

import { ERROR_CODES, TeapotError, UsageError } from '../errors.js';

/** A Parquet file whose rows can be read. */
export interface ParquetFile {
  /** The names of the columns at the top of the schema, in order. */
  readonly columns: readonly string[];
  readonly rowCount: number;
  /**
   * Reads the rows, one row group at a time: memory grows with the largest row group, not with the file.
   *
   * Each row has every column that was asked for: null stays null and never shifts the rows behind it.
   *
   * @param columns The columns to read. Default: all.
   * @yields Some thousand rows; the first row of the file has number 1.
   */
  rows(columns?: readonly string[]): AsyncGenerator<ParquetRows>;
  close(): Promise<void>;
}

/** Consecutive rows. */
export interface ParquetRows {
  /** The 1-based number of the first one. */
  readonly firstRow: number;
  /** The cells of each row, in the order of the columns; see {@link plainValue}. */
  readonly rows: readonly (readonly unknown[])[];
}

/** How many rows are handed on at once: a row group may have a million. */
const ROWS_AT_ONCE = 4096;

/** The library's own decoder would take a byte order mark at the start of a text away and hide bytes that are no UTF-8. */
const parsers = {
  stringFromBytes(bytes: Uint8Array): string {
    if (!isUtf8(bytes)) throw new Error('a text is not valid UTF-8');
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  },
  timestampFromMicroseconds: (micros: bigint): string => timeText(micros, 1_000_000n),
  timestampFromNanoseconds: (nanos: bigint): string => timeText(nanos, 1_000_000_000n),
};

/** A time in ISO 8601 with all its digits: a Date would cut them to milliseconds. */
function timeText(time: bigint, unitsPerSecond: bigint): string {
  const rest = ((time % unitsPerSecond) + unitsPerSecond) % unitsPerSecond;
  const seconds = new Date(Number((time - rest) / unitsPerSecond) * 1000).toISOString().slice(0, -5);
  const digits = String(rest).padStart(String(unitsPerSecond).length - 1, '0');
  return `${seconds}.${digits.replace(/(?<=^\d{3,})0+$/u, '')}Z`;
}

/**
 * Opens a Parquet file (uncompressed, Snappy, gzip, zstd, Brotli or LZ4).
 *
 * @param path A path: Parquet is read from its end, so standard input can't be read.
 * @throws {TeapotError} `ERR_TEAPOT_READ` when the file can't be opened; `ERR_TEAPOT_FORMAT` when it is damaged or cut off.
 */
export async function openParquet(path: string): Promise<ParquetFile> {
  const handle = await openFile(path);
  try {
    const buffer = await slicedFile(handle);
    const metadata = await parquetMetadataAsync(buffer);
    buffer.check();
    const { children } = parquetSchema(metadata);
    const columns = children.map((child) => child.element.name);
    const structs = new Set(children.filter(hasSeveralLeaves).map((child) => child.element.name));
    return {
      columns,
      rowCount: Number(metadata.num_rows),
      rows: (wanted) => readRowGroups(path, buffer, metadata, structs, wanted ?? columns),
      close: () => handle.close(),
    };
  } catch (cause) {
    await handle.close();
    throw damaged(path, cause);
  }
}

async function* readRowGroups(
  path: string,
  file: SlicedFile,
  metadata: FileMetaData,
  structs: ReadonlySet<string>,
  columns: readonly string[],
): AsyncGenerator<ParquetRows> {
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    const cells = await readColumns(path, structs, { file, metadata, columns: [...columns], rowStart, rowEnd });
    for (let start = rowStart; start < rowEnd; start += ROWS_AT_ONCE) {
      const count = Math.min(ROWS_AT_ONCE, rowEnd - start);
      const rows = Array.from({ length: count }, (_, index) =>
        cells.map((column) => column[start - rowStart + index] ?? null),
      );
      yield { firstRow: start + 1, rows };
    }
    rowStart = rowEnd;
  }
}

/** Reads the columns of one row group, each as a list as long as the group. */
async function readColumns(
  path: string,
  structs: ReadonlySet<string>,
  options: { file: SlicedFile; metadata: FileMetaData; columns: string[]; rowStart: number; rowEnd: number },
): Promise<unknown[][]> {
  const { columns, rowStart, rowEnd } = options;
  const chunks = new Map<string, { readonly start: number; readonly data: ArrayLike<unknown> }[]>();
  const shared = { ...options, compressors, parsers, utf8: false };
  try {
    const whole = columns.filter((name) => structs.has(name));
    if (whole.length > 0) {
      const rows = await parquetReadObjects({ ...shared, columns: whole });
      for (const name of whole) chunks.set(name, [{ start: rowStart, data: rows.map((row) => row[name]) }]);
    }
    const flat = [...new Set(columns)].filter((name) => !structs.has(name));
    // One after the other: the failure of a column that isn't waited for yet would end the process.
    for (const name of flat) {
      await parquetRead({
        ...shared,
        columns: [name],
        onChunk: ({ columnName, columnData, rowStart: start }) => {
          const known = chunks.get(columnName) ?? [];
          known.push({ start, data: columnData });
          chunks.set(columnName, known);
        },
      });
    }
    options.file.check();
  } catch (cause) {
    throw damaged(path, cause);
  }
  return columns.map((name) => {
    const parts = (chunks.get(name) ?? []).toSorted((a, b) => a.start - b.start);
    const cells = parts.flatMap(({ data }) => Array.from(data));
    if (cells.length === rowEnd - rowStart) return cells;
    throw damaged(
      path,
      new Error(`column ${name} has ${cells.length} values in a row group of ${rowEnd - rowStart} rows`),
    );
  });
}

/** Whether a column is a struct, or a list of them: its values are put together of several columns of the file. */
function hasSeveralLeaves({ children }: SchemaTree): boolean {
  const [only, ...more] = children;
  return more.length > 0 || (only !== undefined && hasSeveralLeaves(only));
}

/**
 * A cell as a value of JSON: 64-bit integers, dates and bytes have no place there. Bytes that are UTF-8 are a text (some
 * writers don't mark texts as such), others are written in base64.
 */
export function plainValue(cell: unknown): unknown {
  if (typeof cell === 'bigint') return Number.isSafeInteger(Number(cell)) ? Number(cell) : String(cell);
  if (cell instanceof Uint8Array) return Buffer.from(cell).toString(isUtf8(cell) ? 'utf8' : 'base64');
  if (cell instanceof Date) return cell.toISOString();
  if (Array.isArray(cell)) return cell.map(plainValue);
  if (typeof cell === 'object' && cell !== null) {
    return Object.fromEntries(Object.entries(cell).map(([key, value]) => [key, plainValue(value)]));
  }
  return cell === undefined ? null : cell;
}

async function openFile(path: string): Promise<FileHandle> {
  if (path === '-') {
    throw new UsageError(
      ERROR_CODES.READ,
      'Parquet is read from its end, so it can not come from standard input: name the file.',
    );
  }
  try {
    return await open(path);
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing) throw new UsageError(ERROR_CODES.READ, `${path}: no such file`, { cause });
    throw new TeapotError(ERROR_CODES.READ, `${path}: can't be read: ${(cause as Error).message}`, { cause });
  }
}

/** A file as the decoder reads it, and what failed on the way. */
interface SlicedFile extends AsyncBuffer {
  /** Throws what a read failed with, or that the file names places outside of it. */
  check(): void;
}

/**
 * A damaged file names places that aren't there, and the decoder reads several places at a time: a promise that it doesn't
 * wait for yet must not be rejected, since that ends the process. So `slice` gives the bytes that there are, and `check` tells.
 */
async function slicedFile(handle: FileHandle): Promise<SlicedFile> {
  const { size } = await handle.stat();
  let failure: Error | undefined;
  return {
    byteLength: size,
    async slice(start, end = size) {
      const [from, to] = [start, end].map((place) => Math.min(size, Math.max(0, Math.trunc(place) || 0))) as [
        number,
        number,
      ];
      if (from !== start || to !== end || from > to) {
        failure ??= new Error(`it names bytes ${start} to ${end} of ${size}`);
      }
      const bytes = Buffer.alloc(Math.max(0, to - from));
      try {
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
        return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytesRead);
      } catch (error) {
        failure ??= error as Error;
        return new ArrayBuffer(0);
      }
    },
    check() {
      if (failure !== undefined) throw failure;
    },
  };
}

function damaged(path: string, cause: unknown): Error {
  if (cause instanceof TeapotError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new UsageError(ERROR_CODES.FORMAT, `${path}: no Parquet file, or damaged or cut off: ${reason}`, { cause });
}
