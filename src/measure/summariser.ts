import type { ArraySource } from '../array-room.js';
import { measure } from './measure.js';
import type { Measurement } from './measure.js';
import { performanceDropRate } from './performance-drop-rate.js';
import type { UndefinedReason } from './undefined-reason.js';
import { ERROR_CODES, UsageError } from '../errors.js';
import type { InputFile } from '../read/segment-source.js';
import type { ScoreBatch } from '../score/score-batch.js';
import type { Scorer } from '../score/scorer.js';
import { BOOTSTRAP_LIMIT, bootstrapInterval, DEFAULT_SEED, normalInterval, RESAMPLES } from './interval.js';
import type { IntervalOptions } from './interval.js';
import { Moments } from './moments.js';
import { OrderStatistics } from './order-statistics.js';
import type { PercentileMethod } from './order-statistics.js';
import { signatureOf } from './signature.js';
import type { Criterion, Interval, IntervalMethod, Mode, Statistics, Summary } from './summary.js';
import { ThresholdCounter } from './threshold-sweep.js';

/** Bars of the histogram in a summary. */
const HISTOGRAM_BINS = 20;

/** What a summary is made of, beside the scores. */
export interface SummaryOptions {
  /** Version of teapot. */
  readonly version: string;
  /** The metric of the source side; undefined when it isn't measured. */
  readonly sSrc: Scorer | undefined;
  /** The metric of the target side; undefined when it isn't measured. */
  readonly sTgt: Scorer | undefined;
  /** Whether the target side is measured against references. */
  readonly withReferences: boolean;
  readonly successThreshold: number;
  readonly percentileMethod: PercentileMethod;
  /** Thresholds of a sweep, rising; undefined for none. */
  readonly sweep?: readonly number[] | undefined;
  /** Where the arrays of each batch's measurement come from. Default: new ones. */
  readonly arrays?: ArraySource | undefined;
}

/** What a summary is finished with. */
export interface FinishOptions {
  /** The files that were read; none for texts from memory. */
  readonly inputs?: readonly InputFile[];
  /** What was done to the texts on reading, for the signature. */
  readonly textRules?: readonly string[];
  /** Intervals of means and of the success rate; none unless given. */
  readonly intervals?: IntervalOptions | undefined;
}

