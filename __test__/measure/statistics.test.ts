import { quantileSorted, sampleStandardDeviation } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import { Moments } from '../../src/measure/moments.js';
import { OrderStatistics } from '../../src/measure/order-statistics.js';
import type { OrderState } from '../../src/measure/order-statistics.js';

/** Numbers in [0, 1) that look random and are the same in every run. */
function noise(count: number): Float64Array {
  let state = 42;
  return Float64Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  });
}

function momentsOf(...batches: readonly Float64Array[]): Moments {
  const moments = new Moments();
  for (const batch of batches) moments.add(batch);
  return moments;
}

describe('Moments', () => {
  // B52: QData/TextAttack#374, nltk/nltk PR#3577, teapot-nlp utils.stats.
  it('gives mean and sample deviation', () => {
    const moments = momentsOf(Float64Array.of(0.2, 0.4, 0.6, 0.8));
    expect(moments.mean).toBe(0.5);
    expect(moments.std).toBe(0.258_198_889_747_161_1);
  });

  it('has no deviation for one score and no mean for none', () => {
    expect(momentsOf(Float64Array.of(0.25)).std).toBeNull();
    expect(momentsOf().mean).toBeNull();
    expect(momentsOf().std).toBeNull();
  });

  it('has a deviation of exactly 0 for equal scores', () => {
    expect(momentsOf(new Float64Array(1000).fill(0.3)).std).toBe(0);
    expect(momentsOf(new Float64Array(1000).fill(0.3)).mean).toBeCloseTo(0.3, 15);
  });

  it('gives the same bits for any batches and any order', () => {
    const scores = noise(100_000);
    const whole = momentsOf(scores);
    const parts = momentsOf(scores.subarray(77_777), scores.subarray(0, 1), scores.subarray(1, 77_777).toReversed());
    const merged = momentsOf(scores.subarray(0, 50_000));
    merged.merge(Moments.from(JSON.parse(JSON.stringify(momentsOf(scores.subarray(50_000))))));
    expect(parts.toJSON()).toEqual(whole.toJSON());
    expect(merged.toJSON()).toEqual(whole.toJSON());
    expect(whole.std).toBeCloseTo(sampleStandardDeviation([...scores]), 12);
  });

  it('stays exact at the largest scores and the longest blocks', () => {
    for (const [score, fine, coarse] of [
      [1, 2n ** 52n, 10n ** 12n],
      [1 - 2 ** -52, 2n ** 52n - 1n, 10n ** 12n],
      [0.999_999_999_999, 4_503_599_627_365_993n, 999_999_999_999n],
    ] as const) {
      expect(momentsOf(new Float64Array(50_000).fill(score)).toJSON()).toEqual({
        count: 50_000,
        fineSum: (50_000n * fine).toString(),
        coarseSum: (50_000n * coarse).toString(),
        coarseSquares: (50_000n * coarse * coarse).toString(),
      });
    }
  });

  it('keeps a single score to the last digits', () => {
    expect(momentsOf(Float64Array.of(0.636_363_636_363_636_2)).mean).toBe(0.636_363_636_363_636_2);
  });

  it('refuses what is no score', () => {
    for (const bad of [Number.NaN, -0.1, 1.000_000_000_000_000_4, Number.POSITIVE_INFINITY]) {
      expect(() => momentsOf(Float64Array.of(bad))).toThrow('is no score in [0, 1]');
    }
  });
});

