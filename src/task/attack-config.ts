import { LineCounter, parseDocument, visit } from 'yaml';
import type { Document } from 'yaml';
import { z } from 'zod';

import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { jsonPath } from '../read/json-path.js';
import { datasetSchema, promptSchema } from './task-config.js';

const count = z.number().int();
const limitsSchema = z.strictObject({
  concurrency: count.positive().optional().describe('Requests at the same time; default 4'),
  requests_per_minute: z.number().positive().optional().describe('Requests begun in a minute; default no limit'),
  timeout_ms: count.positive().optional().describe('The longest time of one request in milliseconds; default 60000'),
  retries: count.nonnegative().optional().describe('How often a request that failed is made anew; default 5'),
  first_wait_ms: count.nonnegative().optional().describe('The wait before the first retry, which doubles; default 500'),
  max_wait_ms: count.nonnegative().optional().describe('The longest wait before a retry; default 60000'),
});

const cosine = z.number().min(-1).max(1);

const blocks = z.union([z.string(), z.array(z.string()).min(1)]).optional();

/** What is set of a victim: by a configuration, or by one of its `models`. */
const victimFields = {
  model: z.string().optional().describe('The victim, KIND:NAME; default lexicon'),
  base_url: z.string().optional().describe('Base URL of an openai: victim'),
  system: z.string().optional().describe('System message of an openai: victim; default none'),
  limits: limitsSchema.optional().describe('How an openai: victim is asked; no limit changes an answer'),
  generate_len: count.positive().optional().describe('The longest answer of the model in tokens; default 64'),
};

/** What is set of an attack: by a configuration, or by one of its `attacks`. */
const attackFields = {
  attack: z.string().optional().describe('One attack; see "teapot list attacks". Default deepwordbug'),
  transformation: blocks.describe('What is done to prompts, in the place of what the attack does'),
  constraint: blocks.describe("Constraints by name, on top of the attack's: NAME, NAME=VALUE, NAME=none or none"),
  search: z.string().optional().describe('How the best prompt is looked for; default set by the attack'),
  query_budget: count
    .nonnegative()
    .optional()
    .describe(
      'The most passes over the data for an attacked prompt, default 100; or queries an input, default no limit',
    ),
  prompt_topk: count.positive().optional().describe('How many of the best prompts are attacked; default 1'),
  seed: count.nonnegative().optional().describe('Seed of all draws; default 12345'),
  neighbours: z
    .string()
    .optional()
    .describe('Words for others: "wordnet", or a file of vectors or a table; for textfooler, pwws and others'),
  neighbour_count: count.positive().optional().describe('The most neighbours of a word; default set by the attack'),
  min_cosine: cosine.optional().describe('The least cosine of neighbours by vectors; default set by the attack'),
  encoder: z
    .string()
    .optional()
    .describe('A sentence encoder: a folder with model.onnx and tokenizer.json, or the file'),
  min_encoder_cosine: cosine
    .optional()
    .describe('The least cosine of a prompt and its original; default set by the attack'),
  masked_lm: z
    .string()
    .optional()
    .describe(
      'A masked language model: a folder with model.onnx and tokenizer.json, or the file; for bertattack and bae',
    ),
  resources: z
    .string()
    .optional()
    .describe('An ES module with models: embed, tag, predict, neighbours, inflect, entities'),
  wordings: z
    .string()
    .optional()
    .describe('Other wordings of the prompts, for semantic: a file, or the KIND:NAME of a model'),
  goal: z.string().optional().describe('The goal of attacks on inputs; default untargeted, or set by the attack'),
  target: z.string().optional().describe('The label that the goal "targeted" wants'),
  goal_threshold: z.number().min(0).max(1).optional().describe('When the goal is reached, a fraction'),
};

const name = z.string().min(1).optional();

/** A victim of a matrix. */
const modelSchema = z.strictObject({
  name: name.describe('Its name in records and tables; default KIND:NAME'),
  ...victimFields,
  model: z.string().describe('The victim, KIND:NAME'),
});

/** An attack of a matrix. */
const attackEntrySchema = z.strictObject({
  name: name.describe('Its name in tables; default the name of the attack'),
  ...attackFields,
});

