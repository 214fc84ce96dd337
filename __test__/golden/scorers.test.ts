import { describe, expect, it } from 'vitest';
import { createScorer } from '../../src/score/registry.js';
import { hasShared, sharedJson } from '../shared.js';
import { CASES, clamp, expectedF1, MULTIREF_CASES } from './cases.js';

interface Row {
  readonly id: string;
  readonly hyp: string;
  readonly ref: string;
  readonly values: Readonly<Record<string, number | { readonly error: string }>>;
  readonly unit?: Readonly<Record<string, number>>;
  readonly loaded?: { readonly hyp: string; readonly ref: string; readonly values: Row['values'] };
}

interface MultiRow {
  readonly id: string;
  readonly hyp: string;
  readonly refs: readonly string[];
  readonly values: Readonly<Record<string, number>>;
}

/** How far a score of ours may be from the reference tool's. */
const TOLERANCE = 1e-9;

function rowsOf<T>(file: string): readonly T[] {
  return sharedJson<{ rows: readonly T[] }>(`golden/${file}.json`).rows;
}

/** Scores all pairs in one batch, and one by one for a few of them: both must agree to the bit. */
async function scores(
  spec: string,
  hypotheses: readonly string[],
  references: readonly (string | readonly string[])[],
): Promise<Float64Array> {
  const scorer = await createScorer(spec);
  const batch = await scorer.score(hypotheses, references);
  for (let index = 0; index < hypotheses.length; index += 29) {
    const single = await scorer.score(hypotheses.slice(index, index + 1), references.slice(index, index + 1));
    expect(single[0]).toBe(batch[index]);
  }
  return batch;
}

function differing(
  rows: readonly { readonly id: string }[],
  found: Float64Array,
  expected: readonly number[],
): unknown[] {
  return rows
    .map(({ id }, index) => ({ id, found: found[index], expected: expected[index] }))
    .filter((row) => !(Math.abs((row.found ?? Number.NaN) - (row.expected ?? Number.NaN)) <= TOLERANCE));
}

describe.skipIf(!hasShared)('every golden row holds through the library', () => {
  it.each(CASES)('%s.json, %s: %s', async (file, column, spec, toScore) => {
    const rows = rowsOf<Row>(file);
    const found = await scores(
      spec,
      rows.map((row) => row.hyp),
      rows.map((row) => row.ref),
    );
    const expected = rows.map((row) => toScore(Number(row.values[column])));
    expect(differing(rows, found, expected)).toEqual([]);
    expect(rows.length).toBeGreaterThan(200);
  });

  it('teapot-scorers.json, f1: a blank side is 0, two are 1, where the tool divides by zero', async () => {
    const rows = rowsOf<Row>('teapot-scorers');
    const found = await scores(
      'f1',
      rows.map((row) => row.hyp),
      rows.map((row) => row.ref),
    );
    const expected = rows.map(expectedF1);
    expect(differing(rows, found, expected)).toEqual([]);
  });

  it.each([
    ['exact_match', 'zero_one'],
    ['chrf', 'chrf'],
    ['bleu', 'bleu'],
  ])('teapot-scorers.json, %s as the tool loads it from a file', async (column, spec) => {
    const rows = rowsOf<Row>('teapot-scorers').map(({ id, loaded, ...raw }) => {
      const { hyp, ref, values } = loaded ?? raw;
      return { id, hyp, ref, values };
    });
    const found = await scores(
      spec,
      rows.map((row) => row.hyp),
      rows.map((row) => row.ref),
    );
    const expected = rows.map((row) => clamp(Number(row.values[column])));
    expect(differing(rows, found, expected)).toEqual([]);
  });

  it.each(MULTIREF_CASES)('multiref.json, %s: %s', async (column, spec, toScore) => {
    const rows = rowsOf<MultiRow>('multiref');
    const found = await scores(
      spec,
      rows.map((row) => row.hyp),
      rows.map((row) => row.refs),
    );
    const expected = rows.map((row) => toScore(Number(row.values[column])));
    expect(differing(rows, found, expected)).toEqual([]);
  });
});
