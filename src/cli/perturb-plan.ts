import type { PerturbFileOptions } from '../attack/perturb.js';
import type { PerturbOptions } from '../native.js';
import { native } from '../native.js';
import { STDOUT } from '../output-file.js';
import { openSource, STDIN } from '../read/source-file.js';
import { nativeMetric } from './native-metric.js';
import type { PerturbArguments } from './perturb-options.js';
import { invalid, readNumber } from './values.js';
import type { NumberLimits } from './values.js';

/** A run of `teapot perturb`, checked: what was asked for, with the defaults filled in. */
export interface PerturbPlan {
  /** A path, or `-`. */
  readonly input: string;
  /** A path, or `-`. */
  readonly output: string;
  /** Where the edits go; undefined for nowhere. */
  readonly edits: string | undefined;
  readonly attack: PerturbOptions & { readonly seed: number };
  readonly run: PerturbFileOptions & { readonly variants: number };
}

const DEFAULT_ATTACK = 'charswap';
const DEFAULT_SEED = 12_345;
const COUNT: NumberLimits = { integer: true, minimum: 0, below: 2 ** 31 };

/**
 * Checks the arguments of `teapot perturb` and reads the small files that they name.
 *
 * @throws {TeapotError} `ERR_TEAPOT_INVALID_OPTION` naming the option; `ERR_TEAPOT_READ`, `ERR_TEAPOT_FORMAT` for files.
 */
export async function planPerturb(argv: PerturbArguments): Promise<PerturbPlan> {
  if (argv.format !== undefined) throw invalid('--format is for --list.');
  if (argv['s-src'] !== undefined && argv['min-s-src'] === undefined) throw invalid('--s-src needs --min-s-src.');
  const numbers = readNumbers(argv);
  const variants = readNumber('--variants', argv.variants ?? '1', { integer: true, minimum: 1, below: 1_000_001 });
  return {
    input: argv.input ?? STDIN,
    output: argv.output ?? STDOUT,
    edits: argv.edits,
    attack: {
      attacks: argv.attack ?? [DEFAULT_ATTACK],
      ...numbers,
      ...(numbers.minSSrc !== undefined && { sSrc: await nativeMetric(argv['s-src'] ?? 'chrf') }),
      ...(argv['stop-words'] !== undefined && { stopWords: await readStopWords(argv['stop-words']) }),
      ...(argv.protect !== undefined && { protect: argv.protect }),
      ...(argv['protect-placeholders'] === true && { protectPlaceholders: true }),
      ...(argv['protect-quoted'] === true && { protectQuoted: true }),
      ...(argv['protect-pattern'] !== undefined && { protectPatterns: argv['protect-pattern'] }),
      ...(argv.suffix !== undefined && { suffixes: argv.suffix.map(oneLine) }),
      ...(argv.replacements !== undefined && { replacements: await readAll(argv.replacements) }),
      ...(argv.vocabulary !== undefined && { vocabulary: await readAll(argv.vocabulary) }),
    },
    run: {
      variants,
      edits: argv.edits !== undefined,
      ...(argv.threads !== undefined && {
        threads: readNumber('--threads', argv.threads, { integer: true, minimum: 1, below: 1025 }),
      }),
      ...(argv.encoding !== undefined && { read: { encoding: argv.encoding } }),
    },
  };
}

function readNumbers(argv: PerturbArguments) {
  const given = <K extends string>(key: K, flag: string, text: string | undefined, read: typeof readCount) =>
    (text === undefined ? {} : { [key]: read(flag, text) }) as { readonly [P in K]?: number };
  return {
    seed: readNumber('--seed', argv.seed ?? `${DEFAULT_SEED}`, { integer: true, minimum: 0 }),
    ...given('rate', '--rate', argv.rate, readFraction),
    ...given('maxEdits', '--max-edits', argv['max-edits'], readCount),
    ...given('minSSrc', '--min-s-src', argv['min-s-src'], readFraction),
    ...given('minWordLength', '--min-word-length', argv['min-word-length'], readCount),
    ...given('maxWordsChanged', '--max-words-changed', argv['max-words-changed'], readCount),
    ...given('maxShareChanged', '--max-share-changed', argv['max-share-changed'], readFraction),
    ...given('maxEditDistance', '--max-edit-distance', argv['max-edit-distance'], readCount),
  };
}

function readCount(flag: string, text: string): number {
  return readNumber(flag, text, COUNT);
}

function readFraction(flag: string, text: string): number {
  const value = readNumber(flag, text);
  if (value < 0 || value > 1) throw invalid(`${flag} needs a number from 0 to 1, found "${text}".`);
  return value;
}

async function readStopWords(name: string): Promise<string[]> {
  if (name === 'none') return [];
  if (name === 'english') return native().englishStopWordList();
  return (await readAll(name)).split('\n').map((word) => word.replace(/\r$/, ''));
}

/** The text of a small file. */
async function readAll(path: string): Promise<string> {
  let text = '';
  for await (const block of openSource(path).blocks()) text += block.text;
  return text;
}

/** A line must stay one line. */
function oneLine(suffix: string): string {
  if (/[\n\r]/u.test(suffix)) throw invalid(`--suffix must be one line, found ${JSON.stringify(suffix)}.`);
  return suffix;
}
