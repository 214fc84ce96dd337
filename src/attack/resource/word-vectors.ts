import { ERROR_CODES, UsageError } from '../../errors.js';
import { openSource } from '../../read/source-file.js';
import { readNpyVectors, readSafetensorsVectors } from './array-vectors.js';
import { ByteReader } from './byte-reader.js';
import { readNumbers } from './number-array.js';
import { VectorTableBuilder } from './vector-table.js';
import type { VectorTable } from './vector-table.js';

/**
 * Reads vectors of words, at most the first {@link MOST_VECTORS} rows; which kind a file is, its name says (before `.gz` or `.zst`):
 *
 * - `.npy`, `.safetensors`: an array with its words in a file beside it;
 * - `.bin`: word2vec's binary file;
 * - anything else: word2vec's text (a first line with number and size) or GloVe's (without), a word and its numbers a line.
 *
 * Rows whose name is no word (digits, signs) are left out, and so is a name that came before.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with the file and the line or row when it is none of that.
 */
export async function readWordVectors(path: string, signal: AbortSignal | undefined): Promise<VectorTable> {
  const name = path.toLowerCase().replace(/\.(?:gz|zst)$/u, '');
  if (name.endsWith('.npy')) return readNpyVectors(path, signal);
  if (name.endsWith('.safetensors')) return readSafetensorsVectors(path, signal);
  return name.endsWith('.bin') ? readBinaryVectors(path, signal) : readTextVectors(path, signal);
}

/** Tells by its name whether a file holds vectors; text may be a table of neighbours as well. */
export function isVectorFile(path: string): boolean {
  return /\.(?:npy|safetensors|bin)(?:\.gz|\.zst)?$/iu.test(path);
}

async function readTextVectors(path: string, signal: AbortSignal | undefined): Promise<VectorTable> {
  let builder: VectorTableBuilder | undefined;
  let size = 0;
  for await (const batch of openSource(path, { signal }).lines()) {
    for (const { text, line } of batch) {
      const fields = text.trimEnd().split(' ');
      if ((line === 1 && fields.length === 2) || fields.length < 2) continue;
      // Only the numbers are certain not to hold a space.
      if (builder === undefined) {
        size = fields.length - 1;
        builder = new VectorTableBuilder(size);
      }
      const word = fields.slice(0, Math.max(0, fields.length - size)).join(' ');
      if (word === '' || !builder.add(word, fields.slice(-size).map(Number))) {
        throw new UsageError(
          ERROR_CODES.FORMAT,
          `${path}:${line}: found ${JSON.stringify(text.slice(0, 60))}, expected a word and ${size} numbers, separated by spaces`,
        );
      }
      if (builder.isFull) return builder.build();
    }
  }
  return (builder ?? new VectorTableBuilder(0)).build();
}

/** A line with number and size; then a word, a space and its numbers (32 bits each), with or without a line end. */
async function readBinaryVectors(path: string, signal: AbortSignal | undefined): Promise<VectorTable> {
  const reader = new ByteReader(openSource(path, { signal }).chunks(), path);
  try {
    const head = Buffer.from(await reader.until(0x0a, 64, 'the first line')).toString('latin1');
    const [, rows = '', columns = ''] = /^(\d+) (\d+)\s*$/u.exec(head) ?? [];
    const [count, size] = [Number(rows), Number(columns)];
    if (rows === '' || size === 0) {
      const found = JSON.stringify(head.slice(0, 60));
      throw new UsageError(
        ERROR_CODES.FORMAT,
        `${path}: begins with ${found}, expected the number of words and their size`,
      );
    }
    const builder = new VectorTableBuilder(size, count);
    for (let row = 0; row < count && !builder.isFull; row += 1) {
      const what = `row ${row + 1} of ${count}`;
      const word = Buffer.from(await reader.until(0x20, 4096, what))
        .toString('utf8')
        .replace(/^\n/u, '');
      if (!builder.add(word, readNumbers(await reader.read(size * 4, what), 'float32'))) {
        throw new UsageError(ERROR_CODES.FORMAT, `${path}: ${what} (${word}) holds a number that is not finite`);
      }
    }
    return builder.build();
  } finally {
    await reader.close();
  }
}
