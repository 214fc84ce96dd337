import { isSuccessfulWithoutReference } from './reference-less.js';
import { isSuccessful } from './success.js';
import type { ScoreBatch } from '../score/score-batch.js';

/** Success rates over thresholds. */
export interface ThresholdSweep {
  /** Rising. */
  readonly thresholds: readonly number[];
  /** One fraction in [0, 1] a threshold, never rising. */
  readonly successRates: readonly number[];
  /** The area under the success rate from the first to the last threshold, by the trapezoid rule: at most their distance. */
  readonly area: number;
}

/** Counts successes for several thresholds at once. */
export class ThresholdCounter {
  readonly #thresholds: readonly number[];
  /** How many segments succeed at exactly the first i thresholds: integers, so that the order doesn't matter. */
  readonly #cells: number[];

  /** @param thresholds Rising numbers, at least one. */
  constructor(thresholds: readonly number[]) {
    this.#thresholds = thresholds;
    this.#cells = Array.from({ length: thresholds.length + 1 }, () => 0);
  }

  /** Counts the segments of a batch in which both sides are measured; `dTgt` where there are references. */
  add(scores: ScoreBatch, dTgt: Float64Array | undefined): void {
    const { sSrc, attacked } = scores;
    if (sSrc === undefined || attacked === undefined) return;
    for (let index = 0; index < scores.count; index += 1) {
      const source = sSrc[index] ?? Number.NaN;
      const target = (dTgt ?? attacked)[index] ?? Number.NaN;
      const succeedsAt = dTgt === undefined ? isSuccessfulWithoutReference : isSuccessful;
      const cell = this.#firstFailure((threshold) => succeedsAt(source, target, threshold));
      this.#cells[cell] = (this.#cells[cell] ?? 0) + 1;
    }
  }

  /** Success falls as the threshold rises, in floating-point numbers as well: the border is found by halving. */
  #firstFailure(succeedsAt: (threshold: number) => boolean): number {
    let low = 0;
    let high = this.#thresholds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (succeedsAt(this.#thresholds[middle] ?? Number.NaN)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The counts, to be merged elsewhere: how many segments succeed at exactly the first i thresholds. */
  toJSON(): readonly number[] {
    return this.#cells;
  }

  /** Adds counts that {@link ThresholdCounter.toJSON} gave. */
  addState(cells: readonly number[]): void {
    for (const [cell, count] of cells.entries()) this.#cells[cell] = (this.#cells[cell] ?? 0) + count;
  }

  /** Adds what another one with the same thresholds has counted. */
  merge(other: ThresholdCounter): void {
    this.addState(other.#cells);
  }

  /**
   * The result.
   *
   * @param segments What the successes are divided by; success rates are 0 when it is 0.
   */
  result(segments: number): ThresholdSweep {
    let successes = 0;
    const rates = Array.from({ length: this.#thresholds.length }, () => 0);
    for (let index = rates.length - 1; index >= 0; index -= 1) {
      successes += this.#cells[index + 1] ?? 0;
      rates[index] = segments === 0 ? 0 : successes / segments;
    }
    return { thresholds: this.#thresholds, successRates: rates, area: areaUnder(this.#thresholds, rates) };
  }
}

function areaUnder(x: readonly number[], y: readonly number[]): number {
  let area = 0;
  for (let index = 1; index < x.length; index += 1) {
    area += (((y[index - 1] ?? 0) + (y[index] ?? 0)) / 2) * ((x[index] ?? 0) - (x[index - 1] ?? 0));
  }
  return area;
}
