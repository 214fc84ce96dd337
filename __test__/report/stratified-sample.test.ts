import { expect, test } from 'vitest';

import { StratifiedSample } from '../../src/report/html/stratified-sample.js';

function sampleOf(most: number, heaviest: number, strata: readonly (readonly [string, number])[]): number[] {
  const sample = new StratifiedSample<number>(most, heaviest);
  let index = 0;
  for (const [stratum, count] of strata) {
    for (let times = 0; times < count; times += 1) {
      const value = index;
      sample.add(stratum, 1, () => value);
      index += 1;
    }
  }
  expect(sample.seen).toBe(index);
  return sample.values();
}

test('everything below the limits, in the order of the stream', () => {
  expect(
    sampleOf(100, 100, [
      ['a', 3],
      ['b', 2],
    ]),
  ).toEqual([0, 1, 2, 3, 4]);
  expect(sampleOf(0, 100, [])).toEqual([]);
});

test('above the limit every stratum keeps its share, rare ones some of theirs', () => {
  const values = sampleOf(1000, 1e9, [
    ['common', 90_000],
    ['usual', 9990],
    ['rare', 10],
  ]);
  const [common, usual, rare] = [
    values.filter((value) => value < 90_000),
    values.filter((value) => value >= 90_000 && value < 99_990),
    values.filter((value) => value >= 99_990),
  ];
  // A stratum that came late was cut at other shares before: about its share is there, never more.
  expect(common.length).toBeGreaterThan(800);
  expect(common.length).toBeLessThanOrEqual(900);
  expect(usual.length).toBeGreaterThan(80);
  expect(usual.length).toBeLessThanOrEqual(99);
  expect(rare).toHaveLength(10);
  expect(values).toEqual(values.toSorted((a, b) => a - b));
});

test('the sample is spread over the stream: each tenth of it is there about equally', () => {
  const values = sampleOf(2000, 1e9, [['one', 200_000]]);
  const tenths = Array.from(
    { length: 10 },
    (_, tenth) => values.filter((value) => Math.floor(value / 20_000) === tenth).length,
  );
  // Expected 200 each; five standard deviations of a binomial are 67.
  for (const count of tenths) expect(Math.abs(count - 200)).toBeLessThan(67);
});

test('weights are a limit as well, and what is dropped is never made', () => {
  const sample = new StratifiedSample<number>(1e9, 1000);
  let made = 0;
  for (let index = 0; index < 100_000; index += 1) {
    sample.add('all', 10, () => {
      made += 1;
      return index;
    });
  }
  expect(sample.values()).toHaveLength(100);
  expect(made).toBeLessThan(2000);
});

test('thousands of strata keep the limit', () => {
  const values = sampleOf(
    1000,
    1e9,
    Array.from({ length: 5000 }, (_, index) => [`s${index}`, 2] as const),
  );
  expect(values.length).toBeLessThanOrEqual(1600);
  expect(values.length).toBeGreaterThan(500);
});
