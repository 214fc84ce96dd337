import { basename, dirname, join } from 'node:path';
import { existsSync } from 'node:fs';

import { ERROR_CODES, UsageError } from '../../../errors.js';
import { labelText } from '../../../read/label.js';
import { openSource } from '../../../read/source-file.js';
import type { SourceFile } from '../../../read/source-file.js';
import { badRow } from '../common/bad-row.js';
import { elementLines, readJsonDocument } from '../common/json-document.js';
import { isObject, kindOf, readJsonLines } from '../common/json-lines.js';
import type { JsonLine, JsonObject } from '../common/json-lines.js';
import { textsOf } from '../common/json-texts.js';
import { fileName } from '../common/values.js';
import type { ImportOptions } from '../importer.js';
import { withoutRepeats } from '../runs/pair-runs.js';
import { defineRunImporter } from '../runs/run-importer.js';
import type { EvaluatedItem, EvaluatedRun, ReportedNumber } from '../runs/run.js';

/** The keys of a line that are no metrics. */
const NO_METRICS = new Set([
  'doc_id',
  'doc',
  'target',
  'arguments',
  'resps',
  'filtered_resps',
  'filter',
  'metrics',
  'doc_hash',
  'prompt_hash',
  'target_hash',
]);

/** What a filter gives that finds no answer. */
const NOT_FOUND = '[invalid]';

/**
 * Reads the samples of lm-evaluation-harness (`--log_samples`), of one task and run a file; model, version, template and
 * the tool's own score come from the results file beside it. A results file alone is handed on as a summary.
 *
 * Source: `lm_eval/evaluator.py` and `lm_eval/loggers/` of EleutherAI/lm-evaluation-harness; 0.4.2 to 0.4.13.
 */
