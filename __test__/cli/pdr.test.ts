import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { PdrArguments } from '../../src/cli/commands/pdr.js';
import { parseGate } from '../../src/cli/gate.js';
import { runPdr } from '../../src/cli/pdr/run.js';
import { promptbench } from '../../src/record/import/promptbench/promptbench.js';
import { makeRecord, type AttackRecord } from '../../src/record/schema.js';
import { collect } from '../record/import/collect.js';
import { hasShared, shared, sharedJson } from '../shared.js';

const folder = mkdtempSync(join(tmpdir(), 'teapot-pdr-'));
afterAll(() => rmSync(folder, { recursive: true }));

function save(name: string, records: readonly AttackRecord[]): string {
  const path = join(folder, name);
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return path;
}

async function pdr(path: string, options: Partial<PdrArguments> = {}): Promise<string> {
  const output = join(folder, 'out.txt');
  await runPdr({
    records: [path],
    onError: 'stop',
    by: 'attack',
    trim: 0.1,
    confidence: 0.95,
    seed: 12_345,
    quiet: true,
    format: 'text',
    ...options,
    output,
  });
  return readFileSync(output, 'utf8');
}

async function pdrJson<T>(path: string, options: Partial<PdrArguments> = {}): Promise<T> {
  return JSON.parse(await pdr(path, { ...options, format: 'json' })) as T;
}

let count = 0;
function prompt(attack: string, dataset: string, original: number | null, attacked: number | null): AttackRecord {
  count += 1;
  const scores = { original_score: original, attacked_score: attacked, scale: 1 as const };
  return makeRecord({ id: String(count), unit: 'prompt', attack, dataset, ...scores });
}

const RECORDS = [
  prompt('swap', 'tea', 0.75, 0.7),
  prompt('swap', 'coffee', 60, 66),
  prompt('drop', 'tea', 0, 0),
  prompt('drop', 'tea', 0.5, null),
  makeRecord({ id: 'clean', unit: 'prompt', original_score: 0.9, extra: { kind: 'clean' } }),
];

