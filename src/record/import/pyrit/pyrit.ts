import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { parseJson } from '../../../read/json.js';
import { openSource } from '../../../read/source-file.js';
import type { SourceFile } from '../../../read/source-file.js';
import { badRow } from '../common/bad-row.js';
import { elementLines, readJsonDocument } from '../common/json-document.js';
import { isObject } from '../common/json-lines.js';
import type { JsonObject } from '../common/json-lines.js';
import type { ImportOptions } from '../importer.js';
import { defineRunImporter } from '../runs/run-importer.js';
import type { EvaluatedItem, EvaluatedRun } from '../runs/run.js';

/** The outcomes of an attack, in the words of a record. */
const OUTCOMES = { success: 'successful', failure: 'failed' } as const;

/**
 * Reads PyRIT's memory: the table `PromptMemoryEntries` as a JSON list of its rows (or the list of message pieces that
 * 0.9 exports), with `AttackResultEntries.json` beside it. A request of the user is one record: its converters in their
 * order are the attack; the request without converters for the same objective is its original.
 *
 * Source: `pyrit/memory/memory_models.py` of Azure/PyRIT; 1.1.0.
 */
export const pyrit = defineRunImporter({
  name: 'pyrit',
  description: 'PyRIT: PromptMemoryEntries as JSON, with AttackResultEntries.json beside it',
  detect: (head) =>
    /^\s*\[\s*\{/u.test(head) && /"original_value"\s*:/u.test(head) && /"converted_value"\s*:/u.test(head) ? 1 : 0,
  readRuns,
});

async function readRuns(source: SourceFile, options: ImportOptions): Promise<EvaluatedRun[]> {
  const { value, text } = await readJsonDocument(source, options);
  const list = Array.isArray(value) ? (value as unknown[]) : [];
  const places = elementLines(text, 1, list.length);
  const pieces = list.flatMap((piece, index) => {
    if (isObject(piece) && typeof piece['role'] === 'string') return [{ piece, line: places[index] ?? 1 }];
    badRow(options, source.name, places[index] ?? 1, `$[${index}]: expected a message piece with a role`);
    return [];
  });
  const results = await attackResults(source, options);
  const items = pieces.flatMap(({ piece, line }): EvaluatedItem[] => {
    if (piece['role'] !== 'user') return [];
    const conversation = piece['conversation_id'];
    const answer = pieces.find(
      ({ piece: other }) => other['role'] === 'assistant' && other['conversation_id'] === conversation,
    )?.piece;
    const result = results.get(String(conversation));
    const outcome = String(result?.['outcome']);
    const original = String(piece['original_value'] ?? '');
    const converters = converterNames(piece['converter_identifiers']);
    return [
      {
        key: String(piece['id'] ?? line),
        file: source.name,
        line,
        texts: new Map([['converted_value', String(piece['converted_value'] ?? original)]]),
        prompt: original,
        out: typeof answer?.['converted_value'] === 'string' ? answer['converted_value'] : null,
        ref: null,
        score: null,
        isError: typeof piece['response_error'] === 'string' && piece['response_error'] === 'processing',
        attack: converters.length === 0 ? 'none' : converters.join('+'),
        source: original,
        result: outcome in OUTCOMES ? OUTCOMES[outcome as keyof typeof OUTCOMES] : null,
        raw: { ...piece, ...(result === undefined ? {} : { attack_result: result }) },
      },
    ];
  });
  const [first] = pieces;
  return [
    {
      tool: 'pyrit',
      version: typeof first?.piece['pyrit_version'] === 'string' ? first.piece['pyrit_version'] : null,
      file: source.name,
      run: null,
      model: null,
      dataset: null,
      metric: null,
      template: null,
      reported: null,
      items,
    },
  ];
}

/** The names of the converters in their order: columns of the database hold JSON texts, exports hold lists. */
function converterNames(written: unknown): string[] {
  const parsed = typeof written === 'string' ? parseJson(written) : { value: written };
  const list = 'value' in parsed && Array.isArray(parsed.value) ? (parsed.value as unknown[]) : [];
  return list.flatMap((one) => {
    const name = isObject(one) ? (one['class_name'] ?? one['__type__']) : one;
    return typeof name === 'string' ? [name.replace(/Converter$/u, '').toLowerCase()] : [];
  });
}

async function attackResults(source: SourceFile, options: ImportOptions): Promise<ReadonlyMap<string, JsonObject>> {
  const path = source.path === undefined ? undefined : join(dirname(source.path), 'AttackResultEntries.json');
  if (path === undefined || !existsSync(path)) return new Map();
  const { value } = await readJsonDocument(openSource(path, { signal: options.signal }), options);
  const rows = Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];
  return new Map(rows.map((row) => [String(row['conversation_id']), row]));
}
