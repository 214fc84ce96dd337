import { describe, expect, it } from 'vitest';

import { openattack } from '../../../src/record/import/openattack/openattack.js';
import { shared, sharedJson, sharedNames } from '../../shared.js';
import { collect } from './collect.js';

interface Expected {
  readonly query_exceeded: number;
  readonly summary: Record<string, number>;
  readonly results: readonly {
    readonly original_text: string;
    readonly perturbed_text: string | null;
    readonly gold_label: number | null;
    readonly target: number | null;
    readonly success: boolean;
    readonly queries: number;
    readonly query_exceeded: boolean;
  }[];
}

const ROOT = 'data/logs/openattack';

describe.each(sharedNames(ROOT))('OpenAttack run %s', (run) => {
  const expected = sharedJson<Expected>(`${ROOT}/${run}/expected.json`);

  it('gives the texts, labels, results and queries', async () => {
    const { records, warnings } = await collect(openattack, { path: shared(`${ROOT}/${run}/records.jsonl`) });
    expect(warnings).toEqual([]);
    expect(
      records.map((record) => ({
        original_text: record.src,
        perturbed_text: record.adv_src,
        gold_label: record.ref,
        target: (record.extra['data'] as { target?: number } | undefined)?.target ?? null,
        success: record.result === 'successful',
        queries: record.queries,
        query_exceeded: (record.extra['metrics'] as Record<string, unknown>)['Query Exceeded'],
      })),
    ).toEqual(
      expected.results.map(
        ({ original_text, perturbed_text, gold_label, target, success, queries, query_exceeded }) => ({
          original_text,
          perturbed_text,
          gold_label: gold_label === null ? null : String(gold_label),
          target,
          success,
          queries,
          query_exceeded,
        }),
      ),
    );
  });

  it("gives the tool's own summary again", async () => {
    const { records } = await collect(openattack, { path: shared(`${ROOT}/${run}/records.jsonl`) });
    const metric = (name: string): number[] =>
      records.flatMap((record) => {
        const value = (record.extra['metrics'] as Record<string, unknown>)[name];
        return value === undefined ? [] : [Number(value)];
      });
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    const successful = records.filter((record) => record.result === 'successful').length;
    const summary: Record<string, number> = {
      'Total Attacked Instances': records.length,
      'Successful Instances': successful,
      'Attack Success Rate': successful / records.length,
      'Total Query Exceeded': sum(metric('Query Exceeded')),
    };
    for (const name of Object.keys(expected.summary).filter((key) => key.startsWith('Avg. '))) {
      const values = metric(name.slice('Avg. '.length));
      summary[name] = sum(values) / values.length;
    }
    const rounded = (values: Record<string, number>): Record<string, string> =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.toPrecision(12)]));
    expect(rounded(summary)).toEqual(rounded(expected.summary));
  });
});
