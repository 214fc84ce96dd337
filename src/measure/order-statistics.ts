import { BinCounts } from './bin-counts.js';
import type { BinState } from './bin-counts.js';

/** How a percentile is taken. */
export type PercentileMethod = 'teapot' | 'linear';

/** The scores that are kept one by one: 4 MiB. */
const DEFAULT_EXACT_LIMIT = 2 ** 19;

/** Above the limit scores are counted in bins: 8 MiB. A run of a million lines takes as much memory as any longer one. */
const DEFAULT_BINS = 2 ** 21;

/** A part of a run writes its scores one by one while there are so few different ones; else it counts them in bins. */
const STATE_VALUES = 2 ** 14;
/** A multiple of twenty, so that the histogram of a summary keeps its borders. */
const STATE_BINS = 40_960;

/** The state of {@link OrderStatistics}, for merging across processes: few kilobytes to half a megabyte. */
export type OrderState =
  | {
      /** Score and how often it occurs, score and how often, … rising. */
      readonly values: readonly number[];
    }
  | BinState;

/** Options of {@link OrderStatistics}. */
export interface OrderStatisticsOptions {
  /** Up to this many scores percentiles are exact. Default 524,288. */
  readonly exactLimit?: number;
  /** Above it, the number of bins of [0, 1]. Default 2,097,152. */
  readonly bins?: number;
}

/**
 * Percentiles and histogram of scores in flat memory.
 *
 * Up to a limit every score is kept and percentiles are exact. Above it scores are counted in equal bins of [0, 1] and a
 * percentile is 0, 1 or the middle of its bin: off by at most half a bin, 2.4e-7 by default ({@link OrderStatistics.error}
 * says it). Which of both depends on the number of scores alone, so batches and order never matter.
 */
export class OrderStatistics {
  readonly #exactLimit: number;
  readonly #bins: number;
  #values: Float64Array;
  #counts: BinCounts | undefined;
  #count = 0;
  #sorted = true;

  constructor(options: OrderStatisticsOptions = {}) {
    this.#exactLimit = options.exactLimit ?? DEFAULT_EXACT_LIMIT;
    this.#bins = options.bins ?? DEFAULT_BINS;
    this.#values = new Float64Array(0);
  }

  /** How many scores were added. */
  get count(): number {
    return this.#count;
  }

  /** How far a percentile may be off: 0 up to the limit, half a bin above it. */
  get error(): number {
    if (this.#counts === undefined) return 0;
    // What came from the bins of a part that is itself counted in finer ones may lie half such a bin further.
    return 0.5 / this.#bins + (this.#bins === STATE_BINS ? 0.5 / DEFAULT_BINS : 0);
  }

  /**
   * Adds scores.
   *
   * @param scores Fractions in [0, 1]; checked by {@link Moments}, which sees the same scores.
   */
  add(scores: Float64Array): void {
    const total = this.#count + scores.length;
    if (this.#counts === undefined && total > this.#exactLimit) this.#startCounting();
    if (this.#counts === undefined) {
      this.#reserve(total);
      this.#values.set(scores, this.#count);
      this.#sorted = false;
    } else {
      this.#counts.add(scores);
    }
    this.#count = total;
  }

  /** Adds what another one (with the same options) has seen. */
  merge(other: OrderStatistics): void {
    if (other.#counts === undefined) {
      this.add(other.#values.subarray(0, other.#count));
      return;
    }
    this.#startCounting().merge(other.#counts);
    this.#count += other.#count;
  }

  /** The state, to be merged elsewhere: see {@link OrderStatistics.from}. */
  toJSON(): OrderState {
    const sorted = this.values();
    if (sorted === undefined) return this.#startCounting().state(STATE_BINS);
    const values: number[] = [];
    for (const value of sorted) {
      const last = values.length - 2;
      if (value === values[last]) values[last + 1] = (values[last + 1] ?? 0) + 1;
      else values.push(value, 1);
    }
    if (values.length <= 2 * STATE_VALUES) return { values };
    const counts = new BinCounts(STATE_BINS);
    counts.add(sorted);
    return counts.state(STATE_BINS);
  }

  /**
   * Makes one of states that {@link OrderStatistics.toJSON} gave: as one that has seen all scores where all states have
   * them one by one; else with the bins of the coarsest state, whose error it says.
   */
  static from(states: readonly OrderState[]): OrderStatistics {
    const bins = Math.min(...states.map((state) => ('bins' in state ? state.bins : Infinity)));
    const merged = new OrderStatistics(Number.isFinite(bins) ? { exactLimit: 0, bins } : {});
    for (const state of states) {
      if ('bins' in state) merged.#addBins(state);
      else {
        for (let index = 0; index + 1 < state.values.length; index += 2) {
          merged.add(new Float64Array(state.values[index + 1] ?? 0).fill(state.values[index] ?? Number.NaN));
        }
      }
    }
    return merged;
  }

  #addBins(state: BinState): void {
    this.#startCounting().addState(state);
    for (let index = 1; index < state.counts.length; index += 2) this.#count += state.counts[index] ?? 0;
  }

  /**
   * The score below which the share `p` of the scores lies.
   *
   * `teapot`: sorted[int(N · p)], teapot-nlp's rule. `linear`: interpolated between the two neighbours of position
   * (N − 1) · p, as numpy's default and R's type 7 do.
   *
   * @param p A fraction in [0, 1].
   * @returns A fraction in [0, 1]; null when there is no score.
   */
  percentile(p: number, method: PercentileMethod): number | null {
    if (this.#count === 0) return null;
    if (method === 'teapot') return this.#atRank(Math.min(this.#count - 1, Math.floor(this.#count * p)));
    const position = (this.#count - 1) * p;
    const lower = Math.floor(position);
    const low = this.#atRank(lower);
    const high = this.#atRank(Math.min(this.#count - 1, lower + 1));
    return low + (high - low) * (position - lower);
  }

  /**
   * How many scores lie in each of `bins` equal parts of [0, 1]; a score on a border counts in the upper part, 1 in the
   * last one.
   *
   * @param bins A divisor of the number of inner bins, such as a power of two, keeps borders exact above the limit.
   */
  histogram(bins: number): number[] {
    if (this.#counts !== undefined) return this.#counts.histogram(bins);
    const counts = new BinCounts(bins);
    counts.add(this.#values.subarray(0, this.#count));
    return counts.histogram(bins);
  }

  /** The scores in rising order while they are kept one by one; undefined above the limit. Not a copy. */
  values(): Float64Array | undefined {
    if (this.#counts !== undefined) return undefined;
    const values = this.#values.subarray(0, this.#count);
    if (!this.#sorted) values.sort();
    this.#sorted = true;
    return values;
  }

  #atRank(rank: number): number {
    const values = this.values();
    if (values !== undefined) return values[rank] ?? Number.NaN;
    return this.#counts?.atRank(rank) ?? Number.NaN;
  }

  #reserve(total: number): void {
    if (total <= this.#values.length) return;
    const grown = new Float64Array(Math.min(this.#exactLimit, Math.max(total, this.#values.length * 2)));
    grown.set(this.#values.subarray(0, this.#count));
    this.#values = grown;
  }

  #startCounting(): BinCounts {
    if (this.#counts === undefined) {
      this.#counts = new BinCounts(this.#bins);
      this.#counts.add(this.#values.subarray(0, this.#count));
      this.#values = new Float64Array(0);
    }
    return this.#counts;
  }
}
