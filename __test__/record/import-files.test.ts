import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { openSource } from '../../src/read/source-file.js';
import { importRecords } from '../../src/cli/commands/import.js';
import { detectImporter, FileImport, importerNames } from '../../src/record/import/import-files.js';
import { importParallel } from '../../src/record/import/parallel/import-parallel.js';
import type { ImportWarning } from '../../src/record/import/importer.js';
import type { AttackRecord } from '../../src/record/schema.js';
import { shared, sharedNames } from '../shared.js';

const folder = mkdtempSync(join(tmpdir(), 'teapot-import-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function all(records: AsyncIterable<AttackRecord>): Promise<AttackRecord[]> {
  const list: AttackRecord[] = [];
  for await (const record of records) list.push(record);
  return list;
}

describe('auto', () => {
  const logs = ['textattack', 'openattack', 'promptbench', 'opencompass', 'garak'].flatMap((tool) =>
    sharedNames(`data/logs/${tool}`).flatMap((run) =>
      sharedNames(`data/logs/${tool}/${run}`)
        .filter((name) => !/^(?:SOURCE|expected\.json|stderr\.txt|console\.txt)$/u.test(name))
        .map((name) => [tool, `data/logs/${tool}/${run}/${name}`] as const),
    ),
  );

  it.each(logs)('%s: %s', async (tool, path) => {
    expect((await detectImporter(openSource(shared(path)))).name).toBe(tool);
  });

  it.each(sharedNames('data/promptbench/adv_prompts').filter((name) => name.endsWith('.md')))(
    'promptbench: %s',
    async (name) => {
      expect((await detectImporter(openSource(shared(`data/promptbench/adv_prompts/${name}`)))).name).toBe(
        'promptbench',
      );
    },
  );

  it.each([
    ['table', 'src,adv_src\na,b\n'],
    ['table', 'x\tout\tadv_out\n1\ta\tb\n'],
    ['table', '{"id":1,"src":"a","adv_src":"b"}\n'],
    ['table', '{"schema":"teapot.record/1","id":"1","unit":"input"}\n'],
  ])('%s: %j', async (format, text) => {
    expect((await detectImporter(openSource(file('auto', text)))).name).toBe(format);
  });

  it.each([
    ['an empty file', '', /empty: nothing to import/u],
    ['a page', '<!doctype html>\n<p>x\n', /no format that teapot knows; name one of textattack/u],
    ['bytes', Buffer.from([0, 1, 2, 0xff, 0xfe, 10, 0]), /no format that teapot knows/u],
    ['JSON of something else', '{"a":"b"}\n', /no format that teapot knows/u],
  ])('refuses %s', async (_, content, message) => {
    await expect(detectImporter(openSource(file('auto', content)))).rejects.toThrow(message);
  });
});

describe('FileImport', () => {
  const csv = 'original_text,perturbed_text,result_type\na,b,Successful\nc,d,Failed\n';
  const summary = (successes: number): string =>
    `{"Attack Results": {"Number of successful attacks:": ${successes}, "Number of failed attacks:": 1, "Average perturbed word %:": NaN}}`;

  it("keeps the tool's own summary with the last record and compares it", async () => {
    const warnings: ImportWarning[] = [];
    const paths = [file('log.csv', csv), file('good.json', summary(1))];
    const good = new FileImport('auto', paths, { onWarning: (warning) => warnings.push(warning) });
    const records = await all(good.records());
    expect(records.map((record) => record.extra['tool_summary'])).toEqual([
      undefined,
      { 'Number of successful attacks': 1, 'Number of failed attacks': 1, 'Average perturbed word %': null },
    ]);
    expect(good.report.files).toMatchObject([
      { format: 'textattack', records: 2, results: { successful: 1, failed: 1, none: 0 } },
      { format: 'textattack', records: 0 },
    ]);
    expect(warnings).toEqual([]);
    const bad = new FileImport('textattack', [file('log.csv', csv), file('bad.json', summary(2))], {
      onWarning: (warning) => warnings.push(warning),
    });
    await all(bad.records());
    expect(warnings).toMatchObject([{ code: 'summary-differs' }]);
  });

  it("says so when a run is imported twice: garak's report and its hit log", async () => {
    const report =
      '{"entry_type":"init","run":"r1"}\n{"entry_type":"attempt","uuid":"u","status":2,"prompt":"p","outputs":["o"]}\n';
    const hits =
      '{"goal":"g","prompt":"p","output":"o","run_id":"r1","attempt_id":"u","attempt_idx":0,"detector":"d"}\n';
    const warnings: ImportWarning[] = [];
    const paths = [file('a.report.jsonl', report), file('a.hitlog.jsonl', hits.repeat(3))];
    await all(new FileImport('auto', paths, { onWarning: (warning) => warnings.push(warning) }).records());
    expect(warnings).toMatchObject([{ code: 'repeated-run' }]);
  });

  it('collects all bad rows when asked', async () => {
    const path = file('mixed.csv', `${csv}e\nf,g,Failed\nh,i,j,k\n`);
    await expect(all(new FileImport('auto', [path], { onError: 'collect' }).records())).rejects.toThrow(
      /mixed\.csv: 2 lines can't be read:\n.*mixed\.csv:4: .*\n.*mixed\.csv:6: /u,
    );
    expect(await all(new FileImport('auto', [path], { onError: 'skip' }).records())).toHaveLength(3);
  });

  it('refuses an unknown format, and a log of another tool by its own', async () => {
    expect(() => new FileImport('textatack', [])).toThrow(/no format "textatack": it is one of auto, textattack/u);
    const path = file('log.csv', csv);
    for (const format of ['openattack', 'garak', 'promptbench', 'opencompass']) {
      await expect(all(new FileImport(format, [path]).records())).rejects.toThrow(/log\.csv/u);
    }
  });
});

describe('importParallel', () => {
  it('reads line N of each file into record N', async () => {
    const paths = {
      src: file('p.src', 'hot tea \r\n\nx\ty'),
      advSrc: file('p.adv', 'h0t tea\n\nx\n'),
      refs: [file('p.r1', 'a\nb\nc\n'), file('p.r2', 'd\ne\nf\n')],
    };
    const records = await all(importParallel(paths, { defaults: { attack: 'swap' } }));
    expect(records).toMatchObject([
      {
        id: '1',
        src: 'hot tea ',
        adv_src: 'h0t tea',
        ref: ['a', 'd'],
        attack: 'swap',
        out: null,
        provenance: { line: 1 },
      },
      { id: '2', src: '', adv_src: '', ref: ['b', 'e'] },
      { id: '3', src: 'x\ty', adv_src: 'x', ref: ['c', 'f'] },
    ]);
  });

  it('B28: names files of different length with their numbers of lines', async () => {
    const paths = { src: file('three', 'a\nb\nc\n'), advSrc: file('two', 'a\nb\n'), out: file('four', '1\n2\n3\n4') };
    const message = await all(importParallel(paths)).catch((error: Error) => error.message);
    const names = String(message).replaceAll(`${folder}/`, '');
    expect(names).toContain('three has 3 lines, two has 2 lines, four has 4 lines');
  });

  it('refuses no files, and two on standard input', async () => {
    await expect(all(importParallel({}))).rejects.toThrow(/no files/u);
    await expect(all(importParallel({ src: '-', advSrc: '-' }))).rejects.toThrow(/only one can be standard input/u);
  });

  it('has no records for empty files', async () => {
    expect(await all(importParallel({ src: file('empty', '') }))).toEqual([]);
  });
});

describe('formats', () => {
  it('the command line offers every importer', () => {
    const { choices } = importRecords.options.format;
    expect(choices.toSorted()).toEqual(['auto', 'parallel', ...importerNames()].toSorted());
  });

  it('proposes the columns of a table with other names', async () => {
    const csv = 'category,test_type,original,test_case,expected_result,actual_result,pass\na,b,c,d,e,f,True\n';
    async function* stdin(): AsyncGenerator<Uint8Array> {
      await Promise.resolve();
      yield Buffer.from(csv);
    }
    const files = new FileImport('auto', ['-'], { stdin: stdin() });
    await expect(files.records().next()).rejects.toThrow(
      'import it as table with the columns attack=test_type,src=original,adv_src=test_case,out=expected_result,adv_out=actual_result',
    );
  });
});
