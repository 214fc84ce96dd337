import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { ERROR_CODES, UsageError } from '../errors.js';
import type { SegmentBatch, SegmentSource } from './segment-source.js';
import { STDIN } from './source-file.js';

/** Files of a folder that are tables, by their names. */
const TABLE_NAME = /\.(?:csv|tsv|jsonl|ndjson|parquet)(?:\.gz|\.zst)?$/iu;

/** What makes a pattern of a name. */
const PATTERN = /[*?]/u;

/**
 * The files that the names of tables stand for: a file is itself, a folder the tables in it (.csv .tsv .jsonl .ndjson .parquet, also .gz
 * and .zst; not those of folders inside of it, and no hidden ones), a pattern (`parts/*.csv`, with `*` and `?` in the last part) the
 * files that it fits.
 *
 * @returns At least one path, each once, in the order of their names (by code units: `part-10` comes before `part-2`).
 * @throws {UsageError} `ERR_TEAPOT_READ` for a folder without a table or that can't be read, and a pattern that fits nothing;
 *   `ERR_TEAPOT_INVALID_OPTION` for a file that is named twice, and for standard input among others.
 */
export async function tableFiles(names: readonly string[]): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const name of names) paths.push(...(await filesOf(name)));
  paths.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const twice = paths.find((path, index) => path === paths[index - 1]);
  if (twice !== undefined) {
    throw new UsageError(ERROR_CODES.INVALID_OPTION, `--data: ${twice} is named twice: its rows would count twice.`);
  }
  if (paths.length > 1 && paths.includes(STDIN)) {
    throw new UsageError(ERROR_CODES.INVALID_OPTION, '--data: standard input (-) is the only table where it is one.');
  }
  return paths;
}

async function filesOf(name: string): Promise<readonly string[]> {
  if (name === STDIN) return [name];
  const kind = await kindOf(name);
  if (kind === 'folder') return filesIn(name, (file) => TABLE_NAME.test(file), 'no table (.csv .tsv .jsonl .parquet)');
  // A file may be called so.
  if (kind === 'file' || !PATTERN.test(basename(name))) return [name];
  const parts = basename(name).split(/([*?])/u);
  const pattern = parts.map((part) => (part === '*' ? '.*' : part === '?' ? '.' : escaped(part))).join('');
  const fits = new RegExp(`^${pattern}$`, 'su');
  const folder = dirname(name);
  const files = await filesIn(folder, (file) => fits.test(file), `no file that ${basename(name)} fits`);
  return folder === '.' && !name.startsWith('./') ? files.map((file) => basename(file)) : files;
}

async function filesIn(folder: string, fits: (name: string) => boolean, missing: string): Promise<readonly string[]> {
  let entries;
  try {
    entries = await readdir(folder);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(ERROR_CODES.READ, `--data: ${folder} can't be read: ${reason}`, { cause });
  }
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry);
    if (!entry.startsWith('.') && fits(entry) && (await kindOf(path)) === 'file') files.push(path);
  }
  if (files.length === 0) throw new UsageError(ERROR_CODES.READ, `--data: the folder ${folder} holds ${missing}.`);
  return files;
}

/** What a path is; a file also for a pipe, and for what the reader will find missing. */
async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    return undefined;
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.+()[\]{}|/]/gu, String.raw`\$&`);
}

/** Whether an error says that an input has no segment. */
export function isEmptyInput(error: unknown): boolean {
  return error instanceof UsageError && error.code === ERROR_CODES.EMPTY_INPUT;
}

/** The error of several tables of which none has a row. */
export function noRows(names: readonly string[]): UsageError {
  return new UsageError(ERROR_CODES.EMPTY_INPUT, `${names.join(', ')}: no samples: none of the tables has a record.`);
}

/**
 * Several sources one after the other as one. A source without a segment is passed over, as the empty parts that Spark writes.
 *
 * @param sources At least one, with the names of their files, which messages say.
 * @throws {UsageError} from `batches`: what the sources throw, and `ERR_TEAPOT_EMPTY_INPUT` when none has a segment.
 */
export function concatenatedSource(
  sources: readonly { readonly name: string; readonly source: SegmentSource }[],
): SegmentSource {
  return {
    async *batches(segments, run) {
      let before = 0;
      for (const { name, source } of sources) {
        let read = 0;
        try {
          for await (const batch of source.batches(segments, run)) {
            read = batch.firstSegment + batch.count;
            yield placed(batch, name, before);
          }
        } catch (error) {
          if (!isEmptyInput(error)) throw error;
        }
        before += read;
      }
      if (before === 0) throw noRows(sources.map(({ name }) => name));
    },
    inputs: async () => (await Promise.all(sources.map(async ({ source }) => source.inputs()))).flat(),
  };
}

function placed(batch: SegmentBatch, name: string, before: number): SegmentBatch {
  return {
    ...batch,
    firstSegment: before + batch.firstSegment,
    place: (index) => batch.place?.(index) ?? `${name}: row ${batch.firstSegment + index + 1}`,
  };
}
