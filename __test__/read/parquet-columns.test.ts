import { parquetWriteBuffer } from 'hyparquet-writer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { openSource } from '../../src/read/source-file.js';
import { readTableRows } from '../../src/read/table-rows.js';
import { temporaryFolder } from '../helpers/cli.js';
import { hasShared, shared } from '../shared.js';

const folder = temporaryFolder();

async function read(path: string, columns?: readonly string[]): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const batch of readTableRows(openSource(path), columns === undefined ? {} : { columns: () => columns })) {
    for (const row of batch) rows.push(Object.fromEntries(row.columns.map((name, index) => [name, row.values[index]])));
  }
  return rows;
}

describe('columns of Parquet that are no texts', () => {
  it.skipIf(!hasShared)(
    'F26: bytes beside the texts are base64, and do not matter when they are not asked for',
    async () => {
      const path = shared('cases/inputs/binary-column.parquet');
      const [first] = (await read(path)) as { src: string; image: string }[];
      expect(first?.src).toEqual(expect.any(String));
      expect(Buffer.from(first?.image ?? '', 'base64').toString('base64')).toBe(first?.image);
      expect(first?.image).not.toBe('');
      expect(await read(path, ['src'])).toContainEqual({ src: first?.src });
    },
  );

  it('F26: times keep their digits', async () => {
    const path = join(folder.path, 'times.parquet');
    const times = [1_700_000_000_123_456n, -1n, 1_700_000_000_000_000n];
    const schema = [
      { name: 'root', num_children: 2 },
      { name: 'src', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
      { name: 'at', type: 'INT64', converted_type: 'TIMESTAMP_MICROS', repetition_type: 'OPTIONAL' },
    ] as const;
    const columnData = [
      { name: 'src', data: ['a', 'b', 'c'] },
      { name: 'at', data: times },
    ];
    writeFileSync(path, Buffer.from(parquetWriteBuffer({ columnData, schema: [...schema] })));
    expect(await read(path)).toEqual([
      { src: 'a', at: '2023-11-14T22:13:20.123456Z' },
      { src: 'b', at: '1969-12-31T23:59:59.999999Z' },
      { src: 'c', at: '2023-11-14T22:13:20.000Z' },
    ]);
  });
});
