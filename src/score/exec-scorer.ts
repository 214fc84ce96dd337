import { inGroups, splitBatchedCommand } from './command-words.js';
import { LineProgram } from './line-program.js';
import { checkPairs, clampScore, placeOf, quote, referencesOf, scoreComplaint } from './pairs.js';
import { DECIMAL } from './parameters.js';
import type { Reference, ScoreOptions, Scorer } from './scorer.js';

/** How often progress is told: once in so many answers. */
const PROGRESS_EVERY = 1024;

/** Parameters of {@link ExecScorer}. */
export interface ExecScorerOptions {
  /** How long the program may stay silent while answers are outstanding, in milliseconds. Default 300,000. */
  readonly silenceMs?: number | undefined;
  /** What the scorer calls itself in reports; default is its key. */
  readonly signature?: string;
}

/**
 * A scorer that is a program, in any language.
 *
 * The program is started once, at the first pair. It reads one JSON object a line, `{"hyp": "…", "ref": "…"}`, and writes
 * one number from 0 to 1 a line, in the same order, at once (flushed); it ends when its input ends. For Python programs
 * teapot sets `PYTHONUNBUFFERED=1` and `PYTHONIOENCODING=utf-8`. A pair with several references is asked once a
 * reference, and the best answer counts.
 *
 * With `batch=N` in front, questions come in groups of at most N, each followed by an empty line: a program that scores many pairs at
 * once (on a graphics card) reads up to that line, and then answers all of them.
 *
 * The command is split by {@link splitBatchedCommand}, without a shell.
 */
export class ExecScorer implements Scorer {
  readonly key: string;
  readonly name: string;
  readonly signature: string;
  readonly #program: LineProgram;
  readonly #batch: number | undefined;

  /**
   * @param command Program and arguments, for example `python3 my_scorer.py` or `batch=32 python3 my_scorer.py`.
   * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the command can't be split.
   */
  constructor(command: string, options: ExecScorerOptions = {}) {
    this.key = `exec:${command.trim()}`;
    this.name = this.key;
    this.signature = options.signature ?? this.key;
    const { words, batch } = splitBatchedCommand(command, 'exec:');
    this.#batch = batch;
    this.#program = new LineProgram({
      who: `Scorer ${this.key}`,
      words,
      silenceMs: options.silenceMs,
    });
  }

  /**
   * Asks the program about N pairs.
   *
   * @throws {TeapotError} `ERR_TEAPOT_SCORER` naming program, line and the program's last words on stderr, when it can't be started,
   *   crashes, ends before the last answer (with exit code 0 too), is silent for too long, or answers
   *   something that is no number, NaN or out of [0, 1]. The program is then killed, also when the signal aborts.
   */
  async score(
    hypotheses: readonly string[],
    references: readonly Reference[],
    options: ScoreOptions = {},
  ): Promise<Float64Array> {
    checkPairs(hypotheses, references, options.place);
    const scores = new Float64Array(hypotheses.length);
    const segments = references.flatMap((reference, index) => referencesOf(reference).map(() => index));
    const segmentOf = (index: number): number => segments[index] ?? 0;
    await this.#program.ask({
      lines: inGroups(questions(hypotheses, references), this.#batch),
      count: segments.length,
      place: (index) => placeOf(options, segmentOf(index)),
      take: (answer, index) => {
        const score = readAnswer(answer);
        if (typeof score === 'string') return score;
        const segment = segmentOf(index);
        scores[segment] = Math.max(scores[segment] ?? 0, score);
        if (segment > 0 && segment % PROGRESS_EVERY === 0) options.onProgress?.(segment, hypotheses.length);
        return undefined;
      },
      signal: options.signal,
    });
    options.onProgress?.(hypotheses.length, hypotheses.length);
    return scores;
  }

  /**
   * Ends the program and waits until it is gone. Safe to call twice.
   *
   * @throws {TeapotError} `ERR_TEAPOT_SCORER` when the program turns out to have written more lines than it was asked for, or
   *   ends with an exit code other than 0: then the scores can't be trusted.
   */
  async close(): Promise<void> {
    return this.#program.close();
  }
}

function* questions(hypotheses: readonly string[], references: readonly Reference[]): Generator<string> {
  for (const [index, hyp] of hypotheses.entries()) {
    for (const ref of referencesOf(references[index] ?? [])) yield JSON.stringify({ hyp, ref });
  }
}

/** A score in [0, 1], or what is wrong with the answer. */
function readAnswer(answer: string): number | string {
  const text = answer.trim();
  if (!DECIMAL.test(text)) return `answered ${quote(answer)}, expected a number from 0 to 1`;
  const value = Number(text);
  const complaint = scoreComplaint(value);
  return complaint === undefined ? clampScore(value) : `answered wrongly: ${complaint}`;
}
