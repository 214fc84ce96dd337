/** Why a quantity has no value. Printed as it stands: `undefined: 3 (base score is 0)`. */
export const UNDEFINED_REASON = {
  /** s(y(x), y*) is 0: nothing can decrease, d_tgt is taken as 0. */
  BASE_IS_ZERO: 'base score is 0',
  /** s_src and s_tgt are both 0: the reference-less criterion compares 0 with 0. */
  BOTH_ARE_ZERO: 's_src and s_tgt are 0',
  /** The original performance is 0: a drop rate would divide by it. */
  ORIGINAL_IS_ZERO: 'original score is 0',
  /** A record holds no score of the original input or prompt. */
  NO_ORIGINAL_SCORE: 'no original score',
  /** A record holds no score under attack: it was skipped, or the attack was cut off. */
  NO_ATTACKED_SCORE: 'no attacked score',
  /** A record holds no original text. */
  NO_ORIGINAL_TEXT: 'no original text',
  /** A record holds no attacked text: it was skipped, or the attack was cut off. */
  NO_ATTACKED_TEXT: 'no attacked text',
  /** A record holds neither outputs nor a reference. */
  NO_OUTPUTS: 'no outputs',
  /** A record with a reference holds no output for the original input. */
  NO_ORIGINAL_OUTPUT: 'no output before the attack',
  /** A record holds no output for the attacked input. */
  NO_ATTACKED_OUTPUT: 'no output under attack',
  /** Without references there is no d_tgt. */
  NO_REFERENCE: 'no reference',
  /** A score of a record lies outside of its scale. */
  OUT_OF_SCALE: 'score outside of its scale',
  /** One value has no spread. */
  ONE_VALUE: 'one value',
} as const;

/** One of {@link UNDEFINED_REASON}. */
export type UndefinedReason = (typeof UNDEFINED_REASON)[keyof typeof UNDEFINED_REASON];
