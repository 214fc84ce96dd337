/** The scores of aligned segments under one attack: all arrays have the length `count`, all scores are fractions in [0, 1]. */
export interface ScoreBatch {
  /** How many segments. */
  readonly count: number;
  /** s_src(x, x′), where the source side is measured. */
  readonly sSrc?: Float64Array;
  /** s(y(x), y*), where the target side is measured against references. */
  readonly base?: Float64Array;
  /** s(y(x′), y*); without references (no `base`) s(y(x′), y(x)). */
  readonly attacked?: Float64Array;
  /** What the metrics count for their corpus level, where it is wanted; of a metric that has one. */
  readonly counts?: CorpusCounts;
}

/**
 * The sums of what a metric counts for its corpus level.
 *
 * @param indexes The segments of the batch that are summed up. Default: all of them.
 */
export type CountSums = (indexes?: readonly number[]) => readonly number[];

/** The counts of a batch, under the names of its scores. */
export interface CorpusCounts {
  readonly sSrc?: CountSums;
  readonly base?: CountSums;
  readonly attacked?: CountSums;
}
