import { rmSync } from 'node:fs';
import { access, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { onProcessExit } from '../at-exit.js';
import { ERROR_CODES, TeapotError, UsageError } from '../errors.js';
import { describeEnd, lastLines, startProgram } from './child-program.js';
import { splitCommand } from './command-words.js';
import { DEFAULT_SILENCE_MS } from './line-program.js';
import { readSegmentLine } from './meteor-output.js';
import { checkPairs, referencesOf } from './pairs.js';
import type { Reference, ScoreOptions, Scorer } from './scorer.js';

/** How METEOR is started unless `--java-command` says otherwise: teapot-nlp's default. */
export const DEFAULT_JAVA_COMMAND = 'java -Xmx2G -jar';

/** Parameters of {@link MeteorScorer}. */
export interface MeteorOptions {
  /** Path of `meteor-1.5.jar`; `data/paraphrase-LANG.gz` must lie beside it. */
  readonly jar: string;
  /** Language of the texts as METEOR knows it: en, fr, de, es, cz, … (METEOR's `-l`). */
  readonly language: string;
  /** Command that runs a jar. Default `java -Xmx2G -jar`. */
  readonly javaCommand?: string | undefined;
  /** How long METEOR may stay silent, in milliseconds. Default 300,000. */
  readonly silenceMs?: number | undefined;
  /** What the scorer calls itself in reports. */
  readonly signature?: string;
}

/** A batch of aligned pairs for {@link MeteorScorer.scoreBatches}. */
export interface PairBatch {
  readonly hypotheses: readonly string[];
  readonly references: readonly Reference[];
}

/**
 * METEOR 1.5, through its jar, as teapot-nlp runs it: `java -Xmx2G -jar JAR HYP REF -norm -l LANG`, segment scores in [0, 1].
 *
 * Each call starts one Java process (about six seconds for English, most of it loading the paraphrase table), so
 * give it a whole corpus at once. Texts go to two files in a temporary folder that is always removed. A line end inside a text
 * becomes a space, as METEOR would otherwise see two segments. Several references go to METEOR's `-r N`: the best counts.
 *
 * Source: Denkowski and Lavie 2014, "Meteor Universal"; the jar of METEOR 1.5.
 */
export class MeteorScorer implements Scorer {
  readonly key = 'meteor';
  readonly name = 'METEOR';
  readonly signature: string;
  readonly #options: MeteorOptions;
  readonly #command: [program: string, ...args: string[]];

  /** @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the Java command can't be split. */
  constructor(options: MeteorOptions) {
    this.#options = options;
    this.#command = javaCommand(options.javaCommand ?? DEFAULT_JAVA_COMMAND);
    this.signature = options.signature ?? `METEOR|lang:${options.language}|norm:yes|meteor:1.5`;
  }

  /**
   * Scores N pairs in one run of the jar.
   *
   * @returns N fractions; a blank side gives 0.
   * @throws {UsageError} `ERR_TEAPOT_READ` when the jar isn't there, `ERR_TEAPOT_SCORER` when there is no Java.
   * @throws {TeapotError} `ERR_TEAPOT_SCORER` with METEOR's last words when it fails, is silent for too long, or prints
   *   NaN, a score out of [0, 1], segments out of order or another number of them.
   */
  async score(
    hypotheses: readonly string[],
    references: readonly Reference[],
    options: ScoreOptions = {},
  ): Promise<Float64Array> {
    checkPairs(hypotheses, references, options.place);
    const perSegment = references.reduce((most, reference) => Math.max(most, referencesOf(reference).length), 1);
    return this.#run([{ hypotheses, references }], perSegment, options);
  }

  /**
   * Scores a corpus that comes in batches, in one run of the jar, without holding its texts in memory.
   *
   * @param batches Aligned pairs, in order.
   * @param referenceCount References of every segment; segments with fewer repeat their last one. Default 1.
   * @returns The scores of all batches together, 8 bytes a pair.
   * @throws As {@link MeteorScorer.score}.
   */
  async scoreBatches(
    batches: AsyncIterable<PairBatch> | Iterable<PairBatch>,
    referenceCount = 1,
    options: ScoreOptions = {},
  ): Promise<Float64Array> {
    return this.#run(batches, referenceCount, options);
  }

  async #run(
    batches: AsyncIterable<PairBatch> | Iterable<PairBatch>,
    perSegment: number,
    options: ScoreOptions,
  ): Promise<Float64Array> {
    options.signal?.throwIfAborted();
    await access(this.#options.jar).catch((cause: unknown) => {
      throw new UsageError(
        ERROR_CODES.READ,
        `METEOR: there is no jar at ${this.#options.jar}; the option \`meteorJar\` must name meteor-1.5.jar`,
        { cause },
      );
    });
    const folder = await mkdtemp(join(tmpdir(), 'teapot-meteor-'));
    const forget = onProcessExit(() => rmSync(folder, { recursive: true, force: true }));
    try {
      const files = { hypothesis: join(folder, 'hyp.txt'), reference: join(folder, 'ref.txt') };
      const count = await writeTexts(files, batches, perSegment, options.signal);
      return count === 0 ? new Float64Array() : await this.#runJar(files, count, perSegment, options);
    } finally {
      await rm(folder, { recursive: true, force: true });
      forget();
    }
  }

  async #runJar(files: TextFiles, count: number, perSegment: number, options: ScoreOptions): Promise<Float64Array> {
    const severalReferences = perSegment > 1 ? ['-r', String(perSegment)] : [];
    const program = startProgram(
      [
        ...this.#command,
        this.#options.jar,
        files.hypothesis,
        files.reference,
        '-norm',
        '-l',
        this.#options.language,
        ...severalReferences,
      ],
      { LC_ALL: 'C.UTF-8' },
    );
    program.child.stdin.end();
    const scores = new Float64Array(count);
    const silenceMs = this.#options.silenceMs ?? DEFAULT_SILENCE_MS;
    let stdout = '';
    let said = '';
    let received = 0;
    let problem: string | undefined;
    const stop = (reason: string): void => {
      problem ??= reason;
      program.kill();
    };
    const silence = setTimeout(
      () => stop(`was silent for ${silenceMs / 1000} s after ${received} segments`),
      silenceMs,
    );
    const abort = (): void => program.kill();
    options.signal?.addEventListener('abort', abort, { once: true });
    program.child.stdout.on('data', (text: string) => {
      silence.refresh();
      const lines = (stdout + text).split('\n');
      stdout = lines.pop() ?? '';
      for (const line of lines) {
        const found = readSegmentLine(line, received, count);
        if (typeof found === 'number') {
          scores[received] = found;
          received += 1;
        } else if (found === undefined) {
          said = (said + line + '\n').slice(-4096);
        } else {
          stop(found);
          return;
        }
      }
      options.onProgress?.(received, count);
    });
    try {
      const end = await program.ended.catch((cause: unknown) => {
        throw javaMissing(cause);
      });
      options.signal?.throwIfAborted();
      if (end.code !== 0) problem ??= `failed (${describeEnd(end)})`;
      if (received !== count) problem ??= `scored ${received} of ${count} segments`;
      if (problem !== undefined) throw meteorError(problem, program.lastWords(10), said);
      return scores;
    } finally {
      clearTimeout(silence);
      options.signal?.removeEventListener('abort', abort);
      program.kill();
    }
  }
}

