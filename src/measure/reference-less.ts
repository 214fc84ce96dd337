import { requireNumber } from './number.js';
import { DEFAULT_SUCCESS_THRESHOLD } from './success.js';

/**
 * How far an attack is above the threshold of the reference-less criterion: s_src − T · s_tgt.
 *
 * Above 0 exactly when {@link isSuccessfulWithoutReference} holds.
 *
 * @param sSrc s_src(x, x′), a fraction in [0, 1].
 * @param sTgt s_tgt(y(x), y(x′)), a fraction in [0, 1].
 * @param threshold T, any number. Default 1.
 * @throws {TeapotError} `ERR_TEAPOT_INVALID_OPTION` when an argument is NaN.
 * @example marginWithoutReference(0.75, 0.5); // 0.25
 */
export function marginWithoutReference(sSrc: number, sTgt: number, threshold = DEFAULT_SUCCESS_THRESHOLD): number {
  requireNumber(sSrc, 's_src');
  requireNumber(sTgt, 's_tgt');
  requireNumber(threshold, 'The success threshold');
  return sSrc - threshold * sTgt;
}

/**
 * Whether an attack is successful where there is no reference: y* := y(x), and the output changed more than the input.
 *
 * s_src > T · s_tgt, strict. teapot-nlp writes it s_src / s_tgt > T and ends in a division by zero as soon as one s_tgt
 * is 0; the product says the same for every s_tgt above 0, makes a fully destroyed output a success, and leaves 0 > 0 no
 * success (counted as undefined: see {@link isReferenceLessDefined}). At T = 1 it equals the main criterion.
 *
 * @param sSrc s_src(x, x′), a fraction in [0, 1].
 * @param sTgt s_tgt(y(x), y(x′)): score of the attacked output as hypothesis against the original output as reference,
 *   a fraction in [0, 1].
 * @param threshold T, any number. Default 1.
 * @throws {TeapotError} `ERR_TEAPOT_INVALID_OPTION` when an argument is NaN.
 * @see Michel et al. 2019, section 3.3; teapot-nlp 0.2.2, README and `main.py`.
 * @example isSuccessfulWithoutReference(0.9, 0); // true
 */
export function isSuccessfulWithoutReference(
  sSrc: number,
  sTgt: number,
  threshold = DEFAULT_SUCCESS_THRESHOLD,
): boolean {
  return marginWithoutReference(sSrc, sTgt, threshold) > 0;
}

/**
 * Whether the reference-less criterion compares anything: 0 against 0 doesn't.
 *
 * @param sSrc s_src(x, x′), a fraction in [0, 1].
 * @param sTgt s_tgt(y(x), y(x′)), a fraction in [0, 1].
 * @returns False when both scores are 0.
 * @example isReferenceLessDefined(0, 0); // false
 */
export function isReferenceLessDefined(sSrc: number, sTgt: number): boolean {
  return sSrc > 0 || sTgt > 0;
}
