import type { CorpusLevel, MetricSummary, Statistics, Summary } from '../measure/summary.js';
import { formatFixed, formatPercent } from '../number-format.js';
import { valueText } from './columns.js';
import type { Column, JsonColumn, TextStyle, ValueColumn } from './columns.js';

/** The quantities of a summary that have statistics, by the names that they have everywhere. */
export const QUANTITIES = [
  ['s_src', ({ sSrc }: Summary) => sSrc],
  ['s_tgt_base', ({ base }: Summary) => base],
  ['s_tgt_attacked', ({ attacked }: Summary) => attacked],
  ['d_tgt', ({ dTgt }: Summary) => dTgt],
  ['s_tgt', ({ sTgt }: Summary) => sTgt],
] as const satisfies readonly (readonly [name: string, of: (summary: Summary) => Statistics | null])[];

/** The name of one of {@link QUANTITIES}. */
export type QuantityName = (typeof QUANTITIES)[number][0];

/** `low–high`, as people read an interval; before a minus the dash would be hard to read. */
export function rangeText([low, high]: readonly [string, string]): string {
  return high.startsWith('-') ? `${low} to ${high}` : `${low}–${high}`;
}

function quantityColumns(name: QuantityName, of: (summary: Summary) => Statistics | null): readonly Column<Summary>[] {
  const number = (
    part: string,
    describe: string,
    value: (statistics: Statistics) => number | null,
    more: Partial<ValueColumn<Summary>> = {},
  ): ValueColumn<Summary> => ({
    name: `${name}.${part}`,
    kind: 'score',
    describe,
    value: (summary) => mapped(of(summary), value),
    ...more,
  });
  return [
    number('n', 'Segments that have it', ({ n }) => n, { kind: 'count' }),
    number('mean', 'Mean', ({ mean }) => mean),
    number('std', 'Sample standard deviation (N - 1); null for one segment', ({ std }) => std),
    number('p5', '5 % percentile', ({ p5 }) => p5),
    number('p95', '95 % percentile', ({ p95 }) => p95),
    number('interval.low', 'Interval of the mean', ({ interval }) => interval?.low ?? null),
    number('interval.high', 'Interval of the mean', ({ interval }) => interval?.high ?? null),
    {
      name: `${name}.histogram`,
      kind: 'json',
      value: (summary) => mapped(of(summary), ({ histogram }) => [...histogram]),
      schema: (zod) => zod.array(zod.number().int().nonnegative()).describe('Scores in each twentieth of [0, 1]'),
    } satisfies JsonColumn<Summary>,
  ];
}

/** The scores of the corpus level, by the names that they have everywhere. */
export const CORPUS_LEVEL = [
  ['s_src', 'Score of the attacked inputs against the original ones', ({ sSrc }: CorpusLevel) => sSrc],
  ['s_tgt_base', 'Score of the original outputs against the references', ({ base }: CorpusLevel) => base],
  ['s_tgt_attacked', 'Score of the attacked outputs against the references', ({ attacked }: CorpusLevel) => attacked],
  ['d_tgt', 'Relative decrease from s_tgt_base to s_tgt_attacked, 0 when it rose', ({ dTgt }: CorpusLevel) => dTgt],
  [
    's_tgt',
    'Without references: score of the attacked outputs against the original ones',
    ({ sTgt }: CorpusLevel) => sTgt,
  ],
] as const satisfies readonly (readonly [QuantityName, string, (corpus: CorpusLevel) => number | null])[];

