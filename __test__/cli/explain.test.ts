import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { makeRecord } from '../../src/record/schema.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
folder.write({
  'r.jsonl': [
    makeRecord({
      id: 'a',
      unit: 'prompt',
      src: 'Rate it',
      adv_src: 'R\u0430te it\u202e',
      original_score: 80,
      attacked_score: 60,
      scale: 100,
      attack: 'homoglyph',
      metric: 'accuracy',
    }),
    makeRecord({ id: 'clean', unit: 'prompt', src: 'Rate it', original_score: 80, extra: { kind: 'clean' } }),
  ]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join(''),
  'src.txt': 'the tea \nmilk\n',
  'adv.txt': 'teh tea\nmilk\n',
});

const explain = (...args: string[]) => runCli(['explain', ...args], { cwd: folder.path });

describe('teapot explain', () => {
  it('explains a record', async () => {
    const { code, stdout, stderr } = await explain('r.jsonl', '--id', 'a');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatchInlineSnapshot(`
      "Record a: attack homoglyph

      src      Rate it
      adv_src  Rаte it<U+202E>

      diff     R[-a-]{+а+}te it{+<U+202E>+}
      2 edits:
        homoglyph "a" -> "а" (U+0430) at character 2
        invisible "<U+202E>" (U+202E) at character 8

      s_src (ChrF)                   0.3621
      s_src as a reader sees it      1.0000
      s_tgt before (accuracy)        0.8000
      s_tgt under attack (accuracy)  0.6000
      d_tgt                          0.2500
      PDR                            0.2500
      margin                         -0.3879

      n-grams, adv_src against src
      order   matches  hypothesis  reference  precision  recall
      char 1        5           7          6     0.7143  0.8333
      char 2        3           6          5     0.5000  0.6000
      char 3        2           5          4     0.4000  0.5000
      char 4        1           4          3     0.2500  0.3333
      char 5        0           3          2     0.0000  0.0000
      char 6        0           2          1     0.0000  0.0000

      Verdict
      d_tgt = (0.8000 - 0.6000) / 0.8000 = 0.2500.
      s_src + d_tgt = 0.3621 + 0.2500 = 0.6121 < 1.0000: not successful.
      "
    `);
  });

  it('explains a line, scored as teapot score does', async () => {
    const { stdout } = await explain('--line', '1', '--src', 'src.txt', '--adv-src', 'adv.txt', '--format', 'json');
    const explanation = JSON.parse(stdout) as { measured: { s_src: number }; src: string };
    expect(explanation).toMatchObject({ schema: 'teapot.explain/1', src: 'the tea', edits: [{ kind: 'swap' }] });
    const score = await runCli(['--src', 'src.txt', '--adv-src', 'adv.txt', '--per-line', 'lines.jsonl', '--terse'], {
      cwd: folder.path,
    });
    expect(score.code).toBe(0);
    const [first = ''] = readFileSync(join(folder.path, 'lines.jsonl'), 'utf8').split('\n');
    expect((JSON.parse(first) as { s_src: number }).s_src).toBeCloseTo(explanation.measured.s_src, 9);
    const { stdout: line } = await explain('--line', '2', '--src', 'src.txt', '--adv-src', 'adv.txt');
    expect(line).toContain('the texts are equal');
  });

  it.each([
    [['r.jsonl'], 'Say which record: --line N'],
    [['r.jsonl', '--id', 'a', '--line', '1'], 'give one of them'],
    [['r.jsonl', '--id', 'b'], 'There is no record with the id "b": the files hold 2 records.'],
    [['r.jsonl', '--line', '3'], 'There is no record 3: the files hold 2 records.'],
    [['r.jsonl', '--line', '0'], '--line needs an integer at least 1'],
    [['r.jsonl', '--id', 'clean'], 'is a clean prompt or a candidate'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await explain(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