describe('teapot pdr', () => {
  it('shows both scores, the drop and the drop rate in columns of their own (B43, B45)', async () => {
    expect(await pdr(save('a.jsonl', RECORDS), { by: 'attack,dataset', long: true })).toMatchInlineSnapshot(`
      "Performance drop rate (PDR = 1 - attacked/original)
      attack  dataset  n  original  attacked     drop    mean PDR         interval  micro PDR   median  trimmed  negative  undefined  rounding
      swap    tea      1    0.7500    0.7000   0.0500   0.07±0.00                -     0.0667   0.0667   0.0667         0          0
      swap    coffee   1     60.00     66.00    -6.00  -0.10±0.00                -    -0.1000  -0.1000  -0.1000         1          0
      drop    tea      0    0.0000    0.0000   0.0000           -                -          -        -        -         0          2
      all              2     20.25     22.23  -1.9833  -0.02±0.08  -0.1000..0.0667    -0.0979  -0.0167  -0.0167         1          2
      "
    `);
  });

  it('makes columns of the last key', async () => {
    expect(await pdr(save('a.jsonl', RECORDS), { by: 'attack,dataset' })).toMatchInlineSnapshot(`
      "Performance drop rate, mean±std (n)
      attack            tea          coffee
      swap    0.07±0.00 (1)  -0.10±0.00 (1)
      drop            - (0)               -
      "
    `);
  });

  it('gives every number as JSON, undefined ones as null with a reason', async () => {
    const { cells, left_out } = await pdrJson<{ cells: Record<string, unknown>[]; left_out: unknown }>(
      save('a.jsonl', RECORDS),
      {
        by: 'attack,dataset',
      },
    );
    expect(left_out).toEqual({ clean: 1, candidates: 0 });
    expect(cells[0]).toMatchObject({
      attack: 'swap',
      dataset: 'tea',
      n: 1,
      mean: 0.066_666_666_666_666_76,
      std: 0,
      std_sample: null,
    });
    expect(cells[1]).toMatchObject({ negative: 1 });
    expect(cells[2]).toMatchObject({
      attack: 'drop',
      n: 0,
      mean: null,
      micro_pdr: null,
      undefined: { count: 2, reasons: { 'original score is 0': 1, 'no attacked score': 1 } },
    });
  });

  it('gives CSV with one column for every number', async () => {
    const [head, first] = (await pdr(save('a.jsonl', RECORDS), { format: 'csv' })).split('\r\n');
    expect(head).toBe(
      'attack,n,mean_original,mean_attacked,absolute_drop,mean,interval.low,interval.high,std,std_sample,micro_pdr,micro_interval.low,micro_interval.high,micro_pdr_mixes_scales,median,trimmed_mean,min,max,negative,zero,interval_over,interval_reason,undefined.count,rounding.rows,rounding.low,rounding.high',
    );
    expect(first?.split(',')).toHaveLength(head?.split(',').length ?? 0);
  });

  it('takes the accuracy before and under attack of attacked examples', async () => {
    const results = ['successful', 'successful', 'failed', 'skipped', 'error'] as const;
    const records = results.map((result, index) =>
      makeRecord({ id: String(index), unit: 'input', attack: 'swap', result }),
    );
    const { all } = await pdrJson<{ all: Record<string, unknown> }>(save('b.jsonl', records));
    expect(all).toMatchObject({ n: 3, mean_original: 0.75, mean_attacked: 0.25 });
    expect(all['micro_pdr']).toBeCloseTo(2 / 3, 12);
  });

  it.each([
    [{ by: 'atack' }, /--by: records can't be grouped by "atack"\. Did you mean "attack"\?/u],
    [{ by: 'attack,attack' }, /"attack" is given twice/u],
  ])('refuses %j', async (options, message) => {
    await expect(pdr(save('a.jsonl', RECORDS), options)).rejects.toThrow(message);
  });

  it('gates on the numbers of every group, and of all attacks', async () => {
    const path = save('a.jsonl', RECORDS);
    const gated = (condition: string): Promise<string> => pdr(path, { failIf: [parseGate(condition)] });
    await expect(gated('negative>0')).rejects.toThrow(
      '--fail-if holds: negative>0 (negative of attack swap is 1); negative>0 (negative of all is 1)',
    );
    await expect(gated('mean[all]>0.5')).resolves.toContain('all');
    await expect(gated('mean[attack=swap]>0.5')).resolves.toContain('all');
    await expect(gated('mean>0.5')).rejects.toThrow(
      "--fail-if can't be decided: mean>0.5 of attack drop: mean is undefined.",
    );
    await expect(gated('micro>0.5')).rejects.toThrow('this run gives no number "micro"');
    await expect(gated('mean[model=x]>0.5')).rejects.toThrow('there is no key "model": they are grouped by attack');
    await expect(gated('mean[attack=x]>0.5')).rejects.toThrow('no attack or group of the results is meant by it');
  });

  it('refuses files without an attack', async () => {
    await expect(pdr(save('c.jsonl', []))).rejects.toThrow(/no records: there is nothing/u);
    await expect(pdr(save('d.jsonl', RECORDS.slice(4)))).rejects.toThrow(
      /1 clean prompts or candidates, but no attack/u,
    );
  });
});

interface GoldenCell {
  readonly table: string;
  readonly model?: string;
  readonly dataset: string;
  readonly column: string;
  readonly published_text: string;
  readonly [name: string]: unknown;
}

describe.skipIf(!hasShared)("PromptBench's tables", () => {
  const path = join(folder, 'archive.jsonl');
  beforeAll(async () => {
    const archive = shared('data/promptbench/adv_prompts');
    const records: AttackRecord[] = [];
    for (const name of readdirSync(archive).filter((file) => file.endsWith('.md'))) {
      records.push(...(await collect(promptbench, { path: `${archive}/${name}` })).records);
    }
    save('archive.jsonl', records);
  });

  it('come out cell by cell', async () => {
    const { cells: golden } = sharedJson<{ cells: readonly GoldenCell[] }>('golden/promptbench-tables.json');
    const { cells } = await pdrJson<{ cells: readonly Record<string, unknown>[] }>(path, { table: 'promptbench' });
    const find = (cell: GoldenCell): Record<string, unknown> =>
      cells.find(
        (own) =>
          own['table'] === cell.table &&
          own['model'] === cell.model &&
          own['dataset'] === cell.dataset &&
          own['column'] === cell.column,
      ) ?? {};
    for (const cell of golden) {
      const own = find(cell);
      expect(own['text']).toBe(cell.published_text);
      expect(own['micro_pdr_mixes_scales']).toBe(cell['micro_pdr_mixes_scales'] ?? false);
      for (const name of ['n', 'mean', 'std', 'micro_pdr', 'median', 'negative', 'zero', 'min', 'max', 'std_sample']) {
        const value = cell[name] ?? null;
        const known = name in cell;
        expect(known && own[name] === null).toBe(known && value === null);
        expect(known ? Math.abs(Number(own[name]) - Number(value)) : 0).toBeLessThan(1e-9);
      }
    }
    expect(golden).toHaveLength(119);
    expect(cells).toHaveLength(238);
  });

  it('move five cells when the slot is taken from the text', async () => {
    const { cells } = await pdrJson<{ cells: readonly Record<string, { mean: number | null }>[] }>(path, {
      table: 'promptbench',
    });
    const byText = cells.filter((cell) => cell['by_text'] !== undefined);
    const format = (mean: number | null | undefined, std: unknown): string =>
      `${mean?.toFixed(2)}±${(std as number | null)?.toFixed(2)}`;
    const moved = byText.filter((cell) => {
      const other = cell['by_text'] as unknown as { mean: number | null; std: number | null };
      return format(other.mean, other.std) !== format(cell['mean'] as unknown as number, cell['std']);
    });
    expect(byText).toHaveLength(56);
    expect(moved).toHaveLength(5);
  });

  it('print as the published ones', async () => {
    const text = await pdr(path, { table: 'promptbench' });
    expect(text).toContain(
      'qqp        0.20±0.32    0.18±0.27   0.28±0.34   0.31±0.36  0.13±0.25  -0.00±0.21  0.30±0.36',
    );
    expect(text).toContain('squad_v2  0.05±0.12          -  0.10±0.18  0.22±0.28');
    expect(await pdr(path, { table: 'promptbench', format: 'latex' })).toContain(
      String.raw`0.20$\pm$0.32 & 0.18$\pm$0.27`,
    );
  });
});
