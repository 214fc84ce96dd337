import type { Interval } from '../measure/intervals.js';
import type { MetricSummary, Statistics, Summary } from '../measure/summary.js';
import type { SummaryDocument } from './summary-schema.js';

/** What `schema` says in every summary that teapot writes. */
export const SUMMARY_SCHEMA = 'teapot.summary/1';

/**
 * A summary as the JSON document that `schema/summary-1.json` describes: stable snake_case keys, scores multiplied by
 * the scale, rates and thresholds as they are.
 *
 * @param scale Every score is multiplied by it; the document says it.
 */
export function summaryDocument(summary: Summary, scale: number): SummaryDocument {
  const { success, intervals, thresholdSweep } = summary;
  const undefinedCount = summary.undefinedCounts.reduce((sum, { count }) => sum + count, 0);
  return {
    schema: SUMMARY_SCHEMA,
    version: summary.version,
    signature: summary.signature,
    mode: summary.mode,
    criterion: summary.criterion,
    success_threshold: summary.successThreshold,
    scale,
    n: summary.n,
    metrics: { s_src: metric(summary.sSrcMetric), s_tgt: metric(summary.sTgtMetric) },
    s_src: statistics(summary.sSrc, scale),
    s_tgt_base: statistics(summary.base, scale),
    s_tgt_attacked: statistics(summary.attacked, scale),
    d_tgt: statistics(summary.dTgt, scale),
    s_tgt: statistics(summary.sTgt, scale),
    pdr: summary.pdr,
    successes: success?.successes ?? null,
    success_rate: success?.rate ?? null,
    success_rate_where_defined: success?.rateWhereDefined ?? null,
    success_rate_interval: interval(success?.interval ?? null, 1),
    undefined: {
      count: undefinedCount,
      reasons: Object.fromEntries(summary.undefinedCounts.map(({ reason, count }) => [reason, count])),
    },
    blank: summary.blank,
    statistics: {
      percentile: summary.percentileMethod,
      percentile_error: summary.percentileError * scale,
      interval: intervals?.method ?? null,
      confidence: intervals?.confidence ?? null,
      resamples: intervals?.resamples ?? null,
      seed: intervals?.seed ?? null,
    },
    threshold_sweep:
      thresholdSweep === null
        ? null
        : {
            thresholds: [...thresholdSweep.thresholds],
            success_rates: [...thresholdSweep.successRates],
            area: thresholdSweep.area,
          },
    inputs: summary.inputs.map(({ role, name, lines, sha256 }) => ({ role, name, lines, sha256 })),
  };
}

function metric(summary: MetricSummary | null): SummaryDocument['metrics']['s_src'] {
  return summary === null ? null : { key: summary.key, name: summary.name, signature: summary.signature };
}

function statistics(all: Statistics | null, scale: number): SummaryDocument['s_src'] {
  if (all === null) return null;
  return {
    mean: all.mean * scale,
    std: all.std === null ? null : all.std * scale,
    p5: all.p5 * scale,
    p95: all.p95 * scale,
    interval: interval(all.interval, scale),
    histogram: [...all.histogram],
  };
}

function interval(bounds: Interval | null, scale: number): { low: number; high: number } | null {
  return bounds === null ? null : { low: bounds.low * scale, high: bounds.high * scale };
}

/** The quantities of a document that have statistics. */
const QUANTITIES = ['s_src', 's_tgt_base', 's_tgt_attacked', 'd_tgt', 's_tgt'] as const;

/**
 * The numbers of a document by name: `s_src.mean`, `success_rate`. The names are the same in every run.
 *
 * @returns Null where a number is undefined in this run.
 */
export function numbersOf(document: SummaryDocument): ReadonlyMap<string, number | null> {
  const numbers = new Map<string, number | null>([
    ['n', document.n],
    ['scale', document.scale],
    ['success_threshold', document.success_threshold],
  ]);
  const setInterval = (name: string, bounds: { low: number; high: number } | null): void => {
    numbers.set(`${name}.low`, bounds?.low ?? null);
    numbers.set(`${name}.high`, bounds?.high ?? null);
  };
  for (const name of QUANTITIES) {
    for (const key of ['mean', 'std', 'p5', 'p95'] as const)
      numbers.set(`${name}.${key}`, document[name]?.[key] ?? null);
    setInterval(`${name}.interval`, document[name]?.interval ?? null);
  }
  for (const name of ['pdr', 'successes', 'success_rate', 'success_rate_where_defined'] as const) {
    numbers.set(name, document[name]);
  }
  setInterval('success_rate_interval', document.success_rate_interval);
  numbers.set('undefined.count', document.undefined.count);
  numbers.set('blank.source', document.blank.source);
  numbers.set('blank.target', document.blank.target);
  numbers.set('threshold_sweep.area', document.threshold_sweep?.area ?? null);
  for (const name of ['percentile_error', 'confidence', 'resamples', 'seed'] as const) {
    numbers.set(`statistics.${name}`, document.statistics[name]);
  }
  return numbers;
}
