import { ERROR_CODES, UsageError } from '../../errors.js';
import { FIELD_KINDS } from '../fields.js';
import type { AttackRecord } from '../schema.js';

/** What the values of a column of an exported table are. */
export type CellType = 'text' | 'number' | 'integer' | 'json';

const CELL_TYPES = { text: 'text', references: 'text', number: 'number', count: 'integer', object: 'json' } as const;

/**
 * The columns of an exported table, in order: the fields of a record, those that hold objects as JSON. Several references
 * are in a column `refs` of their own, and fields that the schema doesn't have in `other_fields`.
 */
export const TABLE_COLUMNS: readonly (readonly [name: string, type: CellType])[] = [...FIELD_KINDS]
  .flatMap(([name, field]): (readonly [string, CellType])[] => {
    if (field.kind === 'references')
      return [
        [name, 'text'],
        [`${name}s`, 'json'],
      ];
    if (field.kind !== 'choice') return [[name, CELL_TYPES[field.kind]]];
    return [[name, field.values.every((value) => typeof value === 'number') ? 'integer' : 'text']];
  })
  .concat([['other_fields', 'json']]);

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
 * Refuses texts with half of a surrogate pair: UTF-8 has no bytes for it, and a replacement would make unlike texts equal.
 *
 * @param format What is written, for the message.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` with the id of the record and the name of the field.
 */
export function refuseHalfPairs(
  record: AttackRecord,
  texts: Iterable<readonly [name: string, text: unknown]>,
  format: string,
): void {
  for (const [name, text] of texts) {
    if (typeof text !== 'string' || text.isWellFormed()) continue;
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `record ${JSON.stringify(record.id)}: ${name} holds half of a surrogate pair, which ${format} can't: export to .jsonl, which escapes it`,
    );
  }
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
