import type { Summary } from '../measure/summary.js';
import type { ReportOptions } from './reporter.js';
import { summaryDocument } from './summary-document.js';

/** One JSON document, described by `schema/summary-1.json`. Every number in as few digits as give it back exactly. */
export function reportJson(summary: Summary, { scale }: ReportOptions): string {
  const text = JSON.stringify(summaryDocument(summary, scale), undefined, 2);
  // Arrays of numbers take one line each. A line break in the text is always one between values: in strings it is \\n.
  const compact = text.replaceAll(/\[\n[\s\d.,eE+-]+\]/g, (numbers) =>
    numbers.replaceAll(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
  );
  return `${compact}\n`;
}
