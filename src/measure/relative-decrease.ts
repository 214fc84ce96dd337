import { requireNumber } from './number.js';

/**
 * Relative decrease of the target score under attack: d_tgt.
 *
 * d_tgt = max(0, base − attacked) / base
 *
 * Not to be mixed up with the performance drop rate, which may be negative.
 *
 * @param base s(y(x), y*): score of the output for the original input, a fraction in [0, 1].
 * @param attacked s(y(x′), y*): score of the output for the attacked input, a fraction in [0, 1].
 * @returns A fraction in [0, 1]; 0 when the attack helped, and 0 when the base score is 0 (the caller counts those:
 *   see {@link isRelativeDecreaseDefined}). Never −0.
 * @throws {TeapotError} `ERR_TEAPOT_INVALID_OPTION` when a score is NaN.
 * @see Michel et al. 2019, "On Evaluation of Adversarial Perturbations for Sequence-to-Sequence Models", equation 3;
 *   teapot-nlp 0.2.2, `utils.relative_decrease`.
 * @example relativeDecrease(0.8, 0.6); // 0.25
 */
export function relativeDecrease(base: number, attacked: number): number {
  requireNumber(base, 'The base score');
  requireNumber(attacked, 'The attacked score');
  if (base <= 0 || attacked >= base) return 0;
  return (base - attacked) / base;
}

/**
 * Whether d_tgt is a quotient at all: a base score of 0 leaves nothing to decrease.
 *
 * @param base s(y(x), y*), a fraction in [0, 1].
 * @returns False when the base score is 0.
 * @example isRelativeDecreaseDefined(0); // false
 */
export function isRelativeDecreaseDefined(base: number): boolean {
  return base > 0;
}
