import CliTable from 'cli-table3';

import { csvRecord } from './delimited.js';

/** A column of a {@link Grid}. */
export interface GridColumn {
  /** Its heading. */
  readonly name: string;
  /** Numbers stand right, text left. Default left. */
  readonly align?: 'left' | 'right';
}

/** A table of finished text, before it gets a format. */
export interface Grid {
  /** A line above the table; in CSV it is left out. */
  readonly title?: string;
  readonly columns: readonly GridColumn[];
  /** Rows of as many cells as there are columns. */
  readonly rows: readonly (readonly string[])[];
}

/** The formats of a grid. */
export type GridFormat = 'text' | 'csv' | 'markdown' | 'latex';

/**
 * Renders a grid.
 *
 * @param grid any table; one without rows gives its heading alone.
 * @returns text that ends in a line end.
 */
export function renderGrid(grid: Grid, format: GridFormat): string {
  switch (format) {
    case 'csv':
      return csv(grid);
    case 'markdown':
      return markdown(grid);
    case 'latex':
      return latex(grid);
    case 'text':
      return text(grid);
  }
}

const BORDERS = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
  'left',
  'left-mid',
  'mid',
  'mid-mid',
  'right',
  'right-mid',
] as const;

/** Columns aligned by display width (a Chinese character counts two), two spaces between them. */
function text(grid: Grid): string {
  const table = new CliTable({
    chars: { ...Object.fromEntries(BORDERS.map((name) => [name, ''])), middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: grid.columns.map(({ align }) => align ?? 'left'),
  });
  table.push(
    grid.columns.map(({ name }) => name),
    ...grid.rows.map((row) => row.map(oneLine)),
  );
  const lines = table
    .toString()
    .split('\n')
    .map((line) => line.replace(/ +$/u, ''));
  return `${grid.title === undefined ? '' : `${grid.title}\n`}${lines.join('\n')}\n`;
}

/** RFC 4180. */
function csv(grid: Grid): string {
  return [grid.columns.map(({ name }) => name), ...grid.rows].map(csvRecord).join('');
}

/** A table as GitHub's Markdown has it. */
function markdown(grid: Grid): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(markdownCell).join(' | ')} |\n`;
  const rule = `| ${grid.columns.map(({ align }) => (align === 'right' ? '--:' : '---')).join(' | ')} |\n`;
  const title = grid.title === undefined ? '' : `**${markdownCell(grid.title)}**\n\n`;
  return `${title}${line(grid.columns.map(({ name }) => name))}${rule}${grid.rows.map(line).join('')}`;
}

function markdownCell(value: string): string {
  return oneLine(value).replaceAll(/[\\|`*_<>[\]]/gu, (character) => (character === '<' ? '&lt;' : `\\${character}`));
}

/** A booktabs table, for `\usepackage{booktabs}`. */
function latex(grid: Grid): string {
  const line = (cells: readonly string[]): string => `${cells.map(latexCell).join(' & ')} \\\\\n`;
  const aligns = grid.columns.map(({ align }) => (align === 'right' ? 'r' : 'l')).join('');
  const title = grid.title === undefined ? '' : `% ${oneLine(grid.title)}\n`;
  const head = line(grid.columns.map(({ name }) => name));
  return `${title}\\begin{tabular}{${aligns}}\n\\toprule\n${head}\\midrule\n${grid.rows.map(line).join('')}\\bottomrule\n\\end{tabular}\n`;
}

const LATEX: Readonly<Record<string, string>> = {
  '\\': String.raw`\textbackslash{}`,
  '~': String.raw`\textasciitilde{}`,
  '^': String.raw`\textasciicircum{}`,
  '±': String.raw`$\pm$`,
  '−': '$-$',
  '→': String.raw`$\to$`,
  '×': String.raw`$\times$`,
  '–': '--',
};

function latexCell(value: string): string {
  return oneLine(value).replaceAll(/[\\~^±−→×–&%$#_{}]/gu, (character) => LATEX[character] ?? `\\${character}`);
}

/** A cell is one line: line ends are shown as `\n`. */
function oneLine(value: string): string {
  return value.replaceAll('\n', String.raw`\n`).replaceAll('\r', String.raw`\r`);
}
