import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { makeRecord } from '../../src/record/schema.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
const pair = (id: string, attack: string, src: string | null, advSrc: string | null) =>
  `${JSON.stringify(makeRecord({ id, unit: 'input', attack, src, adv_src: advSrc }))}\n`;
folder.write({
  'r.jsonl': [
    pair('a', 'homoglyph', 'Rate the tea', 'R\u0430te the te\u0430'),
    pair('b', 'homoglyph', 'Rate the tea', 'Rate th\u0435 tea'),
    pair('c', 'words', 'a b c d', 'x a b c d'),
    pair('d', 'words', 'a b c d', 'a b c d'),
    pair('e', 'words', null, 'x'),
  ].join(''),
  'src.txt': 'the tea \nmilk\n',
  'adv.txt': 'the TEA\nmilk\n',
});

const edits = (...args: string[]) => runCli(['edits', ...args], { cwd: folder.path });

describe('teapot edits', () => {
  it('counts edits by kind and folds what a reader does not see', async () => {
    const { stdout, stderr, code } = await edits('r.jsonl');
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "What the attacks changed, and s_src of folded texts
      attack     n  unchanged  edits  characters    words   s_src  confusables    case  whitespace  all folded
      homoglyph  2          0   1.50        1.50  50.00 %  56.898      100.000  56.898      56.898     100.000
      words      2          1   0.50        1.00  12.50 %  95.684       95.684  95.684      95.684      95.684
      all        4          1   1.00        1.25  31.25 %  76.291       97.842  76.291      76.291      97.842

      Edits by kind
      attack     homoglyph  prepended
      homoglyph          3          0
      words              0          1
      all                3          1

      Look-alikes
      for  stands  code point  times
      a    а       U+0430          2
      e    е       U+0435          1
      "
    `);
    expect(stderr).toContain('1 records without both texts');
  });

  it('counts an inserted word once (B53, QData/TextAttack#451, thunlp/OpenAttack#148)', async () => {
    const { stdout } = await edits('r.jsonl', '--format', 'json');
    const { groups } = JSON.parse(stdout) as { groups: Record<string, unknown>[] };
    expect(groups[1]).toMatchObject({ attack: 'words', n: 2, without_texts: 1, unchanged: 1, mean_word_share: 0.125 });
    expect(groups[0]).toMatchObject({ homoglyphs: [{ from: 'a', to: 'а', code_point: 'U+0430', count: 2 }, {}] });
  });

  it('writes every edit of every record', async () => {
    await edits('r.jsonl', '--per-record', 'out.jsonl');
    const lines = readFileSync(join(folder.path, 'out.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(5);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      id: 'b',
      measured: {
        s_src_folded: { confusables: 1, all: 1 },
        edits: {
          counts: { homoglyph: 1 },
          char_distance: 1,
          word_distance: 1,
          words: 3,
          list: [{ kind: 'homoglyph', original_position_code_points: 7, original: 'e', code_points: 'U+0435' }],
        },
      },
    });
    expect(JSON.parse(lines[4] ?? '')).toMatchObject({ id: 'e', measured: null });
  });

  it('takes line-aligned files, whitespace at line ends aside', async () => {
    const { stdout } = await edits('--src', 'src.txt', '--adv-src', 'adv.txt', '--format', 'csv');
    expect(stdout.split('\r\n').map((line) => line.split(',').slice(0, 4))).toEqual([
      ['attack', 'n', 'unchanged', 'mean_edits'],
      ['', '2', '1', '1.5'],
      [''],
    ]);
    const kept = await edits(
      '--src',
      'src.txt',
      '--adv-src',
      'adv.txt',
      '--keep-trailing-whitespace',
      '--format',
      'json',
    );
    expect(JSON.parse(kept.stdout)).toMatchObject({ all: { edits: { case: 3, whitespace: 1 } } });
  });

  it.each([
    [[], 'Give files of records, or line-aligned files'],
    [['r.jsonl', '--src', 'src.txt'], '--src does nothing with files of records'],
    [['r.jsonl', '--per-record', 'x.csv'], 'Expected a name that ends in .jsonl'],
    [['r.jsonl', '--s-src', 'chrff'], 'Did you mean "chrf"?'],
    [['--src', 'src.txt'], 'No record has both'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await edits(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
