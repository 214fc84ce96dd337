import { ERROR_CODES, UsageError } from '../../../errors.js';
import { labelText } from '../../../read/label.js';
import type { SourceFile } from '../../../read/source-file.js';
import { badRow } from '../common/bad-row.js';
import { elementLines, readJsonDocument } from '../common/json-document.js';
import { isObject, kindOf, readJsonLines } from '../common/json-lines.js';
import type { JsonLine, JsonObject } from '../common/json-lines.js';
import { textsOf } from '../common/json-texts.js';
import { fileName, numberRepeated } from '../common/values.js';
import type { ImportOptions } from '../importer.js';
import { namedAttack } from '../runs/pair-within.js';
import { withoutRepeats } from '../runs/pair-runs.js';
import { defineRunImporter } from '../runs/run-importer.js';
import type { EvaluatedItem, EvaluatedRun, RunClaim } from '../runs/run.js';
import { isPromptfooHeader, readPromptfooCsv } from './csv.js';

/** `failureReason` of a result that is an error: for a failed assertion `error` is filled too. */
const IS_ERROR = 2;

/**
 * Reads evaluations of promptfoo: JSON (`-o x.json`, `export eval`), JSONL (the results alone), CSV; plain ones and red-team
 * runs. A result is named by its test and prompt. One evaluation holds both sides where the metadata of its tests name the
 * attack and the original (`metadata.original`), or where a red team made strategies of its tests.
 *
 * In a red-team run `success` means that the target held: the attack failed.
 *
 * Source: `src/types/index.ts` of promptfoo/promptfoo; format version 3, seen with 0.123.1.
 */
