import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { parseSampleKey } from '../../src/people/sample-key.js';
import { splitMetrics } from '../../src/score/metric-list.js';

const ROOT = resolve(import.meta.dirname, '../..');
const EXAMPLE = join(ROOT, 'examples/people');
const folder = mkdtempSync(join(tmpdir(), 'teapot-people-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text?: string): string => {
  const path = join(folder, name);
  if (text !== undefined) writeFileSync(path, text);
  return path;
};
const teapot = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'dist/cli/main.js'), ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};
const record = (id: string, attack: string, more: object = {}): string =>
  `${JSON.stringify({ schema: 'teapot.record/1', id, unit: 'input', attack, src: `text ${id} of all`, adv_src: `txet ${id} of all`, ...more })}\n`;

describe('sample', () => {
  const records = file(
    'r.jsonl',
    Array.from({ length: 60 }, (_, i) => record(String(i), i < 50 ? 'common' : 'rare')).join(''),
  );

  test('draws equally of the strata, the same for a seed, with repeats and controls that the sheet does not show', () => {
    for (const name of ['a.csv', 'b.csv']) {
      expect(
        teapot('sample', records, '--n', '20', '--controls', '4', '--repeats', '3', '--seed', '5', '-o', file(name))
          .status,
      ).toBe(0);
    }
    expect(readFileSync(file('a.csv'), 'utf8')).toBe(readFileSync(file('b.csv'), 'utf8'));
    const key = parseSampleKey(readFileSync(file('a.key.json'), 'utf8'), 'a.key.json');
    const count = (kind: string, stratum?: string): number =>
      key.items.filter((item) => item.kind === kind && (stratum === undefined || item.stratum === stratum)).length;
    expect([count('item', 'common'), count('item', 'rare'), count('repeat'), count('control')]).toEqual([10, 10, 3, 4]);
    expect(new Set(key.items.filter(({ kind }) => kind === 'item').map((item) => item.record)).size).toBe(20);
    const sheet = readFileSync(file('a.csv'), 'utf8');
    expect(sheet).not.toMatch(/common|rare|repeat|control/u);
    expect(sheet.split('\r\n').length - 2).toBe(27);
  });

  test('a page forbids everything but its own script, and escapes texts', () => {
    const hostile = file(
      'hostile.jsonl',
      record('1', 'a', { src: '</script><script>alert(1)</script>', adv_src: '"><img src=x onerror=alert(1)>' }) +
        record('2', 'a'),
    );
    expect(teapot('sample', hostile, '--n', '2', '--controls', '0', '-o', file('s.html')).status).toBe(0);
    const page = readFileSync(file('s.html'), 'utf8');
    expect(page).toContain('default-src &#39;none&#39;; script-src &#39;sha256-');
    expect(page).not.toContain('<img');
    expect(page.match(/<script/gu)).toHaveLength(1);
  });

  test('refuses records that ratings could not be told apart by, and options that do nothing', () => {
    expect(
      teapot('sample', file('twice.jsonl', record('1', 'a') + record('1', 'a')), '-o', file('x.csv')),
    ).toMatchObject({ status: 2 });
    const idle = teapot('sample', records, '--s-src', 'bleu', '-o', file('x.csv'));
    expect(idle.status).toBe(2);
    expect(idle.stderr).toContain('--strata margin');
  });
});

