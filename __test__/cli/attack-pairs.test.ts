import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
const GOLDEN = join(import.meta.dirname, '../golden/textattack');

/** The victim of scripts/textattack-nli.py. */
const VICTIM = `
export const answer = (text) => {
  const [, premise, hypothesis] = /^Premise: ([^]*)\\nHypothesis: ([^]*)$/u.exec(text);
  const known = new Set(premise.toLowerCase().match(/[a-z]+/g));
  const words = hypothesis.toLowerCase().match(/[^\\s.,]+/g) ?? [];
  const fresh = words.filter((word) => !known.has(word)).length / Math.max(1, words.length);
  return { output: fresh > 0.5 ? '1' : '0', scores: { 0: 1 - fresh, 1: fresh } };
};
`;

interface Row {
  readonly src: string;
  readonly adv_src: string;
  readonly out: string;
  readonly adv_out: string;
  readonly ref: string;
  readonly columns: unknown;
  readonly result: string;
  readonly queries: number;
  readonly extra: { readonly s_src_columns?: { readonly hypothesis: number } };
}

function hypothesisScore({ extra }: Row): number {
  return extra.s_src_columns?.hypothesis ?? Number.NaN;
}

function rowsOf(name: string): readonly Row[] {
  const lines = readFileSync(join(folder.path, name), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const { src, adv_src, out, adv_out, ref, columns, result, queries, extra } = JSON.parse(line) as Row;
    return { src, adv_src, out, adv_out, ref, columns, result, queries, extra };
  });
}

test("an attack on sentence pairs has the records that TextAttack's own log of it has", async () => {
  folder.write({ 'nli.mjs': VICTIM });
  for (const name of ['nli.jsonl', 'nli.csv']) copyFileSync(join(GOLDEN, name), join(folder.path, name));
  const inputs = [
    '--data',
    'nli.jsonl',
    '--columns',
    'src=premise+hypothesis,ref=label',
    '--model',
    'module:./nli.mjs',
  ];
  const attack = ['attack', ...inputs, '--transformation', 'delete:positions=all', '--work-dir', 'nli'];
  const { code, stdout } = await runCli(attack, { cwd: folder.path });
  expect(code).toBe(0);
  expect(stdout).toContain('Mean s_src of successful attacks, premise:\t100.000\n');
  const scores = [...rowsOf('nli/records.jsonl')].filter(({ result }) => result === 'successful').map(hypothesisScore);
  const mean = (100 * scores.reduce((sum, score) => sum + score, 0)) / scores.length;
  expect(stdout).toContain(`Mean s_src of successful attacks, hypothesis:\t${mean.toFixed(3)}\n`);
  expect((await runCli(['import', 'textattack', 'nli.csv', '-o', 'imported.jsonl'], { cwd: folder.path })).code).toBe(
    0,
  );
  const [own, imported] = [rowsOf('nli/records.jsonl'), rowsOf('imported.jsonl')];
  expect(own.length).toBe(7);
  const withoutQueries = (rows: readonly Row[]): unknown[] => rows.map((row) => ({ ...row, queries: 0, extra: {} }));
  expect(withoutQueries(own)).toEqual(withoutQueries(imported));
  // TextAttack asks twice about a text that two deletions give, as of "tt": lines 3, 5 and 6.
  expect(imported.map(({ queries }, index) => queries - (own[index]?.queries ?? 0))).toEqual([0, 0, 1, 0, 1, 2, 0]);
});
