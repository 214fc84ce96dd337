import { stripBlanks } from '../read/whitespace.js';
import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import type { AttackRecord } from './schema.js';

/** The keys by which records can be grouped, besides `extra.NAME`; `transfer` is `source_model→model`. */
export const GROUPING_KEYS = [
  'attack',
  'model',
  'source_model',
  'dataset',
  'prompt_type',
  'run',
  'unit',
  'metric',
  'result',
  'transfer',
  'tool',
  'file',
] as const;

/** How a group without a value is shown. */
export const NO_VALUE = '(none)';

const EXTRA = 'extra.';

/**
 * Reads a list of grouping keys, `attack,dataset`.
 *
 * @param text names of {@link GROUPING_KEYS} or `extra.NAME`, separated by commas.
 * @param flag the option, for errors.
 * @param more fields that are keys as well, for example `id`.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` at an unknown, empty or repeated key.
 */
export function parseGroupingKeys(text: string, flag: string, more: readonly string[] = []): readonly string[] {
  const allowed: readonly string[] = [...GROUPING_KEYS, ...more];
  const keys = text.split(',').map(stripBlanks);
  for (const [index, key] of keys.entries()) {
    const known = allowed.includes(key) || (key.startsWith(EXTRA) && key.length > EXTRA.length);
    if (!known) {
      const list = `${allowed.join(', ')} or extra.NAME`;
      const message = `${flag}: records can't be grouped by "${key}".${didYouMean(key, allowed)} It is one of ${list}.`;
      throw new UsageError(ERROR_CODES.INVALID_OPTION, message);
    }
    if (keys.indexOf(key) < index) {
      throw new UsageError(ERROR_CODES.INVALID_OPTION, `${flag}: "${key}" is given twice.`);
    }
  }
  return keys;
}

/**
 * The value of a grouping key in a record.
 *
 * @returns the text; null when the record has none (the tool didn't say).
 */
export function groupingValue(record: AttackRecord, key: string): string | null {
  const value = lookUp(record, key);
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

/** The values of several keys. */
export function groupingValues(record: AttackRecord, keys: readonly string[]): (string | null)[] {
  return keys.map((key) => groupingValue(record, key));
}

function lookUp(record: AttackRecord, key: string): unknown {
  if (key === 'transfer') {
    const { source_model: source, model } = record;
    return source === null || model === null ? null : `${source}→${model}`;
  }
  if (key === 'tool') return record.provenance?.tool;
  if (key === 'file') return record.provenance?.file;
  if (!key.startsWith(EXTRA)) return record[key];
  const name = key.slice(EXTRA.length);
  return Object.hasOwn(record.extra, name) ? record.extra[name] : undefined;
}
