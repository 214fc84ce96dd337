import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';

import { readCsv } from '../../src/read/csv.js';
import type { CsvOptions, CsvRow } from '../../src/read/csv.js';
import { readBlocks } from '../../src/read/lines.js';
import { seeded } from '../helpers/seeded.js';

async function rows(text: string, options: Partial<CsvOptions> = {}, size = 1 << 16): Promise<CsvRow[]> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  }
  const all: CsvRow[] = [];
  for await (const batch of readCsv(readBlocks(chunks(), { file: 'f.csv' }), { file: 'f.csv', ...options }))
    all.push(...batch);
  return all;
}

async function cells(text: string, options: Partial<CsvOptions> = {}, size?: number): Promise<(readonly string[])[]> {
  return (await rows(text, options, size)).map((row) => row.cells);
}

describe('readCsv', () => {
  it('reads quotes, line ends and delimiters in cells', async () => {
    expect(await rows('a,"b"\n"x\r\n""y"",","z"\r\n,\n')).toEqual([
      { line: 1, cells: ['a', 'b'], quoted: [false, true] },
      { line: 2, cells: ['x\r\n"y",', 'z'], quoted: [true, true] },
      { line: 4, cells: ['', ''], quoted: [false, false] },
    ]);
  });

  it('gives the line at which each row starts', async () => {
    const text = 'a,b\n"1\n2\n3",x\n4,"\n"\n5,6';
    for (let size = 1; size < 20; size += 1) {
      expect((await rows(text, {}, size)).map((row) => row.line)).toEqual([1, 2, 5, 7]);
    }
  });

  it('B19: a carriage return of the line end belongs to no cell', async () => {
    expect(await cells('a,b\r\n1,"2"\r\n')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    expect(await cells(`${'x'.repeat(2000)},b\r\n`)).toEqual([['x'.repeat(2000), 'b']]);
    expect(await cells('a\rb,c\n')).toEqual([['a\rb', 'c']]);
  });

  it('B27, B39: the same rows at any chunk size', async () => {
    const text = 'text,text_1\r\n"say ""é🍵""\r\n!",tea\r\ntea,tea\r\n"""",","\r\n';
    const whole = await rows(text);
    for (let size = 1; size < text.length; size += 1) expect(await rows(text, {}, size)).toEqual(whole);
    expect(whole.at(-2)?.cells).toEqual(['tea', 'tea']);
  });

  it('B37: a byte order mark before a quoted header', async () => {
    expect(await cells('\uFEFF"original_text","result_type"\n"a","b"\n')).toEqual([
      ['original_text', 'result_type'],
      ['a', 'b'],
    ]);
  });

  it('agrees with csv-parse on random tables', async () => {
    const random = seeded(7);
    const pieces = ['a', '"', '""', ',', '\n', '\r\n', 'é', '🍵', ' ', '[[x]]', ''];
    for (let round = 0; round < 500; round += 1) {
      const table = Array.from({ length: 1 + random.below(4) }, () =>
        Array.from({ length: 2 }, () => Array.from({ length: random.below(4) }, () => random.pick(pieces)).join('')),
      );
      const text = table.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');
      const expected = parse(text, { record_delimiter: ['\r\n', '\n'], relax_column_count: true });
      expect(expected).toEqual(table);
      expect(await cells(text, {}, 1 + random.below(9))).toEqual(table);
    }
  });

  it('names the line of a quote that never ends, or that ends too early', async () => {
    await expect(rows('a,b\n1,"2\n3,4\n')).rejects.toThrow(
      /^f\.csv:2: a quoted cell of the row that starts here never ends/u,
    );
    await expect(rows('a,b\n1,"2"x\n3,4\n')).rejects.toThrow(/^f\.csv:2: a quoted cell is followed by "x"/u);
  });

  it('goes on behind a bad row when asked', async () => {
    const errors: string[] = [];
    const found = await rows('a,b\n1,"2"x\n3,4\n"5', { onBadRow: (line, reason) => errors.push(`${line}: ${reason}`) });
    expect(found.map((row) => [row.line, row.cells])).toEqual([
      [1, ['a', 'b']],
      [3, ['3', '4']],
    ]);
    expect(errors).toHaveLength(2);
  });

  it('stops gathering behind a quote that is never closed', async () => {
    await expect(rows(`a\n"${'x\n'.repeat(500)}`, { maxRowLength: 100 }, 16)).rejects.toThrow(/^f\.csv:2: /u);
  });

  it('takes quotes as characters when there is no quoting', async () => {
    const options = { delimiter: '\t', quotes: 'none' } as const;
    const text = '"hot" tea\t"cold"\n"open\tx\n"say ""hi"""\ty';
    expect(await cells(text, options)).toEqual([
      ['"hot" tea', '"cold"'],
      ['"open', 'x'],
      ['"say ""hi"""', 'y'],
    ]);
  });

  it('F22: one bad quote among many rows costs one row', async () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `${index},"text ${index}"`);
    for (const [bad, at] of [
      ['7,"never closed', 8],
      ['7,"closed" early', 8],
      ['7,"never closed', 50_000],
    ] as const) {
      const text = ['id,text', ...lines.with(at - 1, bad)].join('\n');
      const lost: number[] = [];
      const found = await rows(text, { onBadRow: (line) => lost.push(line) });
      expect(lost).toEqual([at + 1]);
      expect(found.map(({ line }) => line)).toEqual(
        Array.from({ length: 50_001 }, (_, index) => index + 1).filter((line) => line !== at + 1),
      );
    }
  });

  it('F22: of many bad rows each is named, and nothing else is lost', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `${index},"${index % 3 === 1 ? 'x' : 'ok"'}`);
    for (const size of [7, 1 << 16]) {
      const lost: number[] = [];
      const found = await rows(lines.join('\n'), { onBadRow: (line) => lost.push(line) }, size);
      expect(lost).toHaveLength(1000);
      expect(found.map(({ cells: row }) => row[1])).toEqual(Array.from({ length: 2000 }, () => 'ok'));
    }
  });

  it('F23: reads files whose line ends are carriage returns', async () => {
    expect(await rows('a,b\r1,"x\r2"\r3,4\r')).toEqual([
      { line: 1, cells: ['a', 'b'], quoted: [false, false] },
      { line: 2, cells: ['1', 'x\r2'], quoted: [false, true] },
      { line: 4, cells: ['3', '4'], quoted: [false, false] },
    ]);
  });

  it('keeps empty cells and blank lines', async () => {
    expect(await cells('a,\n\n,b')).toEqual([['a', ''], [''], ['', 'b']]);
    expect(await cells('a,')).toEqual([['a', '']]);
    expect(await cells('')).toEqual([]);
  });
});
