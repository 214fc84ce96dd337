import { z } from 'zod';

const interval = z
  .strictObject({ low: z.number(), high: z.number() })
  .nullable()
  .describe('Interval of the mean; null unless it was asked for');

const metric = z
  .strictObject({
    key: z.string().describe('Its key on the command line'),
    name: z.string().describe('Its name in headings'),
    signature: z.string().describe('Everything that can change a score'),
  })
  .nullable();

const statistics = z.strictObject({
  n: z.number().int().nonnegative().describe('Segments that have it'),
  mean: z.number(),
  std: z.number().nonnegative().nullable().describe('Sample standard deviation (N - 1); null for one segment'),
  p5: z.number().describe('5 % percentile'),
  p95: z.number().describe('95 % percentile'),
  interval,
  histogram: z.array(z.number().int().nonnegative()).describe('Scores in each twentieth of [0, 1]'),
});

const corpusScore = z.number().min(0).max(1).optional();
const rate = z.number().min(0).max(1).nullable();
const count = z.number().int().nonnegative();

/** The one definition of a summary document: its TypeScript type and `schema/summary-2.json` come from it. */
export const summarySchema = z.strictObject({
  schema: z.literal('teapot.summary/2').describe('Name and version of this schema'),
  version: z.string().describe('Version of teapot'),
  signature: z.string().describe('Everything that can change the numbers, in one line'),
  mode: z
    .enum(['source', 'target', 'both', 'none'])
    .describe('Which sides were measured; none only for records that have no pair of texts'),
  criterion: z
    .enum(['relative_decrease', 'reference_less', 'mixed'])
    .nullable()
    .describe(
      's_src + d_tgt > T, or s_src > T * s_tgt, or each where there are references; null when the target side was not measured',
    ),
  success_threshold: z.number().describe('T'),
  n: count.describe('Number of segments'),
  metrics: z.strictObject({ s_src: metric, s_tgt: metric }),
  s_src: statistics.nullable().describe('Score of the attacked input against the original one'),
  s_tgt_base: statistics.nullable().describe('Score of the output for the original input against the references'),
  s_tgt_attacked: statistics.nullable().describe('Score of the output for the attacked input against the references'),
  d_tgt: statistics.nullable().describe('Relative decrease from s_tgt_base to s_tgt_attacked, 0 when it rose'),
  s_tgt: statistics.nullable().describe('Without references: score of the attacked output against the original one'),
  corpus_level: z
    .strictObject({
      s_src: corpusScore,
      s_tgt_base: corpusScore,
      s_tgt_attacked: corpusScore,
      d_tgt: corpusScore.describe('Relative decrease from s_tgt_base to s_tgt_attacked, 0 when it rose'),
      s_tgt: corpusScore,
      s_src_signature: z.string().optional(),
      s_tgt_signature: z.string().optional(),
    })
    .optional()
    .describe(
      'Scores of the whole corpus, as sacreBLEU has them (for TER 1 - min(1, TER)): only when asked for, and of metrics with a corpus level',
    ),
  micro_pdr: z.number().nullable().describe('1 - sum of s_tgt_attacked / sum of s_tgt_base; null when that sum is 0'),
  successes: count.nullable().describe('Successful segments'),
  success_rate: rate.describe('Successful / all segments; null unless both sides were measured'),
  success_rate_where_defined: rate.describe('Successful / segments with a defined criterion; null when there is none'),
  success_rate_interval: interval,
  undefined: z
    .strictObject({ count, reasons: z.record(z.string(), count) })
    .describe('Segments without a defined criterion, by reason'),
  blank: z.strictObject({ source: count, target: count }).describe('Segments with a blank text on a side'),
  statistics: z.strictObject({
    percentile: z.enum(['teapot', 'linear']).describe('sorted[int(N * p)], or linear interpolation'),
    percentile_error: z.number().nonnegative().describe('How far percentiles may be off; 0 below 524,289 segments'),
    interval: z.enum(['bootstrap', 'normal']).nullable().describe('How intervals were taken; null when there are none'),
    confidence: z.number().nullable().describe('Of the intervals'),
    resamples: count.nullable().describe('Of the bootstrap'),
    seed: z.number().int().nullable().describe('Of the bootstrap'),
  }),
  threshold_sweep: z
    .strictObject({
      thresholds: z.array(z.number()),
      success_rates: z.array(z.number()),
      area: z.number().describe('Area under the success rate, trapezoid rule'),
    })
    .nullable(),
  inputs: z
    .array(
      z.strictObject({
        role: z.enum(['src', 'adv_src', 'out', 'adv_out', 'ref', 'data']),
        name: z.string(),
        lines: count,
        sha256: z.string().describe("Of the file's own bytes, in hexadecimal"),
      }),
    )
    .describe('The files that were read'),
});

/** A summary as JSON: see {@link summarySchema}. */
export type SummaryDocument = z.infer<typeof summarySchema>;
