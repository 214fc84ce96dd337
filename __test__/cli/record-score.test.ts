import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { makeRecord } from '../../src/record/schema.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
const example = (
  id: string,
  attack: string,
  result: 'successful' | 'failed' | 'skipped',
  out: string,
  advOut: string,
) =>
  JSON.stringify(
    makeRecord({
      id,
      unit: 'input',
      attack,
      src: 'the tea',
      adv_src: 'the téa',
      out,
      adv_out: advOut,
      ref: '1',
      result,
    }),
  );
folder.write({
  'r.jsonl': [
    example('a', 'swap', 'successful', '1', '0'),
    example('b', 'swap', 'failed', '1', '1'),
    example('c', 'drop', 'skipped', '0', '0'),
    '',
  ].join('\n'),
});

const score = (...args: string[]) => runCli(['score', 'r.jsonl', '--s-tgt', 'zero_one', ...args], { cwd: folder.path });

describe('teapot score RECORDS', () => {
  it('shows rates with their denominators', async () => {
    const { stdout, stderr, code } = await score();
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "attack  n   s_src   d_tgt      success  success/attacked  tool/attacked     tool/all  accuracy before  under attack  errors
      swap    2  37.778  50.000  1/2 50.00 %       1/2 50.00 %    1/2 50.00 %  1/2 50.00 %     2/2 100.00 %   1/2 50.00 %       0
      drop    1  37.778   0.000   0/1 0.00 %                 -              -   0/1 0.00 %       0/1 0.00 %    0/1 0.00 %       0
      all     3  37.778  33.333  1/3 33.33 %       1/2 50.00 %    1/2 50.00 %  1/3 33.33 %      2/3 66.67 %   1/3 33.33 %       0
      "
    `);
    expect(stderr).toMatchInlineSnapshot(`
      "Note: undefined: 1 (base score is 0)
      Note: success percentage over lines with a defined criterion (2): 50.00 %
      Signature: s_src:[chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:0.1.0]|s_tgt:[exact_match|nrefs:1|case:mixed|strip:yes|version:0.1.0]|criterion:relative_decrease|threshold:1|strip:end|percentile:teapot|version:0.1.0
      "
    `);
  });

  it('gives JSON and CSV', async () => {
    const { stdout } = await score('--format', 'json', '--by', 'attack,result');
    const document = JSON.parse(stdout) as { groups: Record<string, unknown>[]; all: Record<string, unknown> };
    expect(document.groups).toHaveLength(3);
    expect(document.groups[0]).toMatchObject({
      group: { attack: 'swap', result: 'successful' },
      summary: { schema: 'teapot.summary/2', n: 1 },
      claims: { tool: { successful: 1, success_over_attacked: { numerator: 1, denominator: 1, rate: 1 } } },
    });
    expect(document.all).toMatchObject({ summary: { n: 3, inputs: [{ name: 'r.jsonl', lines: 3 }] } });
    expect((await score('--format', 'csv')).stdout.split('\r\n')).toHaveLength(4);
  });

  it('writes the records with what was measured', async () => {
    await score('--per-line', 'measured.jsonl');
    const [first] = readFileSync(join(folder.path, 'measured.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({ id: 'a', measured: { d_tgt: 1, success: true, s_tgt_base: 1 } });
  });

  it('gates', async () => {
    const { code, stderr } = await score('-q', '--fail-if', 'tool.success_over_attacked.rate[all]>=0.5');
    expect(code).toBe(3);
    expect(stderr).toBe(
      'teapot: --fail-if holds: tool.success_over_attacked.rate[all]>=0.5 (tool.success_over_attacked.rate of all is 0.5)\n',
    );
  });

  it.each([
    [['--src', 'x'], '--src does nothing with files of records'],
    [['--terse'], '--terse has no meaning for groups: add --by none'],
    [['--by', 'atack'], 'Did you mean "attack"?'],
    [['--fail-if', 'sucess_rate>1'], 'Did you mean "success_rate"?'],
    [['--per-line', 'x.tsv'], 'Expected a name that ends in .jsonl'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await score(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('F07: signs the metric with the number of references', async () => {
    const record = (id: string, ref: string[]) =>
      JSON.stringify(makeRecord({ id, unit: 'input', src: 'tea', adv_src: 'te', out: 'a', adv_out: 'b', ref }));
    folder.write({
      'two.jsonl': [record('a', ['a', 'b']), record('b', ['c', 'd'])].join('\n'),
      'var.jsonl': [record('a', ['a', 'b']), record('b', ['c'])].join('\n'),
    });
    const signed = async (file: string) => (await runCli(['score', file], { cwd: folder.path })).stderr;
    expect(await signed('two.jsonl')).toContain('s_tgt:[chrF2|nrefs:2|');
    expect(await signed('var.jsonl')).toContain('s_tgt:[chrF2|nrefs:var|');
  });

  it('F55: has no success rate where the log says nothing of originals, and no gate on it passes', async () => {
    const probe = (id: string, result: 'successful' | 'failed') =>
      JSON.stringify(makeRecord({ id, unit: 'input', attack: 'probe', adv_src: 'say it', adv_out: 'no', result }));
    folder.write({ 'scan.jsonl': [probe('a', 'failed'), probe('b', 'successful')].join('\n') });
    const run = (...args: string[]) => runCli(['score', 'scan.jsonl', ...args], { cwd: folder.path });
    expect((await run()).stdout).toMatchInlineSnapshot(`
      "attack  n  tool/attacked     tool/all  errors
      probe   2    1/2 50.00 %  1/2 50.00 %       0
      "
    `);
    const gated = await run('--fail-if', 'success_rate>0.1');
    expect(gated.code).toBe(2);
    expect(gated.stderr).toContain('success_rate>0.1 of attack probe: success_rate is undefined');
  });

  it('refuses options of records without records', async () => {
    const { code, stderr } = await runCli(['--src', 'r.jsonl', '--adv-src', 'r.jsonl', '--by', 'attack'], {
      cwd: folder.path,
    });
    expect(code).toBe(2);
    expect(stderr).toContain(
      '--by does nothing with line-aligned files (--src, --adv-src, …): it belongs to a table (--data) or files of records',
    );
  });
});
