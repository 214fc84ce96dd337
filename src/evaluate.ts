import type { Measurement } from './measure/measure.js';
import { DEFAULT_SUCCESS_THRESHOLD } from './measure/success.js';
import type { UndefinedReason } from './measure/undefined-reason.js';
import { ERROR_CODES, UsageError } from './errors.js';
import { openMemoryCorpus } from './read/memory-corpus.js';
import type { Corpus } from './read/memory-corpus.js';
import type { ScoreBatch } from './score/score-batch.js';
import { ReferenceCounts } from './score/reference-counts.js';
import { createScorer } from './score/registry.js';
import { checkOptions } from './score/parameters.js';
import { scoreSegments } from './score/score-corpus.js';
import type { CorpusScorers } from './score/score-corpus.js';
import type { RunOptions, Scorer } from './score/scorer.js';
import type { PercentileMethod } from './measure/order-statistics.js';
import { GroupSummariser } from './measure/group-summariser.js';
import type { FinishOptions } from './measure/summariser.js';
import type { Summary } from './measure/summary.js';
import { version } from './version.js';

/** Options of {@link evaluate}. */
export interface EvaluateOptions extends RunOptions {
  /** Metric of the source side: as on the command line (`chrf`, `bleu:tokenize=zh`), or a scorer. Default `chrf`. */
  readonly sSrc?: string | Scorer;
  /** Metric of the target side. Default `chrf`. */
  readonly sTgt?: string | Scorer;
  /** An attack is successful when s_src + d_tgt is above it. Default 1. */
  readonly threshold?: number;
  /** How percentiles are taken. Default `teapot`: sorted[int(N · p)]. */
  readonly percentile?: PercentileMethod;
  /** Confidence of bootstrap intervals of means and success rate, for example 0.95; none unless given. */
  readonly confidence?: number;
  /** Seed of the intervals. Default 12,345. */
  readonly seed?: number;
  /** Rising thresholds for which the success rate is wanted as well. */
  readonly sweep?: readonly number[];
  /** Is told what the user should know, one sentence at a time. */
  readonly onNote?: (note: string) => void;
}

/** What {@link evaluate} gives: the summary, and the numbers of every segment in the order of the corpus. */
export interface Evaluation {
  readonly summary: Summary;
  /** s_src(x, x′), fractions; undefined without a source side. */
  readonly sSrc: Float64Array | undefined;
  /** s(y(x), y*), fractions; undefined without references. */
  readonly base: Float64Array | undefined;
  /** s(y(x′), y*), or s(y(x′), y(x)) without references, fractions; undefined without a target side. */
  readonly attacked: Float64Array | undefined;
  /** d_tgt, fractions; undefined without references. */
  readonly dTgt: Float64Array | undefined;
  /** How far each attack is above the threshold of success (above 0: successful); undefined unless both sides are there. */
  readonly margin: Float64Array | undefined;
  /** Index of a segment to the reason why its criterion is undefined. */
  readonly undefinedReasons: ReadonlyMap<number, UndefinedReason>;
}

/**
 * Measures an attack on aligned texts: how well the input's meaning was kept, how much the output degraded, which attacks
 * succeed.
 *
 * @param corpus Source side (`src`, `advSrc`), target side (`out`, `advOut`, and `ref` for the main criterion), or both.
 * @returns All numbers as fractions in [0, 1].
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for half a side, an unknown parameter or a threshold that is NaN;
 *   `ERR_TEAPOT_UNKNOWN_SCORER`; `ERR_TEAPOT_LENGTH_MISMATCH`; `ERR_TEAPOT_EMPTY_INPUT`; the signal's reason.
 * @see Michel et al. 2019, "On Evaluation of Adversarial Perturbations for Sequence-to-Sequence Models".
 * @example
 * const { summary } = await evaluate({ src, advSrc, out, advOut, ref }, { sTgt: 'bleu' });
 * console.log(summary.success?.rate);
 */
export async function evaluate(corpus: Corpus, options: EvaluateOptions = {}): Promise<Evaluation> {
  checkOptions('evaluate', EVALUATE_OPTIONS, { ...options });
  requireSides(corpus);
  const segments = openMemoryCorpus(corpus);
  const references = new ReferenceCounts();
  const scorers = { ...(await scorersOf(corpus, options)), references };
  const summariser = makeSummariser(scorers, options);
  const collected = new Collector();
  for await (const { attacks, blankSides } of scoreSegments(segments, scorers).batches(options)) {
    for (const scores of attacks) collected.add(scores, summariser.add({ ...scores, blankSides }));
  }
  const { all } = await summariser.result({ ...finishOptions(options), references });
  return { summary: all.summary, ...collected.arrays() };
}

