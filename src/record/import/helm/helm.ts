import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { ERROR_CODES, UsageError } from '../../../errors.js';
import { openSource } from '../../../read/source-file.js';
import type { SourceFile } from '../../../read/source-file.js';
import { badRow } from '../common/bad-row.js';
import { elementLines, readJsonDocument } from '../common/json-document.js';
import { isObject, kindOf } from '../common/json-lines.js';
import type { JsonObject } from '../common/json-lines.js';
import { fileName } from '../common/values.js';
import type { ImportOptions } from '../importer.js';
import { defineRunImporter } from '../runs/run-importer.js';
import type { EvaluatedItem, EvaluatedRun, RunClaim } from '../runs/run.js';

/** The metric that is taken where the user names none and the run has it. */
const USUAL_METRIC = 'exact_match';

/** Statistics of HELM that say nothing about an answer. */
const ABOUT_REQUESTS = /^(?:num_|training_|inference_|max_prob|finish_reason|prompt_truncated|logprob|batch_size)/u;

/**
 * Reads a run of HELM: `scenario_state.json`, with `per_instance_stats.json` and `stats.json` beside it. Original and
 * perturbed requests stand in one file: they belong together by instance and train trial.
 *
 * Source: `src/helm/benchmark/` of stanford-crfm/helm; seen with 0.5.16.
 */
