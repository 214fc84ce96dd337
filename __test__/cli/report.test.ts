import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { runCli, temporaryFolder } from '../helpers/cli.js';

const ROOT = resolve(import.meta.dirname, '../..');
const folder = temporaryFolder();
const at = (name: string): string => join(folder.path, name);

/** The records of docs/report.md. */
beforeAll(async () => {
  const example = (name: string): string => `examples/translation/${name}`;
  for (const attack of ['charswap', 'homoglyph']) {
    const sides = ['--src', example('src.fr'), '--adv-src', example(`adv.${attack}.fr`), '--out', example('base.en')];
    const more = ['--adv-out', example(`adv.${attack}.en`), '--ref', example('ref.en'), '--attack', attack];
    await runCli(['import', 'parallel', ...sides, ...more, '-o', at(`${attack}.jsonl`), '-q']);
  }
});

const RECORDS = (): string[] => [at('charswap.jsonl'), at('homoglyph.jsonl')];

describe('teapot report', () => {
  test.each(['scatter', 'threshold'])('the picture %s of the documentation is what the command draws', async (name) => {
    const { code } = await runCli(['report', ...RECORDS(), '--figure', name, '-o', at(`${name}.svg`)]);
    expect(code).toBe(0);
    expect(readFileSync(at(`${name}.svg`), 'utf8')).toBe(readFileSync(join(ROOT, `docs/images/${name}.svg`), 'utf8'));
  });

  test('figures have the width that was asked for, in every format', async () => {
    for (const [width, mm] of [
      ['column', 84],
      ['page', 174],
      ['120', 120],
    ] as const) {
      await runCli(['report', ...RECORDS(), '--figure', 'edits', '--width', width, '-o', at('edits.svg')]);
      const shown = Number(/ width="([\d.]+)mm"/u.exec(readFileSync(at('edits.svg'), 'utf8'))?.[1]);
      expect(Math.abs(shown - mm)).toBeLessThan(0.2);
    }
    for (const [format, start] of [
      ['pdf', '%PDF-'],
      ['png', '\u0089PNG'],
    ] as const) {
      const { code, stderr } = await runCli([
        'report',
        ...RECORDS(),
        '--figure',
        'scatter',
        '-o',
        at(`scatter.${format}`),
      ]);
      expect(stderr).toBe('');
      expect(code).toBe(0);
      expect(
        readFileSync(at(`scatter.${format}`))
          .toString('latin1')
          .startsWith(start),
      ).toBe(true);
    }
  });

  test('the same records give the same page and the same figures, byte for byte', async () => {
    for (const name of ['a', 'b']) {
      await runCli(['report', ...RECORDS(), '-o', at(`${name}.html`)]);
      await runCli(['report', ...RECORDS(), '--figure', 'scatter', '-o', at(`${name}.pdf`)]);
    }
    expect(readFileSync(at('a.html')).equals(readFileSync(at('b.html')))).toBe(true);
    expect(readFileSync(at('a.pdf')).equals(readFileSync(at('b.pdf')))).toBe(true);
  });

  test('tells the story in the terminal, without a control character of the data', async () => {
    const hostile = { attack: '\u001B[31mred', src: 'the tea is hot', adv_src: 'the \u202Etea\u0007 is hot' };
    const outputs = { out: 'calm', adv_out: '\u001B]0;title\u0007stormy', ref: 'calm' };
    const record = { schema: 'teapot.record/1', id: '\u001B[2J', unit: 'input', ...hostile, ...outputs };
    writeFileSync(at('hostile.jsonl'), `${JSON.stringify(record)}\n`);
    const { stdout, code } = await runCli(['report', at('hostile.jsonl')]);
    expect(code).toBe(0);
    expect(stdout).toContain('1 of 1 attack');
    expect(stdout).toContain('clear success');
    // oxlint-disable-next-line no-control-regex -- what must not be there
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F\u202E]/u);
  });

  test('takes the folder of an attack, compressed records, standard input and logs of other tools', async () => {
    mkdirSync(at('work'));
    writeFileSync(at('work/records.jsonl'), readFileSync(at('charswap.jsonl')));
    const log = 'original_text,perturbed_text,result_type\n[[good]] tea,[[bad]] tea,Successful\n';
    writeFileSync(
      at('log.csv'),
      `${log.replace('result_type', 'original_output,perturbed_output,result_type').replace('Successful', '1,0,Successful')}`,
    );
    const run = await runCli(['report', at('work')]);
    expect(run.stdout).toContain('46 of 60 attacks');
    const stdin = await runCli(['report', '-'], { stdin: readFileSync(at('charswap.jsonl')) });
    expect(stdin.stdout).toBe(run.stdout);
    const tool = await runCli(['report', at('log.csv')]);
    expect(tool.stdout).toContain('textattack counts 1 of 1');
  });

  test('says what is wrong with the options and the inputs', async () => {
    const message = async (...args: readonly string[]): Promise<string> => {
      const { code, stderr } = await runCli(['report', ...args]);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await message(...RECORDS(), '-o', at('a.docx'))).toContain('.html, .htm, .svg, .pdf or .png');
    expect(await message(...RECORDS(), '-o', at('a.svg'))).toContain('--figure says which chart is drawn');
    expect(await message(...RECORDS(), '--figure', 'queries', '-o', at('a.svg'))).toContain('no numbers for it');
    expect(await message(...RECORDS(), '--figure', 'scatter', '-o', at('a.html'))).toContain('.svg, .pdf or .png');
    expect(await message(...RECORDS(), '--width', 'column', '-o', at('a.html'))).toContain('--width');
    expect(await message(...RECORDS(), '--figure', 'scatter', '--width', '1', '-o', at('a.svg'))).toContain(
      'from 40 to 1000',
    );
    writeFileSync(at('other.json'), '{"schema": "teapot.other/1"}');
    expect(await message(at('other.json'))).toContain('a report takes records and teapot.summary/2');
    writeFileSync(at('bad.json'), '{"schema": "teapot.summary/2", "n": "three"}');
    expect(await message(at('bad.json'))).toContain('bad.json: $.');
    expect(await message()).toContain('Give files of records');
  });
});