/** Inputs that are attacked, instead of prompts. */
const inputsSchema = z.strictObject({
  data: z.string().optional().describe('A table (.csv .tsv .jsonl .parquet)'),
  columns: z.string().optional().describe('Which column is what: src=…,ref=…'),
  attack_columns: z.string().optional().describe('Of an input of several columns, those that are attacked'),
  src: z.string().optional().describe('The inputs, one a line, instead of data'),
  ref: z.string().optional().describe('Their labels or reference outputs, one a line'),
  first: count.positive().optional().describe('Use the first inputs only'),
});

/** The one definition of a configuration of `teapot attack`: its type, its check and the published JSON Schema come from it. */
export const attackConfigSchema = z.strictObject({
  ...victimFields,
  models: z
    .array(z.union([z.string(), modelSchema]))
    .min(1)
    .optional()
    .describe('Several victims, in the place of model: each is attacked by each of the attacks'),
  ...attackFields,
  attacks: z
    .array(z.union([z.string(), attackEntrySchema]))
    .min(1)
    .optional()
    .describe('Several attacks, in the place of attack: each on each of the models'),
  dataset: z
    .union([z.string(), datasetSchema])
    .optional()
    .describe('The name of a preset, or a data set: prompts are attacked'),
  prompts: z
    .union([z.string(), z.array(promptSchema).min(1)])
    .optional()
    .describe('The prompts, or the file that holds them; default those of the preset'),
  shot: count.nonnegative().optional().describe('Few-shot examples an input; default 0'),
  inputs: inputsSchema.optional().describe('What is attacked instead of prompts: the inputs themselves'),
  parallel: count.positive().optional().describe('Inputs attacked at the same time; default 1'),
  s_src: z.string().optional().describe('What compares inputs; default chrf'),
  s_tgt: z.string().optional().describe('What compares outputs; default zero_one'),
  success_threshold: z.number().optional().describe('T of s_src + d_tgt > T; default 1'),
  work_dir: z.string().optional().describe('Folder for the log, records, predictions and the cache of answers'),
});

/** A configuration of `teapot attack`. */
export type AttackConfig = z.infer<typeof attackConfigSchema>;

/** The most nodes that aliases may unfold to: a small file could otherwise unfold to any size. */
const MOST_ALIASES = 100;

/**
 * Reads a configuration: YAML (JSON is YAML).
 *
 * @param text The text of the file.
 * @param file Its name, for messages.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file, line, path and what was expected.
 */
export function parseAttackConfig(text: string, file: string): AttackConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problem = document.errors[0];
  if (problem !== undefined) throw at(file, lines.linePos(problem.pos[0]).line, `no YAML: ${problem.message}`);
  const checked = attackConfigSchema.safeParse(valueOf(document, file, lines));
  if (checked.success) {
    const problem = contradiction(checked.data);
    if (problem === undefined) return checked.data;
    throw at(file, lines.linePos(offsetOf(document, [problem.key])).line, `${problem.key}: ${problem.message}`);
  }
  const issue = deepest(checked.error.issues);
  const line = lines.linePos(offsetOf(document, issue?.path ?? [])).line;
  throw at(file, line, `${jsonPath(issue?.path ?? [])}: ${issue?.message ?? 'is no configuration'}`);
}

/** Keys that exclude each other, or a missing one. */
const EITHER = [
  ['model', 'models'],
  ['attack', 'attacks'],
  ['dataset', 'inputs'],
] as const;

/** Keys that only attacks on prompts, or only those on inputs, have a use for. */
const OF_PROMPTS = ['prompts', 'shot', 'prompt_topk', 'wordings'] as const;
const OF_INPUTS = ['goal', 'target', 'goal_threshold', 'parallel', 's_src', 's_tgt', 'success_threshold'] as const;

function contradiction(config: AttackConfig): { readonly key: string; readonly message: string } | undefined {
  for (const [one, other] of EITHER) {
    if (config[one] !== undefined && config[other] !== undefined) {
      return { key: other, message: `stands beside "${one}": give one of them` };
    }
  }
  const { dataset, inputs } = config;
  if (inputs !== undefined && (inputs.data === undefined) === (inputs.src === undefined)) {
    return { key: 'inputs', message: 'expected "data", or "src" and "ref"' };
  }
  if (inputs === undefined && dataset === undefined) return undefined;
  const useless = inputs === undefined ? OF_INPUTS : OF_PROMPTS;
  const key = useless.find((one) => config[one] !== undefined);
  if (key === undefined) return undefined;
  return { key, message: `does nothing for attacks on ${inputs === undefined ? 'prompts' : 'inputs'}: leave it out` };
}

