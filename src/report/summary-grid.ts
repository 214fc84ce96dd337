import type { Statistics, Summary } from '../measure/summary.js';
import type { Grid } from './grid.js';
import { CORPUS_LEVEL } from './summary-columns.js';
import { formatFixed, formatPercent } from '../number-format.js';

/** A summary for formats with tables: one row a quantity. */
export function summaryGrid(summary: Summary, scale: number): Grid {
  const withIntervals = summary.intervals !== null;
  const show = (score: number | null): string => (score === null ? '' : formatFixed(score * scale, 3));
  const row = (name: string, metric: string, all: Statistics | null): readonly (readonly string[])[] => {
    if (all === null) return [];
    const bounds = all.interval === null ? '' : `${show(all.interval.low)}–${show(all.interval.high)}`;
    return [[name, metric, show(all.mean), show(all.std), show(all.p5), show(all.p95), bounds]];
  };
  const source = summary.sSrcMetric?.name ?? '';
  const target = summary.sTgtMetric?.name ?? '';
  const rows = [
    ...row('s_src', source, summary.sSrc),
    ...row('s_tgt base', target, summary.base),
    ...row('s_tgt attacked', target, summary.attacked),
    ...row('d_tgt', target, summary.dTgt),
    ...row('s_tgt', target, summary.sTgt),
  ];
  for (const [name, , value] of CORPUS_LEVEL) {
    const score = summary.corpusLevel === null ? null : value(summary.corpusLevel);
    const metric = name === 's_src' ? source : target;
    if (score !== null) rows.push([`corpus ${name.replace('s_tgt_', 's_tgt ')}`, metric, show(score), '', '', '', '']);
  }
  const { success } = summary;
  if (success !== null) {
    const bounds = success.interval;
    const interval = bounds === null ? '' : `${formatPercent(bounds.low)}–${formatPercent(bounds.high)}`;
    rows.push(['success rate', '', formatPercent(success.rate), '', '', '', interval]);
  }
  if (summary.pdr !== null) rows.push(['PDR', target, formatPercent(summary.pdr), '', '', '', '']);
  const header = ['', 'metric', 'mean', 'std', '5 %', '95 %', 'interval'];
  const width = withIntervals ? header.length : header.length - 1;
  return {
    columns: header.slice(0, width).map((name, index) => ({ name, align: index < 2 ? 'left' : 'right' })),
    rows: rows.map((cells) => cells.slice(0, width)),
  };
}

/** What a reader must know beside the numbers of a summary, one sentence each. */
export function summaryRemarks(summary: Summary): readonly string[] {
  const list = [`n = ${summary.n}`];
  if (summary.success !== null) list.push(`success threshold ${summary.successThreshold}`);
  for (const { reason, count } of summary.undefinedCounts) list.push(`undefined: ${count} (${reason})`);
  if (summary.intervals !== null) {
    const { method, confidence, resamples, seed } = summary.intervals;
    const details = method === 'normal' ? '' : `, ${resamples} resamples, seed ${seed}`;
    list.push(`intervals: ${method}, confidence ${confidence}${details}`);
  }
  return list;
}
