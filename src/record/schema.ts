import { z } from 'zod';

import { ERROR_CODES, UsageError } from '../errors.js';
import { jsonPath } from '../read/json-path.js';
import { PROMPT_TYPES, RESULTS } from './vocabulary.js';

/** The major version of the record schema that this teapot reads and writes. */
export const RECORD_MAJOR = 1;

/** What `schema` says in every record that teapot writes. */
export const RECORD_SCHEMA = `teapot.record/${RECORD_MAJOR}` as const;

export { PROMPT_TYPES, RESULTS };

/** One of {@link RESULTS}. */
export type AttackResult = (typeof RESULTS)[number];

/** One of {@link PROMPT_TYPES}. */
export type PromptType = (typeof PROMPT_TYPES)[number];

const text = z.string().nullable().optional();
const count = z.number().int().nonnegative().nullable().optional();
const score = z.number().nullable().optional();
const object = z.record(z.string(), z.unknown());

const columns = z
  .looseObject({
    original: z.record(z.string(), z.string()).describe('Column name to original text'),
    perturbed: z
      .record(z.string(), z.string())
      .nullable()
      .describe('Column name to perturbed text; null where the tool has none'),
  })
  .nullable()
  .optional();

const measured = z
  .looseObject({
    s_src: score.describe('Source side preservation, a fraction'),
    s_tgt_base: score.describe('Score of the original output against the references, a fraction'),
    s_tgt_attacked: score.describe('Score of the attacked output against the references, a fraction'),
    s_tgt: score.describe('Without references: score of the attacked output against the original one, a fraction'),
    d_tgt: score.describe('Relative decrease of the target score, a fraction'),
    success: z.boolean().nullable().optional().describe('Whether the attack is successful by the criterion of the run'),
    pdr: score.describe('Performance drop rate; may be negative'),
    edits: object.nullable().optional().describe('Counts of edits by kind'),
    reasons: z.record(z.string(), z.string()).optional().describe('Field name to the reason why that field is null'),
  })
  .nullable()
  .optional();

const provenance = z
  .looseObject({
    tool: text.describe('The tool that made the record'),
    version: text.describe('Its version, if the file tells it'),
    file: text.describe('The file that the record was read from'),
    line: count.describe('The 1-based line at which the record starts in that file'),
    settings: object.nullable().optional().describe('Settings of the attack'),
    seed: z.union([z.number(), z.string()]).nullable().optional().describe('Seed of the run'),
  })
  .nullable()
  .optional();

/**
 * The one definition of an attack record: one attack on one item. The TypeScript type, the check of every line that is
 * read and the published JSON Schema come from it. Fields that it doesn't know are allowed everywhere and kept.
 */
export const recordSchema = z.looseObject({
  schema: z
    .string()
    .regex(/^teapot\.record\/1(\.\d+)?$/u)
    .describe('Name and version of this schema; a newer minor version only adds fields'),
  id: z.string().describe('Stable within a file'),
  run: text.describe('The run that the record comes from'),
  unit: z
    .enum(['input', 'prompt'])
    .describe('An attacked example, or an attacked prompt that is scored over a data set'),
  attack: text.describe('Grouping key: name of the attack'),
  model: text.describe('Grouping key: the model under attack'),
  dataset: text.describe('Grouping key: the data set'),
  prompt_type: z
    .enum(PROMPT_TYPES)
    .nullable()
    .optional()
    .describe('Grouping key: zero- or few-shot, task- or role-oriented'),
  source_model: text.describe('The model that the attack was made on; equals model if the attack was not transferred'),
  src: text.describe('Original text (the prompt, for unit prompt); null where the tool keeps none'),
  adv_src: text.describe('Perturbed text; null where there is none'),
  out: text.describe('Output for the original text'),
  adv_out: text.describe('Output for the perturbed text'),
  ref: z
    .union([z.string(), z.array(z.string())])
    .nullable()
    .optional()
    .describe('Reference, or several of which the best counts'),
  columns: columns.describe('Named parts of an input with several columns'),
  original_score: score.describe('Score without the attack, as the tool gave it'),
  attacked_score: score.describe('Score under attack, as the tool gave it'),
  metric: text.describe('What the two scores measure'),
  scale: z
    .union([z.literal(1), z.literal(100)])
    .nullable()
    .optional()
    .describe('The value that a perfect score has'),
  result: z.enum(RESULTS).nullable().optional().describe('What the attacking tool said'),
  queries: count.describe('Calls of the victim'),
  elapsed_ms: count.describe('Time that the attack took, in milliseconds'),
  measured: measured.describe('What teapot computed'),
  human: z
    .looseObject({
      rating: z.number().describe('Mean of the ratings, on their scale'),
      meaning: z.number().min(0).max(1).describe('The same as a fraction: the share of the meaning that is kept'),
      scale: z.tuple([z.number(), z.number()]).describe('Lowest and highest rating'),
      ratings: z.number().int().positive().describe('How many raters'),
    })
    .nullable()
    .optional()
    .describe('What people say of the meaning that is kept'),
  provenance: provenance.describe('Where the record comes from'),
  extra: object.nullable().optional().describe('Everything of the source that has no field here'),
});

/** A record as a file may hold it: fields other than `schema`, `id` and `unit` may be missing. */
export type RecordInput = z.input<typeof recordSchema>;

