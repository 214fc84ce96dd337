import type { Summary } from '../measure/summary.js';
import { csvRecord } from './delimited.js';
import { formatShortest } from './number-format.js';
import type { ReportOptions } from './reporter.js';
import { numbersOf, summaryDocument } from './summary-document.js';

/** A CSV table of one record: every number of the JSON document under its name, empty where it is null. */
export function reportCsv(summary: Summary, { scale }: ReportOptions): string {
  const document = summaryDocument(summary, scale);
  const numbers = numbersOf(document);
  const header = ['mode', 'criterion', 'metric_s_src', 'metric_s_tgt', ...numbers.keys(), 'signature'];
  const texts = [
    document.mode,
    document.criterion ?? '',
    document.metrics.s_src?.key ?? '',
    document.metrics.s_tgt?.key ?? '',
  ];
  const values = [...numbers.values()].map((value) => (value === null ? '' : formatShortest(value)));
  return csvRecord(header) + csvRecord([...texts, ...values, document.signature]);
}
