import { z } from 'zod';

import { recordJsonSchema, recordSchema } from '../record/schema.js';
import { EDIT_KINDS } from '../record/text-edits.js';
import { attackSetSchema } from '../report/attack-set-schema.js';
import { looseSchemaOf, schemaOf } from '../report/column-schema.js';
import { partialSchema } from '../report/partial-schema.js';
import { CLAIM_COLUMNS } from '../report/result-columns.js';
import { summarySchema } from '../report/summary-schema.js';
import { attackConfigJsonSchema } from '../task/attack-config.js';
import { ESTIMATE_COLUMNS, INPUT_ATTACK_COLUMNS, MATRIX_COLUMNS, PROMPT_ATTACK_COLUMNS } from './attack/report.js';
import { COMPARISON_COLUMNS } from './compare/columns.js';
import { EDIT_NUMBERS } from './edits/run.js';
import { pdrColumns, PROMPTBENCH_COLUMNS } from './pdr/columns.js';
import { AGREEMENT_COLUMNS, RATER_COLUMNS } from './people/run-agree.js';
import { COMPARISON_COLUMNS as METRIC_TESTS, VALIDITY_COLUMNS } from './people/run-validate.js';
import { sampleKeySchema } from '../people/sample-key.js';

/** A document of a command. */
interface DocumentSchema {
  /** What prints it. */
  readonly from: string;
  readonly schema: z.ZodType;
}

const count = z.number().int().nonnegative();
const version = z.string().describe('Version of teapot');
const signature = z.string().describe('Everything that can change the numbers, in one line');
const fraction = z.number().min(0).max(1);
const inputs = z
  .array(
    z.strictObject({
      name: z.string(),
      records: count,
      skipped: count.describe('Lines that were no records'),
      sha256: z.string().describe("Of the file's own bytes, in hexadecimal"),
    }),
  )
  .describe('The files that were read');
/** Records, or line-aligned files. */
const sources = z.array(z.looseObject({ name: z.string(), sha256: z.string() })).describe('The files that were read');
const bootstrap = { confidence: z.number(), resamples: count, seed: count };
const pdrSettings = z.strictObject({ std: z.literal('population'), trim: z.number(), ...bootstrap });
const texts = z.string().nullable();
const references = z.union([z.string(), z.array(z.string())]).nullable();

const groupRow = z.strictObject({
  summary: summarySchema,
  claims: schemaOf(CLAIM_COLUMNS).nullable().describe('What the tool that made the records said; null without records'),
});

const edit = z.strictObject({
  kind: z.enum(EDIT_KINDS),
  original_position_code_points: count,
  edited_position_code_points: count,
  original: z.string(),
  edited: z.string(),
  code_points: z.string().optional(),
});

const comparedItem = z.strictObject({
  key: z.array(texts),
  change: z.enum(['fixed', 'broken', 'unchanged', 'undefined']),
  a: z.looseObject({ id: z.string(), success: z.boolean().nullable() }),
  b: z.looseObject({ id: z.string(), success: z.boolean().nullable() }),
});

const finding = z.strictObject({
  rule: z.string(),
  record: z.string().describe('Id of the record'),
  file: texts,
  line: count.nullable(),
  message: z.string(),
});

const pdrCells = z.array(looseSchemaOf(pdrColumns([]))).describe('One a group, with the values of its keys');

