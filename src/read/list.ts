import { ERROR_CODES, UsageError } from '../errors.js';
import { openSource } from './source-file.js';
import type { SourceOptions } from './source-file.js';
import type { SourceLine } from './lines.js';

/** The most lines of a list: what is held in memory as a whole. */
const MOST_LINES = 10_000_000;

/** The longest list, unpacked, in code units: what fits into one string. */
const MOST_UNITS = 256 * 1024 * 1024;

/** Options of {@link readList}. */
export interface ListOptions extends SourceOptions {
  /** The longest list, unpacked, in code units. Default 256 Mi. */
  readonly mostUnits?: number | undefined;
}

/**
 * Reads the lines of a file that is held in memory as a whole: words, prompts, neighbours, recorded answers. It has limits,
 * since a small compressed file may unpack to any size.
 *
 * @param what The lines, for the message: `stop words`.
 * @yields Batches of lines.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` when it has more than ten million lines or `mostUnits`; what reading throws.
 */
export async function* readList(
  path: string,
  what: string,
  { mostUnits = MOST_UNITS, ...options }: ListOptions = {},
): AsyncGenerator<readonly SourceLine[]> {
  const source = openSource(path, options);
  let units = 0;
  for await (const lines of source.lines()) {
    const last = lines.at(-1)?.line ?? 0;
    units += lines.reduce((sum, { text }) => sum + text.length + 1, 0);
    if (last > MOST_LINES || units > mostUnits) {
      throw new UsageError(
        ERROR_CODES.FORMAT,
        `${source.name}: has more than ${count(last)} lines or ${count(units)} characters: a list of ${what} has at most ` +
          `${count(MOST_LINES)} lines and ${count(mostUnits)} characters, unpacked`,
      );
    }
    yield lines;
  }
}

/** The text of such a list, with `\n` as line ends. */
export async function readListText(path: string, what: string, options: ListOptions = {}): Promise<string> {
  const parts: string[] = [];
  for await (const lines of readList(path, what, options)) parts.push(lines.map(({ text }) => `${text}\n`).join(''));
  return parts.join('');
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
