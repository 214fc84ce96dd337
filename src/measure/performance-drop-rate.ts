import { requireNumber } from './number.js';

/**
 * Performance drop rate of an attack: PDR.
 *
 * PDR = 1 − attacked / original
 *
 * The relative drop, not the absolute one: from 0.75 to 0.70 the absolute drop is 0.05, the PDR 0.0667.
 *
 * @param original Performance on the original inputs: the sum (or mean) of the scores of a data set, any scale.
 * @param attacked Performance on the attacked inputs, on the same scale over the same items.
 * @returns At most 1; negative when the attack helped, 0 when nothing changed; null when the original performance is 0
 *   (`UNDEFINED_REASON.ORIGINAL_IS_ZERO`). Never −0.
 * @throws {TeapotError} `ERR_TEAPOT_INVALID_OPTION` when an argument is NaN.
 * @see Zhu et al. 2023, "PromptBench", section 3.4 (its code divides unguarded).
 * @example performanceDropRate(0.75, 0.7); // 0.06666666666666676
 */
export function performanceDropRate(original: number, attacked: number): number | null {
  requireNumber(original, 'The original score');
  requireNumber(attacked, 'The attacked score');
  return original === 0 ? null : 1 - attacked / original;
}
