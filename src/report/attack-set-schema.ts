import { z } from 'zod';

import { summarySchema } from './summary-schema.js';

const p = z.number().min(0).max(1);

/** The one definition of a document of several attacks: its TypeScript type and `schema/attack-set-2.json` come from it. */
export const attackSetSchema = z.strictObject({
  schema: z.literal('teapot.attack-set/2').describe('Name and version of this schema'),
  attacks: z
    .array(z.strictObject({ name: z.string().describe('Name of the attack'), summary: summarySchema }))
    .describe('One summary an attack, in the order they were given'),
  comparisons: z
    .array(
      z.strictObject({
        first: z.string(),
        second: z.string(),
        means: z
          .array(
            z.strictObject({
              quantity: z.enum(['s_src', 'd_tgt', 's_tgt']),
              difference: z.number().describe('Mean of the first attack - mean of the second one'),
              interval: z.strictObject({ low: z.number(), high: z.number() }).describe('Paired bootstrap'),
              bootstrap_p: p.describe('Two-sided, paired bootstrap'),
              bootstrap_p_holm: p.describe('Corrected over all pairs of attacks'),
              randomization_p: p.describe('Two-sided, approximate randomisation'),
              randomization_p_holm: p.describe('Corrected over all pairs of attacks'),
            }),
          )
          .describe('Empty for more than 1,048,576 segments'),
        success: z
          .strictObject({
            first_only: z.number().int().nonnegative(),
            second_only: z.number().int().nonnegative(),
            mcnemar_p: p.describe("McNemar's exact test, two-sided"),
            mcnemar_p_holm: p.describe('Corrected over all pairs of attacks'),
          })
          .nullable()
          .describe('Null unless both sides were measured'),
      }),
    )
    .describe('Every pair of attacks'),
});

/** Several attacks as JSON: see {@link attackSetSchema}. */
export type AttackSetDocument = z.infer<typeof attackSetSchema>;
