import { describe, expect, it } from 'vitest';

import { formatFixed } from '../../src/number-format.js';
import { csvOf, gridOf, numbersOf, objectOf } from '../../src/report/columns.js';
import type { Table } from '../../src/report/columns.js';
import { renderGrids } from '../../src/report/render-grids.js';

const GRID = {
  title: 'Title',
  columns: [{ name: 'attack' }, { name: 'PDR', align: 'right' as const }],
  rows: [
    ['茶', '0.26±0.39'],
    ['a|b_c, "d"\ne', '-'],
  ],
};

describe('renderGrids', () => {
  it('aligns by display width', () => {
    expect(renderGrids([GRID], 'text')).toBe(
      'Title\nattack               PDR\n茶             0.26±0.39\na|b_c, "d"\\ne          -\n',
    );
  });

  it('escapes Markdown', () => {
    expect(renderGrids([GRID], 'markdown')).toBe(
      '**Title**\n\n| attack | PDR |\n| --- | --: |\n| 茶 | 0.26±0.39 |\n| a\\|b\\_c, "d"\\\\ne | - |\n',
    );
  });

  it('escapes LaTeX', () => {
    expect(renderGrids([GRID], 'latex')).toBe(
      [
        '% Title',
        String.raw`\begin{tabular}{lr}`,
        String.raw`\toprule`,
        String.raw`attack & PDR \\`,
        String.raw`\midrule`,
        String.raw`\texttt{U+8336} & 0.26$\pm$0.39 \\`,
        String.raw`a\textbar{}b\_c, {\ttfamily\char34}d{\ttfamily\char34}\textbackslash{}ne & - \\`,
        String.raw`\bottomrule`,
        String.raw`\end{tabular}`,
        '',
      ].join('\n'),
    );
  });
});

interface Tea {
  readonly name: string;
  readonly score: number | null;
  readonly interval: readonly [number, number] | null;
}

const TEAS: Table<Tea> = {
  columns: [
    { name: 'tea', kind: 'text', describe: 'Name', heading: 'tea', value: ({ name }) => name },
    {
      name: 'd_tgt.mean',
      kind: 'score',
      describe: 'Mean',
      heading: 'd_tgt',
      best: 'highest',
      value: (tea) => tea.score,
    },
    {
      name: 'd_tgt.interval.low',
      kind: 'score',
      describe: 'Low',
      gate: false,
      value: ({ interval }) => interval?.[0] ?? null,
    },
    {
      name: 'd_tgt.interval.high',
      kind: 'score',
      describe: 'High',
      gate: false,
      value: ({ interval }) => interval?.[1] ?? null,
    },
    { name: 'long', kind: 'flag', describe: 'Long', value: ({ name }) => name.length > 3 },
    { name: 'names', kind: 'json', value: ({ name }) => [name], schema: (zod) => zod.array(zod.string()) },
  ],
  rows: [
    { name: 'assam', score: 0.1, interval: [0.05, 0.2] },
    { name: 'oolong, "x"', score: 1 / 3, interval: null },
    { name: 'chá', score: null, interval: null },
  ],
};

describe('columns', () => {
  it('give JSON that nests at the dots, and null for a level without values', () => {
    expect(TEAS.rows.slice(0, 2).map((row) => objectOf(TEAS.columns, row))).toEqual([
      { tea: 'assam', d_tgt: { mean: 0.1, interval: { low: 0.05, high: 0.2 } }, long: true, names: ['assam'] },
      { tea: 'oolong, "x"', d_tgt: { mean: 1 / 3, interval: null }, long: true, names: ['oolong, "x"'] },
    ]);
    expect(objectOf(TEAS.columns, { name: 'chá', score: null, interval: null })).toEqual({
      tea: 'chá',
      d_tgt: null,
      long: false,
      names: ['chá'],
    });
  });

  it('give CSV under the names of JSON, quoted as RFC 4180 says', () => {
    expect(csvOf(TEAS)).toBe(
      [
        'tea,d_tgt.mean,d_tgt.interval.low,d_tgt.interval.high,long',
        'assam,0.1,0.05,0.2,true',
        '"oolong, ""x""",0.3333333333333333,,,true',
        'chá,,,,false',
        '',
      ].join('\r\n'),
    );
  });

  it('give gates the numbers that CSV has', () => {
    expect([...numbersOf(TEAS.columns, { name: 'a', score: 0.1, interval: null })]).toEqual([['d_tgt.mean', 0.1]]);
  });

  it('give people the columns with a heading, scaled, and the best row bold in LaTeX', () => {
    const grid = gridOf(TEAS, { scale: 100 });
    expect(renderGrids([grid], 'text')).toBe(
      'tea           d_tgt\nassam        10.000\noolong, "x"  33.333\nchá               -\n',
    );
    expect(renderGrids([grid], 'latex')).toContain(String.raw`& \textbf{33.333} \\`);
  });
});

describe('text tables', () => {
  it('F56: show control and format characters, line ends and tabs', () => {
    const columns = [{ name: 'a\u001b[31m' }];
    const rows = [['\u001b]8;;http://x\u0007'], ['\u202ecba'], ['x\ty\r\nz'], ['\u009b2J']];
    const text = renderGrids([{ title: 't\u0000', columns, rows }], 'text');
    expect(text.split('\n')).toEqual([
      String.raw`t\x00`,
      String.raw`a\x1b[31m`,
      String.raw`\x1b]8;;http://x\x07`,
      '<U+202E>cba',
      String.raw`x\ty\r\nz`,
      String.raw`\x9b2J`,
      '',
    ]);
  });

  it('F75: ask for the width of each cell once', () => {
    let asked = 0;
    const cell = {
      get text() {
        asked += 1;
        return 'tea';
      },
    };
    const rows = Array.from({ length: 20_000 }, () => [cell, cell]);
    renderGrids([{ columns: [{ name: 'a' }, { name: 'b' }], rows }], 'text');
    expect(asked).toBe(40_000);
  });
});

describe('formatFixed', () => {
  it.each([
    [0.125, 2, '0.12'],
    [0.375, 2, '0.38'],
    [-0.125, 2, '-0.12'],
    [2.5, 0, '2'],
    [0.005, 2, '0.01'],
    [1.005, 2, '1.00'],
    [-0.001, 2, '0.00'],
    [-0, 2, '0.00'],
    [1e-300, 2, '0.00'],
    [12, 2, '12.00'],
  ])('%d with %d decimals is %s', (value, decimals, text) => {
    expect(formatFixed(value, decimals)).toBe(text);
  });

  it('keeps the sign of zero on demand', () => {
    expect(formatFixed(-0.001, 2, true)).toBe('-0.00');
    expect(formatFixed(0.001, 2, true)).toBe('0.00');
  });
});
