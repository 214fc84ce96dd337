import { extremes } from './extremes.js';
import { mean, median, sampleStandardDeviation, standardDeviation, sum } from 'simple-statistics';

import { performanceDropRateBounds } from './performance-drop-rate-bounds.js';
import { performanceDropRate } from './performance-drop-rate.js';
import { UNDEFINED_REASON } from './undefined-reason.js';
import type { RunOptions } from '../run-options.js';
import { dropRateInterval, meanInterval, type BootstrapSettings, type Interval } from './intervals.js';
import { mcnemarTest } from './paired-tests.js';
import { trimmedMean } from './trimmed-mean.js';

/** The two scores of one attack, as a tool gave them. */
export interface ScorePair {
  readonly original: number;
  readonly attacked: number;
  /** What a perfect score is; null where nobody says. */
  readonly scale: number | null;
  /** How many decimals a log left of both scores; null when they were not rounded. */
  readonly decimals: number | null;
  /** The scores of one item, before and under attack: right or wrong, where they are 0 or perfect. */
  readonly isItem?: true | undefined;
}

/** What became of items that are right or wrong. */
export interface ItemOutcomes {
  /** Right before and under attack: the worst case, since an attacker may choose between the two texts. */
  readonly rightBoth: number;
  /** Right before, wrong under attack. */
  readonly broken: number;
  /** Wrong before, right under attack. */
  readonly fixed: number;
  /** Exact two-sided p-value of McNemar's test: is breaking more often than fixing? */
  readonly pValue: number;
  readonly items: number;
}

/** The scores of the items behind the two scores of one attack, fractions and aligned; or why they aren't known. */
export type ItemPairs =
  | { readonly originals: readonly number[]; readonly attacked: readonly number[] }
  | { readonly reason: string };

/** Bootstrap intervals of the two means of drop rates; null where there is nothing to draw from. */
export interface DropRateIntervals {
  /** What was drawn for the interval of the mean: attacks, or of a single attack its items; null without an interval. */
  readonly over: 'attacks' | 'items' | null;
  /** Why the mean has no interval; null where it has one. */
  readonly reason: string | null;
  /** Of the unweighted mean. */
  readonly mean: Interval | null;
  /** Of 1 − Σ attacked / Σ original. */
  readonly micro: Interval | null;
}

/**
 * Draws the intervals of a group of attacks; rows are drawn, not data sets. A single attack on a prompt has the interval over its
 * items, where their scores are known: items are drawn in pairs, before and under attack.
 *
 * @throws {TeapotError} `ERR_TEAPOT_INVALID_OPTION` when the settings are out of range.
 */
export async function dropRateIntervals(
  rates: DropRates,
  settings: BootstrapSettings,
  options: RunOptions = {},
): Promise<DropRateIntervals> {
  const { originals, attacked } = rates.scores;
  const { values } = rates.summary(0);
  const [only] = originals;
  if (values.length === 1 && originals.length === 1 && only !== undefined) {
    const drawn = await itemInterval(rates.items[0], settings, options);
    return 'reason' in drawn
      ? { mean: null, micro: null, over: null, reason: drawn.reason }
      : { mean: drawn, micro: drawn, over: 'items', reason: null };
  }
  const mean = await meanInterval(values, settings, options);
  return {
    mean,
    micro: await dropRateInterval(originals, attacked, settings, options),
    over: mean === null ? null : 'attacks',
    reason: mean !== null ? null : values.length === 0 ? NO_DROP_RATE : ONE_ATTACK,
  };
}

/** Why a mean of drop rates has no interval. */
const NO_DROP_RATE = 'no attack has a drop rate';
const ONE_ATTACK = 'one attack has no spread';

/** The interval of the drop rate of one attack over its items; or why there is none. */
async function itemInterval(
  items: ItemPairs | undefined,
  settings: BootstrapSettings,
  options: RunOptions,
): Promise<Interval | { readonly reason: string }> {
  if (items === undefined) return { reason: `${ONE_ATTACK}, and the scores of its items are not known` };
  if ('reason' in items) return items;
  const { originals, attacked } = items;
  if (originals.length < 2) return { reason: 'one item has no spread' };
  const interval = await dropRateInterval(originals, attacked, settings, options);
  if (interval === null) return { reason: UNDEFINED_REASON.ORIGINAL_IS_ZERO };
  // A width of zero would say that the rate is certain.
  return interval.low === interval.high ? { reason: 'all items changed alike' } : interval;
}

/** What the scores of a rounded log leave open about the mean drop rate. */
export interface RoundingBounds {
  /** How many of the rows were rounded. */
  readonly rows: number;
  /** The lowest possible mean; null when a row has no lower bound. */
  readonly low: number | null;
  /** The highest possible mean. */
  readonly high: number | null;
}

