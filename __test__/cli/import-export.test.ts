import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { parquetReadObjects } from 'hyparquet';

import { runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
const LOG = [
  'original_text,perturbed_text,original_score,perturbed_score,original_output,perturbed_output,ground_truth_output,num_queries,result_type',
  '"hot [[tea]]<SPLIT>x","hot [[t3a]]<SPLIT>x",0.1,0.9,1,0,1,12,"Successful"',
  '"a, ""b""","a, ""b""",0.8,0.8,0,0,1,1,"Skipped"',
  '',
].join('\n');
folder.write({
  'log.csv': LOG,
  'summary.json': '{"Attack Results": {"Number of successful attacks:": 1, "Number of skipped attacks:": 2}}',
  'cut.csv': `${LOG}"only"\n`,
  'src.txt': 'hot tea\nmilk\n',
  'adv.txt': 'h0t tea\nmlk\n',
  'short.txt': 'one\n',
});

async function teapot(args: readonly string[], stdin?: string): ReturnType<typeof runCli> {
  return runCli(args, { cwd: folder.path, ...(stdin === undefined ? {} : { stdin }) });
}

function read(name: string): string {
  return readFileSync(join(folder.path, name), 'utf8');
}

function jsonl(text: string): Record<string, unknown>[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('teapot import', () => {
  it('writes records to stdout and everything else to stderr', async () => {
    const { code, stdout, stderr } = await teapot(['import', 'auto', 'log.csv', 'summary.json']);
    expect(code).toBe(0);
    expect(jsonl(stdout)).toMatchObject([
      { id: '1', src: 'hot tea\nx', adv_src: 'hot t3a\nx', out: '1', adv_out: '0', result: 'successful', queries: 12 },
      { id: '2', src: 'a, "b"', result: 'skipped' },
    ]);
    expect(stderr).toContain('log.csv (textattack): 2 records: 1 successful, 1 skipped\n');
    expect(stderr).toContain(
      'warning: summary.json:1: the summary counts 2 skipped attacks, log.csv holds 1 [summary-differs]\n',
    );
    expect(stderr).toContain("summary.json: the tool's own summary: Number of successful attacks 1");
  });

  it('reads stdin, writes files, keeps quiet', async () => {
    const { code, stdout, stderr } = await teapot(
      [
        'import',
        'textattack',
        '-',
        '-o',
        'out.jsonl.gz',
        '--attack',
        'deepwordbug',
        '--model',
        'm',
        '--run',
        'r',
        '-q',
      ],
      LOG,
    );
    expect([code, stdout, stderr]).toEqual([0, '', '']);
    const records = jsonl(gunzipSync(readFileSync(join(folder.path, 'out.jsonl.gz'))).toString());
    expect(records).toMatchObject([{ attack: 'deepwordbug', model: 'm', source_model: 'm', run: 'r' }, {}]);
  });

  it('stops at a bad row and leaves no file, or goes on when asked', async () => {
    const stopped = await teapot(['import', 'auto', 'cut.csv', '-o', 'cut.jsonl']);
    expect(stopped).toMatchObject({ code: 2, stdout: '' });
    expect(stopped.stderr).toBe(
      'teapot: error: cut.csv:4: 1 cells, expected 9 as in the header: is the file cut off, or a quote missing? (--on-error skip reads the rest) [ERR_TEAPOT_FORMAT]\n',
    );
    expect(() => read('cut.jsonl')).toThrow('ENOENT');
    const skipped = await teapot([
      'import',
      'auto',
      'cut.csv',
      '-o',
      'cut.jsonl',
      '--on-error',
      'skip',
      '--warnings',
      'w.jsonl',
    ]);
    expect(skipped.code).toBe(0);
    expect(jsonl(read('cut.jsonl'))).toHaveLength(2);
    expect(jsonl(read('w.jsonl'))).toMatchObject([{ file: 'cut.csv', line: 4, code: 'bad-row' }]);
    const collected = await teapot(['import', 'auto', 'cut.csv', '--on-error', 'collect']);
    expect(collected.code).toBe(2);
    expect(collected.stderr).toContain("cut.csv: 1 line can't be read:\ncut.csv:4: ");
  });

  it('reads parallel files', async () => {
    const { stdout, code } = await teapot(['import', 'parallel', '--src', 'src.txt', '--adv-src', 'adv.txt']);
    expect(code).toBe(0);
    expect(jsonl(stdout)).toMatchObject([
      { id: '1', src: 'hot tea', adv_src: 'h0t tea' },
      { id: '2', src: 'milk', adv_src: 'mlk' },
    ]);
  });

  it.each([
    [['import', 'textatack', 'log.csv'], /format can't be "textatack"\. Did you mean "textattack"\?/u],
    [['import', 'auto'], /auto: no files/u],
    [['import', 'auto', 'none.csv'], /none\.csv: no such file/u],
    [['import', 'auto', 'src.txt'], /src\.txt: no format that teapot knows/u],
    [['import', 'garak', 'log.csv'], /log\.csv:1: /u],
    [
      ['import', 'auto', 'log.csv', '--columns', 'src=a'],
      /--columns does nothing with the format auto: it belongs to the format table/u,
    ],
    [
      ['import', 'garak', 'log.csv', '--markers', 'html'],
      /--markers does nothing with the format garak: it belongs to the format textattack/u,
    ],
    [
      ['import', 'auto', 'log.csv', '--src', 'a'],
      /--src does nothing with the format auto: it belongs to the format parallel/u,
    ],
    [['import', 'parallel', 'a', '--src', 'a'], /files does nothing with the format parallel/u],
    [
      ['import', 'parallel', '--src', 'src.txt', '--adv-src', 'short.txt'],
      /src\.txt has 2 lines, short\.txt has 1 lines/u,
    ],
    [['export', 'table', 'log.csv'], /log\.csv:1: \$: not JSON/u],
    [['export', 'table', 'log.csv', '-o', 'x.xlsx'], /extension says no format/u],
    [['export', 'parallel', 'log.csv'], /no files: give at least one of --src/u],
    [['export', 'parallel', 'log.csv', '-o', 'x'], /--output does nothing with the format parallel/u],
    [
      ['export', 'table', 'log.csv', '--src', 'x'],
      /--src does nothing with the format table: it belongs to the format parallel/u,
    ],
  ] as const)('refuses %j with one message', async (args, message) => {
    const { code, stdout, stderr } = await teapot(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ +at /mu);
  });
});

describe('teapot export', () => {
  it('gives parallel files, CSV of TextAttack and tables back', async () => {
    await teapot(['import', 'auto', 'log.csv', '-o', 'records.jsonl', '-q']);
    const parallel = await teapot([
      'export',
      'parallel',
      'records.jsonl',
      '--src',
      's',
      '--adv-src',
      'a',
      '--line-breaks',
      'space',
    ]);
    expect(parallel).toMatchObject({ code: 0, stdout: '', stderr: '2 lines written\n' });
    expect([read('s'), read('a')]).toEqual(['hot tea x\na, "b"\n', 'hot t3a x\na, "b"\n']);
    for (const [format, output] of [
      ['textattack', 'again.csv'],
      ['table', 'again-table.csv'],
      ['table', 'again.parquet'],
      ['table', 'again.jsonl'],
    ] as const) {
      expect(await teapot(['export', format, 'records.jsonl', '-o', output])).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      });
      const back = await teapot(['import', 'auto', output, '-q']);
      expect(back.stdout).toBe(read('records.jsonl'));
    }
    const csv = await teapot(['export', 'table', 'records.jsonl']);
    expect(csv.stdout.split('\n')[0]).toContain('schema,id,run,unit,attack,');
  });
});

describe('Parquet at the border', () => {
  it('goes into teapot score and comes out of --per-line', async () => {
    await teapot(['import', 'parallel', '--src', 'src.txt', '--adv-src', 'adv.txt', '-o', 'p.jsonl', '-q']);
    await teapot(['export', 'table', 'p.jsonl', '-o', 'p.parquet']);
    const args = [
      '--data',
      'p.parquet',
      '--columns',
      'src=src,adv_src=adv_src',
      '--per-line',
      'lines.parquet',
      '--format',
      'json',
    ];
    const table = await teapot(args);
    expect(table.code).toBe(0);
    const files = await teapot([
      '--src',
      'src.txt',
      '--adv-src',
      'adv.txt',
      '--per-line',
      'lines.jsonl',
      '--format',
      'json',
    ]);
    const bytes = readFileSync(join(folder.path, 'lines.parquet'));
    const rows = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    });
    expect(rows).toEqual(jsonl(read('lines.jsonl')).map((line) => Object.assign(line, { id: String(line['id']) })));
    expect(files.code).toBe(0);
  });
});
