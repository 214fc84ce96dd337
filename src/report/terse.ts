import type { Summary } from '../measure/summary.js';
import { formatFixed } from '../number-format.js';
import type { ReportOptions } from './reporter.js';

/**
 * One number a line, as teapot-nlp's `--terse`: the mean of each side (scaled), then the success percentage (never
 * scaled). Nothing else ever, so that scripts can read it.
 */
export function reportTerse(summary: Summary, { scale }: ReportOptions): string {
  const target = summary.dTgt ?? summary.sTgt;
  const numbers: number[] = [];
  if (summary.sSrc !== null) numbers.push(summary.sSrc.mean * scale);
  if (target !== null) numbers.push(target.mean * scale);
  if (summary.success !== null) numbers.push(summary.success.rate * 100);
  return numbers.map((number) => `${formatFixed(number, 3)}\n`).join('');
}
