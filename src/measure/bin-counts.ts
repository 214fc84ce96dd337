/** What a counter of 32 bits holds no more. */
const WRAP = 2 ** 32;

/** Counts by bin, for merging across processes. */
export interface BinState {
  /** Equal parts of [0, 1]. */
  readonly bins: number;
  /** Bin and count, bin and count, … of those that are not empty, rising. */
  readonly counts: readonly number[];
  /** Scores of exactly 0 and 1, which are among the counts. */
  readonly zeros: number;
  readonly ones: number;
}

/**
 * How many scores lie in each of `bins` equal parts of [0, 1]; a score on a border counts in the upper part, 1 in the last
 * one. 4 bytes a part, whatever the number of scores: counters that overflow are rare and carried apart.
 *
 * Scores of exactly 0 and 1, which many metrics give often, are known exactly.
 */
export class BinCounts {
  readonly bins: number;
  readonly #counts: Uint32Array;
  readonly #carries = new Map<number, number>();
  #zeros = 0;
  #ones = 0;

  constructor(bins: number) {
    this.bins = bins;
    this.#counts = new Uint32Array(bins);
  }

  /** Counts scores: fractions in [0, 1]. */
  add(scores: Float64Array): void {
    const { bins } = this;
    const counts = this.#counts;
    // By index: an iterator makes an object of every score.
    for (let index = 0; index < scores.length; index += 1) {
      const score = scores[index] ?? 0;
      if (score === 0) this.#zeros += 1;
      else if (score === 1) this.#ones += 1;
      const bin = score === 1 ? bins - 1 : Math.floor(score * bins);
      const count = (counts[bin] ?? 0) + 1;
      counts[bin] = count;
      if (count === WRAP) this.#carry(bin);
    }
  }

  /** Adds what another one with as many bins has counted. */
  merge(other: BinCounts): void {
    this.#zeros += other.#zeros;
    this.#ones += other.#ones;
    for (const [bin, more] of other.#counts.entries()) {
      const count = (this.#counts[bin] ?? 0) + more;
      this.#counts[bin] = count;
      if (count >= WRAP) this.#carry(bin);
    }
    for (const [bin, times] of other.#carries) this.#carry(bin, times);
  }

  /** Adds scores that were counted elsewhere, in no more bins than these are: each takes its place by the middle of its bin. */
  addState({ bins, counts, zeros, ones }: BinState): void {
    this.#zeros += zeros;
    this.#ones += ones;
    for (let index = 0; index + 1 < counts.length; index += 2) {
      const bin = Math.floor((((counts[index] ?? 0) + 0.5) / bins) * this.bins);
      const total = (this.#counts[bin] ?? 0) + (counts[index + 1] ?? 0);
      // What is stored wraps at 32 bits; the carry keeps the rest.
      this.#counts[bin] = total;
      if (total >= WRAP) this.#carry(bin, Math.floor(total / WRAP));
    }
  }

  /** The counts in fewer bins, for merging elsewhere: see {@link BinCounts.addState}. */
  state(bins: number): BinState {
    const counts = this.histogram(bins).flatMap((count, bin) => (count === 0 ? [] : [bin, count]));
    return { bins, counts, zeros: this.#zeros, ones: this.#ones };
  }

  /** The score at a 0-based rank: exact for 0 and 1, else the middle of its bin; NaN beyond the last. */
  atRank(rank: number): number {
    if (rank < this.#zeros) return 0;
    let seen = 0;
    for (let bin = 0; bin < this.bins; bin += 1) {
      seen += this.#at(bin);
      if (seen > rank) return bin === this.bins - 1 && rank >= seen - this.#ones ? 1 : (bin + 0.5) / this.bins;
    }
    return Number.NaN;
  }

  /** The same counts in fewer bins. */
  histogram(bins: number): number[] {
    const counts = Array.from({ length: bins }, () => 0);
    for (let bin = 0; bin < this.bins; bin += 1) {
      const count = this.#at(bin);
      const target = Math.floor(((bin + 0.5) / this.bins) * bins);
      if (count > 0) counts[target] = (counts[target] ?? 0) + count;
    }
    return counts;
  }

  #at(bin: number): number {
    return (this.#counts[bin] ?? 0) + (this.#carries.get(bin) ?? 0) * WRAP;
  }

  #carry(bin: number, times = 1): void {
    this.#carries.set(bin, (this.#carries.get(bin) ?? 0) + times);
  }
}
