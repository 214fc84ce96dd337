import { describe, expect, it } from 'vitest';

import { table } from '../../../src/record/import/table/table.js';
import type { ImportOptions } from '../../../src/record/import/importer.js';
import { collect } from './collect.js';
import type { Imported } from './collect.js';

async function read(text: string, options?: ImportOptions): Promise<Imported> {
  return collect(table, { text }, options);
}

describe('table', () => {
  it('maps columns by name, by number and by the names of the fields', async () => {
    const csv = 'text,attacked,label,label,pred\nhot tea,h0t tea,a,b,1\n';
    const { records } = await read(csv, { columns: 'src=text,adv_src=attacked,ref=#3,ref=#4,out=pred' });
    expect(records).toMatchObject([
      { src: 'hot tea', adv_src: 'h0t tea', ref: ['a', 'b'], out: '1', extra: {}, id: '1' },
    ]);
    const named = await read('id,src,adv_src,result,queries,note\nx,a,b,Successful,7,n\n');
    expect(named.records).toMatchObject([
      { id: 'x', src: 'a', result: 'successful', queries: 7, extra: { note: 'n' } },
    ]);
  });

  it('B19, B37: a byte order mark and carriage returns belong to no cell', async () => {
    const tsv = '\uFEFF"src"\t"adv_src"\t"ref"\r\nhot tea\tcold\t1\r\n';
    expect((await read(tsv)).records).toMatchObject([{ src: 'hot tea', adv_src: 'cold', ref: '1' }]);
    const jsonl = '\uFEFF{"src":"a","adv_src":"b"}\r\n';
    expect((await read(jsonl)).records).toMatchObject([{ src: 'a', adv_src: 'b' }]);
  });

  it('B39: refuses a column that is named twice, with all columns', async () => {
    const csv = 'text,text,text_1\ntea,tea,tea\n';
    await expect(read(csv, { columns: 'src=text' })).rejects.toThrow(
      /several columns are named "text": .*#1 text, #2 text, #3 text_1/u,
    );
    expect((await read(csv, { columns: 'src=#1,adv_src=text_1' })).records).toMatchObject([
      { src: 'tea', adv_src: 'tea', extra: { text: 'tea' } },
    ]);
    await expect(read('src,src,adv_src\na,b,c\n')).rejects.toThrow(/several columns are named "src"/u);
  });

  it('names a column that is not there and suggests the nearest', async () => {
    await expect(read('text,attacked\na,b\n', { columns: 'src=texte' })).rejects.toThrow(
      /no column "texte"\. Did you mean "text"\?/u,
    );
    await expect(read('text,attacked\na,b\n')).rejects.toThrow(
      /no column of texts or scores: name them.*text, attacked/u,
    );
    await expect(read('{"text":"a"}\n{"txt":"b"}\n', { columns: 'src=text' })).rejects.toThrow(
      /<stdin>:2: there is no field "text"\. The fields are txt/u,
    );
  });

  it('tells an empty cell from an empty text', async () => {
    const { records, warnings } = await read('src,adv_src\na,\n"",b\n');
    expect(records.map((record) => [record.src, record.adv_src])).toEqual([
      ['a', null],
      ['', 'b'],
    ]);
    expect(warnings).toMatchObject([{ code: 'missing-value', line: 2 }]);
  });

  it('keeps a cell that does not fit its field', async () => {
    const { records, warnings } = await read('src,adv_src,queries,result\na,b,many,broke\n');
    expect(records).toMatchObject([{ queries: null, result: null, extra: { queries: 'many', result: 'broke' } }]);
    expect(warnings.map(({ code }) => code)).toEqual(['unfit-value', 'unfit-value']);
  });

  it('takes lines of JSONL that are records as they are', async () => {
    const line = '{"schema":"teapot.record/1","id":"q","unit":"prompt","future":1}';
    expect((await read(`${line}\n`)).records).toMatchObject([{ id: 'q', unit: 'prompt', future: 1, provenance: null }]);
    await expect(read('{"schema":"teapot.record/1","id":1,"unit":"prompt"}\n')).rejects.toThrow(/<stdin>:1: \$\.id/u);
  });

  it('names a row of another length', async () => {
    await expect(read('src,adv_src\na,b\nc\n')).rejects.toThrow(/<stdin>:3: found 1 cells, expected 2/u);
    const { records } = await read('src,adv_src\na,b\nc\n', { onError: 'skip' });
    expect(records).toHaveLength(1);
  });

  it('keeps columns with odd names', async () => {
    const { records } = await read('{"src":"a","adv_src":"b","__proto__":{"x":1},"constructor":"c"}\n');
    expect(Object.keys(records[0]?.extra ?? {})).toEqual(['__proto__', 'constructor']);
  });
});