/** The drop rates of a group of attacks, in numbers. Every number is null where there is nothing to compute it from. */
export interface DropRateSummary {
  /** How many rows have a drop rate. */
  readonly n: number;
  /** The unweighted mean of the drop rates (macro). */
  readonly mean: number | null;
  /** Population standard deviation (divisor n), as PromptBench's tables have it. */
  readonly std: number | null;
  /** Sample standard deviation (divisor n − 1); null below two rows. */
  readonly stdSample: number | null;
  /** 1 − Σ attacked / Σ original over all rows with two scores. */
  readonly micro: number | null;
  /** Whether `micro` adds scores of different scales, so that the larger ones decide. */
  readonly microMixesScales: boolean;
  readonly median: number | null;
  readonly trimmedMean: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** Rows in which the attack helped. */
  readonly negative: number;
  /** Rows in which nothing changed. */
  readonly zero: number;
  /** Mean original and attacked score of the rows with two scores. */
  readonly meanOriginal: number | null;
  readonly meanAttacked: number | null;
  /** What rounding leaves open; null when no row was rounded. */
  readonly rounding: RoundingBounds | null;
  /** Rows without a drop rate, by reason. */
  readonly undefined: ReadonlyMap<string, number>;
  /** Null unless every row is an item whose scores are 0 or perfect. */
  readonly outcomes: ItemOutcomes | null;
  /** The drop rates themselves, in the order they were added. */
  readonly values: readonly number[];
}

/**
 * Collects the attacks of one cell of a table of drop rates.
 *
 * A row whose original score is 0 has no drop rate: it is counted, left out of mean and spread, and part of the two sums
 * of `micro`.
 */
export class DropRates {
  readonly #values: number[] = [];
  readonly #originals: number[] = [];
  readonly #attacked: number[] = [];
  readonly #scales = new Set<number | null>();
  readonly #lows: (number | null)[] = [];
  readonly #highs: (number | null)[] = [];
  readonly #undefined = new Map<string, number>();
  readonly #pairs: (ItemPairs | undefined)[] = [];
  #rounded = 0;
  #items = 0;

  /**
   * Adds one attack.
   *
   * @param items The scores of the items of its data set, or why they aren't known.
   */
  add({ original, attacked, scale, decimals, isItem }: ScorePair, items?: ItemPairs): void {
    this.#pairs.push(items);
    if (isItem === true && [original, attacked].every((score) => score === 0 || score === scale)) this.#items += 1;
    this.#originals.push(original);
    this.#attacked.push(attacked);
    this.#scales.add(scale);
    const rate = performanceDropRate(original, attacked);
    if (rate === null) {
      this.addUndefined(UNDEFINED_REASON.ORIGINAL_IS_ZERO);
      return;
    }
    this.#values.push(rate);
    const bounds =
      decimals === null ? { low: rate, high: rate } : performanceDropRateBounds(original, attacked, decimals);
    this.#lows.push(bounds.low);
    this.#highs.push(bounds.high);
    if (decimals !== null) this.#rounded += 1;
  }

  /** Counts an attack that has no drop rate. */
  addUndefined(reason: string): void {
    this.#undefined.set(reason, (this.#undefined.get(reason) ?? 0) + 1);
  }

  /** The two scores of every row that has both, in the order they were added. */
  get scores(): { readonly originals: readonly number[]; readonly attacked: readonly number[] } {
    return { originals: this.#originals, attacked: this.#attacked };
  }

  /** The items of every row that has both scores, in the order they were added. */
  get items(): readonly (ItemPairs | undefined)[] {
    return this.#pairs;
  }

  /**
   * Summarises what was added.
   *
   * @param trim the share that the trimmed mean cuts at each end.
   */
  summary(trim: number): DropRateSummary {
    const values = this.#values;
    const some = values.length > 0;
    const pairs = this.#originals.length > 0;
    return {
      n: values.length,
      mean: some ? withoutNegativeZero(mean(values)) : null,
      std: some ? standardDeviation(values) : null,
      stdSample: values.length > 1 ? sampleStandardDeviation(values) : null,
      micro: pairs ? performanceDropRate(sum(this.#originals), sum(this.#attacked)) : null,
      microMixesScales: this.#scales.size > 1,
      median: some ? median(values) : null,
      trimmedMean: trimmedMean(values, trim),
      min: some ? Math.min(...extremes(values)) : null,
      max: some ? Math.max(...extremes(values)) : null,
      negative: values.filter((value) => value < 0).length,
      zero: values.filter((value) => value === 0).length,
      meanOriginal: pairs ? mean(this.#originals) : null,
      meanAttacked: pairs ? mean(this.#attacked) : null,
      rounding:
        this.#rounded === 0
          ? null
          : { rows: this.#rounded, low: meanOrNull(this.#lows), high: meanOrNull(this.#highs) },
      undefined: this.#undefined,
      outcomes: this.#outcomes(),
      values,
    };
  }

  #outcomes(): ItemOutcomes | null {
    const items = this.#originals.length;
    if (items === 0 || this.#items < items) return null;
    const before = this.#originals.map((score) => score > 0);
    const under = this.#attacked.map((score) => score > 0);
    const test = mcnemarTest(before, under);
    if (test === null) return null;
    const rightBoth = before.filter((isRight, index) => isRight && under[index] === true).length;
    return { rightBoth, broken: test.firstOnly, fixed: test.secondOnly, pValue: test.pValue, items };
  }
}

function meanOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length < values.length || known.length === 0 ? null : mean(known);
}

function withoutNegativeZero(value: number): number {
  return value === 0 ? 0 : value;
}