export const helm = defineRunImporter({
  name: 'helm',
  description: 'HELM: scenario_state.json of a run with perturbations, with per_instance_stats.json beside it',
  inFolder: /(?:^|\/)scenario_state\.json$/u,
  detect: (head) =>
    /^\s*\{\s*"adapter_spec"\s*:/u.test(head) || (/"request_states"\s*:/u.test(head) && /"instance"\s*:/u.test(head))
      ? 1
      : 0,
  readRuns,
});

async function readRuns(source: SourceFile, options: ImportOptions): Promise<EvaluatedRun[]> {
  const { value, text } = await readJsonDocument(source, options);
  const states = isObject(value) ? value['request_states'] : undefined;
  if (!isObject(value) || !Array.isArray(states)) {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${source.name}:1: $.request_states: expected the list of requests, found ${kindOf(states ?? null)}`,
    );
  }
  const stats = await readStats(source, options);
  const metric = chooseMetric(stats, source.name, options);
  const places = elementLines(text, 4, states.length);
  const read = (states as unknown[]).flatMap((state, index) =>
    itemOf(state, index, places[index] ?? 1, stats, metric, source.name, options),
  );
  const adapter = isObject(value['adapter_spec']) ? value['adapter_spec'] : {};
  return [
    {
      tool: 'crfm-helm',
      version: null,
      file: source.name,
      run: source.path === undefined ? null : basename(dirname(source.path)) || fileName(source.name),
      model: typeof adapter['model'] === 'string' ? adapter['model'] : null,
      dataset: source.path === undefined ? null : (/^[^:,]+/u.exec(basename(dirname(source.path)))?.[0] ?? null),
      metric,
      template: null,
      reported: null,
      settings: adapter,
      claims: await readClaims(source, metric, options),
      items: read,
    },
  ];
}

function itemOf(
  state: unknown,
  index: number,
  line: number,
  stats: ReadonlyMap<string, ReadonlyMap<string, number>>,
  metric: string | null,
  file: string,
  options: ImportOptions,
): EvaluatedItem[] {
  const instance = isObject(state) ? state['instance'] : undefined;
  if (!isObject(state) || !isObject(instance) || typeof instance['id'] !== 'string') {
    badRow(options, file, line, `$.request_states[${index}].instance: expected an instance with an id`);
    return [];
  }
  const perturbation = isObject(instance['perturbation']) ? instance['perturbation'] : undefined;
  const trial = state['train_trial_index'] ?? 0;
  const input = isObject(instance['input']) ? instance['input']['text'] : undefined;
  const request = isObject(state['request']) ? state['request'] : {};
  const result = isObject(state['result']) ? state['result'] : {};
  const key = `${instance['id']}/${String(trial)}`;
  const attack = perturbation === undefined ? null : String(perturbation['name']);
  const seed = perturbation?.['seed'];
  const stat = stats.get(statsKey(instance['id'], trial, perturbation));
  return [
    {
      key: attack === null ? key : `${key}${seed === undefined ? '' : `#${String(seed)}`}`,
      file,
      line,
      texts: new Map(typeof input === 'string' ? [['instance.input.text', input]] : []),
      prompt: typeof request['prompt'] === 'string' ? request['prompt'] : null,
      out: answerOf(result, state['output_mapping']),
      ref: referencesOf(instance['references']),
      score: metric === null ? null : (stat?.get(metric) ?? null),
      isError: result['success'] === false,
      attack,
      ...(attack === null ? {} : { original: key }),
      ...(typeof seed === 'number' || typeof seed === 'string' ? { seed } : {}),
      raw: state,
    },
  ];
}

/** The first completion as it is; a letter of a multiple choice is replaced by its text. */
function answerOf({ completions }: JsonObject, mapping: unknown): string | null {
  const [first] = Array.isArray(completions) ? (completions as unknown[]) : [];
  const text = isObject(first) ? first['text'] : undefined;
  if (typeof text !== 'string') return null;
  const mapped = isObject(mapping) ? mapping[text.trim()] : undefined;
  return typeof mapped === 'string' ? mapped : text;
}

function referencesOf(references: unknown): EvaluatedItem['ref'] {
  if (!Array.isArray(references)) return null;
  const correct = (references as unknown[]).flatMap((reference) => {
    if (!isObject(reference) || !Array.isArray(reference['tags']) || !reference['tags'].includes('correct')) return [];
    const output = reference['output'];
    return isObject(output) && typeof output['text'] === 'string' ? [output['text']] : [];
  });
  return correct.length === 0 ? null : correct;
}

function statsKey(id: unknown, trial: unknown, perturbation: JsonObject | undefined): string {
  return JSON.stringify([id, trial, perturbation?.['name'] ?? null, perturbation?.['seed'] ?? null]);
}

/** The statistics of every request, by their names. */
async function readStats(
  source: SourceFile,
  options: ImportOptions,
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const stats = new Map<string, ReadonlyMap<string, number>>();
  const value = await readBeside(source, 'per_instance_stats.json', options);
  for (const row of Array.isArray(value) ? (value as unknown[]) : []) {
    if (!isObject(row) || !Array.isArray(row['stats'])) continue;
    const means = (row['stats'] as unknown[]).flatMap((stat): [string, number][] => {
      if (!isObject(stat) || !isObject(stat['name']) || typeof stat['mean'] !== 'number') return [];
      return [[String(stat['name']['name']), stat['mean']]];
    });
    const perturbation = isObject(row['perturbation']) ? row['perturbation'] : undefined;
    stats.set(statsKey(row['instance_id'], row['train_trial_index'] ?? 0, perturbation), new Map(means));
  }
  return stats;
}

function chooseMetric(
  stats: ReadonlyMap<string, ReadonlyMap<string, number>>,
  file: string,
  options: ImportOptions,
): string | null {
  const names = new Set<string>();
  for (const means of stats.values()) for (const name of means.keys()) names.add(name);
  const wanted = options.metric ?? (names.has(USUAL_METRIC) ? USUAL_METRIC : undefined);
  if (wanted === undefined) return [...names].find((name) => !ABOUT_REQUESTS.test(name)) ?? null;
  if (names.has(wanted)) return wanted;
  throw new UsageError(
    ERROR_CODES.INVALID_OPTION,
    `${file}: there is no metric "${wanted}" in per_instance_stats.json: it is one of ${[...names].join(', ')}`,
  );
}

/** The means of a single perturbation; aggregates over all of them are no attack. */
async function readClaims(source: SourceFile, metric: string | null, options: ImportOptions): Promise<RunClaim[]> {
  const value = await readBeside(source, 'stats.json', options);
  const found: { readonly name: string; readonly on: unknown; readonly mean: number }[] = [];
  for (const stat of Array.isArray(value) ? (value as unknown[]) : []) {
    if (!isObject(stat) || !isObject(stat['name']) || typeof stat['mean'] !== 'number') continue;
    const { name, perturbation } = stat['name'];
    if (name !== metric || !isObject(perturbation) || typeof perturbation['name'] !== 'string') continue;
    found.push({ name: perturbation['name'], on: perturbation['computed_on'], mean: stat['mean'] });
  }
  const quantities = { original: 'mean_original', perturbed: 'mean_attacked' } as const;
  return found.flatMap(({ name, on, mean }): RunClaim[] => {
    if (on !== 'original' && on !== 'perturbed') return [];
    return [{ quantity: quantities[on], name: `${metric ?? ''} ${on}`, value: mean, over: null, attack: name }];
  });
}

async function readBeside(source: SourceFile, name: string, options: ImportOptions): Promise<unknown> {
  const path = source.path === undefined ? undefined : join(dirname(source.path), name);
  if (path === undefined || !existsSync(path)) {
    const message = `there is no ${name} beside it: ${name === 'stats.json' ? 'nothing to compare with' : 'the records have no scores'}`;
    if (name !== 'stats.json') options.onWarning?.({ file: source.name, line: null, code: 'missing-file', message });
    return undefined;
  }
  return (await readJsonDocument(openSource(path, { signal: options.signal }), options)).value;
}