/** What a summary says, under the names of JSON, CSV and gates. */
export const SUMMARY_COLUMNS: readonly Column<Summary>[] = [
  { name: 'version', kind: 'text', describe: 'Version of teapot', value: ({ version }) => version },
  {
    name: 'signature',
    kind: 'text',
    describe: 'Everything that can change the numbers, in one line',
    value: ({ signature }) => signature,
  },
  { name: 'mode', kind: 'text', describe: 'Which sides were measured', value: ({ mode }) => mode },
  {
    name: 'criterion',
    kind: 'text',
    describe: 's_src + d_tgt > T, or s_src > T * s_tgt; null when the target side was not measured',
    value: ({ criterion }) => criterion,
  },
  {
    name: 'success_threshold',
    kind: 'number',
    describe: 'T',
    value: ({ successThreshold }) => successThreshold,
  },
  { name: 'n', kind: 'count', describe: 'Number of segments', value: ({ n }) => n },
  {
    name: 'metrics',
    kind: 'json',
    value: ({ sSrcMetric, sTgtMetric }) => ({ s_src: metric(sSrcMetric), s_tgt: metric(sTgtMetric) }),
    schema: (zod) => zod.unknown(),
  },
  ...QUANTITIES.flatMap(([name, of]) => quantityColumns(name, of)),
  ...CORPUS_LEVEL.map(([name, describe, value]): ValueColumn<Summary> => ({
    name: `corpus_level.${name}`,
    kind: 'score',
    optional: true,
    describe: `${describe}, of the whole corpus: counts of all segments are added up; null unless asked for`,
    value: ({ corpusLevel }) => mapped(corpusLevel, value),
  })),
  {
    name: 'corpus_level.s_src_signature',
    kind: 'text',
    optional: true,
    describe: 'Signature of the metric of s_src at the corpus level',
    value: ({ corpusLevel }) => corpusLevel?.sSrcSignature ?? null,
  },
  {
    name: 'corpus_level.s_tgt_signature',
    kind: 'text',
    optional: true,
    describe: 'Signature of the metric of the target side at the corpus level',
    value: ({ corpusLevel }) => corpusLevel?.sTgtSignature ?? null,
  },
  {
    name: 'micro_pdr',
    kind: 'number',
    describe: '1 - sum of s_tgt_attacked / sum of s_tgt_base; null when that sum is 0',
    value: ({ pdr }) => pdr,
    text: ({ pdr }) => mapped(pdr, formatPercent),
  },
  {
    name: 'successes',
    kind: 'count',
    describe: 'Successful segments',
    value: ({ success }) => success?.successes ?? null,
  },
  {
    name: 'success_rate',
    kind: 'rate',
    describe: 'Successful / all segments; null unless both sides were measured',
    value: ({ success }) => success?.rate ?? null,
  },
  {
    name: 'success_rate_where_defined',
    kind: 'rate',
    describe: 'Successful / segments with a defined criterion; null when there is none',
    value: ({ success }) => success?.rateWhereDefined ?? null,
  },
  {
    name: 'success_rate_interval.low',
    kind: 'rate',
    describe: "Wilson's interval of success_rate",
    value: ({ success }) => success?.interval?.low ?? null,
  },
  {
    name: 'success_rate_interval.high',
    kind: 'rate',
    describe: "Wilson's interval of success_rate",
    value: ({ success }) => success?.interval?.high ?? null,
  },
  {
    name: 'undefined.count',
    kind: 'count',
    describe: 'Segments without a defined criterion',
    value: ({ undefinedCounts }) => undefinedCounts.reduce((sum, { count }) => sum + count, 0),
  },
  {
    name: 'undefined.reasons',
    kind: 'json',
    value: ({ undefinedCounts }) => Object.fromEntries(undefinedCounts.map(({ reason, count }) => [reason, count])),
    schema: (zod) => zod.record(zod.string(), zod.number().int().nonnegative()).describe('How many, by reason'),
  },
  {
    name: 'blank.source',
    kind: 'count',
    describe: 'Segments with a blank text on the source side',
    value: ({ blank }) => blank.source,
  },
  {
    name: 'blank.target',
    kind: 'count',
    describe: 'Segments with a blank text on the target side',
    value: ({ blank }) => blank.target,
  },
  {
    name: 'statistics.percentile',
    kind: 'text',
    describe: 'teapot is sorted[int(N * p)]; or linear interpolation',
    value: ({ percentileMethod }) => percentileMethod,
  },
  {
    name: 'statistics.percentile_error',
    kind: 'number',
    describe: 'How far percentiles may be off; 0 below 524,289 segments',
    value: ({ percentileError }) => percentileError,
  },
  {
    name: 'statistics.interval',
    kind: 'text',
    describe: 'How intervals of means were taken; null when there are none',
    value: ({ intervals }) => intervals?.method ?? null,
  },
  {
    name: 'statistics.confidence',
    kind: 'number',
    describe: 'Of the intervals',
    value: ({ intervals }) => intervals?.confidence ?? null,
  },
  {
    name: 'statistics.resamples',
    kind: 'count',
    describe: 'Of the bootstrap',
    value: ({ intervals }) => intervals?.resamples ?? null,
  },
  {
    name: 'statistics.seed',
    kind: 'count',
    describe: 'Of the bootstrap',
    value: ({ intervals }) => intervals?.seed ?? null,
  },
  {
    name: 'threshold_sweep.thresholds',
    kind: 'json',
    value: ({ thresholdSweep }) => mapped(thresholdSweep, ({ thresholds }) => [...thresholds]),
    schema: (zod) => zod.array(zod.number()),
  },
  {
    name: 'threshold_sweep.success_rates',
    kind: 'json',
    value: ({ thresholdSweep }) => mapped(thresholdSweep, ({ successRates }) => [...successRates]),
    schema: (zod) => zod.array(zod.number()),
  },
  {
    name: 'threshold_sweep.area',
    kind: 'number',
    describe: 'Area under the success rate, trapezoid rule',
    value: ({ thresholdSweep }) => thresholdSweep?.area ?? null,
  },
  {
    name: 'inputs',
    kind: 'json',
    value: ({ inputs }) => inputs.map(({ role, name, lines, sha256 }) => ({ role, name, lines, sha256 })),
    schema: (zod) => zod.unknown(),
  },
];

