import { ERROR_CODES, UsageError } from '../../../errors.js';
import { labelText } from '../../../read/label.js';
import type { SourceFile } from '../../../read/source-file.js';
import { badRow } from '../common/bad-row.js';
import { parseDocument, readJsonDocument } from '../common/json-document.js';
import { isObject, kindOf } from '../common/json-lines.js';
import type { JsonObject } from '../common/json-lines.js';
import { textsOf } from '../common/json-texts.js';
import type { ImportOptions } from '../importer.js';
import { namedAttack } from '../runs/pair-within.js';
import { withoutRepeats } from '../runs/pair-runs.js';
import { defineRunImporter } from '../runs/run-importer.js';
import type { EvaluatedItem, EvaluatedRun, ReportedNumber } from '../runs/run.js';
import { isArchive, unpack } from './eval-archive.js';

/** What the letters of a grade are worth: correct, partly, incorrect, no answer. */
const GRADES: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0 };

/**
 * Reads logs of Inspect: `.eval` (an archive, Deflate or Zstandard) and `.json`. A sample is named by its id and epoch.
 * One log holds both sides where the metadata of its samples name the attack.
 *
 * Source: `src/inspect_ai/log/_log.py` of UKGovernmentBEIS/inspect_ai; log version 2, seen with 0.3.90 and 0.3.285.
 */