/** Sums up the scores of a corpus, batch by batch, in flat memory. Any batches give the same summary, to the last bit. */
export class Summariser {
  readonly #options: SummaryOptions;
  readonly #quantities = {
    sSrc: new Quantity(),
    base: new Quantity(),
    attacked: new Quantity(),
    dTgt: new Quantity(),
  };
  readonly #sweep: ThresholdCounter | undefined;
  readonly #undefined = new Map<UndefinedReason, number>();
  #segments = 0;
  #successes = 0;
  #successesWhereDefined = 0;
  readonly #blank = { source: 0, target: 0 };

  constructor(options: SummaryOptions) {
    this.#options = options;
    this.#sweep = options.sweep === undefined ? undefined : new ThresholdCounter(options.sweep);
  }

  /**
   * Applies the criteria to a batch and adds it.
   *
   * @param scores Scores of consecutive segments.
   * @param blank Segments of the batch with a blank text on a side.
   * @returns What the criteria say of each segment, for those who print it.
   */
  add(scores: ScoreBatch, blank = { source: 0, target: 0 }): Measurement {
    const measured = measure(scores, this.#options.successThreshold, this.#options.arrays);
    this.#segments += scores.count;
    this.#blank.source += blank.source;
    this.#blank.target += blank.target;
    if (scores.sSrc !== undefined) this.#quantities.sSrc.add(scores.sSrc);
    if (scores.base !== undefined) this.#quantities.base.add(scores.base);
    if (scores.attacked !== undefined) this.#quantities.attacked.add(scores.attacked);
    if (measured.dTgt !== undefined) this.#quantities.dTgt.add(measured.dTgt);
    if (measured.margin !== undefined) this.#countSuccesses(measured.margin, measured);
    for (const reason of measured.undefinedReasons.values()) {
      this.#undefined.set(reason, (this.#undefined.get(reason) ?? 0) + 1);
    }
    this.#sweep?.add(scores, measured.dTgt);
    return measured;
  }

  #countSuccesses(margin: Float64Array, measured: Measurement): void {
    for (let index = 0; index < margin.length; index += 1) {
      if ((margin[index] ?? 0) > 0) {
        this.#successes += 1;
        if (!measured.undefinedReasons.has(index)) this.#successesWhereDefined += 1;
      }
    }
  }

  /**
   * The summary of all batches so far.
   *
   * @param options What is known at the end, and whether intervals are wanted.
   * @throws {UsageError} `ERR_TEAPOT_EMPTY_INPUT` when there is no segment: a mean of nothing is no number.
   */
  async summary(options: FinishOptions = {}): Promise<Summary> {
    if (this.#segments === 0) throw new UsageError(ERROR_CODES.EMPTY_INPUT, 'No samples: the input is empty.');
    const { sSrc, base, attacked, dTgt } = this.#quantities;
    const method = this.#options.percentileMethod;
    const intervals = options.intervals && new Intervals(this.#segments, options.intervals);
    const withReferences = this.#options.withReferences;
    const mode = this.#mode();
    const undefinedSegments = [...this.#undefined.values()].reduce((sum, count) => sum + count, 0);
    const defined = this.#segments - undefinedSegments;
    const parts: Omit<Summary, 'signature'> = {
      version: this.#options.version,
      mode,
      criterion: this.#criterion(),
      successThreshold: this.#options.successThreshold,
      n: this.#segments,
      sSrcMetric: metricOf(this.#options.sSrc),
      sTgtMetric: metricOf(this.#options.sTgt),
      sSrc: await sSrc.statistics(method, intervals),
      base: await base.statistics(method, intervals),
      attacked: withReferences ? await attacked.statistics(method, intervals) : null,
      dTgt: await dTgt.statistics(method, intervals),
      sTgt: withReferences ? null : await attacked.statistics(method, intervals),
      pdr: withReferences ? performanceDropRate(base.moments.sum, attacked.moments.sum) : null,
      success:
        mode === 'both'
          ? {
              successes: this.#successes,
              rate: this.#successes / this.#segments,
              rateWhereDefined: defined === 0 ? null : this.#successesWhereDefined / defined,
              interval: (await intervals?.ofRate(this.#successes)) ?? null,
            }
          : null,
      undefinedCounts: [...this.#undefined].map(([reason, count]) => ({ reason, count })),
      blank: { ...this.#blank },
      percentileMethod: method,
      percentileError: Math.max(sSrc.order.error, attacked.order.error),
      intervals: intervals?.method ?? null,
      thresholdSweep: mode === 'both' ? (this.#sweep?.result() ?? null) : null,
      inputs: options.inputs ?? [],
    };
    return { ...parts, signature: signatureOf(parts, options.textRules ?? []) };
  }

  #mode(): Mode {
    if (this.#options.sTgt === undefined) return 'source';
    return this.#options.sSrc === undefined ? 'target' : 'both';
  }

  #criterion(): Criterion | null {
    if (this.#options.sTgt === undefined) return null;
    return this.#options.withReferences ? 'relative_decrease' : 'reference_less';
  }
}

/** Moments and percentiles of one kind of score. */
class Quantity {
  readonly moments = new Moments();
  readonly order = new OrderStatistics();

  add(scores: Float64Array): void {
    this.moments.add(scores);
    this.order.add(scores);
  }

  async statistics(method: PercentileMethod, intervals: Intervals | undefined): Promise<Statistics | null> {
    const { mean, std, count } = this.moments;
    const p5 = this.order.percentile(0.05, method);
    const p95 = this.order.percentile(0.95, method);
    if (mean === null || p5 === null || p95 === null) return null;
    const interval = (await intervals?.ofMean(this)) ?? null;
    return { n: count, mean, std, p5, p95, interval, histogram: this.order.histogram(HISTOGRAM_BINS) };
  }
}

function metricOf(scorer: Scorer | undefined): Summary['sSrcMetric'] {
  return scorer === undefined ? null : { key: scorer.key, name: scorer.name, signature: scorer.signature };
}

/** Takes the intervals of one summary, all by the same method. */
class Intervals {
  readonly method: IntervalMethod;
  readonly #segments: number;
  readonly #options: IntervalOptions;

  constructor(segments: number, options: IntervalOptions) {
    this.#segments = segments;
    this.#options = options;
    const { confidence, seed = DEFAULT_SEED } = options;
    this.method =
      segments <= BOOTSTRAP_LIMIT
        ? { method: 'bootstrap', confidence, resamples: RESAMPLES, seed }
        : { method: 'normal', confidence, resamples: null, seed: null };
  }

  async ofMean({ moments, order }: Quantity): Promise<Interval> {
    const values = this.method.method === 'bootstrap' ? order.values() : undefined;
    if (values !== undefined) return bootstrapInterval(values, this.#options);
    return normalInterval(moments.mean ?? 0, moments.std ?? 0, moments.count, this.#options.confidence);
  }

  async ofRate(successes: number): Promise<Interval> {
    const n = this.#segments;
    if (this.method.method === 'bootstrap') {
      return bootstrapInterval(new Float64Array(n).fill(1, 0, successes), this.#options);
    }
    const rate = successes / n;
    return normalInterval(rate, Math.sqrt((rate * (1 - rate) * n) / (n - 1)), n, this.#options.confidence);
  }
}
