import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import type { TransferArguments } from '../../src/cli/commands/transfer.js';
import { runTransfer } from '../../src/cli/pdr/run-transfer.js';
import { makeRecord, type AttackRecord } from '../../src/record/schema.js';

const folder = mkdtempSync(join(tmpdir(), 'teapot-transfer-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function transfer(records: readonly AttackRecord[], options: Partial<TransferArguments> = {}): Promise<string> {
  const path = join(folder, 'in.jsonl');
  const output = join(folder, 'out.txt');
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const settings = { onError: 'stop', trim: 0.1, confidence: 0.95, seed: 12_345, quiet: true, format: 'text' } as const;
  await runTransfer({ records: [path], ...settings, ...options, output });
  return readFileSync(output, 'utf8');
}

let count = 0;
function prompt(attack: string, from: string | null, to: string, original: number, attacked: number): AttackRecord {
  count += 1;
  const scores = { original_score: original, attacked_score: attacked, scale: 1 as const };
  return makeRecord({ id: String(count), unit: 'prompt', attack, source_model: from, model: to, ...scores });
}

const RECORDS = [
  prompt('swap', 'oolong', 'assam', 0.8, 0.4),
  prompt('swap', 'oolong', 'assam', 0.4, 0.4),
  prompt('swap', 'assam', 'oolong', 0.5, 0.75),
  prompt('drop', 'oolong', 'assam', 0.01, 0.06),
  prompt('drop', 'assam', 'assam', 0.8, 0),
  prompt('drop', null, 'assam', 0.8, 0),
];

describe('teapot transfer', () => {
  it('shows macro, micro and median drop rates of every pair', async () => {
    expect(await transfer(RECORDS)).toMatchInlineSnapshot(`
      "Performance drop rate, mean±std (n)
      attack    oolong→assam    assam→oolong
      swap     0.25±0.25 (2)  -0.50±0.00 (1)
      drop    -5.00±0.00 (1)               -

      Performance drop rate, micro: 1 - sum(attacked)/sum(original)
      attack  oolong→assam  assam→oolong
      swap          0.3333       -0.5000
      drop         -5.0000             -

      Performance drop rate, median
      attack  oolong→assam  assam→oolong
      swap          0.2500       -0.5000
      drop         -5.0000             -
      "
    `);
  });

  it('shows the attacks on their own model on demand', async () => {
    expect(await transfer(RECORDS, { own: true })).toContain('assam→assam');
  });

  it('gives a cell for every pair as JSON', async () => {
    const { cells } = JSON.parse(await transfer(RECORDS, { format: 'json' })) as { cells: unknown[] };
    expect(cells).toHaveLength(3);
    expect(cells[0]).toMatchObject({
      attack: 'swap',
      source_model: 'oolong',
      model: 'assam',
      n: 2,
      mean: 0.25,
      median: 0.25,
    });
  });

  it('refuses records that were not transferred', async () => {
    await expect(transfer(RECORDS.slice(4))).rejects.toThrow(
      /1 attacks on the model that they were made on, 1 without source_model or model/u,
    );
    await expect(transfer([])).rejects.toThrow(/found no attack records/u);
  });
});
