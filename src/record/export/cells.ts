import type { AttackRecord } from '../schema.js';

/** What the values of a column of an exported table are. */
export type CellType = 'text' | 'number' | 'integer' | 'json';

/** The columns of an exported table, in order: the fields of a record, those that hold objects as JSON. */
export const TABLE_COLUMNS: readonly (readonly [name: string, type: CellType])[] = [
  ['schema', 'text'],
  ['id', 'text'],
  ['run', 'text'],
  ['unit', 'text'],
  ['attack', 'text'],
  ['model', 'text'],
  ['dataset', 'text'],
  ['prompt_type', 'text'],
  ['source_model', 'text'],
  ['src', 'text'],
  ['adv_src', 'text'],
  ['out', 'text'],
  ['adv_out', 'text'],
  ['ref', 'text'],
  ['refs', 'json'],
  ['columns', 'json'],
  ['original_score', 'number'],
  ['attacked_score', 'number'],
  ['metric', 'text'],
  ['scale', 'integer'],
  ['result', 'text'],
  ['queries', 'integer'],
  ['elapsed_ms', 'integer'],
  ['measured', 'json'],
  ['provenance', 'json'],
  ['extra', 'json'],
  ['other_fields', 'json'],
];

const NAMES = new Set(TABLE_COLUMNS.map(([name]) => name));

/** The cells of a record, one for each of {@link TABLE_COLUMNS}: texts, numbers or null; objects as JSON. */
export function tableCells(record: AttackRecord): (string | number | null)[] {
  const others = Object.entries(record).filter(([field]) => !NAMES.has(field));
  const special: Record<string, unknown> = {
    ref: Array.isArray(record.ref) ? null : record.ref,
    refs: Array.isArray(record.ref) ? record.ref : null,
    extra: Object.keys(record.extra).length === 0 ? null : record.extra,
    other_fields: others.length === 0 ? null : Object.fromEntries(others),
  };
  return TABLE_COLUMNS.map(([name, type]) => {
    const value = name in special ? special[name] : record[name];
    if (value === null || value === undefined) return null;
    return type === 'json' ? JSON.stringify(value) : (value as string | number);
  });
}

/**
 * A cell of CSV: texts in quotes, numbers without, null as nothing at all, so that an empty text is something else.
 *
 * A text that a spreadsheet would run as a formula stays as it is: the file is data, and changing it would falsify it.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  return typeof value === 'number' ? String(value) : `"${value.replaceAll('"', '""')}"`;
}
