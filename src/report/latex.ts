import type { Summary } from '../measure/summary.js';
import type { ReportOptions } from './reporter.js';
import { summaryTable } from './table.js';

/** A `tabular` with booktabs rules, ready for a paper; the signature is a comment. Needs `\usepackage{booktabs}`. */
export function reportLatex(summary: Summary, { scale }: ReportOptions): string {
  const { header, rows, remarks } = summaryTable(summary, scale);
  const line = (cells: readonly string[]): string => `${cells.map(cell).join(' & ')} \\\\\n`;
  return [
    ...[summary.signature, ...remarks].map((remark) => `% ${remark.replaceAll(/\s+/g, ' ')}\n`),
    `\\begin{tabular}{ll${'r'.repeat(header.length - 2)}}\n`,
    '\\toprule\n',
    line(header),
    '\\midrule\n',
    ...rows.map(line),
    '\\bottomrule\n',
    '\\end{tabular}\n',
  ].join('');
}

const SPECIAL: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

function cell(text: string): string {
  // A range is written with an en dash, a minus stays a minus.
  const ranged = text.replaceAll(/(?<=[\d%])-(?=\d)/g, '--');
  return ranged.replaceAll(/[\\~^&%$#_{}]/g, (character) => SPECIAL[character] ?? `\\${character}`);
}
