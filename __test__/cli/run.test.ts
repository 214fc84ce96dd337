/** What a run writes, where, and how it ends. */
import { spawn } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MAIN, runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
const cwd = folder.path;
const [src, advSrc] = ['hot tea\ngreen tea\n', 'hot tee\ngreen tea\n'];
folder.write({ src, 'adv-src': advSrc, out: 'a b c\nd e f\n', 'adv-out': 'a b x\nd e f\n', ref: 'a b c\nd e g\n' });
const source = ['--src', 'src', '--adv-src', 'adv-src'];
const all = [...source, '--out', 'out', '--adv-out', 'adv-out', '--ref', 'ref'];

describe.concurrent('output files', () => {
  it('take their format from the extension, and stdout stays empty', async () => {
    for (const [name, start] of [
      ['r.json', '{\n  "schema"'],
      ['r.csv', 'mode,'],
      ['r.md', '|  | metric'],
      ['r.tex', '% s_src'],
      ['r.txt', 'Source side'],
    ] as const) {
      expect(await runCli([...all, '-o', name], { cwd })).toMatchObject({ code: 0, stdout: '' });
      expect(readFileSync(`${cwd}/${name}`, 'utf8').startsWith(start)).toBe(true);
    }
    expect(await runCli([...all, '-o', 'r.json.gz'], { cwd })).toMatchObject({ code: 0, stdout: '' });
    expect(gunzipSync(readFileSync(`${cwd}/r.json.gz`)).toString()).toBe(readFileSync(`${cwd}/r.json`, 'utf8'));
    const printed = await runCli([...all, '--format', 'json', '-o', '-'], { cwd });
    expect(printed.stdout).toBe(readFileSync(`${cwd}/r.json`, 'utf8'));
  });

  it('replace the target of a link, and write devices directly', async () => {
    folder.write({ 'linked/target.json': 'old' });
    symlinkSync('linked/target.json', `${cwd}/link.json`);
    await runCli([...source, '-o', 'link.json'], { cwd });
    expect(lstatSync(`${cwd}/link.json`).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(`${cwd}/linked/target.json`, 'utf8'))).toHaveProperty('n', 2);
    expect(readdirSync(`${cwd}/linked`)).toEqual(['target.json']);
    const device = await runCli([...source, '--format', 'terse', '-o', '/dev/null'], { cwd });
    expect(device).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('of lines carry what the summary sums up', async () => {
    const result = await runCli([...all, '--per-line', 'lines.csv', '--format', 'json'], { cwd });
    const { s_src, d_tgt, successes } = JSON.parse(result.stdout) as {
      s_src: { mean: number };
      d_tgt: { mean: number };
      successes: number;
    };
    const [header = '', ...lines] = readFileSync(`${cwd}/lines.csv`, 'utf8').trimEnd().split('\r\n');
    const rows = lines.map((line) => line.split(','));
    const column = (name: string) => rows.map((row) => row[header.split(',').indexOf(name)] ?? '');
    expect(column('id')).toEqual(['1', '2']);
    expect(column('s_src').reduce((sum, score) => sum + Number(score), 0) / 2).toBeCloseTo(s_src.mean, 12);
    expect(column('d_tgt').reduce((sum, score) => sum + Number(score), 0) / 2).toBeCloseTo(d_tgt.mean, 12);
    expect(column('success').filter((value) => value === 'true')).toHaveLength(successes);
  });
});

describe.concurrent('inputs', () => {
  it('come from stdin, gzip and tables with the same numbers', async () => {
    const expected = (await runCli([...source, '--terse'], { cwd })).stdout;
    const stdin = await runCli(['--src', '-', '--adv-src', 'adv-src', '--terse'], { cwd, stdin: src });
    const zipped = await runCli(['--src', '-', '--adv-src', 'adv-src', '--terse'], { cwd, stdin: gzipSync(src) });
    const csv = `src,adv_src\n${src
      .split('\n')
      .slice(0, 2)
      .map((line, index) => `${line},${advSrc.split('\n')[index]}\n`)
      .join('')}`;
    const table = await runCli(['--data', '-', '--columns', 'src=src,adv_src=adv_src', '--terse'], { cwd, stdin: csv });
    expect([stdin, zipped, table].map(({ stdout }) => stdout)).toEqual([expected, expected, expected]);
  });

  it('are packed and unpacked by their names, zstd as well', async () => {
    const written = await runCli([...all, '--per-line', 'packed.tsv.zst', '--terse'], { cwd });
    expect(written.code).toBe(0);
    const columns = ['--columns', 'src=s_src,adv_src=s_src,id=id', '--s-src', 'zero_one', '--terse'];
    const read = await runCli(['--data', 'packed.tsv.zst', ...columns], { cwd });
    expect(read).toMatchObject({ code: 0, stdout: '100.000\n' });
  });

  it('may be UTF-16 when the user says so', async () => {
    folder.write({
      'wide-a': Buffer.from('\uFEFFhot tea\n', 'utf16le'),
      'wide-b': Buffer.from('\uFEFFhot tea\r\n', 'utf16le'),
    });
    const args = ['--src', 'wide-a', '--adv-src', 'wide-b', '--s-src', 'zero_one', '--terse'];
    expect(await runCli([...args, '--encoding', 'utf-16'], { cwd })).toMatchObject({ code: 0, stdout: '100.000\n' });
  });

  it('may be several references', async () => {
    const one = await runCli([...all, '--format', 'json'], { cwd });
    const two = await runCli([...all, '--ref', 'out', '--format', 'json'], { cwd });
    const base = (text: string) => (JSON.parse(text) as { s_tgt_base: { mean: number } }).s_tgt_base.mean;
    expect(base(two.stdout)).toBe(1);
    expect(base(one.stdout)).toBeLessThan(1);
    expect(two.stdout).toContain('nrefs:2');
  });

  it('keep whitespace at line ends on request, which the signature says', async () => {
    folder.write({ 'space-a': 'a \nb\n', 'space-b': 'a\nb\n' });
    const args = ['--src', 'space-a', '--adv-src', 'space-b', '--s-src', 'zero_one:strip=no', '--format', 'json'];
    const mean = (text: string) => (JSON.parse(text) as { s_src: { mean: number } }).s_src.mean;
    const stripped = await runCli(args, { cwd });
    const kept = await runCli([...args, '--keep-trailing-whitespace'], { cwd });
    expect([mean(stripped.stdout), mean(kept.stdout)]).toEqual([1, 0.5]);
    expect(stripped.stdout).toContain('|strip:end|');
    expect(kept.stdout).toContain('|strip:no|');
  });

  it('are scored alike by the native reader and through JavaScript', async () => {
    folder.write({ 'id.mjs': "export const id = { key: 'id', scoreSentence: (h, r) => (h === r ? 1 : 0) };" });
    const native = await runCli([...all, '--per-line', 'native.tsv', '--format', 'json'], { cwd });
    const custom = ['--custom-scores-source', 'id.mjs', '--s-src', 'id'];
    const mixed = await runCli([...all, ...custom, '--per-line', 'mixed.tsv', '--format', 'json'], { cwd });
    const target = (text: string) => {
      const { d_tgt, s_tgt_base, inputs, blank } = JSON.parse(text) as Record<string, unknown>;
      return { d_tgt, s_tgt_base, inputs, blank };
    };
    expect(target(mixed.stdout)).toEqual(target(native.stdout));
  });
});

describe.concurrent('statistics', () => {
  it('sweep thresholds', async () => {
    const { stdout } = await runCli([...all, '--threshold-sweep', '0:1:0.25', '--format', 'json'], { cwd });
    const { threshold_sweep: sweep } = JSON.parse(stdout) as {
      threshold_sweep: { thresholds: number[]; success_rates: number[]; area: number };
    };
    expect(sweep.thresholds).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(sweep.success_rates).toEqual([1, 1, 1, 1, 0.5]);
    expect(sweep.area).toBeCloseTo(0.9375, 12);
  });

  it('interpolate percentiles on request', async () => {
    const { stdout } = await runCli([...source, '--percentile', 'linear', '--format', 'json'], { cwd });
    expect(stdout).toContain('"percentile": "linear"');
    expect(stdout).toContain('|percentile:linear|');
  });
});

describe.concurrent('gates', () => {
  it('end with exit code 3 after the results', async () => {
    const gates = ['--fail-if', 's_src.mean<0.9', '--fail-if', 'success_rate >= 0.5', '--fail-if', 'n==3'];
    const { code, stdout, stderr } = await runCli([...all, '--terse', ...gates], { cwd });
    expect(code).toBe(3);
    expect(stdout.split('\n')).toHaveLength(4);
    expect(stderr).toMatch(/^teapot: --fail-if holds: .*success_rate >= 0\.5 \(success_rate is 0\.5\)\n$/);
  });

  it('let pass what does not hold', async () => {
    const { code, stderr } = await runCli([...all, '--fail-if', 'undefined.count>0'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe.concurrent('the end of a run', () => {
  it('is quiet when nobody reads on', async () => {
    folder.write({ 'long.csv': `a,b\n${'x,y\n'.repeat(1000)}` });
    const child = spawn('sh', [
      '-c',
      `'${process.execPath}' '${MAIN}' list scorers --format json | head -c 10; exit $?`,
    ]);
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const code = await new Promise((done) => {
      child.on('close', done);
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it.each([
    ['the native reader', ['--src', '-', '--adv-src', 'adv-src']],
    ['a table', ['--data', '-', '--columns', 'src=a,adv_src=b']],
  ])('ends by an interrupt while it waits for input, with exit code 130: %s', async (_, args) => {
    const child = spawn(process.execPath, [MAIN, ...args, '--s-src', 'zero_one'], { cwd });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const closed = new Promise<number | null>((done) => {
      child.on('close', done);
    });
    // Something is read, more never comes: the run surely waits.
    child.stdin.write('a,b\n'.repeat(20_000));
    await new Promise((done) => {
      setTimeout(done, 3000);
    });
    child.kill('SIGINT');
    const code = await closed;
    expect({ code, stderr }).toEqual({ code: 130, stderr: 'teapot: interrupted\n' });
  });
});
