import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { parseColumns } from '../../src/read/table-columns.js';
import { openTable } from '../../src/read/table.js';
import { createScorer } from '../../src/score/registry.js';
import { scoreSegments } from '../../src/score/score-corpus.js';
import type { ScoredCorpus } from '../../src/score/score-corpus.js';
import { scoreTable } from '../../src/score/score-table.js';

const folder = mkdtempSync(join(tmpdir(), 'teapot-'));

/** Numbers that look random and are the same in every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

const PIECES = [
  'tea',
  ' ',
  '"',
  ',',
  '\n',
  '\r',
  '\r\n',
  '\t',
  '\0',
  'é',
  '🍵',
  '1.0',
  '""',
  '',
  '{',
  '\\',
  'x'.repeat(3000),
];

function randomCell(next: (below: number) => number): string {
  return Array.from({ length: next(4) }, () => PIECES[next(PIECES.length)] ?? '').join('');
}

/** A table as some program may write it: quotes where they are needed or everywhere, sometimes a broken row. */
function randomTable(seed: number): readonly [name: string, text: string] {
  const next = random(seed);
  const kind = ['csv', 'tsv', 'jsonl'][next(3)] ?? 'csv';
  const names = ['src', 'adv_src', 'out', 'adv_out', 'ref'];
  const rows = Array.from({ length: 1 + next(6) }, () => names.map(() => randomCell(next)));
  const name = join(folder, `${seed}.${kind}`);
  if (kind === 'jsonl') {
    const value = (cell: string): unknown =>
      [cell, cell, cell, cell, 12, 1.5, true, null, [cell, 'b']][next(seed % 3 === 0 ? 9 : 5)];
    const line = (row: readonly string[]): string =>
      JSON.stringify(Object.fromEntries(names.map((field, index) => [field, value(row[index] ?? '')])));
    return [name, rows.map(line).join(next(2) === 0 ? '\n' : '\r\n') + (next(2) === 0 ? '\n' : '')];
  }
  const always = next(2) === 0;
  const delimiter = kind === 'csv' ? ',' : '\t';
  const cell = (text: string): string => {
    const isPlain = !/["\n\r]/u.test(text) && !text.includes(delimiter);
    return !always && (isPlain || next(30) === 0) ? text : `"${text.replaceAll('"', next(30) === 0 ? '"' : '""')}"`;
  };
  const line = (row: readonly string[]): string =>
    row
      .slice(0, next(30) === 0 ? 4 : 5)
      .map(cell)
      .join(delimiter);
  return [name, [names, ...rows].map(line).join(next(4) === 0 ? '\r\n' : '\n') + (next(2) === 0 ? '\n' : '')];
}

async function outcome(corpus: ScoredCorpus): Promise<unknown> {
  const scores: Record<string, number[]> = { sSrc: [], base: [], attacked: [] };
  try {
    for await (const { attacks } of corpus.batches()) {
      for (const [kind, list] of Object.entries(scores)) {
        list.push(...(attacks[0]?.[kind as 'sSrc' | 'base' | 'attacked'] ?? []));
      }
    }
    return { scores, inputs: await corpus.inputs() };
  } catch (error) {
    return { error: String(error) };
  }
}

test('random tables have the scores, counts and messages of the reader in JavaScript', async () => {
  const columns = parseColumns('src=src,adv_src=adv_src,out=out,adv_out=adv_out,ref=ref');
  const scorer = await createScorer('chrf');
  const scorers = { sSrc: scorer, sTgt: scorer };
  let scored = 0;
  for (let seed = 1; seed <= 400; seed += 1) {
    const [path, text] = randomTable(seed);
    writeFileSync(path, text);
    const expected = await outcome(scoreSegments(openTable(path, columns), scorers));
    const found = await outcome(scoreTable(path, columns, scorers));
    expect({ text, found }).toEqual({ text, found: expected });
    scored += typeof expected === 'object' && expected !== null && 'scores' in expected ? 1 : 0;
  }
  expect(scored).toBeGreaterThan(200);
  expect(scored).toBeLessThan(400);
});
