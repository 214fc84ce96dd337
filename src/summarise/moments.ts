import { ERROR_CODES, TeapotError } from '../errors.js';

/** Scores are rounded to multiples of 2^-52, so that sums are integers: the order and the batches don't matter. */
const UNIT_BITS = 52;
const UNITS = 2 ** UNIT_BITS;

/** A score of 52 bits is cut into limbs of 18 bits, so that sums of limb products stay exact in a double… */
const LIMB = 2 ** 18;

/** …for as many scores as this: a limb product sum is below 2^37. */
const FLUSH_EVERY = 2 ** 15;

/** The state of {@link Moments}, for merging across processes: integers as decimal text. */
export interface MomentsState {
  readonly count: number;
  readonly sum: string;
  readonly squares: string;
}

/**
 * Mean and standard deviation of scores, exact and mergeable.
 *
 * Each score is rounded once, to a multiple of 2^-52 (an error of at most 1.2e-16), and summed as an integer, its square
 * as well. So any order, any batch size and any split over processes gives the same bits.
 */
export class Moments {
  #count = 0;
  #sum = 0n;
  #squares = 0n;

  /** How many scores were added. */
  get count(): number {
    return this.#count;
  }

  /**
   * Adds scores.
   *
   * @param scores Fractions in [0, 1].
   * @throws {TeapotError} `ERR_TEAPOT_INTERNAL` when one is NaN or out of [0, 1]; nothing of its block is added.
   */
  add(scores: Float64Array): void {
    for (let start = 0; start < scores.length; start += FLUSH_EVERY) {
      this.#addBlock(scores.subarray(start, start + FLUSH_EVERY));
    }
  }

  #addBlock(scores: Float64Array): void {
    // score = (high · 2^36 + middle · 2^18 + low) / 2^52; the square has five weights.
    let [highs, middles, lows] = [0, 0, 0];
    let [weight72, weight54, weight36, weight18, weight0] = [0, 0, 0, 0, 0];
    for (const score of scores) {
      if (!(score >= 0 && score <= 1)) throw new TeapotError(ERROR_CODES.INTERNAL, `${score} is no score in [0, 1].`);
      const units = Math.round(score * UNITS);
      const upper = Math.floor(units / LIMB);
      const low = units - upper * LIMB;
      const high = Math.floor(upper / LIMB);
      const middle = upper - high * LIMB;
      highs += high;
      middles += middle;
      lows += low;
      weight72 += high * high;
      weight54 += 2 * high * middle;
      weight36 += 2 * high * low + middle * middle;
      weight18 += 2 * middle * low;
      weight0 += low * low;
    }
    this.#count += scores.length;
    this.#sum += (BigInt(highs) << 36n) + (BigInt(middles) << 18n) + BigInt(lows);
    this.#squares +=
      (BigInt(weight72) << 72n) +
      (BigInt(weight54) << 54n) +
      (BigInt(weight36) << 36n) +
      (BigInt(weight18) << 18n) +
      BigInt(weight0);
  }

  /** Adds what another one has seen. */
  merge(other: Moments): void {
    this.#count += other.#count;
    this.#sum += other.#sum;
    this.#squares += other.#squares;
  }

  /** The sum of the scores; 0 when there is none. */
  get sum(): number {
    return Number(this.#sum) / UNITS;
  }

  /**
   * The arithmetic mean.
   *
   * @returns A fraction in [0, 1]; null when there is no score.
   */
  get mean(): number | null {
    return this.#count === 0 ? null : Number(this.#sum) / this.#count / UNITS;
  }

  /**
   * The sample standard deviation: sqrt(Σ(score − mean)² / (N − 1)).
   *
   * @returns At least 0, exactly 0 when all scores are equal; null for fewer than two scores.
   */
  get std(): number | null {
    if (this.#count < 2) return null;
    const count = BigInt(this.#count);
    const numerator = count * this.#squares - this.#sum * this.#sum;
    return Math.sqrt(Number(numerator) / Number(count * (count - 1n))) / UNITS;
  }

  /** The state, to be merged elsewhere: see {@link Moments.from}. */
  toJSON(): MomentsState {
    return { count: this.#count, sum: this.#sum.toString(), squares: this.#squares.toString() };
  }

  /** Makes one of a state that {@link Moments.toJSON} gave. */
  static from(state: MomentsState): Moments {
    const moments = new Moments();
    moments.#count = state.count;
    moments.#sum = BigInt(state.sum);
    moments.#squares = BigInt(state.squares);
    return moments;
  }
}
