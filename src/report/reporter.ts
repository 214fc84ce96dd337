import type { Summary } from '../measure/summary.js';

/** How a summary is shown. */
export interface ReportOptions {
  /** Every score is multiplied by it; rates, thresholds and counts are not. teapot-nlp's default is 100. */
  readonly scale: number;
  /** Whether a person reads it on a terminal: bars are then drawn, and the signature is shown. */
  readonly terminal: boolean;
  /** Whether ANSI colours may be used. */
  readonly color: boolean;
  /** LaTeX: the caption and the label of the table. */
  readonly caption?: string | undefined;
  readonly label?: string | undefined;
}

/**
 * Shows one summary to people; the writer of the format is loaded when it is needed.
 *
 * @returns The whole text, ending in a line end.
 */
export async function reportSummary(
  summary: Summary,
  format: 'text' | 'markdown' | 'latex',
  options: ReportOptions,
): Promise<string> {
  if (format === 'text') return (await import('./text.js')).reportText(summary, options);
  const { renderGrids } = await import('./render-grids.js');
  const { summaryGrid, summaryRemarks } = await import('./summary-grid.js');
  const { caption, label } = options;
  const around = { remarks: summaryRemarks(summary), signatures: [summary.signature], caption, label };
  return renderGrids([summaryGrid(summary, options.scale)], format, around);
}
