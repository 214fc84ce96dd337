import type { SourceFile } from '../../../read/source-file.js';
import { badRow } from '../common/bad-row.js';
import { elementLines, readJsonDocument } from '../common/json-document.js';
import { isObject } from '../common/json-lines.js';
import type { ImportOptions } from '../importer.js';
import { defineRunImporter } from '../runs/run-importer.js';
import type { EvaluatedItem, EvaluatedRun, RunClaim } from '../runs/run.js';

/**
 * Reads an artifact of JailbreakBench (`{parameters, jailbreaks}`): a record a behaviour. Success is a judge's word; the
 * behaviours for which no prompt was submitted count as failed, as in the rates that are published.
 *
 * Source: `attack-artifacts/` of JailbreakBench/artifacts.
 */
export const jailbreakbench = defineRunImporter({
  name: 'jailbreakbench',
  description: 'JailbreakBench: artifacts of an attack on a model',
  detect: (head) => (/^\s*\{\s*"parameters"\s*:/u.test(head) && /"jailbreaks"\s*:\s*\[/u.test(head) ? 1 : 0),
  readRuns,
});

async function readRuns(source: SourceFile, options: ImportOptions): Promise<EvaluatedRun[]> {
  const { value, text } = await readJsonDocument(source, options);
  const document = isObject(value) ? value : {};
  const parameters = isObject(document['parameters']) ? document['parameters'] : {};
  const list = Array.isArray(document['jailbreaks']) ? (document['jailbreaks'] as unknown[]) : [];
  const places = elementLines(text, 4, list.length);
  const attack = String(parameters['method'] ?? 'unknown');
  const items = list.flatMap((one, index): EvaluatedItem[] => {
    const line = places[index] ?? 1;
    if (!isObject(one) || typeof one['goal'] !== 'string' || typeof one['jailbroken'] !== 'boolean') {
      badRow(
        options,
        source.name,
        line,
        `$.jailbreaks[${index}]: expected a goal and whether the model was jailbroken`,
      );
      return [];
    }
    const { prompt, response, number_of_queries: queries } = one;
    return [
      {
        key: String(one['index'] ?? index),
        file: source.name,
        line,
        texts: new Map(typeof prompt === 'string' ? [['prompt', prompt]] : []),
        prompt: typeof prompt === 'string' ? prompt : null,
        out: typeof response === 'string' ? response : null,
        ref: null,
        score: null,
        attack,
        source: one['goal'],
        result: one['jailbroken'] ? 'successful' : 'failed',
        ...(typeof queries === 'number' && Number.isInteger(queries) && queries >= 0 ? { queries } : {}),
        raw: one,
      },
    ];
  });
  return [
    {
      tool: 'jailbreakbench',
      version: null,
      file: source.name,
      run: null,
      model: typeof parameters['model'] === 'string' ? parameters['model'] : null,
      dataset: 'jbb-behaviors',
      metric: null,
      template: null,
      reported: null,
      settings: parameters,
      claims: claimsOf(parameters, items.length),
      items,
    },
  ];
}

/** `total_number_of_jailbreaks` counts by the older judge in some artifacts: the audit shows it. */
function claimsOf(parameters: Readonly<Record<string, unknown>>, over: number): RunClaim[] {
  const { attack_success_rate: rate, total_number_of_jailbreaks: count } = parameters;
  return [
    ...(typeof rate === 'number'
      ? [{ quantity: 'success_rate' as const, name: 'attack_success_rate', value: rate, over }]
      : []),
    ...(typeof count === 'number'
      ? [{ quantity: 'successful' as const, name: 'total_number_of_jailbreaks', value: count, over }]
      : []),
  ];
}
