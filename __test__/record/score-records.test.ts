import { describe, expect, it } from 'vitest';

import { makeRecord, type AttackRecord } from '../../src/record/schema.js';
import { GroupSummariser } from '../../src/record/score-groups.js';
import { scoreRecords, type ScoredRecord } from '../../src/record/score-records.js';
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

describe('scoreRecords', () => {
  it('measures outputs against the reference', async () => {
    const [scored] = await score([example({ src: 'the tea', adv_src: 'the tea', out: '1', adv_out: '0', ref: '1' })]);
    expect(scored?.measured).toEqual({
      s_src: 1,
      s_tgt_base: 1,
      s_tgt: 0,
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
      s_tgt: 0.6,
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

describe('GroupSummariser', () => {
  const outcome = (result: AttackRecord['result'], out: string, advOut: string): AttackRecord =>
    example({ attack: 'swap', src: 'the tea', adv_src: 'the tea', out, adv_out: advOut, ref: '1', result });

  it('shows every denominator (B50, QData/TextAttack#527)', async () => {
    const records = [
      ...Array.from({ length: 4 }, () => outcome('successful', '1', '0')),
      ...Array.from({ length: 4 }, () => outcome('failed', '1', '1')),
      ...Array.from({ length: 2 }, () => outcome('skipped', '0', '0')),
    ];
    const groups = new GroupSummariser(['attack']);
    for (const scored of await score(records)) groups.add(scored);
    const all = groups.all();
    expect(all.toolRates).toEqual({
      successOverAttacked: { numerator: 4, denominator: 8, rate: 0.5 },
      successOverAll: { numerator: 4, denominator: 10, rate: 0.4 },
      accuracyBefore: { numerator: 8, denominator: 10, rate: 0.8 },
      accuracyUnderAttack: { numerator: 4, denominator: 10, rate: 0.4 },
    });
    expect(all.successOverAll).toEqual({ numerator: 4, denominator: 10, rate: 0.4 });
    expect(all.success).toEqual({ numerator: 4, denominator: 8, rate: 0.5 });
    expect(all.successOverAttacked).toEqual({ numerator: 4, denominator: 8, rate: 0.5 });
    expect(all.undefined).toEqual(new Map([['base score is 0', 2]]));
    expect(all.agreement).toEqual({ both: 4, toolOnly: 0, teapotOnly: 0, neither: 4 });
    expect(groups.groups()).toEqual([{ ...all, group: ['swap'] }]);
  });

  it('has no rates of a tool that says nothing, and none of nothing', async () => {
    const groups = new GroupSummariser([]);
    expect(groups.all()).toMatchObject({ records: 0, success: { rate: null }, sSrc: { n: 0, mean: null } });
    for (const scored of await score([outcome(null, '1', '0')])) groups.add(scored);
    expect(groups.all()).toMatchObject({ toolRates: null, successOverAttacked: null, tool: { unknown: 1 } });
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
