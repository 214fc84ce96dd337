import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { makeRecord, type AttackRecord } from '../../src/record/schema.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();

/** One item whose attack succeeds when the output under attack is wrong. */
function item(id: string, advOut: '0' | '1', fields: Partial<AttackRecord> = {}): string {
  const texts = { src: `the tea ${id}`, adv_src: `the téa ${id}`, out: '1', adv_out: advOut, ref: '1' };
  return `${JSON.stringify(makeRecord({ id, unit: 'input', result: advOut === '0' ? 'successful' : 'failed', ...texts, ...fields }))}\n`;
}

const IDS = Array.from({ length: 12 }, (_, index) => `i${index}`);
folder.write({
  // Items 0-7 are attacked successfully before, 6-8 after: 6 fixed, 1 broken, 5 unchanged.
  'a.jsonl': IDS.map((id, index) => item(id, index < 8 ? '0' : '1')).join('') + item('gone', '0'),
  'b.jsonl': IDS.map((id, index) => item(id, index >= 6 && index <= 8 ? '0' : '1')).join('') + item('new', '0'),
  'renamed.jsonl': IDS.map((id, index) =>
    item(id, index >= 6 && index <= 8 ? '0' : '1').replace(`"id":"${id}"`, `"id":"x-${id}"`),
  ).join(''),
  'twice.jsonl': item('same', '0') + item('same', '1'),
  'empty.jsonl': '',
});

const compare = (...args: string[]) => runCli(['compare', ...args], { cwd: folder.path });

describe('teapot compare', () => {
  it('F07: signs the metric with the number of references', async () => {
    folder.write({ 'two.jsonl': IDS.map((id) => item(id, '0', { ref: ['1', 'one'] })).join('') });
    const { stdout } = await compare('two.jsonl', 'two.jsonl', '--format', 'json');
    expect(stdout).toContain('chrF2|nrefs:2|');
    const mixed = await compare('two.jsonl', 'b.jsonl', '--format', 'json');
    expect(mixed.stdout).toContain('chrF2|nrefs:var|');
  });

  it('says what became of each item, with paired tests', async () => {
    const { code, stdout, stderr } = await compare('a.jsonl', 'b.jsonl', '--s-tgt', 'zero_one', '--examples', '3');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatchInlineSnapshot(`
      "Items of A (before) and B (after)
      change     meaning             items  records
      fixed      success in A alone      6  i0, i1, i2, …
      broken     success in B alone      1  i8
      unchanged  success in both         2
      unchanged  success in neither      3
      only in A                          1  gone
      only in B                          1  new

      Paired tests
      quantity         n             A             B     B - A          interval       p  test
      success rate    12  8/12 66.67 %  3/12 25.00 %  -41.67 %                    0.1250  McNemar, exact
      s_src           12        0.3886        0.3886    0.0000    0.0000..0.0000  1.0000  paired bootstrap
      s_tgt_attacked  12        0.3333        0.7500    0.4167    0.0000..0.7500  0.0430  paired bootstrap
      d_tgt           12        0.6667        0.2500   -0.4167  -0.7500..-0.0833  0.0420  paired bootstrap
      pdr             12        0.6667        0.2500   -0.4167  -0.7500..-0.0833  0.0420  paired bootstrap
      "
    `);
  });

  it('gives JSON with everything that the numbers depend on', async () => {
    const { stdout } = await compare('a.jsonl', 'b.jsonl', '--s-tgt', 'zero_one', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'teapot.compare/2',
      items: 12,
      fixed: 6,
      broken: 1,
      unchanged: 5,
      unchanged_successful: 2,
      only_in_a: { count: 1, examples: ['gone'] },
      success_rate: { n: 12, successes_a: 8, successes_b: 3, a: 8 / 12, b: 3 / 12, difference: 3 / 12 - 8 / 12 },
      mcnemar: { only_a: 6, only_b: 1, p: 0.125 },
      s_src: { n: 12, difference: 0, p: 1 },
      settings: { key: ['id'], success: 'teapot', seed: 12345 },
      inputs: [{ name: 'a.jsonl', records: 13 }, { name: 'b.jsonl' }],
    });
    expect((await compare('a.jsonl', 'b.jsonl', '--s-tgt', 'zero_one', '--format', 'json')).stdout).toBe(stdout);
  });

  it('takes the word of the tool', async () => {
    const { stdout } = await compare('a.jsonl', 'b.jsonl', '--success', 'tool', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ fixed: 6, broken: 1 });
  });

  it('matches by other keys, and repeated keys in order', async () => {
    const { stdout } = await compare(
      'a.jsonl',
      'renamed.jsonl',
      '--key',
      'src',
      '--success',
      'tool',
      '--format',
      'json',
    );
    expect(JSON.parse(stdout)).toMatchObject({ items: 12, fixed: 6, broken: 1 });
    const twice = await compare('twice.jsonl', 'twice.jsonl', '--success', 'tool', '--format', 'json');
    expect(JSON.parse(twice.stdout)).toMatchObject({ items: 2, unchanged: 2 });
    expect(twice.stderr).toContain('1 records repeat a key (id)');
  });

  it('writes the items, those that changed first', async () => {
    await compare('a.jsonl', 'b.jsonl', '--success', 'tool', '--items', 'items.jsonl');
    const lines = readFileSync(join(folder.path, 'items.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(12);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      change: 'broken',
      key: ['i8'],
      a: { success: false },
      b: { success: true },
    });
  });

  it('gates', async () => {
    const args = ['a.jsonl', 'b.jsonl', '--success', 'tool', '-q', '--fail-if'];
    const { code, stderr } = await compare(...args, 'broken>0');
    expect(code).toBe(3);
    expect(stderr).toBe('teapot: --fail-if holds: broken>0 (broken is 1)\n');
    expect((await compare(...args, 'success_rate.difference>0')).code).toBe(0);
  });

  it('gives CSV under the same names', async () => {
    const { stdout } = await compare('a.jsonl', 'b.jsonl', '--success', 'tool', '--format', 'csv');
    const [names, values] = stdout.split('\r\n').map((line) => line.split(','));
    expect(names?.[1]).toBe('fixed');
    expect(values?.[1]).toBe('6');
  });

  it.each([
    [['a.jsonl', 'renamed.jsonl'], 'No item of a.jsonl is in renamed.jsonl: they are matched by id; try --key src'],
    [['a.jsonl', 'empty.jsonl'], 'No item of a.jsonl is in empty.jsonl'],
    [['a.jsonl', 'b.jsonl', '--key', 'source'], 'records can\'t be grouped by "source"'],
    [['a.jsonl', 'b.jsonl', '--fail-if', 'brokn>0'], 'Did you mean "broken"?'],
    [['-', '-'], 'Standard input (-) can be one of the runs only'],
    [['a.jsonl'], 'needs <b> (Records of the run after)'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await compare(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
