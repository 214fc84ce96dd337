import { gammaln } from 'simple-statistics';

/** Steps after which the continued fraction has converged for any arguments that occur. */
const MOST_STEPS = 10_000;

/**
 * The two-sided p-value of Student's t: P(|T| ≥ |t|) = I(ν / (ν + t²); ν/2, 1/2), the regularised incomplete beta function.
 *
 * @param t finite.
 * @param degrees ν, at least 1.
 */
export function studentTwoSidedP(t: number, degrees: number): number {
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

/**
 * I(x; a, b), by its continued fraction (Lentz's method).
 *
 * @see Abramowitz and Stegun 1964, 26.5.8.
 */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast below the mean; above it, the other tail does.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(gammaln(a + b) - gammaln(a) - gammaln(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  const tiny = Number.MIN_VALUE / Number.EPSILON;
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1) || tiny);
  let fraction = d;
  for (let m = 1; m < MOST_STEPS; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d || tiny);
    c = 1 + even / c || tiny;
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d || tiny);
    c = 1 + odd / c || tiny;
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return front * fraction;
}
