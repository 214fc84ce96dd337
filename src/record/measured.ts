/** What teapot measured of one record; every number is a fraction, null with a reason where there is none. */
export interface Measured {
  /** s_src(x, x′). */
  readonly s_src: number | null;
  /** s(y(x), y*), or the original score of an attacked prompt as a fraction; null without references. */
  readonly s_tgt_base: number | null;
  /** s(y(x′), y*), or the attacked score of an attacked prompt as a fraction; null without references. */
  readonly s_tgt_attacked: number | null;
  /** s(y(x′), y(x)): without references. */
  readonly s_tgt: number | null;
  /** Relative decrease of the target score; null without references. */
  readonly d_tgt: number | null;
  /** Whether the attack is successful by the criterion. */
  readonly success: boolean | null;
  /** How far the criterion is above the threshold: above 0 is a success. */
  readonly margin: number | null;
  /** Performance drop rate of the two scores; may be negative. */
  readonly pdr: number | null;
  /** Which criterion `success` comes from. */
  readonly criterion: 'relative_decrease' | 'reference_less' | null;
  /** Field name to the reason why that field is null, or why a defined value says little. */
  readonly reasons: Readonly<Record<string, string>>;
}
