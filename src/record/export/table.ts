import { ERROR_CODES, UsageError } from '../../errors.js';
import { ParquetEncoder } from '../../parquet-encoder.js';
import type { AttackRecord } from '../schema.js';
import { formatRecord } from '../write.js';
import { csvCell, refuseHalfPairs, TABLE_COLUMNS, tableCells } from './cells.js';

/** The formats of an exported table. */
export type TableExportFormat = 'csv' | 'tsv' | 'jsonl' | 'parquet';

/**
 * Writes records as a table with a column for each field; `import table` gives the same records again.
 *
 * @param format JSONL is the format of records itself.
 * @yields Text or bytes of the file, in order.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` when a text holds what TSV can't (a tab or a line break).
 */
export async function* exportTable(
  records: AsyncIterable<AttackRecord>,
  format: TableExportFormat,
): AsyncGenerator<string | Uint8Array> {
  if (format === 'parquet') {
    yield* exportParquet(records);
    return;
  }
  let header = format === 'jsonl' ? '' : `${TABLE_COLUMNS.map(([name]) => name).join(format === 'csv' ? ',' : '\t')}\n`;
  for await (const record of records) {
    // Only now: a first record that can't be read leaves standard output empty.
    if (header !== '') yield header;
    header = '';
    if (format === 'jsonl') {
      yield `${formatRecord(record)}\n`;
      continue;
    }
    refuseHalfPairs(record, namedCells(record), format.toUpperCase());
    if (format === 'csv') yield `${tableCells(record).map(csvCell).join(',')}\n`;
    else yield tsvLine(record);
  }
  if (header !== '') yield header;
}

function namedCells(record: AttackRecord): (readonly [string, unknown])[] {
  return tableCells(record).map((cell, index) => [TABLE_COLUMNS[index]?.[0] ?? '', cell]);
}

function tsvLine(record: AttackRecord): string {
  const cells = tableCells(record).map((cell, index) => {
    const name = TABLE_COLUMNS[index]?.[0] ?? '';
    if (typeof cell === 'string' && /[\t\n\r]/u.test(cell)) {
      throw new UsageError(
        ERROR_CODES.FORMAT,
        `record ${record.id}: ${name} holds a tab or a line break, which TSV can't: export to .csv, .jsonl or .parquet`,
      );
    }
    return tsvCell(cell);
  });
  return `${cells.join('\t')}\n`;
}

/** TSV has no quoting of its own: only a cell that would be read as another one, or as none, is quoted. */
function tsvCell(cell: string | number | null): string {
  return typeof cell === 'string' && cell !== '' && !cell.startsWith('"') ? cell : csvCell(cell);
}

async function* exportParquet(records: AsyncIterable<AttackRecord>): AsyncGenerator<Uint8Array> {
  const encoder = new ParquetEncoder(
    TABLE_COLUMNS.map(([name, type]) => ({ name, type: type === 'json' ? 'text' : type })),
  );
  for await (const record of records) {
    refuseHalfPairs(record, namedCells(record), 'Parquet');
    const bytes = encoder.add(tableCells(record));
    if (bytes !== undefined) yield bytes;
  }
  yield encoder.finish();
}
