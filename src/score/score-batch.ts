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
}