interface TextFiles {
  readonly hypothesis: string;
  readonly reference: string;
}

/**
 * Splits the command and, when its program is Java itself, fixes encoding and locale in front of the user's own arguments:
 * METEOR reads and prints with the platform's defaults.
 */
function javaCommand(command: string): [program: string, ...args: string[]] {
  const [program, ...args] = splitCommand(command, 'the option `javaCommand`');
  const isJava = /^javaw?(?:\.exe)?$/i.test(basename(program.replaceAll('\\', '/')));
  const fixed = isJava ? ['-Dfile.encoding=UTF-8', '-Duser.language=en', '-Duser.country=US'] : [];
  return [program, ...fixed, ...args];
}

/** Segments that are joined for one write. */
const SEGMENTS_PER_WRITE = 4096;

/** Writes one line a segment (and `perSegment` lines a segment for the references); returns the number of segments. */
async function writeTexts(
  files: TextFiles,
  batches: AsyncIterable<PairBatch> | Iterable<PairBatch>,
  perSegment: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const hypothesisFile = await open(files.hypothesis, 'wx');
  const referenceFile = await open(files.reference, 'wx');
  let count = 0;
  try {
    for await (const { hypotheses, references } of batches) {
      checkPairs(hypotheses, references);
      for (let start = 0; start < hypotheses.length; start += SEGMENTS_PER_WRITE) {
        signal?.throwIfAborted();
        const end = start + SEGMENTS_PER_WRITE;
        await hypothesisFile.write(asLines(hypotheses.slice(start, end)));
        const texts = references.slice(start, end).flatMap((reference) => padded(reference, perSegment));
        await referenceFile.write(asLines(texts));
      }
      count += hypotheses.length;
    }
  } finally {
    await hypothesisFile.close();
    await referenceFile.close();
  }
  return count;
}

function asLines(texts: readonly string[]): string {
  return texts.map((text) => `${text.replaceAll(/[\r\n]/g, ' ')}\n`).join('');
}

function padded(reference: Reference, perSegment: number): readonly string[] {
  const texts = referencesOf(reference);
  if (texts.length > perSegment) {
    throw new UsageError(
      ERROR_CODES.LENGTH_MISMATCH,
      `METEOR was told of ${perSegment} references a segment, found ${texts.length}`,
    );
  }
  const last = texts.at(-1) ?? '';
  return [...texts, ...Array.from({ length: perSegment - texts.length }, () => last)];
}

function javaMissing(cause: unknown): unknown {
  if (!(cause instanceof UsageError)) return cause;
  return new UsageError(
    ERROR_CODES.SCORER,
    `METEOR needs Java: ${cause.message}. Install Java or name it with the option \`javaCommand\``,
    { cause },
  );
}

/** METEOR says what went wrong on stderr, but usage texts and some complaints on stdout. */
function meteorError(problem: string, stderr: string, stdout: string): TeapotError {
  const words = stderr === '' ? lastLines(stdout, 10) : stderr;
  const quoted = words === '' ? 'It said nothing.' : `Its last words:\n${words}`;
  return new TeapotError(ERROR_CODES.SCORER, `METEOR ${problem}. ${quoted}`);
}
