import { describe, expect, it } from 'vitest';

import { makeRecord, type AttackRecord } from '../../src/record/schema.js';
import { GroupSummariser } from '../../src/measure/group-summariser.js';
import type { GroupResult, Result } from '../../src/measure/summary.js';
import { groupingValue } from '../../src/record/grouping.js';
import { scoreBlocks, scoreRecords, type ScoredRecord } from '../../src/record/score-records.js';
import { createScorer } from '../../src/score/registry.js';
import { outcomeRates } from '../../src/measure/denominators.js';

let count = 0;
function example(fields: Partial<AttackRecord>): AttackRecord {
  count += 1;
  return makeRecord({ id: String(count), unit: 'input', ...fields });
}

async function score(records: readonly AttackRecord[], threshold = 1): Promise<ScoredRecord[]> {
  const scorers = { sSrc: await createScorer('chrf'), sTgt: await createScorer('zero_one') };
  const scored: ScoredRecord[] = [];
  for await (const record of scoreRecords(records, { ...scorers, successThreshold: threshold })) scored.push(record);
  return scored;
}

async function resultOf(
  records: readonly AttackRecord[],
  { by = [], threshold = 1 }: { readonly by?: readonly string[]; readonly threshold?: number } = {},
): Promise<Result & { readonly all: GroupResult }> {
  const scorers = { sSrc: await createScorer('chrf'), sTgt: await createScorer('zero_one') };
  const summariser = new GroupSummariser(
    { version: '0', ...scorers, successThreshold: threshold, percentileMethod: 'teapot' },
    by,
  );
  for await (const { shapes } of scoreBlocks(records, scorers)) {
    for (const shape of shapes) {
      const groups = by.map((key) => shape.records.map((record) => groupingValue(record, key)));
      summariser.add({ ...shape.scores, groups });
    }
  }
  return summariser.result();
}

describe('scoreRecords', () => {
  it('measures outputs against the reference', async () => {
    const [scored] = await score([example({ src: 'the tea', adv_src: 'the tea', out: '1', adv_out: '0', ref: '1' })]);
    expect(scored?.measured).toEqual({
      s_src: 1,
      s_tgt_base: 1,
      s_tgt_attacked: 0,
      s_tgt: null,
      d_tgt: 1,
      success: true,
      margin: 1,
      pdr: 1,
      criterion: 'relative_decrease',
      reasons: {},
    });
  });

  it('says why a wrong answer before the attack leaves no room (B50)', async () => {
    const [scored] = await score([example({ src: 'a', adv_src: 'b', out: '0', adv_out: '0', ref: '1' })]);
    expect(scored?.measured).toMatchObject({
      d_tgt: 0,
      success: false,
      pdr: null,
      reasons: { d_tgt: 'base score is 0', pdr: 'base score is 0' },
    });
  });

  it('compares the outputs with each other without a reference', async () => {
    const scored = await score([
      example({ src: 'tea', adv_src: 'tea', out: '1', adv_out: '0' }),
      example({ src: 'tea', adv_src: 'xyz', out: '1', adv_out: '0' }),
    ]);
    expect(scored[0]?.measured).toMatchObject({ criterion: 'reference_less', success: true, d_tgt: null });
    expect(scored[1]?.measured).toMatchObject({
      criterion: 'reference_less',
      success: false,
      reasons: { success: 's_src and s_tgt are 0' },
    });
  });

  it('takes the scores over the data set for attacked prompts', async () => {
    const [scored, helped, skipped, zero] = await score([
      makeRecord({
        id: 'a',
        unit: 'prompt',
        src: 'tea',
        adv_src: 'tea',
        original_score: 80,
        attacked_score: 60,
        scale: 100,
      }),
      makeRecord({
        id: 'b',
        unit: 'prompt',
        src: 'tea',
        adv_src: 'tea',
        original_score: 60,
        attacked_score: 66,
        scale: 100,
      }),
      makeRecord({ id: 'c', unit: 'prompt', src: 'tea', original_score: 0, scale: 100, result: 'skipped' }),
      makeRecord({ id: 'd', unit: 'prompt', src: 'tea', adv_src: 'tea', original_score: 0, attacked_score: 0 }),
    ]);
    expect(scored?.measured).toMatchObject({
      s_src: 1,
      s_tgt_base: 0.8,
      s_tgt_attacked: 0.6,
      s_tgt: null,
      d_tgt: 0.25,
      pdr: 0.25,
      success: true,
    });
    // B45: d_tgt is cut at 0, the drop rate keeps its sign.
    expect(helped?.measured).toMatchObject({ d_tgt: 0, success: false });
    expect(helped?.measured?.pdr).toBeCloseTo(-0.1, 12);
    expect(skipped?.measured).toMatchObject({
      s_src: null,
      success: null,
      reasons: { s_src: 'no attacked text', d_tgt: 'no attacked score', success: 'no attacked score' },
    });
    expect(zero?.measured).toMatchObject({
      d_tgt: 0,
      pdr: null,
      success: false,
      reasons: { pdr: 'original score is 0' },
    });
  });

  it('leaves clean prompts alone and keeps the order over batches', async () => {
    const records = Array.from({ length: 2500 }, (_, index) =>
      example({ src: `tea ${index}`, adv_src: `tea ${index}`, extra: index % 5 === 0 ? { kind: 'clean' } : {} }),
    );
    const scored = await score(records);
    expect(scored.map(({ record }) => record.id)).toEqual(records.map(({ id }) => id));
    expect(scored.filter(({ measured }) => measured === null)).toHaveLength(500);
  });
});

