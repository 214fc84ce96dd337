import { requireNumber } from './number.js';

/** The threshold of Michel et al. 2019: meaning lost on the target side outweighs meaning lost on the source side. */
export const DEFAULT_SUCCESS_THRESHOLD = 1;

/**
 * How far an attack is above the threshold of success: s_src + d_tgt − T.
 *
 * Above 0 exactly when {@link isSuccessful} holds: a difference of two floating-point numbers is 0 only if they are equal.
 *
 * @param sSrc s_src(x, x′), a fraction in [0, 1].
 * @param dTgt d_tgt, a fraction in [0, 1].
 * @param threshold T, any number. Default 1.
 * @returns In [−T, 2 − T].
 * @throws {TeapotError} `ERR_TEAPOT_INVALID_OPTION` when an argument is NaN.
 * @see Michel et al. 2019, equation 4.
 * @example successMargin(0.75, 0.5); // 0.25
 */
export function successMargin(sSrc: number, dTgt: number, threshold = DEFAULT_SUCCESS_THRESHOLD): number {
  requireNumber(sSrc, 's_src');
  requireNumber(dTgt, 'd_tgt');
  requireNumber(threshold, 'The success threshold');
  return sSrc + dTgt - threshold;
}

/**
 * Whether an attack is successful: it destroys more meaning on the target side than on the source side.
 *
 * s_src + d_tgt > T, strict: exactly on the threshold is no success, and so an unchanged pair (s_src 1, d_tgt 0) can't
 * succeed at T = 1.
 *
 * @param sSrc s_src(x, x′), a fraction in [0, 1].
 * @param dTgt d_tgt, a fraction in [0, 1].
 * @param threshold T, any number. Default 1; Michel et al. recommend 1.8 with a 0-or-1 metric on the target side.
 * @throws {TeapotError} `ERR_TEAPOT_INVALID_OPTION` when an argument is NaN.
 * @see Michel et al. 2019, equation 4; teapot-nlp 0.2.2, `main.py`.
 * @example isSuccessful(0.8, 1, 1.8); // false
 */
export function isSuccessful(sSrc: number, dTgt: number, threshold = DEFAULT_SUCCESS_THRESHOLD): boolean {
  return successMargin(sSrc, dTgt, threshold) > 0;
}
