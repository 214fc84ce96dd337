import { describe, expect, it } from 'vitest';

import { garak } from '../../../src/record/import/garak/garak.js';
import { collect } from './collect.js';

function lines(...rows: readonly object[]): { readonly text: string } {
  return { text: rows.map((row) => `${JSON.stringify(row)}\n`).join('') };
}

function attempt(status: number, more: object = {}): object {
  const results = status === 2 ? { 'tea.Cold': [0.4], 'tea.Weak': [0.7] } : {};
  return {
    entry_type: 'attempt',
    uuid: 'u1',
    status,
    probe_classname: 'tea.Steep',
    prompt: 'brew',
    outputs: ['tea'],
    detector_results: results,
    ...more,
  };
}

const SETUP = {
  entry_type: 'start_run setup',
  '_config.version': '0.17.1',
  'run.seed': 7,
  'run.eval_threshold': 0.5,
  'plugins.target_type': 'openai',
  'plugins.target_name': 'gpt',
  'transient.run_id': 'r1',
};

describe('garak reports', () => {
  it('give the run, and one result over all detectors', async () => {
    const { records } = await collect(garak, lines(SETUP, attempt(1), attempt(2)));
    expect(records).toMatchObject([
      {
        id: 'u1:0',
        run: 'r1',
        model: 'openai gpt',
        attack: 'tea.Steep',
        src: null,
        adv_src: 'brew',
        adv_out: 'tea',
        result: 'successful',
        provenance: { tool: 'garak', version: '0.17.1', seed: 7, line: 3, settings: { eval_threshold: 0.5 } },
        extra: { scores: { 'tea.Cold': 0.4, 'tea.Weak': 0.7 }, output_index: 0 },
      },
    ]);
  });

  it('obey the threshold of the run', async () => {
    const { records } = await collect(garak, lines({ ...SETUP, 'run.eval_threshold': 0.9 }, attempt(2)));
    expect(records.map((record) => record.result)).toEqual(['failed']);
  });

  it('count outputs that are none as errors, and outputs without a score as nothing', async () => {
    const outputs = [null, { text: 'tea', lang: 'en' }, 'milk'];
    const results = { 'tea.Cold': [null, null, 0.1] };
    const { records } = await collect(garak, lines(SETUP, attempt(2, { outputs, detector_results: results })));
    expect(records.map((record) => [record.adv_out, record.result])).toEqual([
      [null, 'error'],
      ['tea', null],
      ['milk', 'failed'],
    ]);
  });

  it('take the last turn of the user from a conversation, and keep all turns', async () => {
    const prompt = {
      turns: [
        { role: 'system', content: { text: 'be brief' } },
        { role: 'user', content: { text: 'brew' } },
      ],
    };
    const { records } = await collect(garak, lines(SETUP, attempt(2, { prompt })));
    expect(records[0]).toMatchObject({ adv_src: 'brew', extra: { prompt } });
  });

  it('give attempts that were not scored at the end, with a warning', async () => {
    const { records, warnings } = await collect(
      garak,
      lines(SETUP, attempt(1), attempt(1, { uuid: 'u2', outputs: [] })),
    );
    expect(records.map((record) => [record.id, record.adv_out, record.result])).toEqual([
      ['u1:0', 'tea', null],
      ['u2', null, 'error'],
    ]);
    expect(warnings).toMatchObject([{ code: 'incomplete-attempts' }]);
  });

  it('are compared with their own evaluations', async () => {
    const row = { entry_type: 'eval', probe: 'tea.Steep', detector: 'detector.tea.Weak', passed: 1, total: 1 };
    const { warnings, summaries, records } = await collect(garak, lines(SETUP, attempt(2), row));
    expect(warnings).toMatchObject([{ code: 'summary-differs', line: 3 }]);
    expect(summaries).toMatchObject([{ values: { probe: 'tea.Steep', passed: 1 } }]);
    expect(records[0]?.extra['run_rows']).toEqual([SETUP, row]);
  });

  it('without attempts give a warning', async () => {
    const { records, warnings } = await collect(garak, lines(SETUP));
    expect(records).toEqual([]);
    expect(warnings).toMatchObject([{ code: 'no-attempts' }]);
  });

  it('refuse rows of something else', async () => {
    await expect(collect(garak, lines({ data: 1 }))).rejects.toThrow(/<stdin>:1: no row of garak/u);
    await expect(collect(garak, { text: '{"entry_type": "attempt", "uui' })).rejects.toThrow(
      /<stdin>:1: \$: not JSON/u,
    );
  });
});

describe('garak hit logs', () => {
  it('give a record a hit', async () => {
    const hit = {
      goal: 'g',
      prompt: 'brew',
      output: { text: 'tea' },
      triggers: ['t'],
      score: 1,
      run_id: 'r1',
      attempt_id: 'u1',
      attempt_seq: 0,
      attempt_idx: 3,
      generator: 'test.Repeat None',
      probe: 'tea.Steep',
      detector: 'tea.Weak',
      generations_per_prompt: 5,
    };
    const { records } = await collect(garak, lines(hit));
    expect(records).toMatchObject([
      {
        id: 'u1:3:tea.Weak',
        run: 'r1',
        model: 'test.Repeat',
        adv_src: 'brew',
        adv_out: 'tea',
        result: 'successful',
        extra: { triggers: ['t'], score: 1 },
      },
    ]);
  });
});
