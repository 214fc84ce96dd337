/** Ratings of items by raters: `values[item][rater]`, null where a rater gave none. */
export type RatingTable = readonly (readonly (number | null)[])[];

/** What a difference between two ratings weighs. */
export type Level = 'nominal' | 'ordinal' | 'interval';

/** The levels, in the order of tables. */
export const LEVELS: readonly Level[] = ['nominal', 'ordinal', 'interval'];

/**
 * Krippendorff's alpha: α = 1 − D_o / D_e, observed against expected disagreement, over all pairs of ratings of one item.
 *
 * Missing ratings are allowed; items with a single rating count nothing. The weight of a difference: `nominal` 1 for unlike
 * values; `interval` its square; `ordinal` the square of the number of ratings between the two (theirs by half).
 *
 * @returns At most 1, 0 for chance, below 0 for systematic disagreement; null when no item has two ratings, or all are equal
 *   (then nothing else could be expected).
 * @see Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability"; the Python package `krippendorff` gives the same.
 */
export function krippendorffAlpha(table: RatingTable, level: Level): number | null {
  const units = table.map((row) => row.filter((value) => value !== null)).filter((row) => row.length > 1);
  const values = [...new Set(units.flat())].toSorted((a, b) => a - b);
  if (values.length < 2) return null;
  const place = new Map(values.map((value, index) => [value, index]));
  const counts = values.map(() => 0);
  for (const value of units.flat()) counts[place.get(value) ?? 0] = (counts[place.get(value) ?? 0] ?? 0) + 1;
  const n = counts.reduce((sum, count) => sum + count, 0);
  const weight = weightOf(level, values, counts);

  let observed = 0;
  for (const unit of units) {
    let sum = 0;
    for (let i = 0; i < unit.length; i += 1) {
      for (let j = i + 1; j < unit.length; j += 1) {
        sum += weight(place.get(unit[i] ?? 0) ?? 0, place.get(unit[j] ?? 0) ?? 0);
      }
    }
    observed += (2 * sum) / (unit.length - 1);
  }
  let expected = 0;
  for (let c = 0; c < values.length; c += 1) {
    for (let k = c + 1; k < values.length; k += 1) expected += 2 * (counts[c] ?? 0) * (counts[k] ?? 0) * weight(c, k);
  }
  return 1 - (observed * (n - 1)) / expected;
}

/** The weight of the difference between the values at two places. */
function weightOf(
  level: Level,
  values: readonly number[],
  counts: readonly number[],
): (c: number, k: number) => number {
  if (level === 'nominal') return (c, k) => (c === k ? 0 : 1);
  if (level === 'interval') return (c, k) => ((values[c] ?? 0) - (values[k] ?? 0)) ** 2;
  let sum = 0;
  const middles = counts.map((count) => {
    sum += count;
    return sum - count / 2;
  });
  return (c, k) => ((middles[c] ?? 0) - (middles[k] ?? 0)) ** 2;
}

/**
 * Cohen's kappa of two raters: κ = (p_o − p_e) / (1 − p_e) over the items that both rated.
 *
 * @returns At most 1; null without such items, or when both gave one and the same value throughout.
 * @see Cohen 1960; scikit-learn's `cohen_kappa_score` gives the same.
 */
export function cohenKappa(first: readonly (number | null)[], second: readonly (number | null)[]): number | null {
  const both = first.flatMap((a, index) => {
    const b = second[index] ?? null;
    return a === null || b === null ? [] : [[a, b] as const];
  });
  if (both.length === 0) return null;
  const equal = both.filter(([a, b]) => a === b).length / both.length;
  let chance = 0;
  for (const value of new Set(both.map(([a]) => a))) {
    const share = (side: 0 | 1): number => both.filter((pair) => pair[side] === value).length / both.length;
    chance += share(0) * share(1);
  }
  return chance === 1 ? null : (equal - chance) / (1 - chance);
}

/** Fleiss' kappa, or why there is none. */
export type FleissKappa = { readonly value: number } | { readonly reason: string };

/**
 * Fleiss' kappa of several raters: κ = (P̄ − P̄_e) / (1 − P̄_e), with P̄ the mean share of agreeing pairs an item.
 *
 * @returns The reason where it is undefined: items with unequal numbers of ratings (Krippendorff's alpha allows them), fewer than
 *   two ratings an item, one value throughout.
 * @see Fleiss 1971; statsmodels' `fleiss_kappa` gives the same.
 */
export function fleissKappa(table: RatingTable): FleissKappa {
  const items = table.map((row) => row.filter((value) => value !== null)).filter((row) => row.length > 0);
  const raters = items[0]?.length ?? 0;
  if (raters < 2) return { reason: 'fewer than two ratings an item' };
  if (items.some((row) => row.length !== raters)) return { reason: 'items have unequal numbers of ratings' };
  const totals = new Map<number, number>();
  let agreeing = 0;
  for (const row of items) {
    const counts = new Map<number, number>();
    for (const value of row) counts.set(value, (counts.get(value) ?? 0) + 1);
    for (const [value, count] of counts) {
      totals.set(value, (totals.get(value) ?? 0) + count);
      agreeing += count * (count - 1);
    }
  }
  const observed = agreeing / (items.length * raters * (raters - 1));
  let chance = 0;
  for (const total of totals.values()) chance += (total / (items.length * raters)) ** 2;
  return chance === 1 ? { reason: 'one value throughout' } : { value: (observed - chance) / (1 - chance) };
}

/**
 * The share of pairs of ratings of one item that are equal, over all such pairs.
 *
 * @returns In [0, 1]; null when no item has two ratings.
 */
export function percentAgreement(table: RatingTable): number | null {
  let equal = 0;
  let pairs = 0;
  for (const row of table) {
    const values = row.filter((value) => value !== null);
    for (let i = 0; i < values.length; i += 1) {
      for (let j = i + 1; j < values.length; j += 1) {
        pairs += 1;
        if (values[i] === values[j]) equal += 1;
      }
    }
  }
  return pairs === 0 ? null : equal / pairs;
}
