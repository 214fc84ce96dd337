import type { ArraySource } from '../array-room.js';
import { ERROR_CODES, UsageError } from '../errors.js';
import type { InputFile } from '../read/segment-source.js';
import type { ReferenceCounts } from '../score/reference-counts.js';
import {
  BOOTSTRAP_LIMIT,
  bootstrapInterval,
  DEFAULT_BOOTSTRAP,
  normalInterval,
  wilsonInterval,
  type Interval,
  type IntervalOptions,
} from './intervals.js';
import { CorpusTally } from './corpus-tally.js';
import type { CorpusMetrics, CorpusState } from './corpus-tally.js';
import { measure } from './measure.js';
import type { Measurement, SegmentScores } from './measure.js';
import { Moments } from './moments.js';
import type { MomentsState } from './moments.js';
import { OrderStatistics } from './order-statistics.js';
import type { OrderState, PercentileMethod } from './order-statistics.js';
import { performanceDropRate } from './performance-drop-rate.js';
import { signatureOf } from './signature.js';
import type { Criterion, IntervalMethod, MetricSummary, Mode, Statistics, Summary } from './summary.js';
import { ThresholdCounter } from './threshold-sweep.js';
import { UNDEFINED_REASON } from './undefined-reason.js';
import type { UndefinedReason } from './undefined-reason.js';

/** Bars of the histogram in a summary. */
const HISTOGRAM_BINS = 20;

/** What a summary is made of, beside the scores. */
export interface SummaryOptions {
  /** Version of teapot. */
  readonly version: string;
  /** The metric of the source side; undefined when it isn't measured. */
  readonly sSrc: MetricSummary | undefined;
  /** The metric of the target side; undefined when it isn't measured. */
  readonly sTgt: MetricSummary | undefined;
  readonly successThreshold: number;
  readonly percentileMethod: PercentileMethod;
  /** The metrics with a corpus level, where it is wanted. */
  readonly corpusLevel?: CorpusMetrics | undefined;
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
  /** References of the segments, where they were counted on reading: they stand in the signature of the target metric. */
  readonly references?: ReferenceCounts | undefined;
}

/** The state of {@link Summariser}, for merging across processes. */
export interface SummaryState {
  readonly segments: number;
  readonly judged: number;
  readonly successes: number;
  readonly successesWhereDefined: number;
  readonly blank: { readonly source: number; readonly target: number };
  /** Segments without a defined criterion, and segments that lack a text or score, by reason. */
  readonly undefined: Readonly<Record<string, number>>;
  readonly missing: Readonly<Record<string, number>>;
  readonly sweep: readonly number[] | null;
  /** Summed counts of the corpus level. */
  readonly corpus: CorpusState;
  readonly quantities: Readonly<Record<QuantityName, { readonly moments: MomentsState; readonly order: OrderState }>>;
}

