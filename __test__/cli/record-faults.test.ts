import { describe, expect, it } from 'vitest';

import { makeRecord } from '../../src/record/schema.js';
import type { AttackRecord } from '../../src/record/schema.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';
import { hasShared, shared } from '../shared.js';

const folder = temporaryFolder();

function line(fields: Partial<AttackRecord>): string {
  const texts = { src: 'hot tea', adv_src: 'h0t tea', out: 'warm', adv_out: 'cold' };
  return JSON.stringify(makeRecord({ id: '1', unit: 'input', ...texts, ...fields }));
}

describe('records', () => {
  it('F68: an empty list is no reference, in every command', async () => {
    folder.write({ 'empty.jsonl': `${line({ ref: [] })}\n${line({ id: '2', ref: 'warm' })}\n` });
    for (const args of [
      ['score', 'empty.jsonl'],
      ['audit', 'empty.jsonl'],
      ['compare', 'empty.jsonl', 'empty.jsonl'],
      ['explain', 'empty.jsonl', '--line', '1'],
    ]) {
      const { code, stderr } = await runCli(args, { cwd: folder.path });
      expect([args[0], code, stderr]).toEqual([args[0], 0, expect.not.stringContaining('teapot: error')]);
    }
  });

  it('F36: half of a surrogate pair is a bad line with its place, in every command that scores', async () => {
    folder.write({ 'broken.jsonl': `${line({})}\n${line({ id: 'x', adv_src: '\uD83C tea' })}\n` });
    for (const args of [
      ['score', 'broken.jsonl'],
      ['audit', 'broken.jsonl'],
      ['edits', 'broken.jsonl'],
      ['compare', 'broken.jsonl', 'broken.jsonl'],
    ]) {
      const stopped = await runCli(args, { cwd: folder.path });
      const message = 'broken.jsonl:2: record "x", adv_src holds half of a surrogate pair';
      expect([args[0], stopped.code, stopped.stderr]).toEqual([args[0], 2, expect.stringContaining(message)]);
      const skipped = await runCli([...args, '--on-error', 'skip'], { cwd: folder.path });
      expect([args[0], skipped.code, skipped.stderr]).toEqual([
        args[0],
        0,
        expect.stringContaining(`Skipped: ${message}`),
      ]);
    }
  });

  it('F44: a run of errors alone has no success rate, and fails', async () => {
    const error = { adv_src: null, out: null, adv_out: null, result: 'error' } as const;
    folder.write({ 'errors.jsonl': `${line(error)}\n${line({ ...error, id: '2' })}\n` });
    const { code, stdout, stderr } = await runCli(['score', 'errors.jsonl', '--format', 'json'], { cwd: folder.path });
    expect([code, stderr]).toEqual([1, expect.stringContaining('all attacks ended in errors (2)')]);
    expect(JSON.parse(stdout)).toMatchObject({ groups: [{ summary: { success_rate: null } }] });
  });

  it('F66: a record of a file that is cut off is not explained', async () => {
    folder.write({ 'cut.jsonl': `${line({})}\n${line({ id: '2' }).slice(0, 60)}` });
    const { code, stderr } = await runCli(['explain', 'cut.jsonl', '--line', '1'], { cwd: folder.path });
    expect([code, stderr]).toEqual([2, expect.stringContaining('cut.jsonl:2: ')]);
  });

  it('F66: records of an unknown version are no table', async () => {
    for (const [name, text] of [
      ['newer.jsonl', '{"schema":"teapot.record/2","id":"1","unit":"input","src":"a","adv_src":"b"}\n'],
      ['odd.jsonl', '{"schema":"teapot.record/x","id":"1","unit":"input","src":"a","adv_src":"b"}\n'],
      ['newer.csv', 'schema,id,unit,src,adv_src\nteapot.record/2,1,input,a,b\n'],
    ] as const) {
      folder.write({ [name]: text });
      const { code, stderr } = await runCli(['import', 'table', name], { cwd: folder.path });
      expect([name, code, stderr]).toEqual([name, 2, expect.stringContaining('$.schema')]);
    }
  });

  it('F25: half of a surrogate pair is refused where the format has no place for it', async () => {
    folder.write({ 'half.jsonl': `${line({ adv_src: '\uD83C tea' })}\n` });
    for (const args of [
      ['table', 'half.jsonl', '-o', 'half.csv'],
      ['table', 'half.jsonl', '-o', 'half.tsv'],
      ['table', 'half.jsonl', '-o', 'half.parquet'],
      ['textattack', 'half.jsonl', '-o', 'half-log.csv'],
      ['parallel', 'half.jsonl', '--src', 'a.txt', '--adv-src', 'b.txt'],
    ]) {
      const { code, stderr } = await runCli(['export', ...args], { cwd: folder.path });
      expect([args, code, stderr]).toEqual([
        args,
        2,
        expect.stringMatching(/record "1": .* holds half of a surrogate pair/u),
      ]);
    }
    await runCli(['export', 'table', 'half.jsonl', '-o', 'half-again.jsonl'], { cwd: folder.path });
    const { stdout } = await runCli(['import', 'table', 'half-again.jsonl'], { cwd: folder.path });
    expect((JSON.parse(stdout) as AttackRecord).adv_src).toBe('\uD83C tea');
  });

  it('F77: what import writes is read by score', async () => {
    folder.write({
      'odd.csv':
        'src,adv_src,out,adv_out,ref,scale,original_score,result,unit\na,b,c,d,,7,x,maybe,none\n"",b,"",d,"",100,1e5,failed,input\n',
    });
    const { code } = await runCli(['import', 'table', 'odd.csv', '-o', 'odd-records.jsonl'], { cwd: folder.path });
    const scored = await runCli(['score', 'odd-records.jsonl'], { cwd: folder.path });
    expect([code, scored.code, scored.stderr]).toEqual([0, 0, expect.not.stringContaining('teapot: error')]);
  });

  it('F47: odd rows fill no screens', async () => {
    const rows = Array.from({ length: 300 }, () => 'a,b,maybe');
    folder.write({ 'many.csv': `src,adv_src,result\n${rows.join('\n')}\n` });
    const { stderr } = await runCli(['import', 'table', 'many.csv', '-o', 'many.jsonl'], { cwd: folder.path });
    expect(stderr.split('\n').length).toBeLessThan(30);
    expect(stderr).toContain('280 more');
  });
});

