import { ERROR_CODES, UsageError } from '../../../errors.js';
import { parseJson } from '../../../read/json.js';
import { labelText } from '../../../read/label.js';
import { readText } from '../../../read/source-file.js';
import type { SourceFile } from '../../../read/source-file.js';
import { defineImporter } from '../importer.js';
import type { ImportOptions } from '../importer.js';
import { makeRecord } from '../../schema.js';
import type { AttackRecord } from '../../schema.js';
import { badRow } from '../common/bad-row.js';
import { isObject, kindOf, readJsonLines, withoutKeys } from '../common/json-lines.js';
import type { JsonObject } from '../common/json-lines.js';
import { fileName, pythonJsonToJson } from '../common/values.js';

/** OpenAttack writes no files: some save the results as one list. That must fit into memory; JSONL need not. */
const MAX_LIST_BYTES = 256 * 1024 * 1024;

/**
 * Reads the results that OpenAttack's `AttackEval.ieval` yields, saved as JSONL (or as one JSON list).
 *
 * OpenAttack skips nothing: an input that the model got wrong is attacked like any other, away from the wrong label. The
 * results hold no outputs of the model.
 */
export const openattack = defineImporter({
  name: 'openattack',
  description: 'OpenAttack: results of AttackEval.ieval as JSONL',
  detect: (head) => (/^\s*(?:\[\s*)?\{\s*"data"\s*:/u.test(head) && /"success"\s*:/u.test(head) ? 1 : 0),
  import: readOpenAttack,
});

async function* readOpenAttack(source: SourceFile, options: ImportOptions): AsyncGenerator<AttackRecord> {
  let number = 0;
  for await (const { value, line } of results(source, options)) {
    number += 1;
    const problem = problemOf(value);
    if (problem === undefined) yield resultRecord(value, number, line, source.name, options);
    else badRow(options, source.name, line, problem);
  }
}

async function* results(
  source: SourceFile,
  options: ImportOptions,
): AsyncGenerator<{ readonly value: JsonObject; readonly line: number }> {
  if (!(await source.head()).trimStart().startsWith('[')) {
    yield* readJsonLines(source, options);
    return;
  }
  const list = parseJson(pythonJsonToJson(await readText(source, MAX_LIST_BYTES)));
  if ('problem' in list) throw new UsageError(ERROR_CODES.FORMAT, `${source.name}:1: ${list.problem}`);
  for (const [index, value] of (list.value as unknown[]).entries()) {
    if (isObject(value)) yield { value, line: 1 };
    else badRow(options, source.name, 1, `$[${index}]: expected an object, found ${kindOf(value)}`);
  }
}

function problemOf({ data, success }: JsonObject): string | undefined {
  if (!isObject(data)) return `$.data: expected the attacked example, an object, found ${kindOf(data)}`;
  if (typeof data['x'] !== 'string') return `$.data.x: expected a text, found ${kindOf(data['x'])}`;
  if (typeof success !== 'boolean') return `$.success: expected true or false, found ${kindOf(success)}`;
  return undefined;
}

function resultRecord(
  value: JsonObject,
  number: number,
  line: number,
  file: string,
  options: ImportOptions,
): AttackRecord {
  const data = value['data'] as JsonObject;
  const metrics = isObject(value['metrics']) ? value['metrics'] : {};
  const isSuccessful = value['success'] === true;
  if (isSuccessful && typeof value['result'] !== 'string') {
    const message = `success without a perturbed text (result is ${kindOf(value['result'])})`;
    options.onWarning?.({ file, line, code: 'contradiction', message });
  }
  const seconds = metrics['Running Time'];
  const queries = metrics['Victim Model Queries'];
  const extra: JsonObject = withoutKeys(value, ['data', 'success', 'result']);
  const otherData = withoutKeys(data, ['x', 'y']);
  if (Object.keys(otherData).length > 0) extra['data'] = otherData;
  if (value['result'] !== null && typeof value['result'] !== 'string') extra['result'] = value['result'];
  return makeRecord({
    id: String(number),
    run: fileName(file),
    unit: 'input',
    src: data['x'] as string,
    adv_src: typeof value['result'] === 'string' ? value['result'] : null,
    ref: labelText(data['y']),
    result: isSuccessful ? 'successful' : 'failed',
    queries: isCount(queries) ? queries : null,
    elapsed_ms: typeof seconds === 'number' && seconds >= 0 ? Math.round(seconds * 1000) : null,
    provenance: { tool: 'openattack', version: null, file, line },
    extra,
  });
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
