import { describe, expect, it } from 'vitest';

import { formatFixed } from '../../src/report/fixed.js';
import { renderGrid } from '../../src/report/grid.js';

const GRID = {
  title: 'Title',
  columns: [{ name: 'attack' }, { name: 'PDR', align: 'right' as const }],
  rows: [
    ['茶', '0.26±0.39'],
    ['a|b_c, "d"\ne', '-'],
  ],
};

describe('renderGrid', () => {
  it('aligns by display width', () => {
    expect(renderGrid(GRID, 'text')).toBe(
      'Title\nattack               PDR\n茶             0.26±0.39\na|b_c, "d"\\ne          -\n',
    );
  });

  it('quotes CSV as RFC 4180', () => {
    expect(renderGrid(GRID, 'csv')).toBe('attack,PDR\r\n茶,0.26±0.39\r\n"a|b_c, ""d""\ne",-\r\n');
  });

  it('escapes Markdown', () => {
    expect(renderGrid(GRID, 'markdown')).toBe(
      '**Title**\n\n| attack | PDR |\n| --- | --: |\n| 茶 | 0.26±0.39 |\n| a\\|b\\_c, "d"\\\\ne | - |\n',
    );
  });

  it('escapes LaTeX', () => {
    expect(renderGrid(GRID, 'latex')).toBe(
      [
        '% Title',
        String.raw`\begin{tabular}{lr}`,
        String.raw`\toprule`,
        String.raw`attack & PDR \\`,
        String.raw`\midrule`,
        String.raw`茶 & 0.26$\pm$0.39 \\`,
        String.raw`a|b\_c, "d"\textbackslash{}ne & - \\`,
        String.raw`\bottomrule`,
        String.raw`\end{tabular}`,
        '',
      ].join('\n'),
    );
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