export const inspect = defineRunImporter({
  name: 'inspect',
  description: 'Inspect: logs as .eval (Deflate or Zstandard) or .json',
  detect: (head, file) => {
    if (isArchive(head)) return /\.eval$/iu.test(file) ? 1 : 0.5;
    return /^\s*\{\s*"version"\s*:/u.test(head) && /"eval"\s*:\s*\{/u.test(head) ? 1 : 0;
  },
  readRuns,
});

/** A log: its head, and its samples with the file that each was read from. */
interface Log {
  readonly header: JsonObject;
  readonly samples: readonly JsonObject[];
}

async function readRuns(source: SourceFile, options: ImportOptions): Promise<EvaluatedRun[]> {
  const { header, samples } = isArchive(await source.head())
    ? await readArchive(source, options)
    : await readJson(source, options);
  const evaluation = objectAt(header, 'eval');
  const scorer = chooseScorer(header, samples, source.name, options);
  const items = samples.flatMap((sample, index) => itemOf(sample, index, scorer, source.name, options));
  const status = header['status'];
  if (status !== undefined && status !== 'success') {
    const message = `the run ended with the status ${JSON.stringify(status)}: samples may be missing`;
    options.onWarning?.({ file: source.name, line: null, code: 'incomplete-run', message });
  }
  const onBad = (_: EvaluatedItem, message: string): void => badRow(options, source.name, 1, message);
  const template = stepsOf(header)
    .map((step) => objectAt(step, 'params')['template'])
    .find((text) => typeof text === 'string');
  return [
    {
      tool: 'inspect_ai',
      version: textOr(objectAt(evaluation, 'packages')['inspect_ai']),
      file: source.name,
      run: textOr(evaluation['run_id']),
      model: textOr(evaluation['model']),
      dataset: textOr(evaluation['task']),
      metric: scorer,
      template: typeof template === 'string' ? template : null,
      reported: reportedScore(header, scorer, items.filter(({ isError }) => isError !== true).length),
      items: withoutRepeats(items, options, onBad),
    },
  ];
}

async function readJson(source: SourceFile, options: ImportOptions): Promise<Log> {
  const { value } = await readJsonDocument(source, options);
  const samples = isObject(value) ? value['samples'] : undefined;
  if (isObject(value) && Array.isArray(samples))
    return { header: value, samples: (samples as unknown[]).filter(isObject) };
  throw new UsageError(
    ERROR_CODES.FORMAT,
    `${source.name}:1: $.samples: expected the list of samples, found ${kindOf(samples ?? null)}: was the log written without samples?`,
  );
}

/** Samples lie in files of their own; without `header.json` the run was interrupted, and the journal has its start. */
async function readArchive(source: SourceFile, options: ImportOptions): Promise<Log> {
  const { files, isComplete } = await unpack(source.chunks(), source.name);
  const head = files.get('header.json') ?? files.get('_journal/start.json');
  if (!isComplete || !files.has('header.json')) {
    const message = 'the archive is cut off or its run was interrupted: the samples that it holds are read';
    options.onWarning?.({ file: source.name, line: null, code: 'incomplete-run', message });
  }
  if (head === undefined) {
    throw new UsageError(ERROR_CODES.FORMAT, `${source.name}: no log of Inspect: the archive has no header.json`);
  }
  const header = parseDocument(head, `${source.name}/header.json`, options);
  const samples: JsonObject[] = [];
  for (const [name, text] of files) {
    if (!/^samples\/.*\.json$/u.test(name)) continue;
    const sample = parseDocument(text, `${source.name}/${name}`, options);
    if (isObject(sample)) samples.push(sample);
  }
  return { header: isObject(header) ? header : {}, samples };
}

function chooseScorer(
  header: JsonObject,
  samples: readonly JsonObject[],
  file: string,
  options: ImportOptions,
): string | null {
  const names = [...new Set(samples.flatMap((sample) => Object.keys(objectAt(sample, 'scores'))))];
  const wanted = options.metric ?? textOr(objectAt(objectAt(header, 'results'), 'headline')['scorer']) ?? names[0];
  if (wanted === undefined) return null;
  if (names.includes(wanted)) {
    if (names.length > 1 && options.metric === undefined) {
      const message = `the samples have several scores (${names.join(', ')}): ${wanted} is taken; the option metric chooses another`;
      options.onWarning?.({ file, line: null, code: 'several-metrics', message });
    }
    return wanted;
  }
  if (options.metric === undefined) return names[0] ?? null;
  throw new UsageError(
    ERROR_CODES.INVALID_OPTION,
    `${file}: there is no score "${wanted}": it is one of ${names.join(', ')}`,
  );
}

function itemOf(
  sample: JsonObject,
  index: number,
  scorer: string | null,
  file: string,
  options: ImportOptions,
): EvaluatedItem[] {
  const { id, epoch = 1 } = sample;
  if (typeof id !== 'number' && typeof id !== 'string') {
    badRow(options, file, 1, `$.samples[${index}].id: expected the id of the sample, found ${kindOf(id)}`);
    return [];
  }
  const isError = isObject(sample['error']) || typeof sample['error'] === 'string';
  const attack = namedAttack(sample['metadata']);
  const score = scorer === null ? undefined : objectAt(objectAt(sample, 'scores'), scorer)['value'];
  return [
    {
      key: epoch === 1 ? String(id) : `${id}#${String(epoch)}`,
      file,
      line: null,
      texts: inputTexts(sample),
      prompt: promptOf(sample),
      out: isError ? null : answerOf(sample),
      ref: referenceOf(sample['target']),
      score: isError ? null : gradeOf(score),
      isError,
      ...(attack === undefined ? {} : { attack }),
      // The transcript of a sample is as long as all others together; the log keeps it.
      raw: Object.fromEntries(Object.entries(sample).filter(([key]) => key !== 'events' && key !== 'events_data')),
    },
  ];
}

function inputTexts({ input, choices }: JsonObject): Map<string, string> {
  const texts = textsOf(typeof input === 'string' ? input : lastOfUser(input), 'input');
  for (const [path, text] of textsOf(choices ?? null, 'choices')) texts.set(path, text);
  return texts;
}

/** What was sent: solvers rewrite the input. */
function promptOf({ messages, input }: JsonObject): string | null {
  return lastOfUser(messages) ?? (typeof input === 'string' ? input : lastOfUser(input));
}

function lastOfUser(messages: unknown): string | null {
  if (!Array.isArray(messages)) return null;
  const last: unknown = messages.findLast((message: unknown) => isObject(message) && message['role'] === 'user');
  return isObject(last) ? contentText(last['content']) : null;
}

function answerOf({ output }: JsonObject): string | null {
  if (!isObject(output)) return null;
  const [choice] = Array.isArray(output['choices']) ? (output['choices'] as unknown[]) : [];
  const message = isObject(choice) ? choice['message'] : undefined;
  return (isObject(message) ? contentText(message['content']) : null) ?? textOr(output['completion']);
}

/** A content is a text, or a list of parts of which the texts count. */
function contentText(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  const texts = (content as unknown[]).flatMap((part) =>
    isObject(part) && typeof part['text'] === 'string' ? [part['text']] : [],
  );
  return texts.length === 0 ? null : texts.join('\n');
}

function referenceOf(target: unknown): EvaluatedItem['ref'] {
  if (!Array.isArray(target)) return labelText(target);
  const texts = (target as unknown[]).map((one) => labelText(one) ?? '');
  return texts.length === 0 ? null : texts;
}

/** A grade is a letter, a number or a truth value; a dictionary of several has no single value. */
function gradeOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'string' ? (GRADES[value] ?? null) : null;
}

function reportedScore(header: JsonObject, scorer: string | null, scored: number): ReportedNumber | null {
  const scores = objectAt(header, 'results')['scores'];
  const score = Array.isArray(scores)
    ? (scores as unknown[]).find((one) => isObject(one) && one['name'] === scorer)
    : undefined;
  const value = isObject(score) ? objectAt(objectAt(score, 'metrics'), 'accuracy')['value'] : undefined;
  if (typeof value !== 'number' || !isObject(score)) return null;
  const over = score['scored_samples'];
  return { name: `${scorer ?? ''} accuracy`, value, over: typeof over === 'number' ? over : scored };
}

function stepsOf(header: JsonObject): readonly JsonObject[] {
  const steps = objectAt(header, 'plan')['steps'];
  return Array.isArray(steps) ? (steps as unknown[]).filter(isObject) : [];
}

function objectAt(value: JsonObject, key: string): JsonObject {
  const found = value[key];
  return isObject(found) ? found : {};
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