describe('ratings', () => {
  test.each([
    ['item,rating\n1,good\n', /:2: the rating of 1 is "good", expected a number/u],
    ['item,rating\n1,2\n1,3\n', /:3: x rates 1 with 3, and with 2 before/u],
    ['name,rating\n1,2\n', /expected "item" and "rating"/u],
    ['item,rating\n1,\n', /there is no rating/u],
  ])('%j is refused', (text, message) => {
    const { status, stderr } = teapot('agree', file('x.csv', text));
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('one column a rater, yes and no, gaps', () => {
    const wide = file('wide.csv', 'item,ana,bo\n1,yes,no\n2,yes,yes\n3,no,\n');
    const { stdout } = teapot('agree', wide, '--format', 'json', '-q');
    expect(JSON.parse(stdout)).toMatchObject({ items: 3, raters: 2, ratings: 5, open: 1 });
    expect(JSON.parse(stdout).agreement[3]).toMatchObject({ measure: 'cohen_kappa', value: 0 });
  });

  test('a key of another sheet is refused', () => {
    const { status, stderr } = teapot(
      'agree',
      file('q.csv', 'item,rating\nq99,1\n'),
      '--key',
      join(EXAMPLE, 'sheet.key.json'),
    );
    expect(status).toBe(2);
    expect(stderr).toContain("q99 isn't in the key");
  });
});

test('ratings go into the records, and success by people stands beside success by the rule', () => {
  const texts = { out: 'yes', adv_out: 'no', ref: 'yes' };
  const records = file('people.jsonl', ['1', '2', '3', '4'].map((id) => record(id, 'a', texts)).join(''));
  expect(teapot('sample', records, '--n', '4', '--repeats', '0', '--controls', '0', '-o', file('p.csv')).status).toBe(
    0,
  );
  const key = parseSampleKey(readFileSync(file('p.key.json'), 'utf8'), 'p');
  // d_tgt is 1: only a record with no meaning left is no success to people (1 + 0 > 1 is false).
  const ratings = key.items.map(({ item, record: id }) => `${item},${id === '1' ? 0 : 5}`).join('\n');
  const rated = file('rated.jsonl');
  const written = teapot(
    'agree',
    file('p-ratings.csv', `item,rating\n${ratings}\n`),
    '--key',
    file('p.key.json'),
    '--into',
    records,
    '--rated',
    rated,
  );
  expect(written.status).toBe(0);
  const first = JSON.parse(readFileSync(rated, 'utf8').split('\n')[1] ?? '');
  expect(first.human).toEqual({ rating: 5, meaning: 1, scale: [0, 5], ratings: 1 });
  const { stdout } = teapot('score', rated, '--s-tgt', 'zero_one', '--format', 'json', '-q');
  const { all } = JSON.parse(stdout);
  expect(all.claims.people.success).toMatchObject({ numerator: 3, denominator: 4 });
  expect(all.claims.people.success_by_rule).toMatchObject({ numerator: 4, denominator: 4 });
});

test('validate: the metric that makes the ratings is the one they support', () => {
  const lines = Array.from({ length: 30 }, (_, i) =>
    record(String(i), 'a', { src: 'a b c d e f g h', adv_src: 'a b c d e f g h'.slice(0, 1 + 2 * (i % 8)) }),
  );
  const records = file('v.jsonl', lines.join(''));
  const ratings = file('v.csv', `item,rating\n${lines.map((_, i) => `${i},${i % 8}`).join('\n')}\n`);
  const { status, stdout } = teapot(
    'validate',
    records,
    '--ratings',
    ratings,
    '--s-src',
    'edit,zero_one',
    '--kept-from',
    '4',
    '--format',
    'json',
  );
  expect(status).toBe(0);
  const { metrics, verdict } = JSON.parse(stdout);
  expect(metrics[0].pearson.value).toBeCloseTo(1, 12);
  expect(metrics[0].auc.value).toBe(1);
  expect(verdict[0]).toMatch(/^The ratings support edit/u);
});

test('validate without records of the ratings is refused', () => {
  const { status, stderr } = teapot(
    'validate',
    join(EXAMPLE, 'records.jsonl'),
    '--ratings',
    file('none.csv', 'item,rating\nzz,1\n'),
  );
  expect(status).toBe(2);
  expect(stderr).toContain('No rated item');
});

test.each([
  ['chrf', ['chrf']],
  ['chrf,bleu,ter', ['chrf', 'bleu', 'ter']],
  [
    'chrf:beta=1,lowercase=yes,bleu:tokenize=none,smooth=exp,ter',
    ['chrf:beta=1,lowercase=yes', 'bleu:tokenize=none,smooth=exp', 'ter'],
  ],
])('metrics of %s', (text, metrics) => {
  expect(splitMetrics(text)).toEqual(metrics);
});
