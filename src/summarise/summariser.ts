import { measure } from '../criterion/measure.js';
import type { Measurement } from '../criterion/measure.js';
import { performanceDropRate } from '../criterion/performance-drop-rate.js';
import type { UndefinedReason } from '../criterion/undefined-reason.js';
import { ERROR_CODES, UsageError } from '../errors.js';
import type { InputFile } from '../read/segment-source.js';
import type { ScoreBatch } from '../score/score-batch.js';
import type { Scorer } from '../score/scorer.js';
import { Moments } from './moments.js';
import { OrderStatistics } from './order-statistics.js';
import type { PercentileMethod } from './order-statistics.js';
import { signatureOf } from './signature.js';
import type { Criterion, Mode, Statistics, Summary } from './summary.js';
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
    const measured = measure(scores, this.#options.successThreshold);
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
   * @param inputs The files that were read; none for texts from memory.
   * @param textRules What was done to the texts on reading, for the signature.
   * @throws {UsageError} `ERR_TEAPOT_EMPTY_INPUT` when there is no segment: a mean of nothing is no number.
   */
  summary(inputs: readonly InputFile[] = [], textRules: readonly string[] = []): Summary {
    if (this.#segments === 0) throw new UsageError(ERROR_CODES.EMPTY_INPUT, 'No samples: the input is empty.');
    const { sSrc, base, attacked, dTgt } = this.#quantities;
    const method = this.#options.percentileMethod;
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
      sSrc: sSrc.statistics(method),
      base: base.statistics(method),
      attacked: withReferences ? attacked.statistics(method) : null,
      dTgt: dTgt.statistics(method),
      sTgt: withReferences ? null : attacked.statistics(method),
      pdr: withReferences ? performanceDropRate(base.moments.sum, attacked.moments.sum) : null,
      success:
        mode === 'both'
          ? {
              successes: this.#successes,
              rate: this.#successes / this.#segments,
              rateWhereDefined: defined === 0 ? null : this.#successesWhereDefined / defined,
              interval: null,
            }
          : null,
      undefinedCounts: [...this.#undefined].map(([reason, count]) => ({ reason, count })),
      blank: { ...this.#blank },
      percentileMethod: method,
      percentileError: Math.max(sSrc.order.error, attacked.order.error),
      intervals: null,
      thresholdSweep: mode === 'both' ? (this.#sweep?.result() ?? null) : null,
      inputs,
    };
    return { ...parts, signature: signatureOf(parts, textRules) };
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

  statistics(method: PercentileMethod): Statistics | null {
    const { mean, std, count } = this.moments;
    const p5 = this.order.percentile(0.05, method);
    const p95 = this.order.percentile(0.95, method);
    if (mean === null || p5 === null || p95 === null) return null;
    return { n: count, mean, std, p5, p95, interval: null, histogram: this.order.histogram(HISTOGRAM_BINS) };
  }
}

function metricOf(scorer: Scorer | undefined): Summary['sSrcMetric'] {
  return scorer === undefined ? null : { key: scorer.key, name: scorer.name, signature: scorer.signature };
}
