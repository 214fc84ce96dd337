import { oneLine } from './one-line.js';
import type { Grid, GridCell, GridSurroundings } from './grid.js';

/** Tables as GitHub's Markdown has them, then remarks and signatures. */
export function renderMarkdown(grids: readonly Grid[], { remarks = [], signatures = [] }: GridSurroundings): string {
  const parts = grids.map(table);
  if (remarks.length > 0) parts.push(`${remarks.map(markdownText).join('; ')}.\n`);
  for (const signature of signatures) parts.push(`\`${oneLine(signature).replaceAll('`', "'")}\`\n`);
  return parts.join('\n');
}

function table({ title, columns, rows }: Grid): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const rule = line(columns.map(({ align }) => (align === 'right' ? '--:' : '---')));
  const heading = line(columns.map(({ name }) => markdownText(name)));
  const above = title === undefined ? '' : `**${markdownText(title)}**\n\n`;
  return `${above}${heading}${rule}${rows.map((row) => line(row.map(markdownCell))).join('')}`;
}

function markdownCell(cell: GridCell): string {
  return typeof cell === 'string' ? markdownText(cell) : markdownText(cell.text + (cell.mark ?? ''));
}

/** A text in which nothing is markup: names come from data, and from modules of users. */
function markdownText(text: string): string {
  return oneLine(text)
    .replaceAll(/[\\|`*_~$<>[\]]/gu, String.raw`\$&`)
    .replaceAll(/&(?=#?\w+;)/gu, '&amp;');
}
