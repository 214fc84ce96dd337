import { describe, expect, it } from 'vitest';

import { performanceDropRateBounds } from '../../src/measure/performance-drop-rate-bounds.js';
import { DropRates } from '../../src/measure/drop-rates.js';
import { trimmedMean } from '../../src/measure/trimmed-mean.js';

function summarise(pairs: readonly (readonly [number, number])[], decimals: number | null = null) {
  const rates = new DropRates();
  for (const [original, attacked] of pairs) rates.add({ original, attacked, scale: 1, decimals });
  return rates.summary(0.1);
}

describe('DropRates', () => {
  it('keeps the drop and the drop rate apart (B43, microsoftarchive/promptbench#102)', () => {
    const summary = summarise([[0.75, 0.7]]);
    expect(summary).toMatchObject({ n: 1, mean: 0.066_666_666_666_666_76, micro: 0.066_666_666_666_666_76, std: 0 });
    expect([summary.meanOriginal, summary.meanAttacked]).toEqual([0.75, 0.7]);
  });

  it('keeps an improvement with its sign (B45)', () => {
    const summary = summarise([[60, 66]]);
    expect(summary.mean).toBeCloseTo(-0.1, 12);
    expect(summary.negative).toBe(1);
  });

  it('leaves a row with an original score of 0 out of the mean, not out of the sums', () => {
    expect(
      summarise([
        [0, 5],
        [10, 5],
      ]),
    ).toMatchObject({
      n: 1,
      mean: 0.5,
      std: 0,
      stdSample: null,
      micro: 0,
      undefined: new Map([['original score is 0', 1]]),
    });
  });

  it('has no numbers without rows', () => {
    const rates = new DropRates();
    rates.addUndefined('no attacked score');
    expect(rates.summary(0.1)).toMatchObject({
      n: 0,
      mean: null,
      std: null,
      micro: null,
      median: null,
      trimmedMean: null,
      min: null,
      rounding: null,
      negative: 0,
      undefined: new Map([['no attacked score', 1]]),
    });
  });

  it('has no micro rate when all original scores are 0', () => {
    expect(summarise([[0, 0]])).toMatchObject({ n: 0, micro: null });
  });

  it('says when its sums mix scales', () => {
    const rates = new DropRates();
    rates.add({ original: 80, attacked: 40, scale: 100, decimals: 2 });
    rates.add({ original: 0.2, attacked: 0.1, scale: 1, decimals: 2 });
    expect(rates.summary(0)).toMatchObject({ microMixesScales: true, mean: 0.5 });
  });

  it('never averages to -0 (B52, open-compass/opencompass#1402)', () => {
    expect(Object.is(summarise([[1, 1]]).mean, 0)).toBe(true);
  });

  it('takes a population deviation, the median of two middle values, and extremes', () => {
    const summary = summarise([
      [10, 10],
      [10, 8],
      [10, 6],
      [10, 0],
    ]);
    expect(summary.mean).toBeCloseTo(0.4, 12);
    expect(summary.median).toBeCloseTo(0.3, 12);
    expect(summary.std).toBeCloseTo(Math.sqrt((0.16 + 0.04 + 0 + 0.36) / 4), 12);
    expect(summary.stdSample).toBeCloseTo(Math.sqrt((0.16 + 0.04 + 0 + 0.36) / 3), 12);
    expect([summary.min, summary.max, summary.zero]).toEqual([0, 1, 1]);
  });

  it('holds a million rows', () => {
    const rates = new DropRates();
    for (let index = 0; index < 1_000_000; index += 1)
      rates.add({ original: 2, attacked: 1, scale: 1, decimals: null });
    expect(rates.summary(0.1)).toMatchObject({ n: 1_000_000, mean: 0.5, min: 0.5, max: 0.5, trimmedMean: 0.5 });
  });
});

describe('performanceDropRateBounds', () => {
  it('holds the rates that rounding leaves open', () => {
    const { low, high } = performanceDropRateBounds(0.24, 0.2, 2);
    expect(low).toBeCloseTo(1 - 0.205 / 0.235, 12);
    expect(high).toBeCloseTo(1 - 0.195 / 0.245, 12);
  });

  it('has no lower bound when the original score may have been 0', () => {
    expect(performanceDropRateBounds(0, 0.01, 2)).toMatchObject({ low: null, high: expect.closeTo(0, 12) as number });
    expect(performanceDropRateBounds(0.005, 0, 2).low).toBeNull();
  });

  it('never goes above a full drop', () => {
    expect(performanceDropRateBounds(50, 0, 2).high).toBe(1);
  });

  it('is part of the summary', () => {
    expect(summarise([[0.24, 0.2]], 2).rounding).toEqual({ rows: 1, ...performanceDropRateBounds(0.24, 0.2, 2) });
    expect(summarise([[0.004, 0]], 2).rounding).toMatchObject({ rows: 1, low: null, high: 1 });
  });
});

describe('trimmedMean', () => {
  it('leaves the extremes out', () => {
    expect(trimmedMean([400, 0, 1, 2, 3], 0.2)).toBe(2);
    expect(trimmedMean([1, 2, 3], 0.1)).toBe(2);
    expect(trimmedMean([], 0.1)).toBeNull();
  });

  it.each([0.5, -0.1, Number.NaN])('refuses a share of %d', (share) => {
    expect(() => trimmedMean([1], share)).toThrow(/must be in \[0, 0\.5\)/u);
  });
});