export const promptfoo = defineRunImporter({
  name: 'promptfoo',
  description: 'promptfoo: evaluations as JSON, JSONL or CSV, plain and red-team',
  detect: (head) => {
    if (/^\s*\{\s*"evalId"\s*:/u.test(head) && /"results"\s*:/u.test(head)) return 1;
    if (/^\s*\{/u.test(head) && /"gradingResult"\s*:/u.test(head) && /"promptIdx"\s*:|"testCase"\s*:/u.test(head))
      return 0.9;
    return isPromptfooHeader(head) ? 0.9 : 0;
  },
  readRuns,
});

/** The results of a file and what it says of itself. */
interface Evaluation {
  readonly results: readonly JsonLine[];
  readonly version: string | null;
  readonly evalId: string | null;
  /** One a prompt and provider. */
  readonly prompts: readonly JsonObject[];
  readonly stats: JsonObject;
}

async function readRuns(source: SourceFile, options: ImportOptions): Promise<EvaluatedRun[]> {
  const evaluation = await readEvaluation(source, options);
  const byPrompt = new Map<number, JsonLine[]>();
  for (const result of evaluation.results) {
    const problem = problemOf(result.value);
    if (problem !== undefined) {
      badRow(options, source.name, result.line, problem);
      continue;
    }
    const prompt = Number(result.value['promptIdx']);
    byPrompt.set(prompt, [...(byPrompt.get(prompt) ?? []), result]);
  }
  const isRedTeam = evaluation.results.some(({ value }) => pluginOf(value) !== null);
  return [...byPrompt]
    .toSorted(([a], [b]) => a - b)
    .map(([index, results]) => runOf(source, evaluation, evaluation.prompts[index], results, isRedTeam, options));
}

function problemOf({ testIdx, promptIdx, vars }: JsonObject): string | undefined {
  if (typeof testIdx !== 'number') return `$.testIdx: expected the number of the test, found ${kindOf(testIdx)}`;
  if (typeof promptIdx !== 'number')
    return `$.promptIdx: expected the number of the prompt, found ${kindOf(promptIdx)}`;
  return isObject(vars) ? undefined : `$.vars: expected an object, found ${kindOf(vars)}`;
}

async function readEvaluation(source: SourceFile, options: ImportOptions): Promise<Evaluation> {
  const head = await source.head();
  const none = { version: null, evalId: null, prompts: [], stats: {} };
  if (isPromptfooHeader(head)) return { ...none, results: await readPromptfooCsv(source, options) };
  if (!/^\s*\{\s*"(?:evalId|results|version)"\s*:/u.test(head)) {
    const results: JsonLine[] = [];
    for await (const line of readJsonLines(source, options)) results.push(line);
    return { ...none, results };
  }
  const { value, text } = await readJsonDocument(source, options);
  const results = isObject(value) && isObject(value['results']) ? value['results'] : {};
  const list: unknown = results['results'];
  if (!isObject(value) || !Array.isArray(list)) {
    const found = isObject(results['table']) ? 'a table of version 2' : kindOf(list);
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${source.name}:1: $.results.results: expected the list of results of format version 3, found ${found}`,
    );
  }
  const places = elementLines(text, 6, list.length);
  const objects = (list as unknown[]).flatMap((item, index): JsonLine[] => {
    if (isObject(item)) return [{ value: item, line: places[index] ?? 1 }];
    badRow(
      options,
      source.name,
      places[index] ?? 1,
      `$.results.results[${index}]: expected an object, found ${kindOf(item)}`,
    );
    return [];
  });
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  return {
    results: objects,
    version: textOr(metadata['promptfooVersion']),
    evalId: textOr(value['evalId']),
    prompts: Array.isArray(results['prompts']) ? (results['prompts'] as unknown[]).filter(isObject) : [],
    stats: isObject(results['stats']) ? results['stats'] : {},
  };
}

function runOf(
  source: SourceFile,
  evaluation: Evaluation,
  prompt: JsonObject | undefined,
  results: readonly JsonLine[],
  isRedTeam: boolean,
  options: ImportOptions,
): EvaluatedRun {
  const first = results[0]?.value ?? {};
  const provider = isObject(first['provider']) ? (textOr(first['provider']['id']) ?? null) : textOr(first['provider']);
  const metric = isRedTeam ? null : (options.metric ?? 'success');
  // With `--repeat` a test has as many results as repetitions: their order tells them apart.
  const repeats = numberRepeated(results.map(({ value }) => String(value['testIdx'])));
  const items = results.map((result, index) =>
    itemOf(source.name, result, repeats[index] ?? '', isRedTeam, metric, results, options),
  );
  const onBad = (item: EvaluatedItem, message: string): void => badRow(options, source.name, item.line ?? 1, message);
  return {
    tool: 'promptfoo',
    version: evaluation.version,
    file: source.name,
    run: evaluation.evalId ?? fileName(source.name),
    model: provider,
    dataset: null,
    metric,
    label: labelOf(first, prompt),
    template: prompt === undefined ? null : textOr(prompt['raw']),
    ...claimsOf(evaluation, prompt, metric, isRedTeam),
    keepsClean: isRedTeam,
    items: withoutRepeats(items, options, onBad),
  };
}

function itemOf(
  file: string,
  { value, line }: JsonLine,
  key: string,
  isRedTeam: boolean,
  metric: string | null,
  all: readonly JsonLine[],
  options: ImportOptions,
): EvaluatedItem {
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  const isError = value['failureReason'] === IS_ERROR;
  const strategy = isRedTeam ? strategyOf(value) : namedAttack(metadata);
  const result = value['success'] === true ? 'failed' : 'successful';
  return {
    key,
    file,
    line,
    texts: textsOf(value['vars'], 'vars'),
    prompt: isObject(value['prompt']) ? textOr(value['prompt']['raw']) : textOr(value['prompt']),
    out: isObject(value['response']) ? labelText(value['response']['output']) : null,
    ref: isRedTeam ? null : referenceOf(value),
    score: isError || isRedTeam ? null : scoreOf(value, metric, options),
    isError,
    attack: strategy,
    source: textOr(metadata['originalText']) ?? undefined,
    original: typeof strategy === 'string' ? originalOf(value, metadata, all) : undefined,
    ...(isRedTeam ? { result: isError ? null : result } : {}),
    raw: value,
  };
}

/** The test of the text that an attacked one was made of: by its text, and for a red team by its plugin. */
function originalOf(value: JsonObject, metadata: JsonObject, all: readonly JsonLine[]): string | undefined {
  const text = textOr(metadata['originalText']) ?? textOr(metadata['original']);
  if (text === null) return undefined;
  const found = all.find(({ value: other }) => {
    if (other === value || pluginOf(other) !== pluginOf(value)) return false;
    const attack = pluginOf(other) === null ? namedAttack(other['metadata']) : strategyOf(other);
    return (attack === null || attack === undefined) && [...textsOf(other['vars'], '').values()].includes(text);
  });
  return found === undefined ? '' : String(found.value['testIdx']);
}

function pluginOf({ metadata }: JsonObject): string | null {
  return isObject(metadata) ? textOr(metadata['pluginId']) : null;
}

/** The CSV calls a test without a strategy `basic`. */
function strategyOf({ metadata }: JsonObject): string | null {
  const strategy = isObject(metadata) ? textOr(metadata['strategyId']) : null;
  return strategy === 'basic' || strategy === '' ? null : strategy;
}

function scoreOf(value: JsonObject, metric: string | null, options: ImportOptions): number | null {
  if (options.metric === undefined) return value['success'] === true ? 1 : 0;
  const named = isObject(value['namedScores']) ? value['namedScores'] : {};
  const score =
    metric === 'success' ? Number(value['success']) : metric === 'score' ? value['score'] : named[metric ?? ''];
  return typeof score === 'number' ? score : null;
}

/** The value that the answer was compared with, filled in: the assertion itself holds a template. */
function referenceOf(value: JsonObject): string | null {
  const grading = isObject(value['gradingResult']) ? value['gradingResult'] : {};
  const components = Array.isArray(grading['componentResults']) ? (grading['componentResults'] as unknown[]) : [];
  for (const component of components) {
    if (!isObject(component)) continue;
    const rendered = isObject(component['metadata']) ? component['metadata']['renderedAssertionValue'] : undefined;
    if (typeof rendered === 'string') return rendered;
    const written = isObject(component['assertion']) ? component['assertion']['value'] : undefined;
    const name = typeof written === 'string' ? /^\s*\{\{\s*(\w+)\s*\}\}\s*$/u.exec(written)?.[1] : undefined;
    const vars = isObject(value['vars']) ? value['vars'] : {};
    if (name !== undefined) return labelText(vars[name] ?? null);
    if (typeof written === 'string' && !written.includes('{{')) return written;
  }
  return null;
}

/** A prompt without a label of its own has its text in that place. */
function labelOf({ prompt: asked, promptIdx }: JsonObject, prompt: JsonObject | undefined): string {
  const label = textOr(prompt?.['label']) ?? (isObject(asked) ? textOr(asked['label']) : null);
  const raw = textOr(prompt?.['raw']);
  return label === null || label === raw || label.includes('{{') ? `prompt-${Number(promptIdx) + 1}` : label;
}

/** What promptfoo counts, of one prompt or of all. */
function claimsOf(
  { stats }: Evaluation,
  prompt: JsonObject | undefined,
  metric: string | null,
  isRedTeam: boolean,
): Pick<EvaluatedRun, 'reported' | 'claims'> {
  const metrics = prompt !== undefined && isObject(prompt['metrics']) ? prompt['metrics'] : {};
  const numbers = ['testPassCount', 'testFailCount', 'testErrorCount'].map((name) => metrics[name]);
  if (!numbers.every((value) => typeof value === 'number')) return { reported: null };
  const [passed = 0, failed = 0, errors = 0] = numbers;
  const over = passed + failed + errors;
  if (isRedTeam) {
    const claims: RunClaim[] = [
      { quantity: 'failed', name: 'testPassCount (the target held)', value: passed, over },
      { quantity: 'successful', name: 'testFailCount', value: failed, over },
    ];
    return { reported: null, claims: Object.keys(stats).length === 0 ? [] : claims };
  }
  if (metric !== 'success' || over === 0) return { reported: null };
  // Errors have no score: they are in none of the means.
  const scored = passed + failed;
  return { reported: { name: 'testPassCount', value: scored === 0 ? 0 : passed / scored, over: scored } };
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
