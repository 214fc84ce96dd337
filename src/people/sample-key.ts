import { z } from 'zod';

import { ERROR_CODES, UsageError } from '../errors.js';

/** The scale that raters use: whole numbers with a word for some of them, lowest first. */
export interface RatingScale {
  readonly low: number;
  readonly high: number;
  /** What a number means, for those that have a word. */
  readonly words: Readonly<Record<string, string>>;
}

/** The scales by name. The six points are those of Michel et al. 2019, in words of our own. */
export const RATING_SCALES = {
  '0-5': {
    low: 0,
    high: 5,
    words: {
      0: 'nothing in common',
      1: 'another meaning, some words shared',
      2: 'related, but not the same',
      3: 'the main point is the same, details differ',
      4: 'the same but for small things',
      5: 'exactly the same meaning',
    },
  },
  '1-5': { low: 1, high: 5, words: { 1: 'another meaning', 3: 'partly the same', 5: 'the same meaning' } },
  'yes-no': { low: 0, high: 1, words: { 0: 'no', 1: 'yes' } },
} as const satisfies Readonly<Record<string, RatingScale>>;

/** The name of a scale. */
export type RatingScaleName = keyof typeof RATING_SCALES;

/** The key of a sheet: what stands behind each item. It stays with the one who evaluates. */
export const sampleKeySchema = z.object({
  schema: z.literal('teapot.sample/1'),
  seed: z.number().int().describe('Seed of the draw'),
  scale: z.enum(['0-5', '1-5', 'yes-no']).describe('The scale that raters use'),
  strata: z.array(z.string()).describe('What the sample was divided by'),
  items: z.array(
    z.object({
      item: z.string().describe('As the sheet calls it'),
      kind: z
        .enum(['item', 'repeat', 'control'])
        .describe('A record, the same record once more, or a pair with a known answer'),
      record: z.string().nullable().describe('The id of the record; null for controls'),
      run: z.string().nullable().describe('The run of the record'),
      expected: z.number().nullable().describe('The known answer of a control'),
      margin: z.number().nullable().describe('s_src + d_tgt − T, where the sample was divided by it'),
      stratum: z.string().describe('The values that it was drawn for'),
    }),
  ),
});

/** The key of a sheet. */
export type SampleKey = z.infer<typeof sampleKeySchema>;

/**
 * Reads the text of a key.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` naming the file and what is wrong.
 */
export function parseSampleKey(text: string, file: string): SampleKey {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(ERROR_CODES.FORMAT, `${file}: no JSON, expected the key that "teapot sample" wrote`, {
      cause,
    });
  }
  const checked = sampleKeySchema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new UsageError(
    ERROR_CODES.FORMAT,
    `${file}: $.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a key'}; expected the key that "teapot sample" wrote`,
  );
}
