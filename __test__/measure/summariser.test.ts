import { describe, expect, it } from 'vitest';
import type { ScoreBatch } from '../../src/score/score-batch.js';
import { bootstrapInterval, DEFAULT_BOOTSTRAP, normalInterval, wilsonInterval } from '../../src/measure/intervals.js';
import { normalQuantile } from '../../src/measure/normal.js';
import { Summariser } from '../../src/measure/summariser.js';
import type { SummaryOptions } from '../../src/measure/summariser.js';
import { ThresholdCounter } from '../../src/measure/threshold-sweep.js';
import { seeded } from '../helpers/seeded.js';

const scorer = { key: 'k', name: 'K', signature: 'k', score: async () => new Float64Array() };

function summariser(options: Partial<SummaryOptions> = {}): Summariser {
  return new Summariser({
    version: '0',
    sSrc: scorer,
    sTgt: scorer,
    successThreshold: 1,
    percentileMethod: 'teapot',
    ...options,
  });
}

/** Scores in sixteenths: many are equal, 0 or 1. */
function randomScores(count: number, seed: number): Required<Omit<ScoreBatch, 'counts'>> {
  const random = seeded(seed);
  const array = (): Float64Array => Float64Array.from({ length: count }, () => random.below(17) / 16);
  return { count, sSrc: array(), base: array(), attacked: array() };
}

function slice(
  scores: Required<Omit<ScoreBatch, 'counts'>>,
  start: number,
  end: number,
): Required<Omit<ScoreBatch, 'counts'>> {
  return {
    count: end - start,
    sSrc: scores.sSrc.subarray(start, end),
    base: scores.base.subarray(start, end),
    attacked: scores.attacked.subarray(start, end),
  };
}

describe('Summariser', () => {
  it('gives the same summary for any batches', async () => {
    const scores = randomScores(1000, 7);
    const options = { sweep: [0, 0.5, 1, 1.5] };
    const finish = { intervals: { confidence: 0.9, seed: 3 } };
    const whole = summariser(options);
    whole.add(scores);
    const parts = summariser(options);
    for (let start = 0; start < 1000; start += 37) parts.add(slice(scores, start, Math.min(1000, start + 37)));
    expect(await parts.summary(finish)).toEqual(await whole.summary(finish));
  });

  it('counts successes and undefined segments', async () => {
    const some = summariser();
    some.add({
      count: 4,
      sSrc: Float64Array.of(1, 1, 0.5, 0.5),
      base: Float64Array.of(0, 0.5, 0.5, 0.5),
      attacked: Float64Array.of(0, 0, 0, 0.5),
      blank: { source: 1, target: 2 },
    });
    expect(await some.summary()).toMatchObject({
      n: 4,
      success: { successes: 2, rate: 0.5, rateWhereDefined: 2 / 3, interval: null },
      undefinedCounts: [{ reason: 'base score is 0', count: 1 }],
      blank: { source: 1, target: 2 },
      pdr: 1 - 0.5 / 1.5,
      intervals: null,
    });
  });

  it('has no rate where nothing is defined, and no PDR without an original performance', async () => {
    const nothing = summariser();
    nothing.add({ count: 1, sSrc: Float64Array.of(1), base: Float64Array.of(0), attacked: Float64Array.of(0) });
    expect(await nothing.summary()).toMatchObject({ pdr: null, success: { rate: 0, rateWhereDefined: null } });
    const ratio = summariser();
    ratio.add({ count: 2, sSrc: Float64Array.of(0, 0.5), attacked: Float64Array.of(0, 0) });
    expect(await ratio.summary()).toMatchObject({
      criterion: 'reference_less',
      success: { successes: 1, rate: 0.5, rateWhereDefined: 1 },
      undefinedCounts: [{ reason: 's_src and s_tgt are 0', count: 1 }],
    });
  });

  // B52: QData/TextAttack#374: an empty run printed nan.
  it('refuses an empty corpus', async () => {
    await expect(summariser().summary()).rejects.toThrow('No samples');
  });
});

