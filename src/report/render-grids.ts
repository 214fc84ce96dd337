import type { Grid, GridSurroundings } from './grid.js';
import { renderLatex } from './latex.js';
import { renderMarkdown } from './markdown.js';
import { renderTextGrid } from './text-grid.js';

/** The formats of a grid. */
export type GridFormat = 'text' | 'markdown' | 'latex';

/**
 * Renders grids, one after the other.
 *
 * @param grids any tables; one without rows gives its heading alone.
 * @returns text that ends in a line end.
 */
export function renderGrids(grids: readonly Grid[], format: GridFormat, surroundings: GridSurroundings = {}): string {
  switch (format) {
    case 'markdown':
      return renderMarkdown(grids, surroundings);
    case 'latex':
      return renderLatex(grids, surroundings);
    case 'text':
      return grids.map(renderTextGrid).join('\n');
  }
}
