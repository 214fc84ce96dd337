import { describe, expect, it } from 'vitest';

import { audit, ruleIds, type AuditReport } from '../../src/record/audit/audit.js';
import { quotedIn } from '../../src/record/audit/rules/protected-words.js';
import { promptbench } from '../../src/record/import/promptbench/promptbench.js';
import { makeRecord, type AttackRecord } from '../../src/record/schema.js';
import { createScorer } from '../../src/score/registry.js';
import { hasShared, shared, sharedJson } from '../shared.js';
import { collect } from './import/collect.js';

async function* stream(records: readonly AttackRecord[]): AsyncGenerator<AttackRecord> {
  await Promise.resolve();
  yield* records;
}

async function run(records: readonly AttackRecord[], labels: readonly string[] = []): Promise<AuditReport> {
  const [sSrc, sTgt, similarity] = [await createScorer('chrf'), await createScorer('chrf'), await createScorer('chrf')];
  const options = { sSrc, sTgt, similarity, successThreshold: 1, nearTie: 0.001, labels };
  return audit(stream(records), options, 3);
}

/** The rules that found something, with their counts. */
async function found(
  records: readonly AttackRecord[],
  labels: readonly string[] = [],
): Promise<Record<string, number>> {
  const { rules } = await run(records, labels);
  return Object.fromEntries(rules.filter(({ count }) => count > 0).map(({ id, count }) => [id, count]));
}

let count = 0;
function example(fields: Partial<AttackRecord>): AttackRecord {
  count += 1;
  return makeRecord({
    id: String(count),
    unit: 'input',
    src: `the tea number ${count}`,
    adv_src: `the t\u00E9a number ${count}`,
    ...fields,
  });
}
function prompt(fields: Partial<AttackRecord>): AttackRecord {
  return example({ unit: 'prompt', original_score: 80, attacked_score: 60, scale: 100, ...fields });
}

describe('texts', () => {
  it.each<readonly [string, Partial<AttackRecord>, Record<string, number>]>([
    ['sound', {}, {}],
    ['unchanged', { src: 'tea', adv_src: 'tea ' }, { unchanged: 1 }],
    ['skipped by the tool', { src: 'tea', adv_src: 'tea', result: 'skipped' }, {}],
    ['empty', { src: 'tea', adv_src: '' }, { empty_side: 1 }],
    ['blank outputs', { out: ' ', adv_out: 'x', ref: ['y', '\n'] }, { empty_side: 2 }],
    ['without an original', { src: null }, { missing_text: 1 }],
    ['failed, without an attempt', { adv_src: null, result: 'failed' }, {}],
    ['equal but for the normal form (B23)', { src: 'caf\u00E9', adv_src: 'cafe\u0301' }, { normal_form: 1 }],
    ['of the target side alone', { src: null, adv_src: null, out: 'a', adv_out: 'b' }, {}],
  ])('%s', async (_name, fields, expected) => {
    expect(await found([example(fields)])).toEqual(expected);
  });
});

describe('scores', () => {
  it.each<readonly [string, Partial<AttackRecord>, Record<string, number>]>([
    ['sound', { extra: { dropped: 20, decimals: 2 } }, {}],
    ['a stale drop', { extra: { dropped: 30, decimals: 2 } }, { drop_inconsistent: 1 }],
    [
      'a drop off by rounding',
      { original_score: 67.61, attacked_score: 60.56, extra: { dropped: 7.04, decimals: 2 } },
      { drop_rounding: 1 },
    ],
    [
      'a drop of numbers that were not rounded',
      { scale: 1, original_score: 0.8, attacked_score: 0.6, extra: { dropped: 0.21, decimals: null } },
      { drop_inconsistent: 1 },
    ],
    [
      'a stored drop rate (B33)',
      { scale: 1, original_score: 0.8, attacked_score: 0.6, extra: { stored_pdr: 0.8 } },
      { pdr_inconsistent: 1 },
    ],
    ['an improvement', { attacked_score: 90 }, { improved: 1 }],
    ['an original of 0', { original_score: 0, attacked_score: 0 }, { original_zero: 1 }],
    ['a score above a perfect one', { scale: 1, original_score: 80, attacked_score: 0.6 }, { score_out_of_range: 1 }],
    ['a negative score', { attacked_score: -1 }, { score_out_of_range: 1 }],
  ])('%s', async (_name, fields, expected) => {
    expect(await found([prompt(fields)])).toEqual(expected);
  });

  it('compares attacks with the clean list of the same run', async () => {
    const clean = (src: string, score: number) =>
      prompt({
        src,
        adv_src: null,
        original_score: score,
        attacked_score: null,
        extra: { kind: 'clean', decimals: 2 },
      });
    const attack = (src: string, score: number) => prompt({ src, original_score: score, extra: { decimals: 2 } });
    expect(
      await found([
        attack('Rate it. ', 80),
        attack('Judge it.', 75),
        attack('Unknown', 75),
        clean('Rate it.', 80),
        clean('Judge it.', 70),
      ]),
    ).toEqual({ original_score_differs: 1, original_prompt_unknown: 1 });
  });

  it('finds fractions among percentages (opencompass divides above 1 only)', async () => {
    expect(await found([prompt({}), prompt({}), prompt({ original_score: 0.8, attacked_score: 0.6 })])).toEqual({
      scale_mix_up: 1,
    });
    expect(await found([1, 2, 3].map(() => prompt({ original_score: 0.24, attacked_score: 0.2 })))).toEqual({
      scale_mix_up: 3,
    });
    expect(await found([prompt({ original_score: 0.24, attacked_score: 0.2 })])).toEqual({});
  });
});

