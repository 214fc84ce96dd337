import { z } from 'zod';

import { PROMPT_TYPES } from '../record/vocabulary.js';

import { ANSWER_RULES } from './answer.js';
import { TASK_METRICS } from './metric.js';

const text = z.string();
const cell = z.union([z.string(), z.number(), z.boolean()]).transform(String);

/** A data set of one's own, or a preset and its file. */
export const datasetSchema = z.strictObject({
  name: text.optional().describe('What records call the data set; default the preset or the name of the file'),
  preset: text.optional().describe('A known data set: its format, labels, metric and prompts'),
  data: z
    .union([text, z.array(text)])
    .optional()
    .describe(
      'The file (.jsonl .csv .tsv .parquet, or as the preset publishes it), from the folder of the configuration',
    ),
  template: text
    .optional()
    .describe(
      'The input: {prompt} or {adv_prompt}, {examples}, {content} and columns; default {prompt}\\n{examples}{content}',
    ),
  content: text.optional().describe('What {content} is, made of columns, for items and examples alike'),
  answer: text.optional().describe('The column of the right answer; default answer'),
  labels: z
    .union([z.array(cell), z.record(z.string(), cell)])
    .optional()
    .describe('The labels as the model writes them; or what stands in the data, and the label for it'),
  extract: z.enum(ANSWER_RULES).optional().describe('How the answer is read; default cls with labels, else span'),
  pattern: text.optional().describe('The regular expression of extract: pattern'),
  metric: z.enum(TASK_METRICS).optional().describe('Default accuracy with labels, else exact_match'),
  protect: z.array(text).optional().describe('Words that no attack may touch, on top of the labels'),
  examples: z
    .array(z.record(z.string(), cell))
    .optional()
    .describe('Examples for few-shot inputs: columns and the answer'),
  first: z.number().int().positive().optional().describe('Only the first N items'),
});

/** The data set part of a configuration. */
export type DatasetConfig = z.infer<typeof datasetSchema>;

/** A prompt of the list: a text, or a text and its type. */
export const promptSchema = z.union([
  text.min(1),
  z.strictObject({
    prompt: text.min(1),
    type: z.enum(PROMPT_TYPES).optional(),
  }),
]);
