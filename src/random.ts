const MASK = (1n << 64n) - 1n;

/** The increment of SplitMix64: 2⁶⁴ divided by the golden ratio, made odd. */
const GAMMA = 0x9e37_79b9_7f4a_7c15n;

/** 2⁵³: as many numbers from 0 to 1 are drawn, evenly spaced. */
const FRACTIONS = 2 ** 53;

/** A seeded generator. */
export interface Random {
  /** A fraction in [0, 1), all multiples of 2⁻⁵³ equally likely. */
  fraction(): number;
  /** A whole number in [0, bound); 0 for a bound of 0 or 1. */
  below(bound: number): number;
  /**
   * A position, as likely as its weight.
   *
   * @param weights At least 0.
   * @returns −1 when no weight is above 0.
   */
  weighted(weights: readonly number[]): number;
}

/**
 * The native core's generator (`random.rs`) once more, for searches that draw in JavaScript: xoshiro256++ 1.0 (Blackman and Vigna
 * 2019), its state filled by SplitMix64 from a path of numbers. The same path gives the same draws on every platform.
 *
 * @param path What is being drawn, for example seed and item: whole numbers from 0.
 */
export function randomOf(...path: readonly number[]): Random {
  const seed = path.reduce((key, number) => mix(((key + GAMMA) & MASK) ^ BigInt(number)), 0n);
  let [a, b, c, d] = [1n, 2n, 3n, 4n].map((step) => mix((seed + step * GAMMA) & MASK)) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const next = (): bigint => {
    const result = (rotate((a + d) & MASK, 23n) + a) & MASK;
    const [e, f] = [c ^ a, d ^ b];
    [a, b, c, d] = [a ^ f, b ^ e, e ^ ((b << 17n) & MASK), rotate(f, 45n)];
    return result;
  };
  const fraction = (): number => Number(next() >> 11n) / FRACTIONS;
  return {
    fraction,
    below: (bound) => (bound < 2 ? 0 : Math.floor(fraction() * bound)),
    weighted: (weights) => {
      const sum = weights.reduce((total, weight) => total + weight, 0);
      if (!(sum > 0)) return -1;
      let left = fraction() * sum;
      let last = -1;
      for (const [position, weight] of weights.entries()) {
        if (weight <= 0) continue;
        last = position;
        left -= weight;
        if (left < 0) break;
      }
      return last;
    },
  };
}

/** The output function of SplitMix64. */
function mix(value: bigint): bigint {
  const first = ((value ^ (value >> 30n)) * 0xbf58_476d_1ce4_e5b9n) & MASK;
  const second = ((first ^ (first >> 27n)) * 0x94d0_49bb_1331_11ebn) & MASK;
  return second ^ (second >> 31n);
}

function rotate(value: bigint, by: bigint): bigint {
  return ((value << by) | (value >> (64n - by))) & MASK;
}
