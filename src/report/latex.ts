import { oneLine } from './one-line.js';
import type { Grid, GridCell, GridSurroundings } from './grid.js';

/**
 * A `tabular` with booktabs rules a grid, for `\usepackage{booktabs}`; remarks and signatures are comments.
 *
 * It compiles with pdflatex, xelatex and lualatex, whatever stands in the cells. With a caption or a label the first
 * grid is a `table`, and so are the others, under their titles.
 */
export function renderLatex(
  grids: readonly Grid[],
  { remarks = [], signatures = [], caption, label }: GridSurroundings,
): string {
  const comments = [...signatures, ...remarks];
  const floats = caption !== undefined || label !== undefined;
  const tables = grids.map((grid, index) => {
    if (!floats) return `${grid.title === undefined ? '' : comment(grid.title)}${tabular(grid)}`;
    const above = index === 0 ? (caption ?? grid.title) : grid.title;
    return [
      '\\begin{table}[t]\n\\centering\n',
      above === undefined ? '' : `\\caption{${latexText(above)}}\n`,
      label === undefined || index > 0 ? '' : `\\label{${label}}\n`,
      tabular(grid),
      '\\end{table}\n',
    ].join('');
  });
  return `${comments.map(comment).join('')}${tables.join('\n')}`;
}

function comment(text: string): string {
  return `% ${oneLine(text)}\n`;
}

function tabular({ columns, rows }: Grid): string {
  const line = (cells: readonly string[]): string => `${cells.join(' & ')} \\\\\n`;
  const aligns = columns.map(({ align }) => (align === 'right' ? 'r' : 'l')).join('');
  return [
    `\\begin{tabular}{${aligns}}\n\\toprule\n`,
    line(columns.map(({ name }) => latexText(name))),
    '\\midrule\n',
    // A bracket after the line's end would be read as its optional argument, a star as a mark of it.
    ...rows.map((row) => line(row.map((cell, column) => (column === 0 ? guarded(latexCell(cell)) : latexCell(cell))))),
    '\\bottomrule\n\\end{tabular}\n',
  ].join('');
}

function guarded(cell: string): string {
  return /^[[*]/u.test(cell) ? `{}${cell}` : cell;
}

function latexCell(cell: GridCell): string {
  if (typeof cell === 'string') return latexText(cell);
  const text = latexText(cell.text);
  const mark =
    cell.mark === undefined || cell.mark === '' ? '' : `$^{${cell.mark.replaceAll('*', String.raw`\ast `).trimEnd()}}$`;
  return `${cell.strong === true ? `\\textbf{${text}}` : text}${mark}`;
}

/** What stands for a character. Those of the typewriter font are the ones that the default text font lacks. */
const SPECIAL: Readonly<Record<string, string>> = {
  '\\': String.raw`\textbackslash{}`,
  '~': String.raw`\textasciitilde{}`,
  '^': String.raw`\textasciicircum{}`,
  '<': String.raw`\textless{}`,
  '>': String.raw`\textgreater{}`,
  '|': String.raw`\textbar{}`,
  '"': String.raw`{\ttfamily\char34}`,
  "'": String.raw`\textquotesingle{}`,
  '`': String.raw`\textasciigrave{}`,
  '±': String.raw`$\pm$`,
  '−': '$-$',
  '→': String.raw`$\to$`,
  '×': String.raw`$\times$`,
  '…': String.raw`\dots{}`,
  '†': String.raw`\dag{}`,
  '–': '--',
  '—': '---',
};

/** Letters that the default fonts of all three engines have. */
const LETTERS = /[ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿŒœŠšŽžŸ]/u;

/**
 * A text as LaTeX prints it: nothing in it is a command, a minus is a minus, two hyphens are no dash, and a code point
 * that fonts lack is named.
 */
function latexText(text: string): string {
  return oneLine(text)
    .replaceAll(/(?<![^\s(])-(?=\d)/gu, '−')
    .replaceAll(/[\\~^<>|"'`±−→×…†–—&%$#_{}]|-(?=-)/gu, (character) =>
      character === '-' ? '-{}' : (SPECIAL[character] ?? `\\${character}`),
    )
    .replaceAll(/[^\u0020-\u007E]/gu, (character) =>
      LETTERS.test(character) ? character : String.raw`\texttt{${codePoint(character)}}`,
    );
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
