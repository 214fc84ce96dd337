import stringWidth from 'string-width';

import { oneLine } from './one-line.js';
import { cellText, type Grid, type GridCell } from './grid.js';

/** Columns aligned by display width (a Chinese character counts two), two spaces between them. */
export function renderTextGrid({ title, columns, rows }: Grid): string {
  const lines = [columns.map(({ name }) => name), ...rows].map((row) => row.map(shown));
  const widths = lines.map((line) => line.map(displayWidth));
  const columnWidths = columns.map((_, column) => {
    let widest = 0;
    for (const width of widths) widest = Math.max(widest, width[column] ?? 0);
    return widest;
  });
  const text = lines.map((line, row) => {
    const cells = line.map((cell, column) => {
      const room = ' '.repeat((columnWidths[column] ?? 0) - (widths[row]?.[column] ?? 0));
      return columns[column]?.align === 'right' ? room + cell : cell + room;
    });
    return `${withoutTrailingSpaces(cells.join('  '))}\n`;
  });
  return `${title === undefined ? '' : `${oneLine(title)}\n`}${text.join('')}`;
}

function shown(cell: GridCell): string {
  return oneLine(cellText(cell));
}

function displayWidth(text: string): number {
  return /^[\u0020-\u007E]*$/u.test(text) ? text.length : stringWidth(text);
}

/** By hand: `/ +$/` tries every run of spaces anew at each of its characters, which is quadratic. */
function withoutTrailingSpaces(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}
