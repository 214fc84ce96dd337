import type { Summary } from '../measure/summary.js';
import type { Format } from './formats.js';
import { summaryDocument } from './summary-document.js';

/** How a summary is shown. */
export interface ReportOptions {
  /** Every score is multiplied by it; rates, thresholds and counts are not. teapot-nlp's default is 100. */
  readonly scale: number;
  /** Whether a person reads it on a terminal: bars are then drawn, and the signature is shown. */
  readonly terminal: boolean;
  /** Whether ANSI colours may be used. */
  readonly color: boolean;
}

/** The formats of a summary. */
export const REPORT_FORMATS = [
  'text',
  'terse',
  'json',
  'csv',
  'markdown',
  'latex',
] as const satisfies readonly Format[];

/** One of {@link REPORT_FORMATS}. */
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/**
 * Shows a summary in one format; the writer of the format is loaded when it is needed.
 *
 * @returns The whole text, ending in a line end.
 */
export async function reportSummary(summary: Summary, format: ReportFormat, options: ReportOptions): Promise<string> {
  switch (format) {
    case 'text':
      return (await import('./text.js')).reportText(summary, options);
    case 'terse':
      return (await import('./terse.js')).reportTerse(summary, options);
    case 'json':
      return (await import('./json.js')).renderJson(summaryDocument(summary, options.scale));
    case 'csv':
      return (await import('./csv.js')).reportCsv(summary, options);
    case 'markdown':
    case 'latex': {
      const { renderGrids } = await import('./render-grids.js');
      const { summaryGrid, summaryRemarks } = await import('./summary-grid.js');
      const remarks = summaryRemarks(summary);
      return renderGrids([summaryGrid(summary, options.scale)], format, { remarks, signature: summary.signature });
    }
  }
}
