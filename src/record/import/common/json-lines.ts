import { parseJson } from '../../../read/json.js';
import type { SourceFile } from '../../../read/source-file.js';
import type { ImportOptions } from '../importer.js';
import { isBlank } from '../../read.js';
import { badRow } from './bad-row.js';
import { pythonJsonToJson } from './values.js';

/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** A line of a JSONL file that holds an object. */
export interface JsonLine {
  readonly value: JsonObject;
  /** 1-based. */
  readonly line: number;
}

/**
 * Reads a JSONL file whose lines are objects; blank lines are passed over. NaN and the infinities, which Python writes
 * though JSON doesn't have them, become null with a warning (`no-number`).
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line at a line that holds no object, unless such lines are skipped.
 */
export async function* readJsonLines(
  source: SourceFile,
  options: ImportOptions,
): AsyncGenerator<JsonLine, void, undefined> {
  for await (const lines of source.lines()) {
    options.signal?.throwIfAborted();
    for (const { text, line } of lines) {
      if (isBlank(text)) continue;
      const json = pythonJsonToJson(text);
      if (json !== text) {
        const message = 'NaN or Infinity, which JSON does not have: taken as null';
        options.onWarning?.({ file: source.name, line, code: 'no-number', message });
      }
      const parsed = parseJson(json);
      if ('problem' in parsed) badRow(options, source.name, line, `$: ${parsed.problem}`);
      else if (isObject(parsed.value)) yield { value: parsed.value, line };
      else badRow(options, source.name, line, `$: expected an object, found ${kindOf(parsed.value)}`);
    }
  }
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The kind of a JSON value, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : `a ${typeof value}`;
}

/** An object without some of its keys; a key `__proto__` stays a key. */
export function withoutKeys(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}
