import { describe, expect, it } from 'vitest';
import { BinCounts } from '../../src/measure/bin-counts.js';

describe('BinCounts', () => {
  it('knows 0 and 1 exactly, and everything else to half a bin', () => {
    const counts = new BinCounts(4);
    counts.add(Float64Array.of(1, 0, 0.3, 0.9, 0, 1));
    expect([0, 1, 2, 3, 4, 5, 6].map((rank) => counts.atRank(rank))).toEqual([0, 0, 0.375, 0.875, 1, 1, Number.NaN]);
  });

  it('does not lose what a counter of 32 bits can not hold', () => {
    let counts = new BinCounts(2);
    counts.add(Float64Array.of(0.1, 0.6, 0.6));
    // 3 · 2^33 scores, by doubling.
    for (let doubling = 0; doubling < 33; doubling += 1) {
      const twice = new BinCounts(2);
      twice.merge(counts);
      twice.merge(counts);
      counts = twice;
    }
    counts.add(Float64Array.of(0.1));
    expect(counts.histogram(2)).toEqual([2 ** 33 + 1, 2 ** 34]);
    expect(counts.atRank(2 ** 33)).toBe(0.25);
    expect(counts.atRank(2 ** 33 + 1)).toBe(0.75);
  });
});
