import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { SegmentBatch } from '../../src/read/segment-source.js';
import { parseColumns } from '../../src/read/table-columns.js';
import { openTable } from '../../src/read/table.js';
import type { TableOptions } from '../../src/read/table.js';

async function read(text: string | Uint8Array, columns: string, options: TableOptions & { segments?: number } = {}) {
  async function* stdin(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text as string);
  }
  const table = openTable('-', parseColumns(columns), { ...options, stdin: stdin() });
  const batches: SegmentBatch[] = [];
  for await (const batch of table.batches(options.segments ?? 1000)) batches.push(batch);
  return { batches, inputs: await table.inputs() };
}

describe('openTable', () => {
  it('reads CSV, TSV and JSONL alike', async () => {
    const expected = {
      firstSegment: 0,
      count: 2,
      ids: ['a', 'b'],
      src: ['hot tea', 'mil"k'],
      attacks: [{ advSrc: ['hot, tee', ''] }],
    };
    const columns = 'src=x,adv_src=y,id=n';
    const csv = 'n,x,y\r\na,hot tea,"hot, tee"\r\nb,"mil""k",\r\n';
    const tsv = 'n\tx\ty\na\thot tea\thot, tee\nb\tmil"k\t\n';
    const jsonl = '{"n":"a","x":"hot tea","y":"hot, tee"}\n\n{"n":"b","x":"mil\\"k","y":""}';
    for (const text of [csv, tsv, jsonl, gzipSync(csv)])
      expect((await read(text, columns)).batches).toEqual([expected]);
  });

  it('reads numbers and several references', async () => {
    const { batches } = await read(
      '{"o":1,"p":0,"r":["1","one"]}\n{"o":true,"p":"x","r":"y"}\n',
      'out=o,adv_out=p,ref=r',
    );
    expect(batches).toEqual([
      { firstSegment: 0, count: 2, out: ['1', 'true'], refs: [['1', 'one'], 'y'], attacks: [{ advOut: ['0', 'x'] }] },
    ]);
    const columns = await read('o,p,r,s\na,b,c,d\n', 'out=o,adv_out=p,ref=r,ref=s');
    expect(columns.batches[0]?.refs).toEqual([['c', 'd']]);
  });

  it('strips whitespace at the end of texts unless told not to', async () => {
    expect((await read('x,y\n" a\u3000", b .\u00A0\n', 'src=x,adv_src=y')).batches[0]).toMatchObject({
      src: [' a'],
      attacks: [{ advSrc: [' b .'] }],
    });
    const kept = await read('x,y\na ,b\n', 'src=x,adv_src=y', { keepTrailingWhitespace: true });
    expect(kept.batches[0]?.src).toEqual(['a ']);
  });

  it('gives batches of the size asked for and reports what it read', async () => {
    const text = `x,y\n${'a .,b\rc\n'.repeat(5)}`;
    const { batches, inputs } = await read(text, 'src=x,adv_src=y', { segments: 2 });
    expect(batches.map(({ firstSegment, count }) => [firstSegment, count])).toEqual([
      [0, 2],
      [2, 2],
      [4, 1],
    ]);
    expect(inputs).toEqual([
      {
        role: 'data',
        name: '<stdin>',
        lines: 5,
        sha256: createHash('sha256').update(text).digest('hex'),
        loneCarriageReturns: 5,
        tokenizedLines: 5,
      },
    ]);
  });

  it('takes a blank line for no record, unless the table has one column', async () => {
    expect((await read('x,y\na,b\n\n', 'src=x,adv_src=y')).batches[0]?.count).toBe(1);
    expect((await read('x\na\n\nb\n', 'src=x,adv_src=x')).batches[0]?.src).toEqual(['a', '', 'b']);
  });
});

describe('parseColumns', () => {
  it('takes names with commas and equals signs', () => {
    expect(parseColumns('src=a, b=c,adv_src=d,ref=e,ref=f')).toMatchObject({ refs: ['e', 'f'] });
    expect(parseColumns('src=a,b,adv_src=c')).toEqual({
      id: undefined,
      src: 'a,b',
      advSrc: 'c',
      out: undefined,
      advOut: undefined,
      refs: [],
    });
  });

  it('refuses unknown and repeated parts', () => {
    expect(() => parseColumns('src=a,src=b')).toThrow('src is given twice');
    expect(() => parseColumns('scr=a')).toThrow('Did you mean "src"?');
    expect(() => parseColumns('src=')).toThrow('expected PART=COLUMN');
  });
});
