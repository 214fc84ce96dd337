import { existsSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { garak } from '../../../src/record/import/garak/garak.js';
import type { AttackRecord } from '../../../src/record/schema.js';
import { shared, sharedJson, sharedNames } from '../../shared.js';
import { collect } from './collect.js';

interface Expected {
  readonly version: string;
  readonly attempts: number;
  readonly outputs: number;
  readonly hits: number;
  readonly passes: number;
  readonly none: number;
  readonly per_probe_detector: Record<string, { hits: number; passes: number; none: number }>;
  readonly results: readonly {
    readonly probe: string;
    readonly uuid: string;
    readonly seq: number;
    readonly prompt: string;
    readonly outputs: readonly (string | null)[];
    readonly goal: string;
    readonly scores: Record<string, (number | null)[]>;
    readonly hits: Record<string, (boolean | null)[]>;
    readonly intent?: string;
    readonly triggers?: readonly string[];
    readonly buff_creator?: string;
  }[];
}

const ROOT = 'data/logs/garak';

function scores(record: AttackRecord): Record<string, number | null> {
  return record.extra['scores'] as Record<string, number | null>;
}

describe.each(sharedNames(ROOT))('garak run %s', (run) => {
  const expected = sharedJson<Expected>(`${ROOT}/${run}/expected.json`);
  const path = (file: string): string => shared(`${ROOT}/${run}/${file}`);
  const flat = expected.results.flatMap((attempt) =>
    attempt.outputs.map((output, index) => ({ attempt, output, index })),
  );

  it('gives a record an output', async () => {
    const { records, warnings } = await collect(garak, { path: path('report.jsonl') });
    expect(warnings).toEqual([]);
    expect(records).toHaveLength(expected.outputs);
    expect(new Set(records.map((record) => record.extra['uuid'])).size).toBe(expected.attempts);
    expect(
      records.map((record) => ({
        id: record.id,
        attack: record.attack,
        src: record.src,
        advSrc: record.adv_src,
        advOut: record.adv_out,
        goal: record.extra['goal'],
        intent: record.extra['intent'],
        notes: record.extra['notes'],
        scores: scores(record),
        result: record.result,
        version: record.provenance?.version,
        seed: record.provenance?.seed,
      })),
    ).toEqual(
      flat.map(({ attempt, output, index }) => ({
        id: `${attempt.uuid}:${index}`,
        attack: attempt.probe,
        src: null,
        advSrc: attempt.prompt,
        advOut: output,
        goal: attempt.goal,
        intent: attempt.intent,
        notes: expect.objectContaining({
          ...(attempt.triggers === undefined ? {} : { triggers: attempt.triggers }),
          ...(attempt.buff_creator === undefined ? {} : { buff_creator: attempt.buff_creator }),
        }) as unknown,
        scores: Object.fromEntries(Object.entries(attempt.scores).map(([name, values]) => [name, values[index]])),
        result: resultOf(Object.values(attempt.hits).map((hits) => hits[index] ?? null)),
        version: expected.version,
        seed: 765,
      })),
    );
  });

  it('gives the counts per probe and detector', async () => {
    const { records, summaries } = await collect(garak, { path: path('report.jsonl') });
    const counts: Expected['per_probe_detector'] = {};
    for (const record of records) {
      for (const [detector, score] of Object.entries(scores(record))) {
        const count = (counts[`${record.attack} ${detector}`] ??= { hits: 0, passes: 0, none: 0 });
        if (score === null) count.none += 1;
        else if (score >= 0.5) count.hits += 1;
        else count.passes += 1;
      }
    }
    expect(counts).toEqual(expected.per_probe_detector);
    expect(summaries).toHaveLength(Object.keys(counts).length);
    expect(summaries.reduce((sum, { values }) => sum + Number(values['passed']), 0)).toBe(expected.passes);
  });

  it('drops no row of the report', async () => {
    const { records } = await collect(garak, { path: path('report.jsonl') });
    const rows = readFileSync(path('report.jsonl'), 'utf8').trim().split('\n');
    const others = rows
      .map((row) => JSON.parse(row) as { entry_type: string })
      .filter((row) => row.entry_type !== 'attempt');
    expect(records.flatMap((record) => record.extra['run_rows'] ?? [])).toEqual(others);
  });

  it.runIf(existsSync(path('hitlog.jsonl')))('gives a record a hit', async () => {
    const { records, warnings } = await collect(garak, { path: path('hitlog.jsonl') });
    expect(warnings).toEqual([]);
    const hits = flat.flatMap(({ attempt, output, index }) =>
      Object.entries(attempt.hits).flatMap(([detector, hit]) =>
        hit[index] === true
          ? [{ id: `${attempt.uuid}:${index}:${detector}`, advSrc: attempt.prompt, advOut: output }]
          : [],
      ),
    );
    expect(records.map((record) => ({ id: record.id, advSrc: record.adv_src, advOut: record.adv_out }))).toEqual(hits);
    expect(records).toHaveLength(expected.hits);
    expect(new Set(records.map((record) => record.result))).toEqual(new Set(['successful']));
    expect(new Set(records.map((record) => record.model))).toEqual(new Set(['test.Repeat']));
  });
});

function resultOf(hits: readonly (boolean | null)[]): string {
  if (hits.every((hit) => hit === null)) return 'error';
  return hits.includes(true) ? 'successful' : 'failed';
}