describe('records summed up', () => {
  const outcome = (result: AttackRecord['result'], out: string, advOut: string): AttackRecord =>
    example({ attack: 'swap', src: 'the tea', adv_src: 'the tea', out, adv_out: advOut, ref: '1', result });

  it('show every denominator (B50, QData/TextAttack#527)', async () => {
    const records = [
      ...Array.from({ length: 4 }, () => outcome('successful', '1', '0')),
      ...Array.from({ length: 4 }, () => outcome('failed', '1', '1')),
      ...Array.from({ length: 2 }, () => outcome('skipped', '0', '0')),
    ];
    const { all, groups } = await resultOf(records, { by: ['attack'] });
    expect(all.claims?.rates).toEqual({
      successOverAttacked: { numerator: 4, denominator: 8, rate: 0.5 },
      successOverAll: { numerator: 4, denominator: 10, rate: 0.4 },
      accuracyBefore: { numerator: 8, denominator: 10, rate: 0.8 },
      accuracyUnderAttack: { numerator: 4, denominator: 10, rate: 0.4 },
    });
    expect(all.summary.n).toBe(10);
    expect(all.summary.success).toMatchObject({ successes: 4, rate: 0.4, defined: 8, rateWhereDefined: 0.5 });
    expect(all.claims?.successOverAttacked).toEqual({ numerator: 4, denominator: 8, rate: 0.5 });
    expect(all.summary.undefinedCounts).toEqual([{ reason: 'base score is 0', count: 2 }]);
    expect(all.claims?.agreement).toEqual({ both: 4, toolOnly: 0, teapotOnly: 0, neither: 4 });
    expect(groups).toEqual([{ ...all, values: ['swap'] }]);
  });

  it('have no rates of a tool that says nothing, and there is none of nothing', async () => {
    await expect(resultOf([])).rejects.toThrow('No samples');
    const { all } = await resultOf([outcome(null, '1', '0')]);
    expect(all.claims).toMatchObject({ rates: null, successOverAttacked: null, tool: { unknown: 1 } });
  });

  it('F01: count successes with a defined criterion alone where they are divided by those', async () => {
    const records = [
      example({ src: 'tea', adv_src: 'tea', out: '0', adv_out: '0', ref: '1' }),
      example({ src: 'tea', adv_src: 'tea', out: '0', adv_out: '0', ref: '1' }),
      example({ src: 'tea', adv_src: 'tea', out: '1', adv_out: '1', ref: '1' }),
    ];
    const { all } = await resultOf(records, { threshold: 0.8 });
    expect(all.summary.success).toMatchObject({
      successes: 3,
      rate: 1,
      defined: 1,
      successesWhereDefined: 1,
      rateWhereDefined: 1,
    });
    const { all: strict } = await resultOf([...records.slice(0, 2), example({ ...records[2], adv_src: 'xyz' })], {
      threshold: 0.8,
    });
    expect(strict.summary.success).toMatchObject({ successes: 2, successesWhereDefined: 0, rateWhereDefined: 0 });
  });

  it('F55: say nothing of originals where the log holds none', async () => {
    const records = ['successful', 'failed'].map((result) =>
      example({ adv_src: 'say it', adv_out: 'no', result: result as AttackRecord['result'] }),
    );
    const { all } = await resultOf(records);
    expect(all.summary).toMatchObject({ mode: 'none', success: null, sSrc: null, criterion: null });
    expect(all.summary.undefinedCounts).toEqual([{ reason: 'no outputs', count: 2 }]);
    expect(all.claims?.rates).toMatchObject({
      successOverAttacked: { numerator: 1, denominator: 2, rate: 0.5 },
      accuracyBefore: { rate: null },
      accuracyUnderAttack: { rate: null },
    });
  });

  it('F44: have no rates where every attack broke down', async () => {
    const { all } = await resultOf([
      example({ src: 'tea', result: 'error' }),
      example({ src: 'tea', result: 'error' }),
    ]);
    expect(all.summary.success).toBeNull();
    expect(all.claims?.rates?.successOverAll).toEqual({ numerator: 0, denominator: 2, rate: null });
  });

  it('F09: bring the scores of prompts to one scale, and refuse a run that mixes two', async () => {
    const prompt = (id: string, run: string, original: number, attacked: number, scale: 1 | 100 | null = null) =>
      makeRecord({ id, run, unit: 'prompt', original_score: original, attacked_score: attacked, scale });
    const { all } = await resultOf([prompt('a', 'one', 0.8, 0.4), prompt('b', 'two', 60, 30)]);
    expect(all.summary.base?.mean).toBeCloseTo(0.7, 12);
    expect(all.summary.attacked?.mean).toBeCloseTo(0.35, 12);
    const told = await resultOf([prompt('a', 'one', 0.8, 0.4, 1), prompt('b', 'one', 60, 30, 100)]);
    expect(told.all.summary.base?.mean).toBeCloseTo(0.7, 12);
    await expect(resultOf([prompt('a', 'one', 0.8, 0.4), prompt('b', 'one', 60, 30)])).rejects.toThrow(
      'records "a" (0.8 and 0.4) and "b" (60 and 30) say no scale',
    );
  });

  it('F52: name record and field of a text that is no text', async () => {
    const records = Array.from({ length: 20 }, (_, index) =>
      example({ id: `r${index}`, src: 'tea', adv_src: index === 17 ? 'te\ud800' : 'tea' }),
    );
    await expect(resultOf(records)).rejects.toThrow('record "r17", adv_src holds half of a surrogate pair');
  });
});

describe('outcomeRates', () => {
  it('counts broken attacks in the denominator of OpenAttack alone', () => {
    const rates = outcomeRates({ successful: 1, failed: 1, skipped: 1, error: 1 });
    expect(rates.successOverAll.denominator).toBe(4);
    expect(rates.accuracyBefore.denominator).toBe(3);
  });

  it('has no rate without attacks (B52, QData/TextAttack#374)', () => {
    const rates = outcomeRates({ successful: 0, failed: 0, skipped: 0, error: 0 });
    expect(Object.values(rates).map(({ rate }: { rate: number | null }) => rate)).toEqual([null, null, null, null]);
  });
});
