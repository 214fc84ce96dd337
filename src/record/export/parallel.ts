import { ERROR_CODES, UsageError } from '../../errors.js';
import { OutputFile } from '../../output-file.js';
import type { ParallelPaths } from '../import/parallel/import-parallel.js';
import { breaksLine, encodeLine } from '../line-escapes.js';
import { refuseHalfPairs } from './cells.js';
import type { AttackRecord } from '../schema.js';

/** What to do with a text that doesn't fit on one line. */
export const LINE_BREAKS = ['error', 'space', 'escape'] as const;

/** What to do with a record that lacks one of the texts. */
export const MISSING = ['skip', 'empty', 'error'] as const;

/** Options of {@link exportParallel}. */
export interface ParallelExportOptions {
  /**
   * `error` (default) refuses a text with a line break; `space` writes a space for each; `escape` writes `\n`, `\r` and `\\`
   * in every text, which `import parallel --line-breaks escape` reads again.
   */
  readonly lineBreaks?: (typeof LINE_BREAKS)[number] | undefined;
  /** `skip` (default) leaves the record out of all files; `empty` writes an empty line; `error` refuses it. */
  readonly missing?: (typeof MISSING)[number] | undefined;
  /** Stops the work. */
  readonly signal?: AbortSignal | undefined;
}

/** What was written. */
export interface ParallelExport {
  readonly written: number;
  /** Records that were left out because a text is missing. */
  readonly skipped: number;
}

/** Line-aligned files of records, written one by one; they appear under their names when they are complete. */
export class ParallelFiles {
  readonly #outputs: readonly Output[];
  readonly #options: ParallelExportOptions;
  #written = 0;
  #skipped = 0;

  private constructor(outputs: readonly Output[], options: ParallelExportOptions) {
    this.#outputs = outputs;
    this.#options = options;
  }

  /**
   * Opens the files.
   *
   * @param paths Where each text goes; several references go to as many files.
   * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when there is no path or one stands twice.
   */
  static async open(paths: ParallelPaths, options: ParallelExportOptions = {}): Promise<ParallelFiles> {
    return new ParallelFiles(await openOutputs(paths), options);
  }

  /** How many records were written and left out so far. */
  get counts(): ParallelExport {
    return { written: this.#written, skipped: this.#skipped };
  }

  /**
   * Adds a line to each file.
   *
   * @throws {UsageError} `ERR_TEAPOT_FORMAT` with the record's id when a text is missing or doesn't fit on a line.
   */
  async write(record: AttackRecord): Promise<void> {
    const lines = linesOf(record, this.#outputs, this.#options);
    if (lines === undefined) {
      this.#skipped += 1;
      return;
    }
    this.#written += 1;
    for (const [index, output] of this.#outputs.entries()) {
      const text = lines[index] ?? '';
      // Readers take one byte order mark at the start of a file away: a text that starts with one gets another.
      const mark = this.#written === 1 && text.startsWith('\uFEFF') ? '\uFEFF' : '';
      output.batch += `${mark}${text}\n`;
      if (output.batch.length >= BATCH_LENGTH) await flush(output);
    }
  }

  /** Completes the files: from now on they have their names. */
  async commit(): Promise<void> {
    for (const output of this.#outputs) await flush(output);
    for (const { file } of this.#outputs) await file.commit();
  }

  /** Gives the files up: nothing stays of them. Safe to call at any time, also after `commit`. */
  async discard(): Promise<void> {
    for (const { file } of this.#outputs) await file.discard();
  }
}

/**
 * Writes records as line-aligned files: line N of each file belongs to the same record.
 *
 * @param paths Where each text goes; several references go to as many files.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when there is no path or one stands twice; `ERR_TEAPOT_FORMAT` with the
 *   record's id when a text is missing or doesn't fit on a line.
 */
export async function exportParallel(
  records: AsyncIterable<AttackRecord>,
  paths: ParallelPaths,
  options: ParallelExportOptions = {},
): Promise<ParallelExport> {
  const files = await ParallelFiles.open(paths, options);
  try {
    for await (const record of records) {
      options.signal?.throwIfAborted();
      await files.write(record);
    }
    await files.commit();
    return files.counts;
  } finally {
    await files.discard();
  }
}

interface Output {
  readonly field: 'src' | 'adv_src' | 'out' | 'adv_out' | 'ref';
  /** Which of several references. */
  readonly index: number;
  readonly file: OutputFile;
  /** Lines that were not handed to the file yet. */
  batch: string;
}

/** How much text is gathered before it is handed to a file, in UTF-16 units. */
const BATCH_LENGTH = 64 * 1024;

async function flush(output: Output): Promise<void> {
  const { batch } = output;
  output.batch = '';
  if (batch !== '') await output.file.write(batch);
}

async function openOutputs({ src, advSrc, out, advOut, refs }: ParallelPaths): Promise<Output[]> {
  const wanted = Object.entries({ src, adv_src: advSrc, out, adv_out: advOut })
    .filter((entry): entry is [Exclude<Output['field'], 'ref'>, string] => entry[1] !== undefined)
    .map(([field, path]) => ({ field, index: 0, path }));
  const all = [...wanted, ...(refs ?? []).map((path, index) => ({ field: 'ref' as const, index, path }))];
  if (all.length === 0) {
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      'no files: give at least one of the option `src`, the option `advSrc`, the option `out`, the option `advOut` or the option `ref`',
    );
  }
  const twice = all.find(({ path }, index) => all.findIndex((other) => other.path === path) !== index);
  if (twice !== undefined) {
    throw new UsageError(ERROR_CODES.INVALID_OPTION, `${twice.path} is named twice: each text needs a file of its own`);
  }
  const outputs: Output[] = [];
  try {
    for (const { path, ...output } of all) outputs.push({ ...output, file: await OutputFile.open(path), batch: '' });
  } catch (error) {
    for (const { file } of outputs) await file.discard();
    throw error;
  }
  return outputs;
}

/** The lines of a record; undefined when it is left out. */
function linesOf(
  record: AttackRecord,
  outputs: readonly Output[],
  { lineBreaks = 'error', missing = 'skip' }: ParallelExportOptions,
): string[] | undefined {
  const texts = outputs.map(({ field, index }) => {
    if (field !== 'ref') return record[field];
    return Array.isArray(record.ref) ? (record.ref[index] ?? null) : index === 0 ? record.ref : null;
  });
  const gap = texts.indexOf(null);
  if (gap !== -1 && missing === 'skip') return undefined;
  if (gap !== -1 && missing === 'error')
    throw refused(record, `has no ${outputs[gap]?.field}`, 'the option `missing` skip or empty');
  return texts.map((text, index) => {
    if (text === null) return '';
    refuseHalfPairs(record, [[outputs[index]?.field ?? '', text]], 'a text file');
    if (lineBreaks === 'escape') return encodeLine(text);
    if (!breaksLine(text)) return text;
    if (lineBreaks === 'space') return text.replaceAll(/\r?\n|\r$/gu, ' ');
    const reason = `${outputs[index]?.field} holds a line break`;
    throw refused(record, reason, 'the option `lineBreaks` space or escape');
  });
}

function refused(record: AttackRecord, reason: string, remedy: string): UsageError {
  const { file, line } = record.provenance ?? {};
  const place =
    typeof file === 'string' ? ` (from ${file}${line === null || line === undefined ? '' : `:${line}`})` : '';
  return new UsageError(ERROR_CODES.FORMAT, `record ${record.id}${place}: ${reason}: use ${remedy}`);
}