/** Every document that a command prints, by the name in its key `schema`. */
export const DOCUMENT_SCHEMAS: Readonly<Record<string, DocumentSchema>> = {
  'teapot.summary/2': { from: 'teapot score, for one attack on files or a table', schema: summarySchema },
  'teapot.attack-set/2': { from: 'teapot score, for several attacks at once', schema: attackSetSchema },
  'teapot.result/1': {
    from: 'teapot score, for attack records, groups and several metrics',
    schema: document('teapot.result/1', {
      by: z.array(z.string()).describe('What the groups differ by'),
      groups: z.array(groupRow.extend({ group: z.record(z.string(), texts) })),
      all: groupRow.nullable().describe('All segments together; null under several metrics'),
      totals: z
        .array(groupRow.extend({ group: z.record(z.string(), texts) }))
        .optional()
        .describe('Groups under several metrics: all segments together, one row a pair of metrics'),
      comparisons: attackSetSchema.shape.comparisons.optional().describe('Several attacks under several metrics'),
    }),
  },
  'teapot.partial/1': { from: 'teapot score --shard', schema: partialSchema },
  'teapot.pdr/2': {
    from: 'teapot pdr',
    schema: document('teapot.pdr/2', {
      by: z.array(z.string()),
      cells: pdrCells,
      all: schemaOf(pdrColumns([])),
      left_out: z.strictObject({ clean: count, candidates: count }),
      settings: pdrSettings,
      version,
      inputs,
      signature,
    }),
  },
  'teapot.transfer/2': {
    from: 'teapot transfer',
    schema: document('teapot.transfer/2', {
      cells: pdrCells,
      all: schemaOf(pdrColumns([])),
      settings: pdrSettings,
      version,
      inputs,
      signature,
    }),
  },
  'teapot.pdr-promptbench/2': {
    from: 'teapot pdr --table promptbench',
    schema: document('teapot.pdr-promptbench/2', {
      tables: z.array(
        z.strictObject({
          table: z.string(),
          title: z.string(),
          row_key: z.string(),
          rows: z.array(z.string()),
          columns: z.array(z.string()),
        }),
      ),
      cells: z.array(schemaOf(PROMPTBENCH_COLUMNS)),
      settings: pdrSettings,
      version,
      inputs,
      signature,
    }),
  },
  'teapot.compare/2': {
    from: 'teapot compare',
    schema: document('teapot.compare/2', {
      ...schemaOf(COMPARISON_COLUMNS).shape,
      examples: z.strictObject({ broken: z.array(comparedItem), fixed: z.array(comparedItem) }),
      settings: z.strictObject({
        key: z.array(z.string()),
        success: z.enum(['teapot', 'tool']),
        s_src: z.string(),
        s_tgt: z.string(),
        success_threshold: z.number(),
        ...bootstrap,
      }),
      version,
      inputs,
    }),
  },
  'teapot.edits/2': {
    from: 'teapot edits',
    schema: document('teapot.edits/2', {
      by: z.array(z.string()),
      groups: z.array(looseSchemaOf(EDIT_NUMBERS)),
      all: schemaOf(EDIT_NUMBERS),
      settings: z.strictObject({ s_src: z.string() }),
      version,
      inputs: sources,
    }),
  },
  'teapot.audit/1': {
    from: 'teapot audit',
    schema: document('teapot.audit/1', {
      records: count,
      errors: count,
      warnings: count,
      notes: count,
      findings: count,
      rules: z.array(
        z.strictObject({
          id: z.string(),
          severity: z.enum(['error', 'warning', 'note']),
          description: z.string(),
          count,
          examples: z.array(finding),
        }),
      ),
      version,
      inputs: sources,
    }),
  },
  'teapot.explain/1': {
    from: 'teapot explain',
    schema: document('teapot.explain/1', {
      id: z.string(),
      run: texts,
      attack: texts,
      model: texts,
      dataset: texts,
      provenance: z.looseObject({}).nullable(),
      src: texts,
      adv_src: texts,
      out: texts,
      adv_out: texts,
      ref: references,
      tool: z.looseObject({ result: texts }),
      measured: z.looseObject({}).describe('As in the key measured of a record'),
      s_src_folded: fraction.nullable(),
      success_threshold: z.number(),
      verdict: z.array(z.string()),
      edits: z.array(edit),
      diff: z.array(z.strictObject({ kind: z.string(), original: z.string(), edited: z.string() })),
      ngrams: z.array(z.strictObject({ pair: z.string(), overlaps: z.array(z.looseObject({})) })),
      signatures: z.strictObject({ s_src: z.string(), s_tgt: z.string() }),
      version,
    }),
  },
  'teapot.importance/1': {
    from: 'teapot importance',
    schema: document('teapot.importance/1', {
      model: z.string(),
      unused_scores: count.optional(),
      items: z.array(
        z.union([
          z.strictObject({ text: z.string(), error: z.string() }),
          z.strictObject({
            text: z.string(),
            output: texts,
            score: z.number(),
            words: z.array(
              z.strictObject({
                position: count,
                word: z.string(),
                start: count.describe('Index of its first code point'),
                end: count,
                importance: z.number().min(-1).max(1).nullable(),
              }),
            ),
          }),
        ]),
      ),
    }),
  },
  'teapot.importance-estimate/1': {
    from: 'teapot importance --dry-run',
    schema: document('teapot.importance-estimate/1', { texts: count, queries: count, calls: count }),
  },
  'teapot.attack-summary/2': {
    from: 'teapot attack, on inputs',
    schema: document('teapot.attack-summary/2', schemaOf(INPUT_ATTACK_COLUMNS).shape),
  },
  'teapot.prompt-attack-summary/1': {
    from: 'teapot attack, on prompts',
    schema: document('teapot.prompt-attack-summary/1', {
      attack: z.string(),
      model: z.string(),
      dataset: z.string(),
      items: count,
      metric: z.string(),
      seed: count,
      ranking: z.array(
        z.strictObject({ rank: count, prompt: z.string(), prompt_type: texts, score: fraction, unparsed: count }),
      ),
      attacks: z.array(schemaOf(PROMPT_ATTACK_COLUMNS)),
      victim_calls: count,
      victim_cached: count,
      non_answers: z.record(z.string(), count),
      requests: count,
      retries: count,
      rate_limited: count,
      tokens: z.strictObject({ prompt: count, completion: count }),
    }),
  },
  'teapot.attack-estimate/1': {
    from: 'teapot attack --dry-run',
    schema: z.union([
      document('teapot.attack-estimate/1', {
        items: count,
        prompts: count,
        passes: count,
        calls: count,
        input_tokens: count,
        output_tokens: count,
      }),
      document('teapot.attack-estimate/1', {
        inputs: count,
        queries: count.nullable().describe('At most; null without a query budget'),
      }),
    ]),
  },
  'teapot.attack-matrix/1': {
    from: 'teapot attack, on several victims or with several attacks',
    schema: document('teapot.attack-matrix/1', {
      unit: z.enum(['input', 'prompt']),
      pairs: z.array(schemaOf(MATRIX_COLUMNS)),
      version,
    }),
  },
  'teapot.attack-matrix-estimate/1': {
    from: 'teapot attack --dry-run, on several victims or with several attacks',
    schema: document('teapot.attack-matrix-estimate/1', { pairs: z.array(schemaOf(ESTIMATE_COLUMNS)) }),
  },
  'teapot.prompt-transfer/1': {
    from: 'teapot attack --transfer',
    schema: document('teapot.prompt-transfer/1', { records: z.array(recordSchema) }),
  },
  'teapot.agreement/1': {
    from: 'teapot agree',
    schema: document('teapot.agreement/1', {
      items: count,
      raters: count,
      ratings: count,
      open: count.describe('Items without a rating'),
      agreement: z.array(schemaOf(AGREEMENT_COLUMNS)),
      by_rater: z.array(schemaOf(RATER_COLUMNS)),
      settings: z.strictObject(bootstrap),
      version,
    }),
  },
  'teapot.validity/1': {
    from: 'teapot validate',
    schema: document('teapot.validity/1', {
      metrics: z.array(looseSchemaOf(VALIDITY_COLUMNS)),
      comparisons: z.array(schemaOf(METRIC_TESTS)),
      verdict: z.array(z.string()),
      settings: z.strictObject({
        ratings: z.array(z.string()),
        kept_from: z.number().nullable(),
        ...bootstrap,
        permutations: count,
      }),
      version,
    }),
  },
  'teapot.sample/1': { from: 'teapot sample, as the key of a sheet', schema: sampleKeySchema },
  'teapot.run/1': {
    from: 'teapot attack --work-dir, in run.json',
    schema: document('teapot.run/1', { status: z.string(), settings: z.looseObject({}) }),
  },
};

function document(name: string, shape: z.ZodRawShape): z.ZodType {
  return z.strictObject({ schema: z.literal(name).describe('Name and version of this schema'), ...shape });
}

/** The JSON Schemas (draft 2020-12) of all documents, by the name of their file in `schema/`. */
export function documentJsonSchemas(): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const schemas = Object.entries(DOCUMENT_SCHEMAS).map(([title, { from, schema }]) => {
    const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
    const $id = `urn:${title.replace('.', ':').replace('/', ':')}`;
    return [fileOf(title), { $schema, $id, title, description: `What ${from} prints as JSON.`, ...rest }] as const;
  });
  return {
    ...Object.fromEntries(schemas),
    'record-1.json': recordJsonSchema(),
    'attack-config-1.json': attackConfigJsonSchema(),
  };
}

/** `teapot.attack-set/2` is described by `attack-set-2.json`. */
function fileOf(name: string): string {
  return `${name.replace('teapot.', '').replace('/', '-')}.json`;
}
