import type { UndefinedReason } from './undefined-reason.js';
import type { InputFile } from '../read/segment-source.js';
import type { Scorer } from '../score/scorer.js';
import type { PercentileMethod } from './order-statistics.js';
import type { ThresholdSweep } from './threshold-sweep.js';

/** An interval that holds the true value with the stated confidence. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Statistics of the scores of N segments; all values are fractions in [0, 1]. */
export interface Statistics {
  readonly n: number;
  readonly mean: number;
  /** Sample standard deviation (N − 1); null for one segment. */
  readonly std: number | null;
  /** 5 % percentile. */
  readonly p5: number;
  /** 95 % percentile. */
  readonly p95: number;
  /** Interval of the mean, where it was asked for. */
  readonly interval: Interval | null;
  /** How many scores lie in each twentieth of [0, 1]. */
  readonly histogram: readonly number[];
}

/** How many attacks succeed. */
export interface SuccessSummary {
  /** Successful segments. */
  readonly successes: number;
  /** Successful / all segments. */
  readonly rate: number;
  /** Successful / segments with a defined criterion; null when none is defined. */
  readonly rateWhereDefined: number | null;
  /** Interval of `rate`, where it was asked for. */
  readonly interval: Interval | null;
}

/** Segments in which a quantity is undefined. */
export interface UndefinedCount {
  readonly reason: UndefinedReason;
  readonly count: number;
}

/** Which sides were measured. */
export type Mode = 'source' | 'target' | 'both';

/** Which rule says whether an attack succeeds. */
export type Criterion = 'relative_decrease' | 'reference_less';

/** How an interval was taken. */
export interface IntervalMethod {
  /** The percentile bootstrap, or for hundreds of thousands of segments the central limit theorem. */
  readonly method: 'bootstrap' | 'normal';
  /** For example 0.95. */
  readonly confidence: number;
  /** Of the bootstrap; null without one. */
  readonly resamples: number | null;
  /** Of the bootstrap; null without one. */
  readonly seed: number | null;
}

/** A metric as it was used. */
export type MetricSummary = Pick<Scorer, 'key' | 'name' | 'signature'>;

/**
 * Everything that is known about an attack on a corpus: what every report shows. Scores are fractions in [0, 1].
 */
export interface Summary {
  /** Version of teapot. */
  readonly version: string;
  readonly mode: Mode;
  /** Null when only the source side was measured. */
  readonly criterion: Criterion | null;
  readonly successThreshold: number;
  /** Number of segments. */
  readonly n: number;
  /** The metric of the source side; null when it was not measured. */
  readonly sSrcMetric: MetricSummary | null;
  /** The metric of the target side; null when it was not measured. */
  readonly sTgtMetric: MetricSummary | null;
  /** s_src(x, x′). */
  readonly sSrc: Statistics | null;
  /** s(y(x), y*): with references. */
  readonly base: Statistics | null;
  /** s(y(x′), y*): with references. */
  readonly attacked: Statistics | null;
  /** d_tgt: with references. */
  readonly dTgt: Statistics | null;
  /** s(y(x′), y(x)): without references. */
  readonly sTgt: Statistics | null;
  /** 1 − Σ attacked / Σ base, with references; null when undefined. */
  readonly pdr: number | null;
  /** Null unless both sides were measured. */
  readonly success: SuccessSummary | null;
  /** Segments without a defined criterion, by reason; empty when there is none. */
  readonly undefinedCounts: readonly UndefinedCount[];
  /** Segments with a blank text on a side. */
  readonly blank: { readonly source: number; readonly target: number };
  readonly percentileMethod: PercentileMethod;
  /** How far percentiles may be off: 0 unless there are millions of segments. */
  readonly percentileError: number;
  /** Null when no interval was asked for. */
  readonly intervals: IntervalMethod | null;
  readonly thresholdSweep: ThresholdSweep | null;
  /** The input files; empty when texts came from memory. */
  readonly inputs: readonly InputFile[];
  /** Everything that can change the numbers, in one line. */
  readonly signature: string;
}
