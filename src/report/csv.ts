import type { Summary } from '../measure/summary.js';
import { csvRecord } from './delimited.js';
import { formatShortest } from '../number-format.js';
import type { ReportOptions } from './reporter.js';
import { numbersOf, summaryDocument } from './summary-document.js';

/** A CSV table of one record: every number of the JSON document under its name, empty where it is null. */
export function reportCsv(summary: Summary, options: ReportOptions): string {
  const { names, cells } = csvCells(summary, options);
  return csvRecord(names) + csvRecord(cells);
}

/** A CSV table of several attacks: one record an attack, with its name. */
export function reportAttacksCsv(
  attacks: readonly { readonly name: string; readonly summary: Summary }[],
  options: ReportOptions,
): string {
  const rows = attacks.map(({ name, summary }) => ({ name, ...csvCells(summary, options) }));
  const header = csvRecord(['attack', ...(rows[0]?.names ?? [])]);
  return header + rows.map(({ name, cells }) => csvRecord([name].concat(cells))).join('');
}

function csvCells(summary: Summary, { scale }: ReportOptions): { names: readonly string[]; cells: readonly string[] } {
  const document = summaryDocument(summary, scale);
  const numbers = numbersOf(document);
  const texts = [
    document.mode,
    document.criterion ?? '',
    document.metrics.s_src?.key ?? '',
    document.metrics.s_tgt?.key ?? '',
  ];
  const values = [...numbers.values()].map((value) => (value === null ? '' : formatShortest(value)));
  return {
    names: ['mode', 'criterion', 'metric_s_src', 'metric_s_tgt', ...numbers.keys(), 'signature'],
    cells: [...texts, ...values, document.signature],
  };
}
