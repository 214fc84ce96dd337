import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { randomOf } from '../../src/random.js';
import { makeRecord } from '../../src/record/schema.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';
import { hasShared, shared, sharedJson } from '../shared.js';

const folder = temporaryFolder();

const TEXTS = ['src', 'adv_src', 'out', 'adv_out', 'ref'] as const;
const FILES = TEXTS.flatMap((name) => [`--${name.replace('_', '-')}`, `${name}.txt`]);
const COLUMNS = ['--columns', TEXTS.map((name) => `${name}=${name}`).join(',')];

type Row = Readonly<Record<(typeof TEXTS)[number] | 'kind', string>>;

interface Document {
  readonly by: readonly string[];
  readonly groups: readonly { readonly group: Record<string, string>; readonly summary: Record<string, unknown> }[];
  readonly totals?: Document['groups'];
}

/** Words and marks that the metrics treat differently. */
const WORDS = ['tea', 'Tea', 'pot', 'green', 'a', '3.5', '!', 'é', '茶'];

/** Made-up rows: the same for the same seed. */
function rowsOf(seed: number): readonly Row[] {
  const random = randomOf(seed);
  const pick = (words: readonly string[]): string => words[random.below(words.length)] ?? '';
  const text = (): string => Array.from({ length: 1 + random.below(8) }, () => pick(WORDS)).join(' ');
  return Array.from({ length: 3 + random.below(4) }, (_, index) => ({
    src: text(),
    adv_src: text(),
    out: text(),
    adv_out: text(),
    ref: text(),
    kind: index === 0 ? 'x' : pick(['x', 'y']),
  }));
}

function writeRows(all: readonly Row[]): void {
  folder.write({
    ...Object.fromEntries(TEXTS.map((name) => [`${name}.txt`, all.map((row) => `${row[name]}\n`).join('')])),
    'rows.jsonl': all.map((row) => `${JSON.stringify(row)}\n`).join(''),
    'rows.csv': [
      `${[...TEXTS, 'kind'].join(',')}\n`,
      ...all.map((row) => `${[...TEXTS, 'kind' as const].map((name) => `"${row[name]}"`).join(',')}\n`),
    ].join(''),
    'records.jsonl': all
      .map(({ kind, ...texts }, index) =>
        JSON.stringify(makeRecord({ id: `${index}`, unit: 'input', attack: kind, ...texts })),
      )
      .join('\n'),
  });
}

async function json(args: readonly string[]): Promise<Document & Record<string, unknown>> {
  const { code, stdout, stderr } = await runCli([...args, '--format', 'json'], { cwd: folder.path });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout) as Document & Record<string, unknown>;
}

/** The numbers of a summary: nothing of how its texts were read. */
function numbersOf(summary: Record<string, unknown> | undefined): unknown {
  const { inputs: _, signature: __, ...numbers } = summary ?? {};
  return numbers;
}

