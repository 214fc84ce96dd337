import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { makeRecord } from '../../src/record/schema.js';
import { temporaryFolder } from '../helpers/cli.js';
import { runInProcess } from '../helpers/in-process.js';
import { seeded } from '../helpers/seeded.js';

const folder = temporaryFolder();
const home = process.cwd();
beforeAll(() => process.chdir(folder.path));
afterAll(() => process.chdir(home));
const COUNT = 4300;
const WORDS = ['tea', 'hot', 'green', 'milk', 'cup', 'the', 'a', 'with', ''];
const random = seeded(5);
const texts = (): string[] =>
  Array.from({ length: COUNT }, () => Array.from({ length: random.below(7) }, () => random.pick(WORDS)).join(' '));
const [src = [], adv = [], out = [], advOut = [], ref = []] = Array.from({ length: 5 }, texts);
const lines = (column: readonly string[]): string => column.map((text) => `${text}\n`).join('');
const attacks = src.map((_, index) => (index < 700 ? 'swap' : random.pick(['drop', 'swap', 'add'])));
folder.write({
  src: lines(src),
  adv: lines(adv),
  base: lines(out),
  advOut: lines(advOut),
  ref: lines(ref),
  other: lines([...ref.slice(1), 'tea']),
  't.csv': ['src,adv_src,out,adv_out,ref,attack']
    .concat(src.map((text, at) => [text, adv[at], out[at], advOut[at], ref[at], attacks[at]].join(',')))
    .join('\n'),
  'r.jsonl': src
    .map((text, at) =>
      JSON.stringify(
        makeRecord({
          id: String(at),
          unit: 'input',
          attack: attacks[at] ?? null,
          src: text,
          // Some records lack a text: they are batches of their own.
          adv_src: at % 11 === 0 ? null : (adv[at] ?? ''),
          out: out[at] ?? '',
          adv_out: advOut[at] ?? '',
          ref: at % 7 === 0 ? null : (ref[at] ?? ''),
          result: random.pick(['successful', 'failed', 'skipped'] as const),
        }),
      ),
    )
    .join('\n'),
});

const FORMS: Record<string, readonly string[]> = {
  files: ['--src', 'src', '--adv-src', 'adv', '--out', 'base', '--adv-out', 'advOut', '--ref', 'ref'],
  table: ['--data', 't.csv', '--columns', 'src=src,adv_src=adv_src,out=out,adv_out=adv_out,ref=ref', '--by', 'attack'],
  records: ['r.jsonl', '--by', 'attack,result'],
};

async function run(...args: string[]): Promise<string> {
  const { stdout, stderr, code } = await runInProcess(args);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function refused(...args: string[]): Promise<string> {
  const { stderr, code } = await runInProcess(args);
  expect(code).toBe(2);
  return stderr;
}

const part = (form: string, index: number, count: number, name = `${form}-${index}.json`, ...more: string[]) =>
  run('score', ...(FORMS[form] ?? []), '--shard', `${index}/${count}`, '-o', name, ...more);

describe('score --shard and merge', { timeout: 120_000 }, () => {
  it.each(Object.keys(FORMS))('give the result of the whole run: %s', async (form) => {
    const options = ['--threshold-sweep', '0:2:0.5', '--percentile', 'linear'];
    for (const index of [1, 2, 3]) await part(form, index, 3, undefined, ...options);
    const names = [3, 1, 2].map((index) => `${form}-${index}.json`);
    for (const format of ['json', 'csv', 'text']) {
      const shown = ['--format', format, '--confidence', '0.9'];
      // A table of groups shows neither percentiles nor sweeps.
      const asked = format === 'text' && form !== 'files' ? [] : options;
      expect(await run('merge', ...names, ...shown)).toBe(
        await run('score', ...(FORMS[form] ?? []), ...asked, ...shown),
      );
    }
  });

  it('cut a run in sixteen, of which one is killed and run again', async () => {
    for (let index = 1; index <= 16; index += 1) await part('files', index, 16, `p${index}.json`);
    const names = Array.from({ length: 16 }, (_, index) => `p${index + 1}.json`);
    rmSync(join(folder.path, 'p7.json'));
    expect(await refused('merge', ...names.filter((name) => name !== 'p7.json'))).toContain(
      'parts of 16 are missing: 7. Run them again',
    );
    await part('files', 7, 16, 'p7.json');
    expect(await run('merge', ...names)).toBe(await run('score', ...(FORMS['files'] ?? [])));
  });

  it('refuse parts that are there twice, foreign or damaged, and name them', async () => {
    await part('files', 1, 2, 'a.json');
    await part('files', 2, 2, 'b.json');
    expect(await refused('merge', 'a.json', 'b.json', 'a.json')).toContain('a.json and a.json are both part 1 of 2');
    await part('files', 2, 2, 'metric.json', '--s-tgt', 'bleu');
    expect(await refused('merge', 'a.json', 'metric.json')).toMatch(
      /a\.json and metric\.json are parts of different runs: s_tgt is .*chrF.* and .*BLEU/u,
    );
    await part('files', 3, 3, 'three.json');
    expect(await refused('merge', 'a.json', 'three.json')).toContain('they are parts of 2 and of 3');
    const other = (FORMS['files'] ?? []).map((name) => (name === 'ref' ? 'other' : name));
    await run('score', ...other, '--shard', '2/2', '-o', 'other.json');
    expect(await refused('merge', 'a.json', 'other.json')).toMatch(/they read ref ref \(4300 lines.*and ref other/u);
    const text = readFileSync(join(folder.path, 'b.json'), 'utf8');
    writeFileSync(join(folder.path, 'changed.json'), text.replace(/"successes": \d+/u, '"successes": 9'));
    expect(await refused('merge', 'a.json', 'changed.json')).toContain(
      'changed.json: the content does not fit its hash',
    );
    writeFileSync(join(folder.path, 'cut.json'), text.slice(0, 1000));
    expect(await refused('merge', 'a.json', 'cut.json')).toContain('cut.json: not JSON');
    writeFileSync(join(folder.path, 'version.json'), text.replace('"version": "0.1.0"', '"version": "0.2.0"'));
    expect(await refused('merge', 'a.json', 'version.json')).toContain('version.json');
  });

  it('take the captions of a LaTeX file by its name, and refuse a scale that changes nothing', async () => {
    for (const index of [1, 2]) await part('files', index, 2, `w${index}.json`);
    await run('merge', 'w1.json', 'w2.json', '-o', 'whole.tex', '--caption', 'Merged parts');
    expect(readFileSync(join(folder.path, 'whole.tex'), 'utf8')).toContain('Merged parts');
    for (const format of ['json', 'csv', 'html', 'junit']) {
      expect(await refused('merge', 'w1.json', 'w2.json', '--format', format, '--scale', '10')).toContain(
        `scores are fractions in ${format} output`,
      );
    }
    expect(await refused('merge', 'w1.json', 'w2.json', '-o', 'whole.html', '--scale', '10')).toContain('--scale');
  });

  it('refuse what a part can not do', async () => {
    const files = FORMS['files'] ?? [];
    expect(await refused('score', ...files, '--shard', '0/2')).toContain('--shard needs I/N');
    expect(await refused('score', ...files, '--shard', '1/2', '--confidence', '0.9')).toContain(
      '--confidence does nothing with --shard',
    );
    expect(await refused('score', ...files, '--shard', '1/2', '-o', 'x.csv')).toContain('name it .json');
  });
});
