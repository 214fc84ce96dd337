import type { AttackComparison } from './compare-attacks.js';
import type { OutcomeCounts, OutcomeRates, Share } from './denominators.js';
import type { Interval } from './intervals.js';
import type { UndefinedReason } from './undefined-reason.js';
import type { InputFile } from '../read/segment-source.js';
import type { Scorer } from '../score/scorer.js';
import type { PercentileMethod } from './order-statistics.js';
import type { ThresholdSweep } from './threshold-sweep.js';

/** Statistics of the scores of N segments; all values are fractions in [0, 1]. */
export interface Statistics {
  /** Segments that have the score: fewer than those of the summary where texts are missing. */
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
  /** Segments with a defined criterion. */
  readonly defined: number;
  /** Successful segments among those with a defined criterion. */
  readonly successesWhereDefined: number;
  /** successesWhereDefined / defined; null when none is defined. */
  readonly rateWhereDefined: number | null;
  /** Interval of `rate`, where it was asked for. */
  readonly interval: Interval | null;
}

/**
 * The scores of a whole corpus, of which the counts of all segments are added up first: sacreBLEU's corpus level. Fractions; of
 * TER 1 − min(1, TER). Null for a side that isn't measured, and for a metric without a corpus level.
 */
export interface CorpusLevel {
  readonly sSrc: number | null;
  readonly base: number | null;
  readonly attacked: number | null;
  /** Relative decrease from `base` to `attacked`: max(0, base − attacked) / base, 0 for a base of 0. */
  readonly dTgt: number | null;
  /** Without references. */
  readonly sTgt: number | null;
  /** Signatures of the metrics at the corpus level. */
  readonly sSrcSignature: string | null;
  readonly sTgtSignature: string | null;
}

/** Segments in which a quantity is undefined. */
export interface UndefinedCount {
  readonly reason: UndefinedReason;
  readonly count: number;
}

/** Which sides were measured; `none` only for records that have no pair of texts. */
export type Mode = 'source' | 'target' | 'both' | 'none';

/** Which rule says whether an attack succeeds; `mixed` for records of which only some have references. */
export type Criterion = 'relative_decrease' | 'reference_less' | 'mixed';

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
 * Everything that is known about an attack on a corpus, or on a group of its segments: what every report shows. Scores
 * are fractions in [0, 1].
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
  /** Null unless both sides of at least one segment were measured: there is no rate of nothing. */
  readonly success: SuccessSummary | null;
  /** The scores of the whole corpus; null unless they were asked for. */
  readonly corpusLevel: CorpusLevel | null;
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

/** Where the tool that made attack records and teapot agree about success, among the records that both judge. */
export interface Agreement {
  /** Successful to both. */
  readonly both: number;
  readonly toolOnly: number;
  readonly teapotOnly: number;
  readonly neither: number;
}

/** What only attack records have beside their texts: what the tool that made them said. */
export interface Claims {
  /** Records by what the tool said of them. */
  readonly tool: OutcomeCounts & { readonly unknown: number };
  /** The tool's own rates with their denominators; null where it says nothing. */
  readonly rates: OutcomeRates | null;
  /** teapot's successes over the records that the tool attacked (not skipped, no error); null where it says nothing. */
  readonly successOverAttacked: Share | null;
  readonly agreement: Agreement;
  /** Success over the records that people rated; null where there is none. */
  readonly people: {
    /** With the people's rating in the place of s_src. */
    readonly success: Share;
    /** By the metric, over the same records. */
    readonly successByRule: Share;
  } | null;
}

/** The segments of one group. */
export interface GroupResult {
  /** The value of each grouping key; null where the segments have none. */
  readonly values: readonly (string | null)[];
  readonly summary: Summary;
  /** Null unless the segments are attack records. */
  readonly claims: Claims | null;
}

/**
 * What a run of measuring gives, wherever the segments came from: parallel files, tables, attack records, memory. Every
 * report is made of this alone.
 */
export interface Result {
  /**
   * What the groups differ by: grouping keys of records or columns of a table; `attack` for several attacks on one corpus,
   * `s_tgt` for several metrics of the target side. Empty when there are no groups.
   */
  readonly by: readonly string[];
  /** In the order in which their first segment came; empty without grouping keys. */
  readonly groups: readonly GroupResult[];
  /**
   * All segments together; null for several attacks on one corpus, or several metrics, where every group has all
   * segments.
   */
  readonly all: GroupResult | null;
  /** One a metric, of groups under several metrics: all segments together, named by all keys of `by` that aren't groups. */
  readonly totals?: readonly GroupResult[];
  /** Paired tests of several attacks on one corpus; otherwise empty. */
  readonly comparisons: readonly AttackComparison[];
}
