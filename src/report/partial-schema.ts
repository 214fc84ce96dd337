import { z } from 'zod';

import { summarySchema } from './summary-schema.js';

const count = z.number().int().nonnegative();
const counts = z.record(z.string(), count);
const integer = z.string().regex(/^-?\d+$/u);
const { metrics, inputs } = summarySchema.shape;
const input = inputs.element.extend({
  loneCarriageReturns: count.describe('Carriage returns inside lines'),
  controlCharacters: count.optional().describe('U+0080 to U+009F of a file that is read as latin-1'),
  tokenizedLines: count.describe('Texts that end in a space and a full stop'),
  blankLines: count.optional().describe('Lines of a file that hold white space alone, or nothing'),
  missing: z
    .strictObject({ count, rows: z.array(count) })
    .optional()
    .describe('Rows in which a text is missing'),
  repeatedHeaders: z.array(count).optional().describe('Lines of rows that repeat the header'),
});
const metric = metrics.shape.s_src;
const sums = z.array(z.number());

const quantity = z.strictObject({
  moments: z.strictObject({
    count,
    fineSum: integer.describe('Sum of round(score * 2^52), in decimal'),
    coarseSum: integer.describe('Sum of round(score * 10^12), in decimal'),
    coarseSquares: integer.describe('Sum of round(score * 10^12)^2, in decimal'),
  }),
  order: z.union([
    z.strictObject({ values: sums.describe('A score and how often it occurs, in turn; scores rise') }),
    z.strictObject({
      bins: count.describe('Equal parts of [0, 1]'),
      counts: z.array(count).describe('Bin and count, in turn, of those that are not empty; bins rise'),
      zeros: count,
      ones: count,
    }),
  ]),
});

const summary = z.strictObject({
  segments: count,
  judged: count,
  successes: count,
  successesWhereDefined: count,
  blank: z.strictObject({ source: count, target: count }),
  undefined: counts.describe('Segments without a defined criterion, by reason'),
  missing: counts.describe('Segments that lack a text or score, by reason'),
  sweep: z.array(count).nullable(),
  corpus: z
    .strictObject({ s_src: sums, s_tgt_base: sums, s_tgt_attacked: sums, s_tgt: sums })
    .describe('Summed counts of the corpus level; empty unless it was asked for'),
  quantities: z.strictObject({ sSrc: quantity, base: quantity, attacked: quantity, dTgt: quantity, sTgt: quantity }),
});

/** The partial result of one part of a run, as `teapot score --shard` writes it and `teapot merge` reads it. */
export const partialSchema = z.strictObject({
  schema: z.literal('teapot.partial/1').describe('Name and version of this schema'),
  settings: z
    .strictObject({
      version: z.string().describe('Version of teapot'),
      s_src: metric,
      s_tgt: metric,
      success_threshold: z.number(),
      percentile: z.enum(['teapot', 'linear']),
      threshold_sweep: z.array(z.number()).nullable(),
      by: z.array(z.string()).describe('What the groups differ by'),
      text_rules: z.array(z.string()),
      corpus_level: z.looseObject({}).nullable(),
    })
    .describe('Everything that can change the numbers: equal in all parts'),
  shard: z.strictObject({ index: z.number().int().positive(), count: z.number().int().positive() }),
  inputs: z.array(input).describe('The whole input, of which every part reads all'),
  references: z.array(count).describe('The different numbers of references of segments'),
  state: z.strictObject({
    hasClaims: z.boolean(),
    groups: z.array(
      z.strictObject({
        values: z.array(z.string().nullable()).describe('Of the grouping keys'),
        first: count.describe('Position of its first segment'),
        summary,
        claims: z.looseObject({}).describe('Counts of what the tool that made the records said'),
      }),
    ),
  }),
  sha256: z.string().describe('Of all keys but schema and this one, in hexadecimal'),
});
