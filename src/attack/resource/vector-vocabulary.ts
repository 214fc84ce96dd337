import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { ERROR_CODES, UsageError } from '../../errors.js';
import { wholeWords } from './whole-words.js';

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
  let found: ReadonlyMap<number, string> | undefined;
  try {
    found = wholeWords((Object(JSON.parse(text)) as Record<string, unknown>)['model']);
  } catch (cause) {
    throw new UsageError(ERROR_CODES.FORMAT, `${file}: is no JSON, expected a tokenizer.json`, { cause });
  }
  if (found === undefined) {
    throw new UsageError(ERROR_CODES.FORMAT, `${file}: has no "model" with a "vocab", expected a tokenizer.json`);
  }
  const words: (string | undefined)[] = Array.from({ length: rows });
  for (const [id, word] of found) {
    if (!Number.isSafeInteger(id) || id < 0 || id >= rows) {
      throw new UsageError(
        ERROR_CODES.FORMAT,
        `${file}: found ${JSON.stringify(word)} with the number ${id}, expected less than ${rows}: the rows of the array`,
      );
    }
    words[id] = word;
  }
  return words;
}
