import { ERROR_CODES, TeapotError } from '../errors.js';

/** For the mean, scores are rounded to multiples of 2^-52: next to nothing is lost. */
const FINE = 2 ** 52;

/** For the deviation, to multiples of 10^-12: the sum of the squares of 10^13 scores still fits 128 bits and 38 digits. */
const COARSE = 1e12;

/** Integers are cut in two for summing in doubles: fine ones at 2^26, coarse ones (below 2^40) at 2^20… */
const FINE_LIMB = 2 ** 26;
const COARSE_LIMB = 2 ** 20;

/** …so that sums of this many limbs, and products of limbs, stay below 2^53. */
const FLUSH_EVERY = 2 ** 12;

/** The state of {@link Moments}, for merging across processes: integers as decimal text. */
export interface MomentsState {
  readonly count: number;
  /** Σ round(score · 2^52). */
  readonly fineSum: string;
  /** Σ round(score · 10^12). */
  readonly coarseSum: string;
  /** Σ round(score · 10^12)². */
  readonly coarseSquares: string;
}

/**
 * Mean and standard deviation of scores, exact and mergeable.
 *
 * Each score is rounded once and summed as an integer (for the mean off by at most 1.2e-16, for the deviation by 5e-13),
 * its square as well. So any order, any batch size and any split over processes gives the same bits; the sums fit what
 * databases have (38 decimal digits).
 */
export class Moments {
  #count = 0;
  #fineSum = 0n;
  #coarseSum = 0n;
  #coarseSquares = 0n;

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
      this.#addBlock(scores, start, Math.min(scores.length, start + FLUSH_EVERY));
    }
  }

  #addBlock(scores: Float64Array, start: number, end: number): void {
    let [fineHighs, fineLows, highs, lows] = [0, 0, 0, 0];
    let [highSquares, products, lowSquares] = [0, 0, 0];
    for (let index = start; index < end; index += 1) {
      const score = scores[index] ?? Number.NaN;
      if (!(score >= 0 && score <= 1)) throw new TeapotError(ERROR_CODES.INTERNAL, `${score} is no score in [0, 1].`);
      const fine = Math.round(score * FINE);
      const fineHigh = Math.floor(fine / FINE_LIMB);
      fineHighs += fineHigh;
      fineLows += fine - fineHigh * FINE_LIMB;
      const coarse = Math.round(score * COARSE);
      const high = Math.floor(coarse / COARSE_LIMB);
      const low = coarse - high * COARSE_LIMB;
      highs += high;
      lows += low;
      highSquares += high * high;
      products += high * low;
      lowSquares += low * low;
    }
    this.#count += end - start;
    this.#fineSum += (BigInt(fineHighs) << 26n) + BigInt(fineLows);
    this.#coarseSum += (BigInt(highs) << 20n) + BigInt(lows);
    this.#coarseSquares += (BigInt(highSquares) << 40n) + (BigInt(products) << 21n) + BigInt(lowSquares);
  }

  /** Adds what another one has seen. */
  merge(other: Moments): void {
    this.#count += other.#count;
    this.#fineSum += other.#fineSum;
    this.#coarseSum += other.#coarseSum;
    this.#coarseSquares += other.#coarseSquares;
  }

  /** The sum of the scores; 0 when there is none. */
  get sum(): number {
    return Number(this.#fineSum) / FINE;
  }

  /**
   * The arithmetic mean.
   *
   * @returns A fraction in [0, 1]; null when there is no score.
   */
  get mean(): number | null {
    return this.#count === 0 ? null : Number(this.#fineSum) / this.#count / FINE;
  }

  /**
   * The sample standard deviation: sqrt(Σ(score − mean)² / (N − 1)).
   *
   * @returns At least 0, exactly 0 when all scores are equal; null for fewer than two scores.
   */
  get std(): number | null {
    if (this.#count < 2) return null;
    const count = BigInt(this.#count);
    const numerator = count * this.#coarseSquares - this.#coarseSum * this.#coarseSum;
    return Math.sqrt(Number(numerator) / Number(count * (count - 1n) * BigInt(COARSE) ** 2n));
  }

  /** The state, to be merged elsewhere: see {@link Moments.from}. */
  toJSON(): MomentsState {
    return {
      count: this.#count,
      fineSum: this.#fineSum.toString(),
      coarseSum: this.#coarseSum.toString(),
      coarseSquares: this.#coarseSquares.toString(),
    };
  }

  /** Makes one of a state that {@link Moments.toJSON} gave. */
  static from(state: MomentsState): Moments {
    const moments = new Moments();
    moments.#count = state.count;
    moments.#fineSum = BigInt(state.fineSum);
    moments.#coarseSum = BigInt(state.coarseSum);
    moments.#coarseSquares = BigInt(state.coarseSquares);
    return moments;
  }
}