/** Where an attack record comes from. */
export type Provenance = Readonly<NonNullable<z.input<typeof provenance>>>;

/**
 * One attack on one item, all fields present: what a file leaves out is null (`extra` is `{}`).
 *
 * Fields that the schema doesn't know are kept.
 */
export type AttackRecord = {
  -readonly [Field in Exclude<KnownField, 'provenance' | 'extra' | 'human'>]-?: Exclude<RecordInput[Field], undefined>;
} & {
  provenance: Provenance | null;
  extra: Record<string, unknown>;
  human?: RecordInput['human'];
  [field: string]: unknown;
};

type Known<T> = { [Key in keyof T as string extends Key ? never : Key]: T[Key] };
type KnownField = keyof Known<RecordInput>;

/**
 * The grouping keys that a user may name for a file that doesn't say them: the options of an import have these names.
 */
export const NAMED_KEYS = ['run', 'attack', 'model', 'dataset', 'prompt_type'] as const satisfies readonly KnownField[];

/** Values of {@link NAMED_KEYS}. */
export type NamedKeys = Readonly<Partial<Pick<AttackRecord, (typeof NAMED_KEYS)[number]>>>;

/** The fields of {@link AttackRecord} in the order in which they are written. */
export const RECORD_FIELDS = (Object.keys(recordSchema.shape) as readonly KnownField[]).filter(
  // Stands only in the records that people rated.
  (field) => field !== 'human',
);

/** The nullable fields, with the value that stands for "not there". */
const ABSENT: readonly (readonly [string, null])[] = RECORD_FIELDS.filter(
  (field) => !['schema', 'id', 'unit', 'extra'].includes(field),
).map((field) => [field, null]);

/**
 * Makes a record: `schema` is filled in, fields that are left out are null, `extra` is `{}`.
 *
 * @param fields At least `id` and `unit`.
 * @returns The record with its fields in the order of the schema, unknown ones last.
 */
export function makeRecord(fields: Partial<AttackRecord> & Pick<AttackRecord, 'id' | 'unit'>): AttackRecord {
  const record: Record<string, unknown> = {};
  for (const field of RECORD_FIELDS) record[field] = fields[field] ?? null;
  record['schema'] = fields['schema'] ?? RECORD_SCHEMA;
  record['extra'] = fields['extra'] ?? {};
  // The spread defines a key `__proto__` as an own property, where an assignment would change the prototype.
  return { ...record, ...fields, schema: record['schema'], extra: record['extra'] } as AttackRecord;
}

/** Whether a record has a reference: an empty list is none. */
export function hasReference({ ref }: Pick<AttackRecord, 'ref'>): boolean {
  return ref !== null && (typeof ref === 'string' || ref.length > 0);
}

/** Why a value is no record. */
export interface RecordProblem {
  /** JSON path, for example `$.measured.s_src`. */
  readonly path: string;
  /** What was found, what was expected, what to do. */
  readonly message: string;
}

/**
 * Checks one parsed value and completes it to an {@link AttackRecord}; unknown fields stay, in place.
 *
 * @param value What `JSON.parse` gave.
 * @returns The record (the same object, with null for the fields it lacked), or what is wrong with it.
 */
export function checkRecord(value: unknown): { readonly record: AttackRecord } | { readonly problem: RecordProblem } {
  const newer = newerSchema(value);
  if (newer !== undefined) return { problem: newer };
  const checked = recordSchema.safeParse(value);
  if (!checked.success) return { problem: describe(checked.error) };
  // zod's copy would lose a key `__proto__` and the order of the fields: the value itself is completed instead.
  const record = value as Record<string, unknown>;
  for (const [field, absent] of ABSENT) record[field] ??= absent;
  record['extra'] ??= {};
  return { record: record as AttackRecord };
}

/**
 * The JSON Schema (draft 2020-12) of a record, as published in `schema/record-1.json`.
 *
 * @returns A plain object, the same on every call.
 */
export function recordJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(recordSchema, { io: 'input', target: 'draft-2020-12' });
  return {
    $schema,
    $id: 'urn:teapot:record:1',
    title: RECORD_SCHEMA,
    description: 'One attack on one item. Fields that are not listed are allowed and kept.',
    ...schema,
  };
}

function newerSchema(value: unknown): RecordProblem | undefined {
  const name = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)['schema'] : undefined;
  const major = typeof name === 'string' ? /^teapot\.record\/(\d+)(?:\.\d+)?$/u.exec(name)?.[1] : undefined;
  if (major === undefined || Number(major) <= RECORD_MAJOR) return undefined;
  return {
    path: '$.schema',
    message: `schema ${JSON.stringify(name)} is newer than this teapot, which reads ${RECORD_SCHEMA}: update teapot`,
  };
}

function describe(error: z.core.$ZodError): RecordProblem {
  const issue = error.issues[0];
  if (issue === undefined) return { path: '$', message: 'not a record' };
  return { path: jsonPath(issue.path), message: issue.message };
}

/**
 * Makes the error of a bad record: file, line, JSON path, what is wrong.
 *
 * @param line 1-based.
 * @returns An error with code `ERR_TEAPOT_FORMAT`, to be thrown or collected.
 */
export function recordError(file: string, line: number, problem: RecordProblem): UsageError {
  return new UsageError(ERROR_CODES.FORMAT, `${file}:${line}: ${problem.path}: ${problem.message}`);
}
