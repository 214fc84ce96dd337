import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';

import type { AttackSetDocument } from '../../src/report/attack-set-schema.js';
import type { SummaryDocument } from '../../src/report/summary-schema.js';
import { AttackLines } from '../../src/measure/compare-attacks.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';

const EXAMPLE = 'examples/translation';
const COMMON = ['--src', `${EXAMPLE}/src.fr`, '--out', `${EXAMPLE}/base.en`, '--ref', `${EXAMPLE}/ref.en`];
const attack = (name: string): string[] => [
  '--adv-src',
  `${EXAMPLE}/adv.${name}.fr`,
  '--adv-out',
  `${EXAMPLE}/adv.${name}.en`,
];
const SEVERAL = [...COMMON, ...attack('charswap'), ...attack('homoglyph')];

const folder = temporaryFolder();

describe('several attacks over one corpus', () => {
  test('have the numbers of single runs, and paired tests between them', async () => {
    const both = await runCli([...SEVERAL, '--name', 'swap', '--name', 'glyph', '--format', 'json']);
    expect(both).toMatchObject({ code: 0, stderr: '' });
    const document = JSON.parse(both.stdout) as AttackSetDocument;
    const schema = JSON.parse(
      readFileSync(new URL('../../schema/attack-set-2.json', import.meta.url), 'utf8'),
    ) as object;
    const validate = new Ajv2020({ strict: true }).compile(schema);
    validate(document);
    expect(validate.errors).toBeNull();

    expect(document.attacks.map(({ name }) => name)).toEqual(['swap', 'glyph']);
    const single = await Promise.all(
      ['charswap', 'homoglyph'].map((name) => runCli([...COMMON, ...attack(name), '--format', 'json'])),
    );
    for (const [index, { stdout }] of single.entries()) {
      const { inputs: _, ...expected } = JSON.parse(stdout) as SummaryDocument;
      expect(document.attacks[index]?.summary).toMatchObject(expected);
    }
    const [comparison, ...others] = document.comparisons;
    expect(others).toEqual([]);
    expect(comparison).toMatchObject({ first: 'swap', second: 'glyph' });
    expect(comparison?.means.map(({ quantity }) => quantity)).toEqual(['s_src', 'd_tgt']);
    const [swap, glyph] = document.attacks.map(({ summary }) => summary);
    expect(comparison?.means[0]?.difference).toBeCloseTo((swap?.s_src?.mean ?? 0) - (glyph?.s_src?.mean ?? 0), 6);
    expect(comparison?.success?.mcnemar_p).toBeGreaterThan(0);
  });

  test('stand side by side in a table, the same for any number of threads', async () => {
    const [once, again] = await Promise.all([
      runCli([...SEVERAL, '--threads', '1']),
      runCli([...SEVERAL, '--threads', '3']),
    ]);
    expect(again).toEqual(once);
    expect(once.stdout).toMatch(/^\s+adv\.charswap\.fr\s+adv\.homoglyph\.fr\ns_src mean\s+74\.973\s+84\.023\n/u);
    expect(once.stdout).toMatch(/success rate\s+76\.67 %\s+78\.33 %\n/u);
  });

  test('write one line an attack with --per-line', async () => {
    const path = join(folder.path, 'lines.tsv');
    expect(await runCli([...SEVERAL, '--terse', '--per-line', path])).toMatchObject({ code: 0 });
    const [header, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(header?.split('\t').slice(0, 3)).toEqual(['id', 'attack', 's_src']);
    expect(lines).toHaveLength(120);
    expect(new Set(lines.map((line) => line.split('\t')[1]))).toEqual(new Set(['adv.charswap.fr', 'adv.homoglyph.fr']));
  });

  test('fire a gate when one of them does', async () => {
    const gate = (limit: string): Promise<{ code: number | null }> =>
      runCli([...SEVERAL, '--quiet', '--terse', '--fail-if', `success_rate>${limit}`]);
    expect(await gate('0.77')).toMatchObject({ code: 3 });
    expect(await gate('0.79')).toMatchObject({ code: 0 });
  });

  test('must be complete and have names of their own', async () => {
    const refused = async (args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await runCli(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      return stderr;
    };
    expect(await refused([...COMMON, ...attack('charswap'), '--adv-src', `${EXAMPLE}/adv.homoglyph.fr`])).toContain(
      '--adv-src was given 2 times and --adv-out 1 times',
    );
    expect(await refused([...SEVERAL, '--name', 'one'])).toContain('--name was given 1 times for 2 attacks');
    expect(await refused([...SEVERAL, '--name', 'one', '--name', 'one'])).toContain('Two attacks are called one');
    expect(await refused([...COMMON, ...attack('charswap'), '--name', 'one'])).toContain('--name does nothing');
  });
});

describe('AttackLines', () => {
  test('finds no difference between an attack and itself, and corrects for the number of pairs', async () => {
    const lines = new AttackLines(['a', 'b', 'c']);
    const scores = Float64Array.from({ length: 200 }, (_, index) => (index % 10) / 10);
    const better = scores.map((score) => Math.min(1, score + 0.3));
    lines.advance(200);
    for (const [index, column] of [scores, scores, better].entries()) {
      lines.add(
        index,
        { s_src: column },
        column.map((score) => score - 0.5),
      );
    }
    const [same, ...different] = await lines.compare({ confidence: 0.95, seed: 1 });
    expect(same?.means[0]).toMatchObject({ difference: 0, bootstrapP: 1, randomizationP: 1 });
    expect(same?.success).toMatchObject({ firstOnly: 0, secondOnly: 0, p: 1 });
    for (const { means, success } of different) {
      const [mean] = means;
      expect(mean?.difference).toBeLessThan(0);
      expect(mean?.bootstrapPHolm).toBeGreaterThan(mean?.bootstrapP ?? 1);
      expect(success?.pHolm).toBeLessThan(0.001);
    }
  });
});
