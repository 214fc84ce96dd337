import { describe, expect, it } from 'vitest';

import { DEFAULT_BOOTSTRAP, dropRateInterval, meanInterval } from '../../src/measure/intervals.js';
import { mcnemarTest, pairedBootstrapTest } from '../../src/measure/paired-tests.js';

const SETTINGS = DEFAULT_BOOTSTRAP;

describe('meanInterval', () => {
  it('holds the mean, also of negative numbers', async () => {
    const values = Array.from({ length: 200 }, (_, index) => (index % 10) - 7);
    const interval = await meanInterval(values, SETTINGS);
    expect(interval?.low).toBeGreaterThan(-3.1);
    expect(interval?.low).toBeLessThan(-2.5);
    expect(interval?.high).toBeGreaterThan(-2.5);
    expect(interval?.high).toBeLessThan(-1.9);
    expect(await meanInterval(values.toReversed(), SETTINGS)).toEqual(interval);
    expect(await meanInterval(values, { ...SETTINGS, seed: 1 })).not.toEqual(interval);
  });

  it('moves with the values', async () => {
    const values = [0, 0.25, 0.5, 1];
    const plain = await meanInterval(values, SETTINGS);
    const moved = await meanInterval(
      values.map((value) => 4 * value - 8),
      SETTINGS,
    );
    expect(moved?.low).toBeCloseTo(4 * (plain?.low ?? 0) - 8, 9);
    expect(moved?.high).toBeCloseTo(4 * (plain?.high ?? 0) - 8, 9);
  });

  it('has no width for equal values, and is null for one or none', async () => {
    expect(await meanInterval([-3, -3], SETTINGS)).toEqual({ low: -3, high: -3 });
    expect(await meanInterval([-3], SETTINGS)).toBeNull();
    expect(await meanInterval([], SETTINGS)).toBeNull();
  });

  it('refuses a confidence out of range', async () => {
    await expect(meanInterval([0, 1], { ...SETTINGS, confidence: 1 })).rejects.toMatchObject({
      code: 'ERR_TEAPOT_INVALID_OPTION',
    });
  });
});

describe('dropRateInterval', () => {
  it('does not depend on the scale', async () => {
    const originals = [0.8, 0.6, 0.4, 0.9];
    const attacked = [0.4, 0.6, 0.1, 0.95];
    const fractions = await dropRateInterval(originals, attacked, SETTINGS);
    const percent = await dropRateInterval(
      originals.map((score) => score * 100),
      attacked.map((score) => score * 100),
      SETTINGS,
    );
    expect(percent?.low).toBeCloseTo(fractions?.low ?? 0, 6);
    expect(percent?.high).toBeCloseTo(fractions?.high ?? 0, 6);
  });

  it('is null where there is no rate', async () => {
    expect(await dropRateInterval([], [], SETTINGS)).toBeNull();
    expect(await dropRateInterval([0, 0], [0, 0], SETTINGS)).toBeNull();
    expect(await dropRateInterval([0, 0], [1, 1], SETTINGS)).toBeNull();
    expect(await dropRateInterval([-1, 1], [1, 1], SETTINGS)).toBeNull();
  });
});

describe('mcnemarTest', () => {
  it('is exact', () => {
    const first = [true, true, true, true, true, false];
    const second = [false, false, false, false, false, false];
    expect(mcnemarTest(first, second)).toEqual({ firstOnly: 5, secondOnly: 0, pValue: 0.0625 });
    expect(mcnemarTest(first, first)).toMatchObject({ pValue: 1 });
    expect(mcnemarTest([], [])).toBeNull();
  });
});

describe('pairedBootstrapTest', () => {
  it('gives second minus first', async () => {
    const test = await pairedBootstrapTest([-1, 0, 1, 2], [1, 2, 3, 4], SETTINGS);
    expect(test?.difference).toBeCloseTo(2, 9);
    expect(test?.interval.low).toBeCloseTo(2, 6);
    expect(test?.interval.high).toBeCloseTo(2, 6);
    expect(await pairedBootstrapTest([], [], SETTINGS)).toBeNull();
    expect(await pairedBootstrapTest([1, 1], [1, 1], SETTINGS)).toMatchObject({ difference: 0, pValue: 1 });
  });
});