describe('several metrics in one run', () => {
  it('files, tables and records give what each metric gives alone', async () => {
    for (const seed of [1, 2, 3]) {
      writeRows(rowsOf(seed));
      const metrics = ['chrf', 'bleu:smooth=exp,tokenize=char', 'ter'];
      const flags = ['--s-tgt', metrics.join(','), '--corpus-level'];
      const inputs = [FILES, ['--data', 'rows.csv', ...COLUMNS], ['score', 'records.jsonl', '--by', 'none']];
      const results = await Promise.all(inputs.map(async (input) => json([...input, ...flags])));
      const alone = await Promise.all(
        metrics.map(async (metric) => json([...FILES, '--s-tgt', metric, '--corpus-level'])),
      );
      for (const [input, result] of results.entries()) {
        expect(result.by).toEqual(['s_tgt']);
        expect(result.groups.map(({ group }) => group)).toEqual(['chrf', 'bleu', 'ter'].map((key) => ({ s_tgt: key })));
        for (const [metric, { summary }] of result.groups.entries()) {
          expect([input, numbersOf(summary)]).toEqual([input, numbersOf(alone[metric])]);
        }
      }
    }
  });

  it('groups of tables and records have every metric, and a total of each', async () => {
    writeRows(rowsOf(7));
    const flags = ['--s-tgt', 'chrf,bleu', '--corpus-level'];
    const table = await json(['--data', 'rows.jsonl', ...COLUMNS, '--by', 'kind', ...flags]);
    const records = await json(['score', 'records.jsonl', ...flags]);
    expect(table.by).toEqual(['kind', 's_tgt']);
    expect(records.by).toEqual(['attack', 's_tgt']);
    expect(table.groups.map(({ summary }) => numbersOf(summary))).toEqual(
      records.groups.map(({ summary }) => numbersOf(summary)),
    );
    for (const [index, metric] of ['chrf', 'bleu'].entries()) {
      const alone = await json(['--data', 'rows.jsonl', ...COLUMNS, '--s-tgt', metric, '--corpus-level']);
      expect(table.totals?.[index]?.group).toEqual({ s_tgt: metric });
      expect(numbersOf(table.totals?.[index]?.summary)).toEqual(numbersOf(alone));
      const byKind = await json([
        '--data',
        'rows.jsonl',
        ...COLUMNS,
        '--by',
        'kind',
        '--s-tgt',
        metric,
        '--corpus-level',
      ]);
      expect(table.groups.filter(({ group }) => group['s_tgt'] === metric).map(({ summary }) => summary)).toEqual(
        byKind.groups.map(({ summary }) => summary),
      );
    }
  });

  it('several attacks and metrics of both sides: one row each, with tests within a metric', async () => {
    writeRows(rowsOf(9));
    const attacks = ['--adv-src', 'out.txt', '--adv-out', 'src.txt', '--name', 'one', '--name', 'two'];
    const flags = ['--s-src', 'chrf,edit', '--s-tgt', 'zero_one,f1'];
    const all = await json([...FILES, ...attacks, ...flags]);
    expect(all.by).toEqual(['attack', 's_src', 's_tgt']);
    expect(all.groups.map(({ group }) => Object.values(group).join(' '))).toEqual(
      ['one', 'two'].flatMap((attack) =>
        ['chrf', 'edit'].flatMap((source) => ['zero_one', 'f1'].map((target) => `${attack} ${source} ${target}`)),
      ),
    );
    const alone = await json([...FILES, ...attacks, '--s-src', 'edit', '--s-tgt', 'f1']);
    const { attacks: expected, comparisons } = alone as unknown as {
      readonly attacks: readonly { readonly summary: unknown }[];
      readonly comparisons: readonly Record<string, unknown>[];
    };
    expect([all.groups[3]?.summary, all.groups[7]?.summary]).toEqual(expected.map(({ summary }) => summary));
    expect((all['comparisons'] as readonly unknown[])[3]).toEqual({
      ...comparisons[0],
      first: 'one, edit, f1',
      second: 'two, edit, f1',
    });
  });

  it('every line has the columns of each metric, and records an entry each', async () => {
    writeRows(rowsOf(11));
    const cwd = folder.path;
    await runCli([...FILES, '--s-tgt', 'chrf,ter', '--per-line', 'both.csv'], { cwd });
    await runCli([...FILES, '--s-tgt', 'ter', '--per-line', 'ter.csv'], { cwd });
    const cells = (name: string): string[][] =>
      readFileSync(join(cwd, name), 'utf8')
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(','));
    const [header = [], ...lines] = cells('both.csv');
    expect(header.slice(0, 5)).toEqual(['id', 's_src', 's_tgt_base[chrf]', 's_tgt_attacked[chrf]', 'd_tgt[chrf]']);
    const [single = [], ...expected] = cells('ter.csv');
    const places = single.map((name) => header.indexOf(['id', 's_src'].includes(name) ? name : `${name}[ter]`));
    expect(places).not.toContain(-1);
    expect(lines.map((line) => places.map((place) => line[place]))).toEqual(expected);
    await runCli(['score', 'records.jsonl', '--s-tgt', 'chrf,ter', '--per-line', 'both.jsonl'], { cwd });
    const [record] = readFileSync(join(cwd, 'both.jsonl'), 'utf8').split('\n');
    const { measured } = JSON.parse(record ?? '') as { measured: { metrics: Record<string, unknown>[] } };
    expect(measured.metrics.map(({ metrics, d_tgt: dTgt }) => [metrics, dTgt])).toEqual([
      [{ s_src: 'chrf', s_tgt: 'chrf' }, Number(lines[0]?.[header.indexOf('d_tgt[chrf]')])],
      [{ s_src: 'chrf', s_tgt: 'ter' }, Number(lines[0]?.[header.indexOf('d_tgt[ter]')])],
    ]);
  });

  it('gates name a metric, and totals are [all]', async () => {
    folder.write({ 'same.txt': 'tea pot\ntea\n', 'other.txt': 'pot tea\ncoffee\n' });
    const files = ['--out', 'same.txt', '--adv-out', 'other.txt', '--ref', 'same.txt', '--s-tgt', 'zero_one,f1'];
    const one = await runCli([...files, '--fail-if', 'd_tgt.mean[s_tgt=zero_one]>0.9'], { cwd: folder.path });
    expect([one.code, one.stderr]).toEqual([3, expect.stringContaining('d_tgt.mean of s_tgt zero_one is 1')]);
    const other = await runCli([...files, '--fail-if', 'd_tgt.mean[s_tgt=f1]>0.9'], { cwd: folder.path });
    expect(other.code).toBe(0);
    const records = ['a', 'b'].map((attack) =>
      JSON.stringify(makeRecord({ id: attack, attack, unit: 'input', out: 'x', adv_out: 'y', ref: 'x' })),
    );
    folder.write({ 'two.jsonl': records.join('\n') });
    const totals = ['score', 'two.jsonl', '--s-tgt', 'zero_one,f1', '--fail-if', 'd_tgt.mean[all]>0.9'];
    const all = await runCli(totals, { cwd: folder.path });
    expect([all.code, all.stderr]).toEqual([
      3,
      expect.stringContaining('d_tgt.mean of all, s_tgt zero_one is 1); d_tgt.mean[all]>0.9'),
    ]);
  });

  it.each([
    [['--s-tgt', 'chrf,,ter'], 'a metric is empty'],
    [['--s-tgt', 'chrf,chrf'], '"chrf" is given twice'],
    [['--s-tgt', 'chrf,auto'], 'stands alone'],
    [['--s-tgt', 'chrf,bleuu'], 'There is no scorer "bleuu"'],
    [['--s-tgt', 'chrf,ter', '--shard', '1/2'], '--shard takes one metric a side'],
    [['--s-tgt', 'chrf,ter', '--percentile', 'linear'], 'several metrics has no column'],
    [['--s-tgt', 'f1', '--s-src', 'edit', '--corpus-level'], '--corpus-level does nothing here'],
  ])('refuses %j', async (flags, message) => {
    writeRows([{ src: 'a', adv_src: 'b', out: 'a', adv_out: 'b', ref: 'a', kind: 'x' }]);
    const { code, stderr } = await runCli([...FILES, ...flags], { cwd: folder.path });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

interface GoldenCorpus {
  readonly hyp_file?: string;
  readonly ref_file?: string;
  readonly ref_files?: readonly string[];
  readonly values: Readonly<Record<string, number>>;
}

describe.skipIf(!hasShared)('--corpus-level', () => {
  const golden = sharedJson<{ readonly rows: readonly GoldenCorpus[] }>('golden/corpus.json').rows;
  const ofFiles = (hypothesis: string, ...references: readonly string[]): Readonly<Record<string, number>> => {
    const row = golden.find(
      ({ hyp_file: file, ref_file: one, ref_files: all = [one] }) =>
        file === hypothesis && JSON.stringify(all) === JSON.stringify(references),
    );
    if (row === undefined) throw new Error(`no golden row of ${hypothesis}`);
    return row.values;
  };
  const path = (name: string): string => shared(`data/teapot/${name}`);
  const specs = {
    chrf: 'chrf',
    chrf_pp: 'chrf:word_order=2',
    chrf_eps: 'chrf:eps=yes',
    bleu: 'bleu:smooth=exp',
    bleu_floor001: 'bleu',
    bleu_tok_char: 'bleu:tokenize=char',
    bleu_lc: 'bleu:lowercase=yes',
    ter: 'ter',
  };
  const files = [
    '--src',
    path('MT/src.fr'),
    '--adv-src',
    path('MT/adv.charswap.fr'),
    '--out',
    path('MT/base.en'),
    '--adv-out',
    path('MT/adv.charswap.en'),
  ];

  it('equals sacreBLEU on both sides, with and without references, and in parts', async () => {
    const all = Object.values(specs).join(',');
    const { groups } = await json([...files, '--ref', path('MT/ref.en'), '--s-tgt', all, '--corpus-level']);
    const source = ofFiles('MT/adv.charswap.fr', 'MT/src.fr')['chrf'] ?? 0;
    const base = ofFiles('MT/base.en', 'MT/ref.en');
    const attacked = ofFiles('MT/adv.charswap.en', 'MT/ref.en');
    for (const [index, name] of Object.keys(specs).entries()) {
      const score = (values: Readonly<Record<string, number>>): number =>
        name === 'ter' ? 1 - (values[name] ?? 0) / 100 : (values[name] ?? 0) / 100;
      const found = groups[index]?.summary['corpus_level'] ?? {};
      const { s_src_signature: _, s_tgt_signature: __, ...corpus } = found as Record<string, unknown>;
      expect([name, corpus]).toEqual([
        name,
        {
          s_src: expect.closeTo(source / 100, 12) as unknown,
          s_tgt_base: expect.closeTo(score(base), 12) as unknown,
          s_tgt_attacked: expect.closeTo(score(attacked), 12) as unknown,
          d_tgt: expect.closeTo((score(base) - score(attacked)) / score(base), 12) as unknown,
        },
      ]);
    }
    const alone = await json([...files, '--s-src', 'bleu', '--s-tgt', 'ter', '--corpus-level']);
    expect(alone['corpus_level']).toEqual({
      s_src: expect.closeTo((ofFiles('MT/adv.charswap.fr', 'MT/src.fr')['bleu'] ?? 0) / 100, 12) as unknown,
      s_tgt: expect.closeTo(1 - (ofFiles('MT/adv.charswap.en', 'MT/base.en')['ter'] ?? 0) / 100, 12) as unknown,
      s_src_signature: expect.stringContaining('eff:no') as unknown,
      s_tgt_signature: expect.stringContaining('TER') as unknown,
    });
    for (const part of ['1', '2', '3']) {
      const shard = [...files, '--s-tgt', 'bleu', '--corpus-level', '--shard', `${part}/3`, '-o', `part${part}.json`];
      expect(await runCli(shard, { cwd: folder.path })).toMatchObject({ code: 0 });
    }
    const merged = await json(['merge', 'part1.json', 'part2.json', 'part3.json']);
    expect(merged['corpus_level']).toMatchObject({
      s_src: expect.closeTo(source / 100, 12) as unknown,
      s_tgt: expect.closeTo((ofFiles('MT/adv.charswap.en', 'MT/base.en')['bleu'] ?? 0) / 100, 12) as unknown,
    });
  });

  it('equals sacreBLEU for two references, of files and of texts that come to JavaScript', async () => {
    const two = ['MT/ref.en', 'MT/base.en'];
    const values = ofFiles('MT/adv.knn.en', ...two);
    const input = [
      '--out',
      path('MT/base.en'),
      '--adv-out',
      path('MT/adv.knn.en'),
      ...two.flatMap((name) => ['--ref', path(name)]),
    ];
    // A program in the list brings all texts to JavaScript.
    folder.write({
      'one.mjs':
        "process.stdin.resume();import('node:readline').then(({createInterface})=>createInterface({input:process.stdin}).on('line',()=>console.log(1)));",
    });
    for (const more of ['', `,exec:${process.execPath} one.mjs`]) {
      const { groups } = await json([...input, '--s-tgt', `chrf,bleu,ter${more}`, '--corpus-level']);
      for (const [index, name] of ['chrf', 'bleu', 'ter'].entries()) {
        const expected = name === 'ter' ? 1 - (values[name] ?? 0) / 100 : (values[name] ?? 0) / 100;
        const corpus = groups[index]?.summary['corpus_level'] as Record<string, number>;
        expect([name + more, corpus['s_tgt_attacked']]).toEqual([name + more, expect.closeTo(expected, 12)]);
      }
    }
  });
});