describe('OrderStatistics', () => {
  function orderOf(scores: Float64Array, options = {}): OrderStatistics {
    const order = new OrderStatistics(options);
    for (let start = 0; start < scores.length; start += 1000) order.add(scores.subarray(start, start + 1000));
    return order;
  }

  // B52: no interpolation by default.
  it('takes sorted[int(N · p)] as teapot-nlp does', () => {
    const order = orderOf(Float64Array.of(0.8, 0.2, 0.6, 0.4));
    expect(order.percentile(0.05, 'teapot')).toBe(0.2);
    expect(order.percentile(0.95, 'teapot')).toBe(0.8);
    expect(orderOf(Float64Array.of(0.3)).percentile(0.95, 'teapot')).toBe(0.3);
    expect(orderOf(new Float64Array(0)).percentile(0.5, 'teapot')).toBeNull();
  });

  it('interpolates between neighbours on request', () => {
    const order = orderOf(Float64Array.of(0, 0.5, 1));
    expect(order.percentile(0.25, 'linear')).toBe(0.25);
    expect(order.percentile(1, 'linear')).toBe(1);
  });

  it('counts in bins above the limit, within the stated error', () => {
    const scores = noise(5000);
    const exact = orderOf(scores);
    const binned = orderOf(scores, { exactLimit: 4000, bins: 2 ** 16 });
    expect(exact.error).toBe(0);
    expect(binned.error).toBe(2 ** -17);
    expect(binned.values()).toBeUndefined();
    for (const p of [0, 0.05, 0.5, 0.95, 1]) {
      for (const method of ['teapot', 'linear'] as const) {
        const difference = (exact.percentile(p, method) ?? 9) - (binned.percentile(p, method) ?? 0);
        expect(Math.abs(difference)).toBeLessThanOrEqual(binned.error);
      }
    }
    expect(exact.percentile(0.05, 'teapot')).toBe(scores.toSorted()[250]);
    expect(exact.histogram(16)).toEqual(binned.histogram(16));
  });

  it('gives the same for any batches, order and merging', () => {
    const scores = noise(5000);
    for (const options of [{}, { exactLimit: 100 }, { exactLimit: 3000 }]) {
      const whole = orderOf(scores, options);
      const merged = orderOf(scores.subarray(4000), options);
      merged.merge(orderOf(scores.subarray(0, 4000).toReversed(), options));
      expect(merged.count).toBe(5000);
      expect(merged.percentile(0.95, 'linear')).toBe(whole.percentile(0.95, 'linear'));
      expect(merged.histogram(20)).toEqual(whole.histogram(20));
    }
  });

  it('agrees with simple-statistics where the definitions meet', () => {
    const scores = noise(101);
    expect(orderOf(scores).percentile(0.5, 'linear')).toBe(
      quantileSorted(
        [...scores].toSorted((a, b) => a - b),
        0.5,
      ),
    );
  });

  it('counts a score on a border in the upper bin, and 1 in the last', () => {
    expect(orderOf(Float64Array.of(0, 0.25, 0.5, 1)).histogram(4)).toEqual([1, 1, 1, 1]);
  });
});

describe('states of parts', () => {
  const whole = noise(60_000);
  const few = whole.map((score) => Math.floor(score * 50) / 50);
  const third = (scores: Float64Array, part: number): OrderStatistics => {
    const statistics = new OrderStatistics();
    statistics.add(scores.filter((_, index) => index % 3 === part));
    return statistics;
  };
  const merged = (scores: Float64Array): OrderStatistics =>
    OrderStatistics.from([0, 1, 2].map((part) => JSON.parse(JSON.stringify(third(scores, part))) as OrderState));
  const all = (scores: Float64Array): OrderStatistics => {
    const statistics = new OrderStatistics();
    statistics.add(scores);
    return statistics;
  };

  it('are exact while there are few different scores', () => {
    const [one, other] = [all(few), merged(few)];
    expect(other.error).toBe(0);
    expect(other.values()).toEqual(one.values());
    expect(other.histogram(20)).toEqual(one.histogram(20));
  });

  it('are as exact as they say beyond', () => {
    const [one, other] = [all(whole), merged(whole)];
    expect(other.error).toBeCloseTo(0.5 / 40_960, 6);
    expect(other.error).toBeGreaterThanOrEqual(0.5 / 40_960);
    expect(other.count).toBe(60_000);
    for (const p of [0, 0.05, 0.3, 0.95, 1]) {
      for (const method of ['teapot', 'linear'] as const) {
        const difference = Math.abs((other.percentile(p, method) ?? 2) - (one.percentile(p, method) ?? -2));
        expect(difference).toBeLessThanOrEqual(other.error);
      }
    }
    expect(other.histogram(20)).toEqual(one.histogram(20));
    expect(JSON.stringify(third(whole, 0)).length).toBeLessThan(500_000);
  });

  it('of no scores are empty', () => {
    expect(OrderStatistics.from([]).count).toBe(0);
    const { count, error } = OrderStatistics.from([new OrderStatistics().toJSON(), all(few).toJSON()]);
    expect({ count, error }).toEqual({ count: 60_000, error: 0 });
  });
});
