import picocolors from 'picocolors';

import type { Interval } from '../measure/intervals.js';
import type { Statistics, Summary } from '../measure/summary.js';
import { formatFixed, formatPercent } from '../number-format.js';
import { visible } from '../visible.js';
import { CORPUS_LEVEL } from './summary-columns.js';
import type { ReportOptions } from './reporter.js';

const RULE = `${'-'.repeat(80)}\n`;

/** The bars of a histogram, from no score to most scores. */
const BARS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/**
 * teapot-nlp's layout: mean, deviation and percentiles of each side, then the success percentage.
 *
 * Exactly that when nothing else was asked for and no person watches; intervals and a sweep are added where the summary
 * has them, a histogram and the signature on a terminal.
 */
export function reportText(summary: Summary, options: ReportOptions): string {
  const { bold, dim } = picocolors.createColors(options.color);
  const sections: string[] = [];
  if (summary.sSrc !== null) {
    const name = visible(summary.sSrcMetric?.name ?? '');
    sections.push(section(bold(`Source side preservation (${name}):`), summary.sSrc, summary, options));
  }
  const target = summary.dTgt ?? summary.sTgt;
  if (target !== null) {
    const what = summary.dTgt === null ? 'preservation' : 'degradation';
    const name = visible(summary.sTgtMetric?.name ?? '');
    sections.push(section(bold(`Target side ${what} (${name}):`), target, summary, options));
  }
  if (summary.success !== null)
    sections.push(
      bold(`Success percentage: ${formatPercent(summary.success.rate)}`) + successInterval(summary, summary.success),
    );
  if (summary.corpusLevel !== null) {
    const { corpusLevel } = summary;
    const lines = CORPUS_LEVEL.flatMap(([name, , value]) => {
      const score = value(corpusLevel);
      return score === null ? [] : [`${name}:\t${formatFixed(score * options.scale, 3)}\n`];
    });
    sections.push(`${bold('Corpus level:')}\n${lines.join('')}`);
  }
  if (summary.thresholdSweep !== null) {
    const { thresholds, successRates, area } = summary.thresholdSweep;
    const rows = thresholds.map((threshold, index) => `${threshold}\t${formatPercent(successRates[index] ?? 0)}\n`);
    sections.push(`Success percentage by threshold:\n${rows.join('')}Area:\t${formatFixed(area, 3)}\n`);
  }
  if (options.terminal) sections.push(`Lines:\t${summary.n}\n${dim(visible(summary.signature))}\n`);
  return sections.join(RULE);
}

function section(heading: string, statistics: Statistics, summary: Summary, options: ReportOptions): string {
  const show = (score: number): string => formatFixed(score * options.scale, 3);
  const lines = [
    heading,
    `Mean:\t${show(statistics.mean)}`,
    // teapot-nlp prints 0 for the deviation of a single line.
    `Std:\t${show(statistics.std ?? 0)}`,
    `5%-95%:\t${show(statistics.p5)}-${show(statistics.p95)}`,
  ];
  if (statistics.interval !== null) lines.push(`${intervalLabel(summary)}\t${intervalOf(statistics.interval, show)}`);
  if (options.terminal) {
    lines.push(`${show(0)} ${histogram(statistics.histogram)} ${show(1)}`);
  }
  return `${lines.join('\n')}\n`;
}

function successInterval(summary: Summary, { interval }: NonNullable<Summary['success']>): string {
  return interval === null ? '\n' : `\n${intervalLabel(summary)}\t${intervalOf(interval, formatPercent)}\n`;
}

function intervalLabel(summary: Summary): string {
  return `${Number(((summary.intervals?.confidence ?? 0) * 100).toPrecision(12))}% CI:`;
}

function intervalOf({ low, high }: Interval, show: (value: number) => string): string {
  return `${show(low)}-${show(high)}`;
}

/** Draws counts as a row of bars; the highest one is full, a count above 0 is never empty. */
function histogram(counts: readonly number[]): string {
  const most = Math.max(1, ...counts);
  return counts.map((count) => BARS[Math.ceil((count / most) * (BARS.length - 1))] ?? ' ').join('');
}
