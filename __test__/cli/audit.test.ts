import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { makeRecord } from '../../src/record/schema.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
const prompt = (id: string, dropped: number) =>
  `${JSON.stringify(
    makeRecord({
      id,
      unit: 'prompt',
      src: `Rate ${id}`,
      adv_src: `R\u0430te ${id}`,
      original_score: 80,
      attacked_score: 60,
      scale: 100,
      extra: { dropped, decimals: 2 },
      provenance: { tool: 'promptbench', version: null, file: 'log/a.md', line: 3 },
    }),
  )}\n`;
folder.write({
  'bad.jsonl': prompt('a', 20) + prompt('b', 30),
  'good.jsonl': prompt('a', 20),
  'src.txt': 'the tea\nmilk\n',
  'adv.txt': 'the téa\nmilk\n',
});

const audit = (...args: string[]) => runCli(['audit', ...args], { cwd: folder.path });

describe('teapot audit', () => {
  it('shows what each rule found, with places', async () => {
    const { code, stdout, stderr } = await audit('bad.jsonl');
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "severity  rule               count  meaning
      error     drop_inconsistent      1  The stored drop is not original − attacked, beyond what rounding explains

      Examples
      rule               place   record  found
      drop_inconsistent  a.md:3  b       original 80, attacked 60, stored drop 30
      "
    `);
    expect(stderr).toBe('2 records: 1 errors, 0 warnings, 0 notes\n');
  });

  it('says when there is nothing', async () => {
    expect((await audit('good.jsonl')).stdout).toBe('No findings in 1 records (28 rules).\n');
  });

  it('takes line-aligned files', async () => {
    const { stdout } = await audit('--src', 'src.txt', '--adv-src', 'adv.txt');
    expect(stdout).toContain('src.txt:2  2       "milk" was not changed');
  });

  it('gives JSON, and every finding as a line', async () => {
    const { stdout } = await audit('bad.jsonl', '--format', 'json', '--findings', 'findings.jsonl');
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'teapot.audit/1', records: 2, errors: 1, findings: 1 });
    expect(JSON.parse(readFileSync(join(folder.path, 'findings.jsonl'), 'utf8'))).toMatchObject({
      rule: 'drop_inconsistent',
      record: 'b',
    });
  });

  it('gates on rules and on sums', async () => {
    const { code, stderr } = await audit(
      'bad.jsonl',
      '-q',
      '--fail-if',
      'errors>0',
      '--fail-if',
      'drop_inconsistent>=1',
    );
    expect(code).toBe(3);
    expect(stderr).toBe(
      'teapot: --fail-if holds: errors>0 (errors is 1); drop_inconsistent>=1 (drop_inconsistent is 1)\n',
    );
    expect((await audit('good.jsonl', '--fail-if', 'findings>0')).code).toBe(0);
  });

  it.each([
    [['bad.jsonl', '--fail-if', 'drop_inconsistant>0'], 'Did you mean "drop_inconsistent"?'],
    [['bad.jsonl', '--examples', '-1'], '--examples needs an integer at least 0'],
    [[], 'Give files of records, or line-aligned files'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await audit(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