describe('ThresholdCounter', () => {
  it('agrees with counting at each threshold, on borders as well', () => {
    const scores = randomScores(500, 11);
    const thresholds = Array.from({ length: 33 }, (_, index) => index / 16);
    const dTgt = scores.attacked;
    const counter = new ThresholdCounter(thresholds);
    counter.add(scores, dTgt);
    const { successRates } = counter.result(500);
    thresholds.forEach((threshold, index) => {
      const successes = scores.sSrc.filter((source, line) => source + (dTgt[line] ?? 0) > threshold).length;
      expect(successRates[index]).toBe(successes / 500);
    });
    const ratio = new ThresholdCounter(thresholds);
    ratio.add(scores, undefined);
    thresholds.forEach((threshold, index) => {
      const successes = scores.sSrc.filter((source, line) => source > threshold * (scores.attacked[line] ?? 0)).length;
      expect(ratio.result(500).successRates[index]).toBe(successes / 500);
    });
  });

  it('takes the area by trapezoids', () => {
    const counter = new ThresholdCounter([0, 1, 3]);
    counter.add({ count: 2, sSrc: Float64Array.of(1, 1), attacked: Float64Array.of(0.5, 1) }, Float64Array.of(1, 0));
    expect(counter.result(2)).toEqual({ thresholds: [0, 1, 3], successRates: [1, 0.5, 0], area: 1.25 });
  });
});

describe('intervals', () => {
  it('of the bootstrap hold the mean and depend on the seed alone', async () => {
    const scores = Float64Array.from({ length: 200 }, (_, index) => (index * 37) % 200).map((value) => value / 200);
    const interval = await bootstrapInterval(scores, DEFAULT_BOOTSTRAP);
    expect(interval.low).toBeLessThan(0.4975);
    expect(interval.high).toBeGreaterThan(0.4975);
    expect(await bootstrapInterval(scores.toReversed(), DEFAULT_BOOTSTRAP)).toEqual(interval);
    expect(await bootstrapInterval(scores, { ...DEFAULT_BOOTSTRAP, seed: 1 })).not.toEqual(interval);
    const normal = normalInterval(0.4975, 0.289_38, 200, 0.95);
    expect(interval.low).toBeCloseTo(normal.low, 1);
    expect(interval.high).toBeCloseTo(normal.high, 1);
  });

  it('have no width when all scores are equal', async () => {
    expect(await bootstrapInterval(Float64Array.of(0.5, 0.5), DEFAULT_BOOTSTRAP)).toEqual({ low: 0.5, high: 0.5 });
    expect(normalInterval(0.5, 0, 1_000_000, 0.9)).toEqual({ low: 0.5, high: 0.5 });
  });

  // Published: Brown, Cai and DasGupta 2001 give the interval of 0 successes as [0, z²/(n + z²)].
  it('of rates are Wilson’s, with a width where nothing or everything succeeded', () => {
    const z = 1.959_963_984_540_054;
    expect(wilsonInterval(0, 5, 0.95)).toEqual({ low: 0, high: expect.closeTo((z * z) / (5 + z * z), 8) });
    expect(wilsonInterval(5, 5, 0.95)).toEqual({ low: expect.closeTo(5 / (5 + z * z), 8), high: 1 });
    // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
    for (const [successes, n, low, high] of [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ] as const) {
      const interval = wilsonInterval(successes, n, 0.95);
      expect([Number(interval.low.toFixed(4)), Number(interval.high.toFixed(4))]).toEqual([low, high]);
    }
  });

  it('of one segment are not there', async () => {
    const one = summariser();
    one.add({ count: 1, sSrc: Float64Array.of(1), base: Float64Array.of(1), attacked: Float64Array.of(0) });
    const summary = await one.summary({ intervals: { confidence: 0.95 } });
    expect(summary).toMatchObject({ sSrc: { interval: null }, success: { successes: 1, interval: null } });
  });

  it('of very many segments are normal', async () => {
    const many = summariser({ sTgt: undefined });
    const scores = Float64Array.from({ length: 2 ** 18 + 1 }, (_, index) => index % 2);
    many.add({ count: scores.length, sSrc: scores });
    const { intervals, sSrc, signature } = await many.summary({ intervals: { confidence: 0.95 } });
    expect(intervals).toEqual({ method: 'normal', confidence: 0.95, resamples: null, seed: null });
    expect(sSrc?.interval?.high).toBeCloseTo((sSrc?.mean ?? 0) + (1.959_964 * 0.5) / Math.sqrt(scores.length), 8);
    expect(signature).toContain('|confidence:0.95|interval:normal|');
  });
});

describe('normalQuantile', () => {
  it('agrees with tables', () => {
    expect(normalQuantile(0.5)).toBeCloseTo(0, 12);
    expect(normalQuantile(0.975)).toBeCloseTo(1.959_963_984_540_054, 8);
    expect(normalQuantile(0.995)).toBeCloseTo(2.575_829_303_548_901, 8);
    expect(normalQuantile(0.01)).toBeCloseTo(-2.326_347_874_040_841, 8);
  });
});