describe.skipIf(!hasShared)('tables that are scored', () => {
  const columns = 'src=src,adv_src=adv_src,out=out,adv_out=adv_out,ref=ref';

  async function score(name: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
    const path = shared(`cases/inputs/${name}`);
    return runCli(['--data', path, '--columns', columns, '--s-tgt', 'zero_one', '--format', 'json']);
  }

  it('F04: labels of a data frame are equal in CSV as in Parquet', async () => {
    const numbers = await Promise.all(
      ['float-labels.csv', 'float-labels.parquet'].map(async (name) => {
        const { stdout } = await score(name);
        const { d_tgt: dTgt, success } = JSON.parse(stdout) as Record<string, unknown>;
        return { dTgt, success };
      }),
    );
    expect(numbers[0]).toEqual(numbers[1]);
  });

  it('F05: a repeated header is no segment', async () => {
    const { stdout, stderr } = await score('repeated-header-table.csv');
    expect((JSON.parse(stdout) as { n: number }).n).toBe(2);
    expect(stderr).toContain('rows that repeat the header: 1. They are left out: lines 3.');
  });

  it('F48: windows-1252 can be named for scoring too; control characters of latin-1 are told', async () => {
    folder.write({ 'src.txt': Buffer.from('\x93tea\x94\n', 'latin1'), 'adv.txt': '“tea”\n' });
    const data = [shared('cases/inputs/cp1252.csv'), '--columns', 'src=src,adv_src=adv_src'];
    for (const files of [
      ['--data', ...data],
      ['--src', 'src.txt', '--adv-src', 'src.txt'],
    ]) {
      const latin = await runCli([...files, '--encoding', 'latin-1', '--terse'], { cwd: folder.path });
      expect([latin.code, latin.stderr]).toEqual([0, expect.stringContaining('is that the encoding?')]);
      const windows = await runCli([...files, '--encoding', 'windows-1252', '--terse'], { cwd: folder.path });
      expect([windows.code, windows.stderr]).toEqual([0, expect.not.stringContaining('is that the encoding?')]);
    }
  });

  it('F48: one list of encodings: files, tables, records of logs and texts that are edited', async () => {
    const gbk = Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a]);
    folder.write({
      'gbk.txt': gbk,
      'gbk.csv': Buffer.concat([Buffer.from('s,a\n'), gbk.subarray(0, 2), Buffer.from(','), gbk]),
    });
    const commands = [
      ['--src', 'gbk.txt', '--adv-src', 'gbk.txt', '--terse'],
      ['--data', 'gbk.csv', '--columns', 'src=s,adv_src=a', '--terse'],
      ['edits', '--src', 'gbk.txt', '--adv-src', 'gbk.txt'],
      ['import', 'parallel', '--src', 'gbk.txt', '--adv-src', 'gbk.txt'],
      ['perturb', 'gbk.txt', '--attack', 'swap'],
    ];
    for (const args of commands) {
      const read = await runCli([...args, '--encoding', 'gbk'], { cwd: folder.path });
      expect([args, read.code, read.stderr]).toEqual([args, 0, expect.not.stringContaining('error')]);
      const bad = await runCli([...args, '--encoding', 'nonsense'], { cwd: folder.path });
      const message = '--encoding nonsense: there is no such encoding; expected utf-8, latin-1, windows-1252, utf-16';
      expect([args, bad.code, bad.stderr]).toEqual([args, 2, expect.stringContaining(message)]);
      const other = await runCli([...args, '--encoding', 'gb18030'], { cwd: folder.path });
      expect([args, other.code]).toEqual([args, 0]);
    }
    const perturbed = await runCli(['perturb', 'gbk.txt', '--attack', 'swap', '--encoding', 'gbk', '-q'], {
      cwd: folder.path,
    });
    expect(perturbed.stdout).toBe('你好\n');
  });

  it('F49: notes on blank lines name the file and of how many', async () => {
    folder.write({ 'some.txt': 'tea\n\nmilk\n', 'other.txt': 'tea\n \n\n' });
    const { stderr } = await runCli(['--src', 'some.txt', '--adv-src', 'other.txt'], { cwd: folder.path });
    expect(stderr).toContain('some.txt: blank lines: 1 of 3.');
    expect(stderr).toContain('other.txt: blank lines: 2 of 3.');
    expect(stderr).toContain('lines with a blank text on the source side: 2 of 3');
  });

  it('F46: no variant of a line is written twice; a note says how many are missing', async () => {
    folder.write({ 'ab.txt': 'ab\nabc\n' });
    const { stdout, stderr } = await runCli(['perturb', 'ab.txt', '-n', '10', '--attack', 'swap'], {
      cwd: folder.path,
    });
    expect(stdout.trimEnd().split('\n').toSorted()).toEqual(['acb', 'ba', 'bac']);
    expect(stderr).toContain('Note: 17 of 20 variants are missing');
  });

  it('F23: empty parallel files are an error', async () => {
    folder.write({ 'none.txt': '' });
    const { code, stderr } = await runCli(['import', 'parallel', '--src', 'none.txt'], { cwd: folder.path });
    expect([code, stderr]).toEqual([2, expect.stringContaining('no records')]);
  });
});