/** The columns that CSV has besides the numbers: the metrics by their keys. */
export const METRIC_COLUMNS: readonly ValueColumn<Summary>[] = [
  {
    name: 'metrics.s_src.key',
    kind: 'text',
    describe: 'Metric of the source side',
    value: ({ sSrcMetric }) => sSrcMetric?.key ?? null,
  },
  {
    name: 'metrics.s_tgt.key',
    kind: 'text',
    describe: 'Metric of the target side',
    value: ({ sTgtMetric }) => sTgtMetric?.key ?? null,
  },
];

/** The statistics of one quantity as people read them, each under a heading of its own. */
export function statisticsView(
  name: QuantityName,
  heading: string,
  parts: readonly ('mean' | 'std' | 'range' | 'interval')[],
): readonly ValueColumn<Summary>[] {
  const of = QUANTITIES.find(([known]) => known === name)?.[1] ?? (() => null);
  const show = (value: number | null, style: TextStyle): string => valueText(value, 'score', style) ?? '-';
  const view = {
    mean: [`${heading} mean`, (all: Statistics, style: TextStyle) => show(all.mean, style)],
    std: [`${heading} std`, (all: Statistics, style: TextStyle) => valueText(all.std, 'score', style)],
    range: [
      `${heading} 5%-95%`,
      (all: Statistics, style: TextStyle) => rangeText([show(all.p5, style), show(all.p95, style)]),
    ],
    interval: [
      `${heading} interval`,
      ({ interval }: Statistics, style: TextStyle) =>
        interval === null ? null : rangeText([show(interval.low, style), show(interval.high, style)]),
    ],
  } as const;
  return parts.map((part): ValueColumn<Summary> => {
    const [label, text] = view[part];
    return {
      name: `${name}.${part}`,
      kind: 'score',
      describe: label,
      heading: label,
      value: (summary) => (part === 'mean' ? (of(summary)?.mean ?? null) : null),
      text: (summary, style) => mapped(of(summary), (all) => text(all, style)),
    };
  });
}

/** The interval of the success rate as people read it. */
export function successIntervalText({ success }: Summary): string | null {
  const bounds = success?.interval ?? null;
  return bounds === null ? null : rangeText([formatPercent(bounds.low), formatPercent(bounds.high)]);
}

/** A score as a reader sees it, three decimals. */
export function scoreText(value: number, { scale }: TextStyle): string {
  return formatFixed(value * scale, 3);
}

function metric(summary: MetricSummary | null): unknown {
  return summary === null ? null : { key: summary.key, name: summary.name, signature: summary.signature };
}

function mapped<T, R>(value: T | null, map: (value: T) => R): R | null {
  return value === null ? null : map(value);
}
