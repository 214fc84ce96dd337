import { ERROR_CODES, UsageError } from '../../../errors.js';
import { openSource } from '../../../read/source-file.js';
import type { SourceOptions } from '../../../read/source-file.js';
import { nameGroupingKeys } from '../grouping-keys.js';
import type { ImportOptions } from '../importer.js';
import { decodeLine } from '../../line-escapes.js';
import { fileName } from '../common/values.js';
import { makeRecord } from '../../schema.js';
import type { AttackRecord } from '../../schema.js';

/** Line-aligned files of one attack: what is not there is left out. */
export interface ParallelPaths {
  readonly src?: string | undefined;
  readonly advSrc?: string | undefined;
  readonly out?: string | undefined;
  readonly advOut?: string | undefined;
  /** One file a reference. */
  readonly refs?: readonly string[] | undefined;
}

/** Options of {@link importParallel}. */
export interface ParallelOptions extends ImportOptions, SourceOptions {
  /** The files were written with `--line-breaks escape`: `\n`, `\r` and `\\` in them stand for a line break, … */
  readonly isEscaped?: boolean | undefined;
}

/**
 * Reads line-aligned files into records, one a line, as a stream: line N of each file belongs to record N.
 *
 * Lines are taken as they are, with white space at their ends.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when there is no file, `ERR_TEAPOT_LENGTH_MISMATCH` with names and
 *   numbers of lines when one file has more lines than another.
 */
export async function* importParallel(
  paths: ParallelPaths,
  options: ParallelOptions = {},
): AsyncGenerator<AttackRecord> {
  const files = [
    ...(['src', 'advSrc', 'out', 'advOut'] as const).flatMap((part) => {
      const path = paths[part];
      return path === undefined ? [] : [{ part, path }];
    }),
    ...(paths.refs ?? []).map((path) => ({ part: 'ref' as const, path })),
  ];
  const [first] = files;
  if (first === undefined) {
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      'no files: give at least one of the option `src`, the option `advSrc`, the option `out` or the option `advOut`',
    );
  }
  const stdins = files.filter(({ path }) => path === '-').length;
  if (stdins > 1)
    throw new UsageError(ERROR_CODES.INVALID_OPTION, `${stdins} of the files are -: only one can be standard input`);
  const readers = files.map(({ part, path }) => new LineReader(part, path, options));
  try {
    for (let line = 1; ; line += 1) {
      if (line % 1024 === 1) options.signal?.throwIfAborted();
      const texts: (string | undefined)[] = [];
      for (const reader of readers) texts.push(reader.next() ?? (await reader.refill()));
      if (texts.every((text) => text === undefined)) return;
      if (texts.includes(undefined)) throw await lengthMismatch(readers);
      const textOf = (part: LineReader['part']): string | null =>
        texts[readers.findIndex((reader) => reader.part === part)] ?? null;
      const references = texts.filter((_, index) => readers[index]?.part === 'ref') as string[];
      const record = makeRecord({
        run: fileName(first.path),
        id: String(line),
        unit: 'input',
        src: textOf('src'),
        adv_src: textOf('advSrc'),
        out: textOf('out'),
        adv_out: textOf('advOut'),
        ref: references.length > 1 ? references : (references[0] ?? null),
        provenance: { tool: null, version: null, file: first.path, line },
      });
      nameGroupingKeys(record, options.defaults ?? {}, first.path);
      yield record;
    }
  } finally {
    for (const reader of readers) await reader.close();
  }
}

/** How far a file is read on only to say in an error how many lines it has. */
const COUNTED_LINES = 100_000;

/** Gives the lines of one file one by one; only every thousandth or so has to wait. */
class LineReader {
  readonly part: 'src' | 'advSrc' | 'out' | 'advOut' | 'ref';
  readonly name: string;
  readonly #batches: AsyncIterator<readonly { readonly text: string }[]>;
  readonly #isEscaped: boolean;
  #lines: readonly { readonly text: string }[] = [];
  #position = 0;
  #count = 0;

  constructor(part: LineReader['part'], path: string, options: ParallelOptions) {
    const source = openSource(path, options);
    this.part = part;
    this.name = source.name;
    this.#isEscaped = options.isEscaped === true;
    this.#batches = source.lines()[Symbol.asyncIterator]();
  }

  /** The next line that is there already. */
  next(): string | undefined {
    const line = this.#lines[this.#position];
    if (line === undefined) return undefined;
    this.#position += 1;
    this.#count += 1;
    return this.#isEscaped ? decodeLine(line.text) : line.text;
  }

  /** Reads on and gives the next line; undefined at the end of the file. */
  async refill(): Promise<string | undefined> {
    for (;;) {
      const batch = await this.#batches.next();
      if (batch.done === true) return undefined;
      this.#lines = batch.value;
      this.#position = 0;
      if (this.#lines.length > 0) return this.next();
    }
  }

  /** The number of lines of the file: `12`, or `at least 100012` of one that goes on long after the others ended. */
  async countAll(): Promise<string> {
    let count = this.#count + this.#lines.length - this.#position;
    const most = count + COUNTED_LINES;
    for (let batch = await this.#batches.next(); batch.done !== true; batch = await this.#batches.next()) {
      count += batch.value.length;
      if (count > most) return `at least ${count}`;
    }
    return String(count);
  }

  async close(): Promise<void> {
    await this.#batches.return?.();
  }
}

async function lengthMismatch(readers: readonly LineReader[]): Promise<UsageError> {
  const counts: string[] = [];
  for (const reader of readers) counts.push(`${reader.name} has ${await reader.countAll()} lines`);
  return new UsageError(
    ERROR_CODES.LENGTH_MISMATCH,
    `the files are not aligned: ${counts.join(', ')}; line N of each must belong to the same example`,
  );
}