/** The value of a document, with its aliases resolved. */
function valueOf(document: Document, file: string, lines: LineCounter): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (cause) {
    // Only aliases fail here: one without an anchor, one inside its own anchor, or too many of them.
    const place = aliasOffset(document);
    const message = cause instanceof Error ? cause.message.replace(/[.:]$/u, '') : String(cause);
    throw at(file, place === undefined ? 1 : lines.linePos(place).line, `an alias (*name) can't be read: ${message}`);
  }
}

/** Where the first alias stands that has no anchor before it; else the first alias. */
function aliasOffset(document: Document): number | undefined {
  let first: number | undefined;
  let broken: number | undefined;
  visit(document, {
    Alias: (_key, node) => {
      const offset = node.range?.[0];
      first ??= offset;
      if (node.resolve(document) === undefined) broken ??= offset;
    },
  });
  return broken ?? first;
}

/** Of the branches of a union, the issue that got furthest says most. */
function deepest(issues: readonly z.core.$ZodIssue[], prefix: readonly PropertyKey[] = []): Issue | undefined {
  let best: Issue | undefined;
  for (const issue of issues) {
    const path = [...prefix, ...issue.path];
    const inner =
      issue.code === 'invalid_union'
        ? deepest(issue.errors.flat(), path)
        : issue.code === 'unrecognized_keys'
          ? unknownKey(issue.keys[0] ?? '', path)
          : { path, message: issue.message };
    if (inner !== undefined && (best === undefined || inner.path.length > best.path.length)) best = inner;
  }
  return best;
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A key that is not in the schema, with the nearest one that is. */
function unknownKey(key: string, parent: readonly PropertyKey[]): Issue {
  const names = new Map<string, readonly string[]>([
    ['', Object.keys(attackConfigSchema.shape)],
    ['dataset', Object.keys(datasetSchema.shape)],
    ['inputs', Object.keys(inputsSchema.shape)],
    ['limits', Object.keys(limitsSchema.shape)],
    ['models.*', Object.keys(modelSchema.shape)],
    ['models.*.limits', Object.keys(limitsSchema.shape)],
    ['attacks.*', Object.keys(attackEntrySchema.shape)],
  ]);
  const place = parent.map((part) => (typeof part === 'number' ? '*' : String(part))).join('.');
  const known = names.get(place) ?? ['prompt', 'type'];
  const message = `there is no such key.${didYouMean(key, known)} Known: ${known.join(', ')}`;
  return { path: [...parent, key], message };
}

/** Where the value of a path stands, or the nearest one around it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = nodeAt(document, path.slice(0, length));
    const range: unknown = typeof node === 'object' && node !== null ? Reflect.get(node, 'range') : undefined;
    if (Array.isArray(range) && typeof range[0] === 'number') return range[0];
  }
  return 0;
}

/** The node of a path; undefined when an alias stands on the way to it. */
function nodeAt(document: Document, path: readonly PropertyKey[]): unknown {
  try {
    return document.getIn(path, true);
  } catch {
    return undefined;
  }
}

function at(file: string, line: number, message: string): UsageError {
  return new UsageError(ERROR_CODES.FORMAT, `${file}:${line}: ${message}. See schema/attack-config-1.json`);
}

/**
 * The JSON Schema (draft 2020-12) of a configuration, as published in `schema/attack-config-1.json`.
 *
 * @returns A plain object, the same on every call.
 */
export function attackConfigJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(attackConfigSchema, { io: 'input', target: 'draft-2020-12' });
  return {
    $schema,
    $id: 'urn:teapot:attack-config:1',
    title: 'Configuration of teapot attack',
    description:
      'A data set and prompts, or inputs; a victim and an attack, or several of each. Flags of the command line go before what stands here.',
    ...schema,
  };
}
