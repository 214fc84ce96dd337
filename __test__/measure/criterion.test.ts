import { describe, expect, it } from 'vitest';
import { measure } from '../../src/measure/measure.js';
import { performanceDropRate } from '../../src/measure/performance-drop-rate.js';
import { isReferenceLessDefined, isSuccessfulWithoutReference } from '../../src/measure/reference-less.js';
import { isRelativeDecreaseDefined, relativeDecrease } from '../../src/measure/relative-decrease.js';
import { isSuccessful, successMargin } from '../../src/measure/success.js';

describe('relativeDecrease', () => {
  it('is the share of the base score that is lost', () => {
    expect(relativeDecrease(0.8, 0.6)).toBeCloseTo(0.25, 15);
    expect(relativeDecrease(0.5, 0)).toBe(1);
  });

  // B45: teapot-nlp utils.relative_decrease clamps at 0; PromptBench's PDR may be negative.
  it('is 0 when the attack helped, while PDR is negative', () => {
    expect(relativeDecrease(0.6, 0.66)).toBe(0);
    expect(performanceDropRate(0.6, 0.66)).toBeCloseTo(-0.1, 15);
  });

  it('is 0 and not defined when the base score is 0', () => {
    expect(Object.is(relativeDecrease(0, 0), 0)).toBe(true);
    expect(isRelativeDecreaseDefined(0)).toBe(false);
    expect(isRelativeDecreaseDefined(Number.MIN_VALUE)).toBe(true);
  });

  it('refuses NaN', () => {
    expect(() => relativeDecrease(Number.NaN, 0.5)).toThrow('The base score is not a number');
    expect(() => relativeDecrease(0.5, Number.NaN)).toThrow('The attacked score is not a number');
  });
});

describe('isSuccessful', () => {
  // B48: mjpost/sacrebleu#275 and the criterion of teapot-nlp's main.py.
  it('is strict: exactly on the threshold is no success', () => {
    expect(isSuccessful(1, 0)).toBe(false);
    expect(isSuccessful(0.8, 1, 1.8)).toBe(false);
    expect(isSuccessful(0.8, 0.25)).toBe(true);
  });

  it('takes thresholds below 0 and refuses NaN', () => {
    expect(isSuccessful(0, 0, -0.5)).toBe(true);
    expect(() => isSuccessful(1, 0, Number.NaN)).toThrow('threshold');
  });

  it('agrees with its margin', () => {
    const values = [0, Number.MIN_VALUE, 0.1, 0.2, 0.3, 0.7, 1 - 2 ** -53, 1];
    for (const sSrc of values) {
      for (const dTgt of values) {
        for (const threshold of [...values, 1 + 2 ** -52, 1.8]) {
          expect(successMargin(sSrc, dTgt, threshold) > 0).toBe(sSrc + dTgt > threshold);
        }
      }
    }
  });
});

describe('isSuccessfulWithoutReference', () => {
  // teapot-nlp divides s_src by s_tgt and ends in ZeroDivisionError.
  it('needs no division', () => {
    expect(isSuccessfulWithoutReference(0.9, 0)).toBe(true);
    expect(isSuccessfulWithoutReference(0, 0)).toBe(false);
    expect(isReferenceLessDefined(0, 0)).toBe(false);
    expect(isReferenceLessDefined(0.9, 0)).toBe(true);
    expect(isSuccessfulWithoutReference(0.9, 0.6, 1.5)).toBe(0.9 > 1.5 * 0.6);
  });

  it('equals the main criterion with y* := y(x) at threshold 1', () => {
    for (let a = 0; a <= 16; a += 1) {
      for (let b = 0; b <= 16; b += 1) {
        const [sSrc, sTgt] = [a / 16, b / 16];
        expect(isSuccessfulWithoutReference(sSrc, sTgt)).toBe(isSuccessful(sSrc, relativeDecrease(1, sTgt)));
      }
    }
  });
});

describe('performanceDropRate', () => {
  // B43: microsoftarchive/promptbench#102 printed the original score as PDR.
  it('is the relative drop, not the absolute one nor the original score', () => {
    expect(performanceDropRate(0.75, 0.7)).toBe(0.06666666666666676);
  });

  it('is null when the original performance is 0', () => {
    expect(performanceDropRate(0, 0.5)).toBeNull();
    expect(Object.is(performanceDropRate(0.5, 0.5), 0)).toBe(true);
  });
});

describe('measure', () => {
  it('counts segments without a defined criterion', () => {
    const measured = measure(
      {
        count: 3,
        sSrc: Float64Array.of(0.5, 0.5, 1),
        base: Float64Array.of(0, 0.5, 0.5),
        attacked: Float64Array.of(0.5, 0.125, 0.5),
      },
      1,
    );
    expect([...(measured.dTgt ?? [])]).toEqual([0, 0.75, 0]);
    expect([...(measured.margin ?? [])]).toEqual([-0.5, 0.25, 0]);
    expect([...measured.undefinedReasons]).toEqual([[0, 'base score is 0']]);
  });

  it('has no criterion for one side alone', () => {
    expect(measure({ count: 1, sSrc: Float64Array.of(1) }, 1)).toEqual({ undefinedReasons: new Map() });
    expect(measure({ count: 1, attacked: Float64Array.of(0) }, 1)).toEqual({ undefinedReasons: new Map() });
  });

  it('refuses arrays of another length', () => {
    expect(() => measure({ count: 2, sSrc: Float64Array.of(1) }, 1)).toThrow('A batch of 2 segments has 1 scores.');
  });
});
