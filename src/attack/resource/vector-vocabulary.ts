import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { ERROR_CODES, UsageError } from '../../errors.js';

/**
 * The words of the rows of an array of vectors, from a file beside it: the first of
 *
 * - `NAME.vocab.txt` or `NAME.txt`, where the array is `NAME.npy` or `NAME.safetensors`, and `vocab.txt`: one word a line, as many as rows;
 * - `tokenizer.json` of a language model: the pieces of its vocabulary that are whole words.
 *
 * In a list of pieces of words, those that begin with `##` go on with a word and are left out.
 *
 * @param rows Rows of the array.
 * @returns The word of each row; undefined where the row is none.
 * @throws {UsageError} `ERR_TEAPOT_RESOURCE` when there is no such file; `ERR_TEAPOT_FORMAT` when it does not fit the array.
 */
export async function vectorVocabulary(path: string, rows: number): Promise<readonly (string | undefined)[]> {
  const file = await vocabularyFile(path);
  if (file === undefined) {
    throw new UsageError(
      ERROR_CODES.RESOURCE,
      `${path}: found no words beside it: expected ${candidates(path).join(', or ')} (a word a line), or tokenizer.json`,
    );
  }
  const text = await readFile(file, 'utf8');
  if (file.endsWith('.json')) return tokenizerWords(text, file, rows);
  const lines = text.replace(/\n$/u, '').split('\n');
  if (lines.length !== rows) {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${file}: found ${lines.length} words, expected ${rows}: as many as ${path} has rows`,
    );
  }
  return lines.map((line) => line.replace(/\r$/u, '')).map((word) => (word.startsWith('##') ? undefined : word));
}

/** The file with the words of an array; undefined when there is none. */
export async function vocabularyFile(path: string): Promise<string | undefined> {
  for (const file of [...candidates(path), join(dirname(path), 'tokenizer.json')]) {
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() === true) return file;
  }
  return undefined;
}

function candidates(path: string): string[] {
  const stem = path.replace(/\.(?:gz|zst)$/iu, '').replace(/\.[^.]+$/u, '');
  return [`${stem}.vocab.txt`, `${stem}.txt`, join(dirname(path), 'vocab.txt')];
}

/** The whole words of a `tokenizer.json` by their numbers. */
function tokenizerWords(text: string, file: string, rows: number): (string | undefined)[] {
  const { vocab, prefix } = readTokenizer(text, file);
  const pieces: [string, number][] = Array.isArray(vocab)
    ? vocab.map((entry, index) => [String(Array.isArray(entry) ? entry[0] : entry), index])
    : Object.entries(Object(vocab) as Record<string, unknown>).map(([piece, id]) => [piece, Number(id)]);
  // Byte-level pieces and sentence pieces mark the beginning of a word, others mark that a piece goes on.
  const mark = ['Ġ', '▁'].find((sign) => pieces.some(([piece]) => piece.length > 1 && piece.startsWith(sign)));
  const words: (string | undefined)[] = Array.from({ length: rows });
  for (const [piece, id] of pieces) {
    if (!Number.isSafeInteger(id) || id < 0 || id >= rows) {
      throw new UsageError(
        ERROR_CODES.FORMAT,
        `${file}: found the piece ${JSON.stringify(piece)} with the number ${id}, expected less than ${rows}: the rows of the array`,
      );
    }
    if (mark === undefined) words[id] = piece.startsWith(prefix) ? undefined : piece;
    // Byte-level pieces write other letters than ASCII as several signs.
    else if (piece.startsWith(mark) && (mark !== 'Ġ' || /^Ġ[\w'-]+$/u.test(piece)))
      words[id] = piece.slice(mark.length);
  }
  return words;
}

function readTokenizer(text: string, file: string): { readonly vocab: unknown; readonly prefix: string } {
  let model: Record<string, unknown>;
  try {
    model = Object((Object(JSON.parse(text)) as Record<string, unknown>)['model']) as Record<string, unknown>;
  } catch (cause) {
    throw new UsageError(ERROR_CODES.FORMAT, `${file}: is no JSON, expected a tokenizer.json`, { cause });
  }
  const vocab = model['vocab'];
  if (typeof vocab !== 'object' || vocab === null) {
    throw new UsageError(ERROR_CODES.FORMAT, `${file}: has no "model" with a "vocab", expected a tokenizer.json`);
  }
  const prefix = model['continuing_subword_prefix'];
  return { vocab, prefix: typeof prefix === 'string' && prefix !== '' ? prefix : '##' };
}
