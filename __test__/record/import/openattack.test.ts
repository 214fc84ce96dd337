import { describe, expect, it } from 'vitest';

import { openattack } from '../../../src/record/import/openattack/openattack.js';
import { collect } from './collect.js';

const RESULT = {
  data: { x: 'hot tea', y: 1, id: 's1', target: 0 },
  success: true,
  result: 'h0t tea',
  metrics: { 'Running Time': 1.2345, 'Query Exceeded': false, 'Victim Model Queries': 9, Fluency: 3.5 },
  note: 'kept',
};

describe('OpenAttack results', () => {
  it('become records, and nothing is dropped', async () => {
    const { records, warnings } = await collect(openattack, { text: `${JSON.stringify(RESULT)}\n` });
    expect(warnings).toEqual([]);
    expect(records).toMatchObject([
      {
        id: '1',
        src: 'hot tea',
        adv_src: 'h0t tea',
        ref: '1',
        result: 'successful',
        queries: 9,
        elapsed_ms: 1235,
        provenance: { tool: 'openattack', line: 1 },
        extra: { metrics: RESULT.metrics, data: { id: 's1', target: 0 }, note: 'kept' },
      },
    ]);
  });

  it('may be one list', async () => {
    const { records } = await collect(openattack, {
      text: JSON.stringify([RESULT, { ...RESULT, success: false, result: null }], undefined, 2),
    });
    expect(records.map((record) => [record.result, record.adv_src])).toEqual([
      ['successful', 'h0t tea'],
      ['failed', null],
    ]);
  });

  it('may hold NaN, which is null with a warning', async () => {
    const text =
      '{"data": {"x": "NaN tea", "y": 1}, "success": false, "result": null, "metrics": {"Fluency": NaN, "BLEU": -Infinity}}';
    const { records, warnings } = await collect(openattack, { text });
    expect(records[0]).toMatchObject({ src: 'NaN tea', extra: { metrics: { Fluency: null, BLEU: null } } });
    expect(warnings).toMatchObject([{ code: 'no-number', line: 1 }]);
  });

  it('contradict themselves when a success has no text', async () => {
    const { records, warnings } = await collect(openattack, { text: JSON.stringify({ ...RESULT, result: ['a'] }) });
    expect(records[0]).toMatchObject({ result: 'successful', adv_src: null, extra: { result: ['a'] } });
    expect(warnings).toMatchObject([{ code: 'contradiction', line: 1 }]);
  });

  it.each([
    ['{"data": {"y": 1}, "success": true}', /:1: \$\.data\.x: expected a text, found a undefined/u],
    ['{"data": "x", "success": true}', /:1: \$\.data: expected the attacked example/u],
    ['{"data": {"x": "a"}}', /:1: \$\.success: expected true or false/u],
    ['{"data": {"x": "a"}, "succ', /:1: \$: not JSON/u],
    ['"data"', /:1: \$: expected an object, found a string/u],
    [`{"data":${'['.repeat(50_000)}`, /nested more than 1000 levels deep/u],
  ])('are refused with the place: %s', async (text, message) => {
    await expect(collect(openattack, { text })).rejects.toThrow(message);
    const { records, warnings } = await collect(
      openattack,
      { text: `${text}\n${JSON.stringify(RESULT)}\n` },
      { onError: 'skip' },
    );
    expect(records).toHaveLength(1);
    expect(warnings).toMatchObject([{ code: 'bad-row', line: 1 }]);
  });
});
