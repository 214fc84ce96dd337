/** A number as a log printed it. */
export interface Printed {
  /** Its value, without a percent sign. */
  readonly value: number;
  /** How many decimals were printed: what was rounded away is at most half a unit of the last one. */
  readonly decimals: number;
}

/**
 * Three rounded numbers are each off by at most half a unit of the last decimal: together they explain a difference of
 * 1.5 units, never more.
 */
const ROUNDING_UNITS = 1.5;

/** A printed drop that differs by less than this is exact up to floating point. */
const EXACT_UNITS = 0.5;

/**
 * Reads a number as it was printed.
 *
 * @param text digits with an optional sign and decimals, for example `78.50`.
 */
export function readPrinted(text: string): Printed {
  const point = text.indexOf('.');
  return { value: Number(text), decimals: point < 0 ? 0 : text.length - point - 1 };
}

/**
 * Whether two printed numbers differ by more than half a unit of the last decimal that both have.
 */
export function differsInPrint(a: Printed, b: Printed): boolean {
  return Math.abs(a.value - b.value) > EXACT_UNITS * 10 ** -Math.min(a.decimals, b.decimals);
}

/** How a printed drop relates to original − attacked. */
export type DropAgreement = 'exact' | 'rounding' | 'inconsistent';

/**
 * Compares a drop that a tool printed with the difference of the two scores that it printed.
 *
 * @param decimals how many decimals all three have; null for numbers that were not rounded (a difference above 1e-9 is
 * then inconsistent).
 * @returns `exact`; `rounding` when up to 1.5 units of the last decimal lie between, which rounding explains;
 * `inconsistent` beyond.
 */
export function dropAgreement(
  original: number,
  attacked: number,
  dropped: number,
  decimals: number | null,
): DropAgreement {
  const difference = Math.abs(dropped - (original - attacked));
  if (decimals === null) return difference > 1e-9 ? 'inconsistent' : 'exact';
  const units = difference * 10 ** decimals;
  if (units > ROUNDING_UNITS) return 'inconsistent';
  return units > EXACT_UNITS ? 'rounding' : 'exact';
}