export const lmEval = defineRunImporter({
  name: 'lm-eval',
  description: 'lm-evaluation-harness: samples_*.jsonl (0.4.2 to 0.4.13), with the results file beside them',
  detect: (head) => {
    if (/^\s*(?:\[\s*)?\{\s*"doc_id"\s*:/u.test(head) && /"(?:filtered_)?resps"\s*:/u.test(head)) return 1;
    return isResults(head) ? 1 : 0;
  },
  readRuns,
});

function isResults(head: string): boolean {
  return /^\s*\{\s*"results"\s*:\s*\{/u.test(head) && /"(?:alias|[\w]+,[\w-]+)"\s*:/u.test(head);
}

async function readRuns(source: SourceFile, options: ImportOptions): Promise<EvaluatedRun[]> {
  if (isResults(await source.head())) {
    await summarise(source, options);
    return [];
  }
  const lines = await readSamples(source, options);
  const filter = chooseFilter(lines, source.name, options);
  const chosen = lines.filter(({ value }) => filter === null || value['filter'] === filter);
  const metric = chooseMetric(chosen, filter, source.name, options);
  const results = await resultsBeside(source, options);
  const items = chosen.flatMap((line) => itemOf(line, metric, source.name, options));
  const onBad = (item: EvaluatedItem, message: string): void => badRow(options, source.name, item.line ?? 1, message);
  const name = metric === null ? null : `${metric}${filter === null || filter === 'none' ? '' : `,${filter}`}`;
  return [
    {
      tool: 'lm-evaluation-harness',
      version: results?.version ?? null,
      file: source.name,
      run: fileName(source.name),
      model: results?.model ?? null,
      dataset: results?.task ?? null,
      metric: name,
      template: results?.template ?? null,
      reported: reportedScore(results, metric, filter),
      items: withoutRepeats(items, options, onBad),
    },
  ];
}

/** JSON lines; up to 0.4.2 one pretty-printed list, in a file called `.jsonl` as well. */
async function readSamples(source: SourceFile, options: ImportOptions): Promise<JsonLine[]> {
  const lines: JsonLine[] = [];
  if (!(await source.head()).trimStart().startsWith('[')) {
    for await (const line of readJsonLines(source, options)) lines.push(line);
    return lines;
  }
  const { value, text } = await readJsonDocument(source, options);
  const list = value as unknown[];
  const places = elementLines(text, 2, list.length);
  for (const [index, sample] of list.entries()) {
    const line = places[index] ?? 1;
    if (isObject(sample)) lines.push({ value: sample, line });
    else badRow(options, source.name, line, `$[${index}]: expected an object, found ${kindOf(sample)}`);
  }
  return lines;
}

/** One line a filter: two filters of one document are never two items. */
function chooseFilter(lines: readonly JsonLine[], file: string, options: ImportOptions): string | null {
  const filters = [
    ...new Set(lines.flatMap(({ value }) => (typeof value['filter'] === 'string' ? [value['filter']] : []))),
  ];
  if (options.filter !== undefined) {
    if (filters.includes(options.filter)) return options.filter;
    const known = filters.length === 0 ? 'the lines name none' : `it is one of ${filters.join(', ')}`;
    throw new UsageError(ERROR_CODES.INVALID_OPTION, `${file}: there is no filter "${options.filter}": ${known}`);
  }
  const misses = new Map<string, number>(filters.map((filter) => [filter, 0]));
  for (const { value } of lines) {
    const found = Array.isArray(value['filtered_resps']) ? (value['filtered_resps'] as unknown[])[0] : null;
    const filter = value['filter'];
    if (typeof filter === 'string' && found === NOT_FOUND) misses.set(filter, (misses.get(filter) ?? 0) + 1);
  }
  const [best] = [...misses].toSorted(([, a], [, b]) => a - b);
  if (best === undefined) return null;
  if (filters.length > 1) {
    const message = `every item stands there once for each filter (${filters.join(', ')}): ${best[0]} is taken, which finds most answers; the option filter chooses another`;
    options.onWarning?.({ file, line: null, code: 'several-filters', message });
  }
  return best[0];
}

function chooseMetric(
  lines: readonly JsonLine[],
  filter: string | null,
  file: string,
  options: ImportOptions,
): string | null {
  const names = new Set<string>();
  for (const { value } of lines) {
    for (const name of Object.keys(value)) if (!NO_METRICS.has(name)) names.add(name);
  }
  const wanted = options.metric?.split(',')[0];
  if (wanted === undefined) return [...names][0] ?? null;
  if (names.has(wanted)) return wanted;
  throw new UsageError(
    ERROR_CODES.INVALID_OPTION,
    `${file}: there is no metric "${wanted}"${filter === null ? '' : ` for the filter ${filter}`}: it is one of ${[...names].join(', ')}`,
  );
}

function itemOf(
  { value, line }: JsonLine,
  metric: string | null,
  file: string,
  options: ImportOptions,
): EvaluatedItem[] {
  const id = value['doc_id'];
  if (typeof id !== 'number' && typeof id !== 'string') {
    badRow(options, file, line, `$.doc_id: expected the number of the document, found ${kindOf(id)}`);
    return [];
  }
  const calls = callsOf(value['arguments']);
  const chosen = chooseOption(value, calls, metric);
  const score = metric === null ? null : value[metric];
  const target = labelText(value['target']);
  return [
    {
      key: String(id),
      file,
      line,
      texts: textsOf(value['doc'], 'doc'),
      prompt: promptOf(calls[0]?.context),
      out: chosen === undefined ? answerOf(value) : (calls[chosen]?.continuation ?? null),
      ref: chosen === undefined ? target : (calls[Number(target)]?.continuation ?? target),
      // Corpus metrics store what they are computed from, not a score.
      score: typeof score === 'number' ? score : null,
      raw: value,
    },
  ];
}

/** One request: what came before, and for log-likelihoods what the model was asked to weigh. */
interface Call {
  readonly context: unknown;
  readonly continuation: string | null;
}

function callsOf(written: unknown): readonly Call[] {
  const list = Array.isArray(written) ? (written as unknown[]) : isObject(written) ? Object.values(written) : [];
  return list.map((call) => {
    const [context, continuation] = Array.isArray(call)
      ? (call as unknown[])
      : isObject(call)
        ? [call['arg_0'], call['arg_1']]
        : [];
    return { context, continuation: typeof continuation === 'string' ? continuation : null };
  });
}

/** The index of the option that the model prefers; undefined for generated answers. */
function chooseOption({ resps }: JsonObject, calls: readonly Call[], metric: string | null): number | undefined {
  if (calls.length < 2 || !Array.isArray(resps) || !calls.every(({ continuation }) => continuation !== null))
    return undefined;
  const likelihoods = (resps as unknown[]).map((response) => {
    const first: unknown = Array.isArray(response) ? response[0] : null;
    return Number(Array.isArray(first) ? first[0] : Number.NaN);
  });
  if (likelihoods.length !== calls.length || likelihoods.some((value) => Number.isNaN(value))) return undefined;
  const weights = likelihoods.map((value, index) =>
    metric === 'acc_norm' ? value / Math.max(1, [...(calls[index]?.continuation ?? '')].length) : value,
  );
  return weights.indexOf(Math.max(...weights));
}

function answerOf({ filtered_resps: filtered, resps }: JsonObject): string | null {
  for (const answers of [filtered, resps]) {
    let first: unknown = answers;
    while (Array.isArray(first)) first = first[0];
    if (typeof first === 'string') return first;
  }
  return null;
}

/** Of a chat the last turn of the user; a chat is written as a text of JSON inside of a list. */
function promptOf(context: unknown): string | null {
  const text: unknown = Array.isArray(context) ? context[0] : context;
  if (typeof text !== 'string') return null;
  if (!Array.isArray(context)) return text;
  try {
    const turns: unknown = JSON.parse(text);
    const last: unknown = Array.isArray(turns)
      ? turns.findLast((turn: unknown) => isObject(turn) && turn['role'] === 'user')
      : undefined;
    const content = isObject(last) ? last['content'] : undefined;
    return typeof content === 'string' ? content : text;
  } catch {
    return text;
  }
}

/** What the results file says of the run of a samples file. */
interface Results {
  readonly task: string;
  readonly model: string | null;
  readonly version: string | null;
  readonly template: string | null;
  readonly scores: JsonObject;
  readonly samples: number | null;
}

async function resultsBeside(source: SourceFile, options: ImportOptions): Promise<Results | undefined> {
  if (source.path === undefined) return undefined;
  const name = basename(source.path).replace(/\.(?:gz|zst)$/u, '');
  const [, ownTask, stamp] = /^samples_(.+)_(\d{4}-.+)\.jsonl?$/u.exec(name) ?? [];
  const folder = dirname(source.path);
  const path = join(folder, stamp === undefined ? 'results.json' : `results_${stamp}.json`);
  const task = ownTask ?? null;
  if (!existsSync(path)) {
    return task === null ? undefined : { task, model: null, version: null, template: null, scores: {}, samples: null };
  }
  const { value } = await readJsonDocument(openSource(path, { signal: options.signal }), options);
  if (!isObject(value) || !isObject(value['results'])) return undefined;
  const tasks = Object.keys(value['results']);
  const found = task ?? tasks.toSorted((a, b) => b.length - a.length).find((known) => name.endsWith(`_${known}.jsonl`));
  if (found === undefined) return undefined;
  const config = isObject(value['configs']) ? value['configs'][found] : undefined;
  const counts = isObject(value['n-samples']) ? value['n-samples'][found] : undefined;
  const template = isObject(config) ? config['doc_to_text'] : undefined;
  const samples = isObject(counts) ? counts['effective'] : undefined;
  const scores = value['results'][found];
  return {
    task: found,
    model: modelOf(value),
    version: typeof value['lm_eval_version'] === 'string' ? value['lm_eval_version'] : null,
    template: typeof template === 'string' ? template : null,
    scores: isObject(scores) ? scores : {},
    samples: typeof samples === 'number' ? samples : null,
  };
}

function modelOf({ model_name: name, config }: JsonObject): string | null {
  if (typeof name === 'string') return name;
  const written = isObject(config) ? config['model_args'] : null;
  if (typeof written !== 'string') return null;
  return /(?:^|,)(?:pretrained|model)=([^,]+)/u.exec(written)?.[1] ?? written;
}

function reportedScore(
  results: Results | undefined,
  metric: string | null,
  filter: string | null,
): ReportedNumber | null {
  if (results === undefined || metric === null) return null;
  const name = `${metric},${filter ?? 'none'}`;
  const value = results.scores[name];
  return typeof value === 'number' ? { name: `${results.task} ${name}`, value, over: results.samples } : null;
}

async function summarise(source: SourceFile, options: ImportOptions): Promise<void> {
  const { value } = await readJsonDocument(source, options);
  const results = isObject(value) && isObject(value['results']) ? value['results'] : {};
  const values: Record<string, number> = {};
  for (const [task, scores] of Object.entries(results)) {
    for (const [name, score] of Object.entries(isObject(scores) ? scores : {})) {
      if (typeof score === 'number' && !name.includes('_stderr')) values[`${task} ${name}`] = score;
    }
  }
  options.onSummary?.({ file: source.name, line: null, values });
}