describe('protected words', () => {
  it.each<readonly [string, string, string, Record<string, number>]>([
    ['kept', "Say 'good' or 'bad': {content}", "S\u00E4y 'good' or 'bad': {content}", {}],
    ['a label changed', "Say 'good' or 'bad'", "Say 'goood' or 'bad'", { label_damaged: 1 }],
    ['a label gone', 'Say "good" or "bad"', 'Say "good"', { label_damaged: 1 }],
    ['text inside the closing quote', "Say 'good' or 'bad'", "Say 'good' or 'bad x7Qk'", {}],
    ['a placeholder changed', 'Rate {content}', 'Rate {c0ntent}', { placeholder_damaged: 1 }],
    ['text inside a placeholder', 'Rate {content}', 'Rate {content x7Qk}', { placeholder_damaged: 1 }],
    ['an apostrophe', "It's tea, isn't it", "Its tea, isn't it", {}],
  ])('%s', async (_name, src, advSrc, expected) => {
    expect(await found([prompt({ src, adv_src: advSrc })])).toEqual(expected);
  });

  it('takes labels that the user names', async () => {
    expect(await found([prompt({ src: 'Say good or bad', adv_src: 'Say g00d or bad' })], ['good', 'bad'])).toEqual({
      label_damaged: 1,
    });
  });

  it('reads quotes of every kind', () => {
    expect(quotedIn(`It's 'A' or "B b", ‘C’ or “D”; don't`)).toEqual(['A', 'B b', 'C', 'D']);
  });
});

describe('duplicates', () => {
  it('finds repeated records, ids and sources', async () => {
    const first = example({ id: 'a', run: 'r' });
    expect(await found([first, { ...first, id: 'b' }])).toEqual({ duplicate_record: 1 });
    expect(await found([first, example({ id: 'a', run: 'r' })])).toEqual({ duplicate_id: 1 });
    expect(await found([first, example({ id: 'a', run: 'other' })])).toEqual({});
    expect(await found([first, example({ run: 'r', src: first.src, adv_src: 'other' })])).toEqual({
      duplicate_source: 1,
    });
  });
});

describe('results', () => {
  it.each<readonly [string, Partial<AttackRecord>, Record<string, number>]>([
    ['sound', { out: '1', adv_out: '0', ref: '1', result: 'successful' }, {}],
    [
      'success without a change',
      { out: '1', adv_out: '1.0', ref: '1', result: 'successful' },
      { success_without_change: 1 },
    ],
    ['failure with a change', { out: '1', adv_out: '0', ref: '1.0', result: 'failed' }, { failure_with_change: 1 }],
    [
      'a skipped input that was right',
      { src: 'x', adv_src: 'x', out: '1', ref: '1', result: 'skipped' },
      { skipped_though_correct: 1 },
    ],
  ])('%s', async (_name, fields, expected) => {
    expect(await found([example(fields)])).toEqual(expected);
  });

  it('compares the summary of the tool with the records', async () => {
    const summary = { tool_summary: { 'Number of successful attacks': 2, 'Number of failed attacks': 0 } };
    const success = { out: '1', adv_out: '0', ref: '1', result: 'successful' as const };
    const { rules } = await run([example(success), example({ ...success, extra: summary })]);
    expect(rules.find(({ id }) => id === 'summary_differs')?.count).toBe(0);
    expect(await found([example({ ...success, extra: summary })])).toEqual({ summary_differs: 1 });
  });

  it('finds ties, but no unchanged text', async () => {
    expect(await found([prompt({ src: 'abcdefgh', adv_src: 'abcdefgh ', attacked_score: 80 })])).toEqual({
      unchanged: 1,
    });
    const [sSrc] = await (await createScorer('chrf')).score(['abcdefgx'], ['abcdefgh']);
    const tie = prompt({
      src: 'abcdefgh',
      adv_src: 'abcdefgx',
      original_score: 100,
      attacked_score: 100 * (sSrc ?? 0),
    });
    expect(await found([tie])).toEqual({ near_tie: 1 });
  });
});