/** What the options may be; ranges are those of the command line. */
const EVALUATE_OPTIONS: Parameters<typeof checkOptions>[1] = {
  sSrc: expectScorer,
  sTgt: expectScorer,
  threshold: { name: 'threshold', type: 'number', help: 'T' },
  percentile: { name: 'percentile', type: 'choice', choices: ['teapot', 'linear'], help: '' },
  confidence: { name: 'confidence', type: 'number', above: 0, below: 1, help: '' },
  seed: { name: 'seed', type: 'integer', minimum: 0, below: 2 ** 32, help: '' },
  sweep: (value) => (isRising(value) ? undefined : 'rising numbers, at least one'),
  onNote: expectFunction,
  onProgress: expectFunction,
  signal: (value) => (value instanceof AbortSignal ? undefined : 'an AbortSignal'),
};

function expectScorer(value: unknown): string | undefined {
  const isScorer =
    typeof value === 'string' ||
    (typeof value === 'object' && value !== null && typeof Reflect.get(value, 'score') === 'function');
  return isScorer ? undefined : 'the key of a scorer, or a scorer';
}

function expectFunction(value: unknown): string | undefined {
  return typeof value === 'function' ? undefined : 'a function';
}

function isRising(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || !value.every(Number.isFinite)) return false;
  return value.every((number, index) => index === 0 || (number as number) > (value[index - 1] as number));
}

function requireSides({ src, advSrc, out, advOut, ref }: Corpus): void {
  const problem =
    ((src === undefined) !== (advSrc === undefined) && 'src and advSrc belong together: give both or none.') ||
    ((out === undefined) !== (advOut === undefined) && 'out and advOut belong together: give both or none.') ||
    (ref !== undefined && out === undefined && 'ref says nothing without out and advOut.') ||
    (src === undefined && out === undefined && 'give src and advSrc, or out and advOut, or all four.');
  if (problem) throw new UsageError(ERROR_CODES.INVALID_OPTION, `evaluate: ${problem}`);
}

async function scorersOf(corpus: Corpus, options: EvaluateOptions): Promise<CorpusScorers> {
  const onNote = options.onNote === undefined ? {} : { onNote: options.onNote };
  const make = async (side: 'source' | 'target', metric: string | Scorer = 'chrf'): Promise<Scorer> =>
    typeof metric === 'string' ? createScorer(metric, { side, ...onNote }) : metric;
  return {
    sSrc: corpus.src === undefined ? undefined : await make('source', options.sSrc),
    sTgt: corpus.out === undefined ? undefined : await make('target', options.sTgt),
  };
}

function makeSummariser(scorers: CorpusScorers, options: EvaluateOptions): GroupSummariser {
  return new GroupSummariser({
    sSrc: scorers.sSrc,
    sTgt: scorers.sTgt,
    version: version(),
    successThreshold: options.threshold ?? DEFAULT_SUCCESS_THRESHOLD,
    percentileMethod: options.percentile ?? 'teapot',
    sweep: options.sweep,
  });
}

function finishOptions({ confidence, seed, signal }: EvaluateOptions): FinishOptions {
  return confidence === undefined ? {} : { intervals: { confidence, seed, ...(signal && { signal }) } };
}

/** Puts the numbers of the batches behind one another. */
class Collector {
  readonly #parts = { sSrc: [], base: [], attacked: [], dTgt: [], margin: [] } as Record<ArrayName, Float64Array[]>;
  readonly #undefinedReasons = new Map<number, UndefinedReason>();
  #segments = 0;

  add(scores: ScoreBatch, measured: Measurement): void {
    const arrays = { sSrc: scores.sSrc, base: scores.base, attacked: scores.attacked, ...measured };
    for (const name of ARRAY_NAMES) {
      const part = arrays[name];
      if (part !== undefined) this.#parts[name].push(part);
    }
    for (const [index, reason] of measured.undefinedReasons) this.#undefinedReasons.set(this.#segments + index, reason);
    this.#segments += scores.count;
  }

  arrays(): Omit<Evaluation, 'summary'> {
    return {
      sSrc: concatenate(this.#parts.sSrc),
      base: concatenate(this.#parts.base),
      attacked: concatenate(this.#parts.attacked),
      dTgt: concatenate(this.#parts.dTgt),
      margin: concatenate(this.#parts.margin),
      undefinedReasons: this.#undefinedReasons,
    };
  }
}

const ARRAY_NAMES = ['sSrc', 'base', 'attacked', 'dTgt', 'margin'] as const;

type ArrayName = (typeof ARRAY_NAMES)[number];

function concatenate(parts: readonly Float64Array[]): Float64Array | undefined {
  if (parts.length <= 1) return parts[0];
  const whole = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let start = 0;
  for (const part of parts) {
    whole.set(part, start);
    start += part.length;
  }
  return whole;
}