/** Sums up the scores of a corpus, batch by batch, in flat memory. Any batches give the same summary, to the last bit. */
export class Summariser {
  readonly #options: SummaryOptions;
  readonly #quantities = {
    sSrc: new Quantity(),
    base: new Quantity(),
    attacked: new Quantity(),
    dTgt: new Quantity(),
    sTgt: new Quantity(),
  };
  readonly #sweep: ThresholdCounter | undefined;
  /** Segments that have both sides but no defined criterion, and segments that lack a text or score, by reason. */
  readonly #undefined = new Map<UndefinedReason, number>();
  readonly #missing = new Map<UndefinedReason, number>();
  #segments = 0;
  #judged = 0;
  #successes = 0;
  #successesWhereDefined = 0;
  readonly #blank = { source: 0, target: 0 };
  readonly #corpus = new CorpusTally();

  constructor(options: SummaryOptions) {
    this.#options = options;
    this.#sweep = options.sweep === undefined ? undefined : new ThresholdCounter(options.sweep);
  }

  /** How many segments were added. */
  get segments(): number {
    return this.#segments;
  }

  /**
   * Applies the criteria to a batch and adds it.
   *
   * @param scores Scores of consecutive segments.
   * @returns What the criteria say of each segment, for those who print it.
   */
  add(scores: SegmentScores): Measurement {
    const measured = measure(scores, this.#options.successThreshold, this.#options.arrays);
    this.count(scores, measured);
    return measured;
  }

  /** Adds a batch that was measured by {@link measure} already. */
  count(scores: SegmentScores, measured: Measurement): void {
    const { count, sSrc, base, attacked, blank, missing } = scores;
    this.#segments += count;
    this.#blank.source += blank?.source ?? 0;
    this.#blank.target += blank?.target ?? 0;
    if (sSrc !== undefined) this.#quantities.sSrc.add(sSrc);
    if (base !== undefined && attacked !== undefined) {
      this.#quantities.base.add(base);
      this.#quantities.attacked.add(attacked);
    } else if (attacked !== undefined) {
      this.#quantities.sTgt.add(attacked);
    }
    this.#corpus.add(scores);
    if (measured.dTgt !== undefined) this.#quantities.dTgt.add(measured.dTgt);
    if (measured.margin !== undefined) this.#countSuccesses(measured.margin, measured);
    if (missing === undefined) {
      for (const reason of measured.undefinedReasons.values()) increase(this.#undefined, reason);
    } else {
      increase(this.#missing, missing, count);
    }
    this.#sweep?.add(scores, measured.dTgt);
  }

  #countSuccesses(margin: Float64Array, measured: Measurement): void {
    this.#judged += margin.length;
    for (let index = 0; index < margin.length; index += 1) {
      if ((margin[index] ?? 0) > 0) {
        this.#successes += 1;
        if (!measured.undefinedReasons.has(index)) this.#successesWhereDefined += 1;
      }
    }
  }

  /** The state, to be merged elsewhere: see {@link Summariser.from}. */
  toJSON(): SummaryState {
    const states = QUANTITIES.map((name) => {
      const { moments, order } = this.#quantities[name];
      return [name, { moments: moments.toJSON(), order: order.toJSON() }] as const;
    });
    return {
      segments: this.#segments,
      judged: this.#judged,
      successes: this.#successes,
      successesWhereDefined: this.#successesWhereDefined,
      blank: { ...this.#blank },
      undefined: Object.fromEntries(this.#undefined),
      missing: Object.fromEntries(this.#missing),
      sweep: this.#sweep?.toJSON() ?? null,
      corpus: this.#corpus.toJSON(),
      quantities: Object.fromEntries(states) as SummaryState['quantities'],
    };
  }

  /**
   * Makes one of the states of the parts of a run: it gives the summary of the run that was not cut, in every bit that
   * doesn't depend on percentiles; those are exact too where every part has its scores one by one.
   */
  static from(options: SummaryOptions, states: readonly SummaryState[]): Summariser {
    const merged = new Summariser(options);
    for (const name of QUANTITIES) {
      merged.#quantities[name].setState(states.map(({ quantities }) => quantities[name]));
    }
    for (const state of states) {
      merged.#segments += state.segments;
      merged.#judged += state.judged;
      merged.#successes += state.successes;
      merged.#successesWhereDefined += state.successesWhereDefined;
      merged.#blank.source += state.blank.source;
      merged.#blank.target += state.blank.target;
      addCounts(merged.#undefined, state.undefined);
      addCounts(merged.#missing, state.missing);
      if (state.sweep !== null) merged.#sweep?.addState(state.sweep);
      merged.#corpus.addState(state.corpus);
    }
    return merged;
  }

  /** Adds what another one (with the same options) has seen: the same summary as if this one had seen it, to the last bit. */
  merge(other: Summariser): void {
    for (const name of QUANTITIES) this.#quantities[name].merge(other.#quantities[name]);
    for (const [reason, count] of other.#undefined) increase(this.#undefined, reason, count);
    for (const [reason, count] of other.#missing) increase(this.#missing, reason, count);
    if (other.#sweep !== undefined) this.#sweep?.merge(other.#sweep);
    this.#corpus.addState(other.#corpus.toJSON());
    this.#segments += other.#segments;
    this.#judged += other.#judged;
    this.#successes += other.#successes;
    this.#successesWhereDefined += other.#successesWhereDefined;
    this.#blank.source += other.#blank.source;
    this.#blank.target += other.#blank.target;
  }

  /**
   * The summary of all batches so far.
   *
   * @param options What is known at the end, and whether intervals are wanted.
   * @throws {UsageError} `ERR_TEAPOT_EMPTY_INPUT` when there is no segment: a mean of nothing is no number.
   */
  async summary(options: FinishOptions = {}): Promise<Summary> {
    if (this.#segments === 0) throw new UsageError(ERROR_CODES.EMPTY_INPUT, 'No samples: the input is empty.');
    const { sSrc, base, attacked, dTgt, sTgt } = this.#quantities;
    const method = this.#options.percentileMethod;
    const isExact = QUANTITIES.every((name) => this.#quantities[name].order.error === 0);
    const intervals = options.intervals && new Intervals(this.#segments, isExact, options.intervals);
    const mode = this.#mode();
    const undefinedCounts = this.#undefinedCounts(mode);
    const defined = this.#judged - sumOf(this.#undefined);
    const parts: Omit<Summary, 'signature'> = {
      version: this.#options.version,
      mode,
      criterion: this.#criterion(),
      successThreshold: this.#options.successThreshold,
      n: this.#segments,
      sSrcMetric: sSrc.count === 0 ? null : metricOf(this.#options.sSrc),
      sTgtMetric: attacked.count + sTgt.count === 0 ? null : metricOf(this.#options.sTgt, options.references),
      sSrc: await sSrc.statistics(method, intervals),
      base: await base.statistics(method, intervals),
      attacked: await attacked.statistics(method, intervals),
      dTgt: await dTgt.statistics(method, intervals),
      sTgt: await sTgt.statistics(method, intervals),
      pdr: base.count === 0 ? null : performanceDropRate(base.moments.sum, attacked.moments.sum),
      success:
        this.#judged === 0
          ? null
          : {
              successes: this.#successes,
              rate: this.#successes / this.#segments,
              defined,
              successesWhereDefined: this.#successesWhereDefined,
              rateWhereDefined: defined === 0 ? null : this.#successesWhereDefined / defined,
              interval: intervals?.ofRate(this.#successes) ?? null,
            },
      corpusLevel:
        this.#options.corpusLevel === undefined
          ? null
          : this.#corpus.corpusLevel(this.#options.corpusLevel, options.references),
      undefinedCounts,
      blank: { ...this.#blank },
      percentileMethod: method,
      percentileError: Math.max(...QUANTITIES.map((name) => this.#quantities[name].order.error)),
      intervals: intervals?.method ?? null,
      thresholdSweep: this.#judged === 0 ? null : (this.#sweep?.result(this.#segments) ?? null),
      inputs: options.inputs ?? [],
    };
    return { ...parts, signature: signatureOf(parts, options.textRules ?? []) };
  }

  #mode(): Mode {
    const { sSrc, attacked, sTgt } = this.#quantities;
    const hasTarget = attacked.count + sTgt.count > 0;
    if (sSrc.count > 0) return hasTarget ? 'both' : 'source';
    return hasTarget ? 'target' : 'none';
  }

  #criterion(): Criterion | null {
    const { attacked, sTgt } = this.#quantities;
    if (attacked.count > 0) return sTgt.count > 0 ? 'mixed' : 'relative_decrease';
    return sTgt.count > 0 ? 'reference_less' : null;
  }

  /** Where every segment lacks the same side, no criterion was asked for: what is missing is no finding. */
  #undefinedCounts(mode: Mode): Summary['undefinedCounts'] {
    const counts = new Map(this.#undefined);
    if (mode === 'both' || mode === 'none') {
      for (const [reason, count] of this.#missing) increase(counts, reason, count);
    }
    // In an order of their own: the one in which they are met depends on how the input is cut.
    return Object.values(UNDEFINED_REASON).flatMap((reason) => {
      const count = counts.get(reason);
      return count === undefined ? [] : [{ reason, count }];
    });
  }
}

/** The quantities of a summary. */
const QUANTITIES = ['sSrc', 'base', 'attacked', 'dTgt', 'sTgt'] as const;

type QuantityName = (typeof QUANTITIES)[number];

/** Moments and percentiles of one kind of score; takes no memory before the first score. */
class Quantity {
  moments = new Moments();
  order = new OrderStatistics();

  get count(): number {
    return this.moments.count;
  }

  add(scores: Float64Array): void {
    this.moments.add(scores);
    this.order.add(scores);
  }

  /** Takes on the states of the parts of a run. */
  setState(states: readonly SummaryState['quantities'][QuantityName][]): void {
    this.moments = new Moments();
    for (const { moments } of states) this.moments.merge(Moments.from(moments));
    this.order = OrderStatistics.from(states.map(({ order }) => order));
  }

  merge(other: Quantity): void {
    this.moments.merge(other.moments);
    this.order.merge(other.order);
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

function increase(counts: Map<UndefinedReason, number>, reason: UndefinedReason, by = 1): void {
  counts.set(reason, (counts.get(reason) ?? 0) + by);
}

function addCounts(counts: Map<UndefinedReason, number>, more: Readonly<Record<string, number>>): void {
  for (const [reason, count] of Object.entries(more)) increase(counts, reason as UndefinedReason, count);
}

function sumOf(counts: ReadonlyMap<UndefinedReason, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

function metricOf(scorer: MetricSummary | undefined, references?: ReferenceCounts): MetricSummary | null {
  if (scorer === undefined) return null;
  const { key, name, signature } = scorer;
  return { key, name, signature: references?.sign(signature) ?? signature };
}

/** Takes the intervals of one summary: those of means all by one method, those of rates by Wilson's. */
class Intervals {
  readonly method: IntervalMethod;
  readonly #segments: number;
  readonly #options: IntervalOptions;

  /** @param isExact Whether every score is known: the bootstrap draws from them. */
  constructor(segments: number, isExact: boolean, options: IntervalOptions) {
    this.#segments = segments;
    this.#options = options;
    const { resamples, seed } = DEFAULT_BOOTSTRAP;
    const { confidence } = options;
    this.method =
      segments <= BOOTSTRAP_LIMIT && isExact
        ? { method: 'bootstrap', confidence, resamples, seed: options.seed ?? seed }
        : { method: 'normal', confidence, resamples: null, seed: null };
  }

  /** One value has no spread, so it has no interval. */
  async ofMean({ moments, order }: Quantity): Promise<Interval | null> {
    const { mean, std, count } = moments;
    const { confidence, resamples, seed } = this.method;
    if (mean === null || std === null) return null;
    const values = this.method.method === 'bootstrap' ? order.values() : undefined;
    if (values === undefined || resamples === null || seed === null) {
      return normalInterval(mean, std, count, confidence);
    }
    const { signal } = this.#options;
    return bootstrapInterval(values, { confidence, resamples, seed }, signal === undefined ? {} : { signal });
  }

  ofRate(successes: number): Interval | null {
    return this.#segments < 2 ? null : wilsonInterval(successes, this.#segments, this.method.confidence);
  }
}