describe('alignment', () => {
  const SENTENCES = [
    'Green tea is brewed with water below the boiling point.',
    'The kettle on the stove was older than the house itself.',
    'Nobody in the village had ever seen such heavy snow before.',
    'She counted the coins twice and put them back in the drawer.',
    'A narrow path led from the harbour up to the lighthouse.',
  ];
  const typo = (text: string): string => text.replace('e', '3');

  it('finds lines that have slid apart, on either side', async () => {
    const aligned = SENTENCES.map((src, index) =>
      example({ src, adv_src: typo(src), out: src, adv_out: src, ref: SENTENCES[index] ?? null }),
    );
    expect(await found(aligned)).toEqual({});
    const slid = SENTENCES.map((src, index) => example({ src, adv_src: typo(SENTENCES[index + 1] ?? src) }));
    expect(await found(slid)).toEqual({ misaligned_source: 4 });
    const outputs = SENTENCES.map((out, index) => example({ out, adv_out: out, ref: SENTENCES[index - 1] ?? out }));
    expect(await found(outputs)).toEqual({ misaligned_target: 3 });
  });

  it('finds them across windows', async () => {
    const texts = Array.from(
      { length: 1500 },
      (_, index) => `${index * 7919} cups of tea were sold on day ${index * 104_729}`,
    );
    const records = texts.map((src, index) =>
      example({ src, adv_src: index % 3 === 0 ? 'Nothing of the kind, sorry' : typo(src) }),
    );
    records.push(...SENTENCES.map((src, index) => example({ src, adv_src: typo(SENTENCES[index + 1] ?? src) })));
    expect(await found(records)).toEqual({ misaligned_source: 4 });
  });
});

describe('the report', () => {
  it('lists every rule once, errors first', async () => {
    const { rules, records } = await run([]);
    expect(records).toBe(0);
    expect(new Set(rules.map(({ id }) => id))).toEqual(new Set(ruleIds()));
    expect(new Set(ruleIds()).size).toBe(ruleIds().length);
    const order = rules.map(({ severity }) => severity);
    expect(order).toEqual(
      order.toSorted((a, b) => ['error', 'warning', 'note'].indexOf(a) - ['error', 'warning', 'note'].indexOf(b)),
    );
  });

  it('names place, record and values of each example', async () => {
    const record = prompt({
      id: 'x',
      extra: { dropped: 5, decimals: 2, score_line: 9 },
      provenance: { tool: 't', version: null, file: 'a.md', line: 7 },
    });
    const { rules } = await run([record]);
    expect(rules[0]?.examples).toEqual([
      {
        rule: 'drop_inconsistent',
        record: 'x',
        file: 'a.md',
        line: 9,
        message: 'original 80, attacked 60, stored drop 5',
      },
    ]);
  });
});

describe.skipIf(!hasShared)("PromptBench's archive", () => {
  it('gives the known contradictions', async () => {
    const { warning_counts: known } = sharedJson<{ warning_counts: Record<string, number> }>(
      'golden/promptbench-tables.json',
    );
    const records: AttackRecord[] = [];
    for (const model of ['chatgpt', 't5', 'ul2', 'vicuna']) {
      for (const shot of ['zeroshot', 'fewshot']) {
        const path = shared(`data/promptbench/adv_prompts/${model}_${shot}.md`);
        records.push(...(await collect(promptbench, { path })).records);
      }
    }
    expect(await found(records)).toMatchObject({
      drop_inconsistent: known['drop_inconsistent_abs_gt_0.015'],
      drop_rounding: known['drop_off_by_0.01'],
      unchanged: known['attacked_text_equals_original_after_strip'],
      improved: known['negative_drop'],
      original_score_differs: known['original_acc_differs_from_clean_list_by_gt_0.005'],
      original_prompt_unknown: known['original_prompt_not_in_clean_list'],
      missing_text: known['triple_without_original_prompt'],
    });
  });
});
