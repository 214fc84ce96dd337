import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { makeRecord } from '../../src/record/schema.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';
import { hasShared, shared, sharedJson, sharedNames } from '../shared.js';

const folder = temporaryFolder();

function item(id: number, before: number, under: number | null, scale: 1 | 100 = 1): string {
  const scores = { original_score: before, attacked_score: under, metric: 'accuracy', scale };
  return JSON.stringify(
    makeRecord({ id: String(id), unit: 'input', attack: 'swap', src: 'a', adv_src: 'b', ...scores }),
  );
}

describe('drop rates of items', () => {
  it('F60: scores count where no tool judged the attack, with broken, fixed and right both', async () => {
    // Right before: 0–5; right under attack: 0–2 and 8.
    const rows = Array.from({ length: 10 }, (_, id) => item(id, id < 6 ? 1 : 0, id < 3 || id === 8 ? 1 : 0));
    folder.write({ 'items.jsonl': rows.join('\n') });
    const { stdout } = await runCli(['pdr', 'items.jsonl', '--format', 'json'], { cwd: folder.path });
    const { cells } = JSON.parse(stdout) as { cells: unknown[] };
    expect(cells).toMatchObject([
      {
        mean_original: 0.6,
        mean_attacked: 0.4,
        micro_pdr: expect.closeTo(1 / 3, 12) as unknown,
        items: { broken: 3, fixed: 1, right_both: 0.3, mcnemar_p: 0.625 },
      },
    ]);
    const text = await runCli(['pdr', 'items.jsonl'], { cwd: folder.path });
    expect(text.stdout).toMatchInlineSnapshot(`
      "Performance drop rate (PDR = 1 - attacked/original)
      attack  items  original  attacked    drop  micro PDR         interval  broken  fixed  right both  McNemar p
      swap       10    0.6000    0.4000  0.2000     0.3333  -0.5000..0.8333       3      1      0.3000     0.6250
      "
    `);
  });

  it('F60: scores that are neither right nor wrong have no broken items', async () => {
    folder.write({ 'graded.jsonl': [item(1, 80, 60, 100), item(2, 100, 0, 100)].join('\n') });
    const { stdout } = await runCli(['pdr', 'graded.jsonl', '--format', 'json'], { cwd: folder.path });
    const { all } = JSON.parse(stdout) as { all: Record<string, unknown> };
    expect(all['micro_pdr']).toBeCloseTo(1 - 60 / 180, 12);
    expect(all['items']).toBeUndefined();
  });

  it('F66: a score whose sums would overflow is named', async () => {
    folder.write({ 'huge.jsonl': item(1, 1e308, 0) });
    const { code, stderr } = await runCli(['pdr', 'huge.jsonl'], { cwd: folder.path });
    expect([code, stderr]).toEqual([2, expect.stringContaining('record "1": a score of 1e+308 is too large')]);
  });

  it.skipIf(!hasShared)(
    'a clean and a perturbed run give a drop rate with interval and test in two commands',
    async () => {
      const logs = 'data/logs/lm-eval/multiple-choice';
      const [swapped, clean] = ['charswap', 'clean'].map((name) =>
        shared(`${logs}/${sharedNames(logs).find((file) => file.startsWith(`samples_reviews_mc_${name}`))}`),
      );
      const records = join(folder.path, 'records.jsonl');
      const imported = await runCli([
        'import',
        'lm-eval',
        '--clean',
        clean ?? '',
        '--attacked',
        `swap=${swapped}`,
        '-o',
        records,
      ]);
      expect([imported.code, imported.stderr]).toEqual([
        0,
        expect.stringContaining('(swap): 40 records, paired by id'),
      ]);
      const { stdout } = await runCli(['pdr', records, '--format', 'json']);
      const { cells } = JSON.parse(stdout) as { cells: Record<string, unknown>[] };
      const expected = sharedJson<{ charswap: Record<string, number> }>(`${logs}/expected.json`).charswap;
      expect(cells[0]).toMatchObject({
        mean_original: expected['clean_accuracy'],
        mean_attacked: expected['attacked_accuracy'],
        micro_pdr: expect.closeTo(expected['pdr'] ?? 0, 12) as unknown,
        items: { broken: expected['broken'], fixed: expected['fixed'], right_both: expected['worst_case_accuracy'] },
      });
      expect(cells[0]?.['micro_interval']).toMatchObject({ low: expect.any(Number) as unknown });
    },
  );
});
