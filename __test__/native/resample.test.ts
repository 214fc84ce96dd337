import { describe, expect, test } from 'vitest';

import { callNative, runNative } from '../../src/native.js';

const half = Float64Array.from({ length: 400 }, (_, line) => (line % 2) / 2 + 0.25);
const other = Float64Array.from({ length: 400 }, (_, line) => (line % 3) / 3);

describe('intervals', () => {
  test('the interval of a mean holds the mean, and threads change nothing', async () => {
    const run = (threads: number) =>
      runNative((binding, cancellation) =>
        binding.bootstrapMean(half, { resamples: 500, seed: 7, threads }, cancellation),
      );
    const interval = await run(1);
    expect(interval.lower).toBeLessThan(0.5);
    expect(interval.upper).toBeGreaterThan(0.5);
    expect(await run(2)).toEqual(interval);
  });

  test('equal scores give an interval of no width', async () => {
    const scores = new Float64Array(10).fill(0.75);
    expect(await runNative((binding) => binding.bootstrapMean(scores))).toEqual({ lower: 0.75, upper: 0.75 });
  });

  test('a drop rate without an original success is undefined', async () => {
    const rate = await runNative((binding) =>
      binding.bootstrapPerformanceDropRate(new Float64Array(3), new Float64Array(3), { resamples: 50 }),
    );
    expect(rate).toEqual({ undefined: 50 });
  });
});

describe('paired tests', () => {
  test('a system does not differ from itself', async () => {
    const options = { resamples: 100 };
    const bootstrap = await runNative((binding) => binding.pairedBootstrap(half, half, options));
    expect(bootstrap).toEqual({ difference: 0, interval: { lower: 0, upper: 0 }, pValue: 1 });
    const randomization = await runNative((binding) => binding.approximateRandomization(half, half, options));
    expect(randomization).toEqual({ difference: 0, pValue: 1 });
  });

  test('a clear difference has the least p-value that the resamples can tell', async () => {
    const bootstrap = await runNative((binding) => binding.pairedBootstrap(half, other, { resamples: 99 }));
    expect(bootstrap.difference).toBeCloseTo(0.1675, 9);
    expect(bootstrap.pValue).toBe(0.01);
    const randomization = await runNative((binding) =>
      binding.approximateRandomization(half, other, { resamples: 99 }),
    );
    expect(randomization.pValue).toBe(0.01);
  });

  test("McNemar's test is the exact binomial one", () => {
    const left = Uint8Array.of(1, 1, 1, 0, 1);
    const right = Uint8Array.of(0, 0, 0, 0, 1);
    expect(callNative((binding) => binding.mcnemar(left, right))).toEqual({ leftOnly: 3, rightOnly: 0, pValue: 0.25 });
  });

  test("Holm's correction keeps the order of the tests", () => {
    const adjusted = callNative((binding) => binding.holm([0.04, 0.01, 0.03]));
    expect(adjusted).toEqual([0.06, 0.03, 0.06]);
  });
});

describe('mistakes', () => {
  test.each([
    [{ seed: 0.5 }, 'seed is 0.5, expected an integer from 0 to 2^53 - 1'],
    [{ seed: -1 }, 'seed is -1, expected an integer from 0 to 2^53 - 1'],
    [{ confidence: 1 }, 'confidence is 1, expected a number strictly between 0 and 1'],
    [{ resamples: 0 }, 'resamples is 0, expected at least 1'],
  ])('%o is refused', async (options, message) => {
    await expect(runNative((binding) => binding.bootstrapMean(half, options))).rejects.toMatchObject({
      code: 'ERR_TEAPOT_INVALID_OPTION',
      message,
    });
  });

  test('scores outside [0, 1] and missing ones are refused', async () => {
    const run = (scores: readonly number[]) => runNative((binding) => binding.bootstrapMean(Float64Array.from(scores)));
    await expect(run([0.5, Number.NaN])).rejects.toThrow('scores is NaN, expected numbers in [0, 1]');
    await expect(run([])).rejects.toMatchObject({ code: 'ERR_TEAPOT_EMPTY_INPUT' });
    expect(() => callNative((binding) => binding.holm([2]))).toThrow('a p-value is 2, expected a number in [0, 1]');
  });

  test('unequal lengths name both', async () => {
    const call = runNative((binding) => binding.pairedBootstrap(half, new Float64Array(1)));
    await expect(call).rejects.toMatchObject({
      code: 'ERR_TEAPOT_LENGTH_MISMATCH',
      message: '400 left scores but 1 right scores: pass one for each',
    });
  });

  test('an aborted run ends with the reason of its signal', async () => {
    const scores = Float64Array.from({ length: 200_000 }, (_, line) => (line % 997) / 997);
    const signal = AbortSignal.timeout(30);
    const options = { resamples: 1_000_000 };
    const call = runNative((binding, cancellation) => binding.bootstrapMean(scores, options, cancellation), { signal });
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
