import type { Summary } from '../measure/summary.js';
import type { ReportOptions } from './reporter.js';
import { summaryTable } from './table.js';

/** A GitHub table with the quantities as rows, then n, undefined counts and the signature. */
export function reportMarkdown(summary: Summary, { scale }: ReportOptions): string {
  const { header, rows, remarks } = summaryTable(summary, scale);
  const line = (cells: readonly string[]): string => `| ${cells.map(escape).join(' | ')} |\n`;
  const rule = header.map((_, column) => (column < 2 ? '---' : '---:'));
  const table = line(header) + `| ${rule.join(' | ')} |\n` + rows.map(line).join('');
  return `${table}\n${remarks.map(escape).join('; ')}.\n\n\`${summary.signature.replaceAll('`', "'")}\`\n`;
}

/** Names of metrics may come from a user's module: nothing in them is markup. */
function escape(text: string): string {
  return text.replaceAll(/[\\|*_`<>[\]]/g, '\\$&').replaceAll(/\s+/g, ' ');
}
