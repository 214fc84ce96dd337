import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
const COLUMNS = ['--columns', 'src=a,adv_src=b,out=a,adv_out=b,ref=a'];

/** Rows of which every pair scores differently. */
const ROWS = Array.from({ length: 700 }, (_, row) => [`green tea ${row * 7}`, `gr33n tea ${row * 3}`, row % 3]);
const csv = (rows: readonly (readonly unknown[])[]): string =>
  `a,b,kind\n${rows.map((row) => `${row.join(',')}\n`).join('')}`;
const jsonl = (rows: readonly (readonly unknown[])[]): string =>
  rows.map(([a, b, kind]) => `${JSON.stringify({ a, b, kind })}\n`).join('');

folder.write({
  'whole.csv': csv(ROWS),
  'parts/part-0.csv': csv(ROWS.slice(0, 300)),
  'parts/part-1.jsonl': jsonl(ROWS.slice(300, 650)),
  'parts/part-2.csv': csv(ROWS.slice(650)),
  'parts/_SUCCESS': '',
  'parts/.hidden.csv': 'x\n',
  'csv/a.csv': csv(ROWS.slice(0, 10)),
  'csv/b.csv': csv([]),
  'csv/c.csv': csv(ROWS.slice(10)),
});
mkdirSync(join(folder.path, 'empty'));

async function run(args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return runCli([...args, ...COLUMNS], { cwd: folder.path });
}

async function summary(args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run([...args, '--format', 'json']);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('several tables', () => {
  it.each([
    [
      ['--data', 'parts'],
      ['parts/part-0.csv', 'parts/part-1.jsonl', 'parts/part-2.csv'],
    ],
    [
      ['--data', 'parts/part-?.*'],
      ['parts/part-0.csv', 'parts/part-1.jsonl', 'parts/part-2.csv'],
    ],
    [
      ['--data', 'csv/*.csv'],
      ['csv/a.csv', 'csv/b.csv', 'csv/c.csv'],
    ],
    [
      ['score', '--data', 'csv/c.csv', 'csv/a.csv'],
      ['csv/a.csv', 'csv/c.csv'],
    ],
    [
      ['--data', 'csv/c.csv', '--data', 'csv/a.csv'],
      ['csv/a.csv', 'csv/c.csv'],
    ],
  ])('%j are one corpus, in the order of names', async (args, names) => {
    const { inputs, ...numbers } = await summary(args);
    const { inputs: _, ...expected } = await summary(['--data', 'whole.csv']);
    expect(numbers).toEqual(expected);
    expect((inputs as readonly { name: string }[]).map(({ name }) => name)).toEqual(names);
  });

  it('have the lines of the whole, by the native core and by a program', async () => {
    await run(['--data', 'whole.csv', '--per-line', 'whole.tsv']);
    await run(['--data', 'parts', '--per-line', 'parts.tsv']);
    await run(['--data', 'parts', '--by', 'kind', '--per-line', 'groups.tsv']);
    const [whole, parts, groups] = ['whole.tsv', 'parts.tsv', 'groups.tsv'].map((name) =>
      readFileSync(join(folder.path, name), 'utf8'),
    );
    expect(parts).toBe(whole);
    expect(groups).toBe(whole);
    expect(await summary(['--data', 'parts', '--by', 'kind'])).toMatchObject({
      groups: [{ group: { kind: '0' } }, { group: { kind: '1' } }, { group: { kind: '2' } }],
      all: { summary: { n: 700 } },
    });
  });

  it('are cut into parts that add up to the whole', async () => {
    for (const part of ['1', '2']) {
      expect(await run(['--data', 'parts', '--shard', `${part}/2`, '-o', `shard${part}.json`])).toMatchObject({
        code: 0,
      });
    }
    const merged = await runCli(['merge', 'shard1.json', 'shard2.json', '--format', 'json'], { cwd: folder.path });
    expect(JSON.parse(merged.stdout)).toEqual(await summary(['--data', 'parts']));
  });

  it('name the file of an error', async () => {
    folder.write({ 'bad/a.csv': csv(ROWS.slice(0, 3)), 'bad/b.csv': 'a,other\nx,y\n' });
    const column = await run(['--data', 'bad']);
    expect([column.code, column.stderr]).toEqual([2, expect.stringContaining('bad/b.csv')]);
    folder.write({ 'bad/b.csv': 'a,b\nx,"y\n' });
    const quote = await run(['--data', 'bad']);
    expect([quote.code, quote.stderr]).toEqual([2, expect.stringContaining('bad/b.csv:')]);
  });

  it.each([
    [['--data', 'empty'], 'the folder empty holds no table'],
    [['--data', 'csv/*.tsv'], 'the folder csv holds no file that *.tsv fits'],
    [['--data', 'none/*.csv'], "none can't be read"],
    [['--data', 'csv/b.csv', '--data', 'csv/?.csv'], 'csv/b.csv is named twice'],
    [['--data', '-', '--data', 'csv/a.csv'], 'standard input (-) is the only table'],
    [['--data', 'csv', '-o', 'csv/a.csv'], '--output csv/a.csv is the same file as --data csv/a.csv'],
    [['--data', 'csv', '--per-line', 'csv/c.csv'], 'is the same file as --data csv/c.csv'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('without a row are no samples', async () => {
    folder.write({ 'none/a.csv': csv([]), 'none/b.csv': csv([]) });
    const { code, stderr } = await run(['--data', 'none']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('none/a.csv, none/b.csv: no samples')]);
  });
});
