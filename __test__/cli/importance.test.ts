import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
const run = (...args: string[]) => runCli(['importance', ...args], { cwd: folder.path });

folder.write({
  'victim.mjs': `
    export const answerBatch = (texts) => texts.map((text) => {
      if (text.startsWith('fail')) throw new Error('too long');
      const good = (text.match(/good/g) ?? []).length / 4;
      return { output: good >= 0.5 ? 'yes' : 'no', scores: { yes: good, no: 1 - good } };
    });`,
  'texts.txt': 'good <b> good bad\nfail here\n\n',
  'scores.jsonl': [
    '{"text": "very very good, film", "score": 0.9}',
    '{"text": "very good, film", "score": 0.8}',
    '{"text": "very  very film", "score": 0.4}',
    '{"text": "very very film", "score": 0.6}',
    '{"text": "another", "score": 1}',
    '',
  ].join('\n'),
  'broken.jsonl': '{"text": "a", "score": 1}\n{"text": "b"}\n',
});

describe('by deletion', () => {
  test('keeps words that come twice apart, with their positions and signs', async () => {
    const { code, stdout } = await run('--src', 'texts.txt', '--model', 'module:./victim.mjs', '--format', 'json');
    expect(code).toBe(0);
    const { items } = JSON.parse(stdout) as { items: unknown[] };
    expect(items).toEqual([
      {
        text: 'good <b> good bad',
        output: 'yes',
        score: 0.5,
        words: [
          { position: 0, word: 'good', start: 0, end: 4, importance: 0.25 },
          { position: 1, word: 'b', start: 6, end: 7, importance: 0 },
          { position: 2, word: 'good', start: 9, end: 13, importance: 0.25 },
          { position: 3, word: 'bad', start: 14, end: 17, importance: 0 },
        ],
      },
      { text: 'fail here', error: expect.stringContaining('too long') },
      { text: '', output: 'no', score: 1, words: [] },
    ]);
  });

  test('as text, and as a page whose texts are escaped', async () => {
    const args = ['--src', 'texts.txt', '--model', 'module:./victim.mjs', '--first', '1'];
    const { stdout } = await run(...args);
    expect(stdout).toBe(
      'good <b> good bad\nyes:\t0.5000\n0\tgood\t+0.2500\n1\tb\t0.0000\n2\tgood\t+0.2500\n3\tbad\t0.0000\n',
    );
    expect(await run(...args, '--format', 'html', '-o', 'page.html')).toMatchObject({ code: 0, stdout: '' });
    const page = readFileSync(join(folder.path, 'page.html'), 'utf8');
    expect(page).toContain('&lt;');
    expect(page).not.toContain('<b>');
  });

  test('of a text on the command line, by the lexicon', async () => {
    const { stdout } = await run('A warm and very, very funny film.');
    expect(stdout).toMatch(/^positive:\t/mu);
    expect(stdout).toMatch(/^5\tfunny\t\+0\.[1-9]/mu);
  });
});

describe('from logged scores', () => {
  test('needs no victim; punctuation may have gone with its word, repeated scores count by their mean', async () => {
    const { code, stdout, stderr } = await run('--scores', 'scores.jsonl');
    expect(code).toBe(0);
    expect(stdout).toBe(
      'very very good, film\nscore:\t0.9000\n0\tvery\t+0.1000\n1\tvery\t+0.1000\n2\tgood\t+0.4000\n3\tfilm\tn/a\n',
    );
    expect(stderr).toContain('unused: 1 ');
  });

  test('mistakes name their place', async () => {
    const broken = await run('--scores', 'broken.jsonl');
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain('broken.jsonl:2: ');
    expect((await run('--scores', 'scores.jsonl', 'no such text')).stderr).toContain('no score of the text itself');
    expect((await run('--scores', 'scores.jsonl', '--model', 'lexicon')).code).toBe(2);
    expect((await run()).stderr).toContain('--src');
  });
});
