import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { UsageError } from '../../src/errors.js';
import { ParquetEncoder } from '../../src/parquet-encoder.js';
import type { ParquetColumn } from '../../src/parquet-encoder.js';
import { openParquet, plainValue } from '../../src/read/parquet.js';
import { openTable } from '../../src/read/table.js';

const folder = mkdtempSync(join(tmpdir(), 'teapot-parquet-'));
afterAll(() => rmSync(folder, { recursive: true }));

function save(name: string, columns: readonly ParquetColumn[], rows: readonly (readonly unknown[])[]): string {
  const encoder = new ParquetEncoder(columns);
  const parts = rows.flatMap((row) => encoder.add(row) ?? []);
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat([...parts, encoder.finish()]));
  return path;
}

async function readAll(path: string, columns?: readonly string[]): Promise<unknown[][]> {
  const file = await openParquet(path);
  const all: unknown[][] = [];
  for await (const { firstRow, rows } of file.rows(columns)) {
    expect(firstRow).toBe(all.length + 1);
    for (const row of rows) all.push(row.map(plainValue));
  }
  expect(all).toHaveLength(file.rowCount);
  await file.close();
  return all;
}

const COLUMNS = [
  { name: 'text', type: 'text' },
  { name: 'attacked', type: 'text' },
  { name: 'label', type: 'integer' },
  { name: 'score', type: 'number' },
  { name: 'good', type: 'boolean' },
] as const;

describe('Parquet', () => {
  it('B42: a null never shifts the rows behind it, over many row groups', async () => {
    const rows = Array.from({ length: 25_000 }, (_, index) => [
      index % 20 === 0 ? null : `tea ${index} é🍵`,
      `t3a ${index}`,
      index,
      index / 3,
      index % 2 === 0,
    ]);
    const path = save('many.parquet', COLUMNS, rows);
    expect(await readAll(path)).toEqual(rows);
    expect(await readAll(path, ['attacked', 'text'])).toEqual(rows.map(([text, attacked]) => [attacked, text]));
  });

  it('keeps texts as they are, and integers of 64 bits', async () => {
    const texts = ['\uFEFFmark', '', 'line\r\nend', '"quoted"', '\u0000'];
    const path = save(
      'odd.parquet',
      COLUMNS,
      texts.map((text, index) => [text, text, 2 ** 52 + index, null, null]),
    );
    expect((await readAll(path)).map((row) => [row[0], row[2]])).toEqual(
      texts.map((text, index) => [text, 2 ** 52 + index]),
    );
    expect(plainValue(2n ** 62n)).toBe('4611686018427387904');
  });

  it('a place outside of the file is an error that names the file, never an unhandled failure', async () => {
    const rows = Array.from({ length: 30 }, (_, row) => [
      `tea ${row}`,
      row % 3 === 0 ? null : 't3a',
      row,
      row / 3,
      true,
    ]);
    const sound = readFileSync(save('sound.parquet', COLUMNS, rows));
    const path = join(folder, 'wrong.parquet');
    // The data of every column is gone, and the footer still names it: its places lie beyond the end.
    const footer = sound.subarray(sound.length - 8 - sound.readUInt32LE(sound.length - 8));
    writeFileSync(path, Buffer.concat([Buffer.from('PAR1'), footer]));
    const file = await openParquet(path);
    const read = async (): Promise<void> => {
      for await (const { firstRow } of file.rows()) expect(firstRow).toBe(0);
    };
    await expect(read()).rejects.toThrow(UsageError);
    await expect(read()).rejects.toThrow('wrong.parquet: no Parquet file, or damaged or cut off');
    await file.close();
  });

  it('names a file that is none, or cut off', async () => {
    const path = save('whole.parquet', COLUMNS, [['a', 'b', 1, 1, true]]);
    for (const [name, content] of [
      ['empty', ''],
      ['text', 'PAR1 but no Parquet'],
      ['cut', (await import('node:fs')).readFileSync(path).subarray(0, -20)],
    ] as const) {
      const broken = join(folder, `${name}.parquet`);
      writeFileSync(broken, content);
      await expect(openParquet(broken)).rejects.toThrow(`${name}.parquet: no Parquet file, or damaged or cut off`);
    }
    await expect(openParquet(join(folder, 'none.parquet'))).rejects.toThrow(/no such file/u);
    await expect(openParquet('-')).rejects.toThrow(/standard input/u);
  });

  it('is a table of segments, with the rows that lack a text', async () => {
    const path = save('table.parquet', COLUMNS, [
      ['hot tea', 'h0t tea', 1, 0.5, true],
      [null, 'x', 2, null, false],
    ]);
    const source = openTable(path, { src: 'text', advSrc: '#2', out: '#3', refs: [] });
    const batches = [];
    for await (const batch of source.batches(10)) batches.push(batch);
    expect(batches).toMatchObject([
      { count: 2, src: ['hot tea', ''], out: ['1', '2'], attacks: [{ advSrc: ['h0t tea', 'x'] }] },
    ]);
    const [input] = await source.inputs();
    expect(input).toMatchObject({ lines: 2, missing: { count: 1, rows: [2] } });
    expect(input?.sha256).toMatch(/^[\da-f]{64}$/u);
    const wrong = openTable(path, { src: 'texte', refs: [] });
    await expect(wrong.batches(10)[Symbol.asyncIterator]().next()).rejects.toThrow(
      /no column "texte"\. Did you mean "text"\?/u,
    );
  });
});
