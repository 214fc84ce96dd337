import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { ERROR_CODES, UsageError } from '../../../errors.js';
import { openSource } from '../../../read/source-file.js';
import type { SourceFile } from '../../../read/source-file.js';
import { readJsonDocument } from '../common/json-document.js';
import { isObject } from '../common/json-lines.js';
import type { JsonObject } from '../common/json-lines.js';
import type { ImportOptions } from '../importer.js';
import { defineRunImporter } from '../runs/run-importer.js';
import type { EvaluatedItem, EvaluatedRun } from '../runs/run.js';

/**
 * Reads runs of AgentDojo, one a file (`<pipeline>/<suite>/<user task>/<attack>/<injection task>.json`); a folder gives all
 * runs in it. An attacked run is paired with the clean run of the same user task, `none/none.json` beside its folder.
 *
 * `security` true means that the injection was executed: the attack succeeded. It is true in clean runs too, so these have no
 * result; runs of an injection as a task of the user (`injection_task_*`) are no attacks and are left out with a warning.
 *
 * Source: `src/agentdojo/benchmark.py` of ethz-spylab/agentdojo; seen with 0.1.35.
 */
export const agentdojo = defineRunImporter({
  name: 'agentdojo',
  description: 'AgentDojo: runs as JSON, one a file, or a folder of them',
  inFolder: /\.json$/u,
  detect: (head) => (/^\s*\{\s*"suite_name"\s*:/u.test(head) && /"user_task_id"\s*:/u.test(head) ? 1 : 0),
  readRuns,
});

async function readRuns(source: SourceFile, options: ImportOptions): Promise<EvaluatedRun[]> {
  const { value } = await readJsonDocument(source, options);
  if (!isObject(value) || typeof value['user_task_id'] !== 'string' || typeof value['utility'] !== 'boolean') {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${source.name}:1: no run of AgentDojo: expected user_task_id and utility`,
    );
  }
  const run = (items: readonly EvaluatedItem[]): EvaluatedRun => ({
    tool: 'agentdojo',
    version: textOr(value['agentdojo_package_version']),
    file: source.name,
    run: textOr(value['pipeline_name']),
    model: textOr(value['pipeline_name']),
    dataset: textOr(value['suite_name']),
    metric: 'utility',
    template: null,
    reported: null,
    items,
  });
  if (value['user_task_id'].startsWith('injection_task')) {
    const message = 'an injection run as a task of the user, no attack: it was left out';
    options.onWarning?.({ file: source.name, line: null, code: 'no-attack', message });
    return [run([])];
  }
  const item = itemOf(value, source.name);
  const clean = item.attack === null ? undefined : await cleanRun(source, options);
  return [run(clean === undefined ? [item] : [item, clean])];
}

function itemOf(value: JsonObject, file: string): EvaluatedItem {
  const attack = textOr(value['attack_type']);
  const task = String(value['user_task_id']);
  const injections = isObject(value['injections']) ? value['injections'] : {};
  const isError = typeof value['error'] === 'string' && value['error'] !== '';
  const executed = value['security'] === true ? 'successful' : 'failed';
  const injected = Object.values(injections)
    .filter((text) => typeof text === 'string')
    .join('\n');
  return {
    key: attack === null ? task : `${task}/${String(value['injection_task_id'])}`,
    file,
    line: null,
    texts: new Map([['prompt', attack === null ? userPrompt(value) : `${userPrompt(value)}\n${injected}`]]),
    prompt: userPrompt(value),
    out: lastAnswer(value),
    ref: null,
    score: value['utility'] === true ? 1 : 0,
    isError,
    attack,
    ...(attack === null ? {} : { original: task, source: userPrompt(value), result: isError ? null : executed }),
    raw: value,
  };
}

/** The clean run of the same user task. */
async function cleanRun(source: SourceFile, options: ImportOptions): Promise<EvaluatedItem | undefined> {
  const path = source.path === undefined ? undefined : join(dirname(dirname(source.path)), 'none', 'none.json');
  if (path === undefined || !existsSync(path)) return undefined;
  const { value } = await readJsonDocument(openSource(path, { signal: options.signal }), options);
  return isObject(value) ? itemOf(value, path) : undefined;
}

function userPrompt({ messages }: JsonObject): string {
  const first: unknown = Array.isArray(messages)
    ? messages.find((one: unknown) => isObject(one) && one['role'] === 'user')
    : undefined;
  return contentText(isObject(first) ? first['content'] : null);
}

function lastAnswer({ messages }: JsonObject): string | null {
  const last: unknown = Array.isArray(messages)
    ? messages.findLast((one: unknown) => isObject(one) && one['role'] === 'assistant')
    : undefined;
  return isObject(last) ? contentText(last['content']) : null;
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as unknown[])
    .flatMap((part) => (isObject(part) && typeof part['content'] === 'string' ? [part['content']] : []))
    .join('\n');
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
