/** Faults that users of this field's tools reported, run through the command line; each test names its public report. */
import { mkdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../helpers/cli.js';
import type { FileContents } from '../helpers/cli.js';

const folder = temporaryFolder();
let runs = 0;

/** Runs in a folder of its own that holds these files. */
async function run(files: FileContents, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  runs += 1;
  const name = `run-${runs}`;
  mkdirSync(`${folder.path}/${name}`);
  folder.write(Object.fromEntries(Object.entries(files).map(([file, text]) => [`${name}/${file}`, text])));
  return { ...(await runCli(args, { cwd: `${folder.path}/${name}`, env })), path: `${folder.path}/${name}` };
}

/** The scores of hypotheses against references, in percent, through the files of the source side and `--per-line`. */
async function scores(hyp: string | Uint8Array, ref: string | Uint8Array, ...args: string[]): Promise<number[]> {
  const files = { hyp, ref };
  const { path, stderr } = await run(files, ['--adv-src', 'hyp', '--src', 'ref', '--per-line', 'l.jsonl', ...args]);
  try {
    return readFileSync(`${path}/l.jsonl`, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => 100 * (JSON.parse(line) as { s_src: number }).s_src);
  } catch (cause) {
    throw new Error(stderr, { cause });
  }
}

const SOURCE = ['--src', 'a', '--adv-src', 'b'];
const TARGET = ['--out', 'c', '--adv-out', 'd'];

describe.concurrent('metrics', () => {
  it('B01 mjpost/sacrebleu#144: two chrF for short strings, and the signature says which one', async () => {
    expect((await scores('te\ntea\n', 'tea\ntea\n'))[0]).toBeCloseTo(63.636_363_636_363_626, 9);
    const smoothed = await scores('te\ntea\n', 'tea\ntea\n', '--s-src', 'chrf:eps=yes');
    expect(smoothed[0]).toBeCloseTo(21.164_021_164_021_16, 9);
    expect(smoothed[1]).toBeCloseTo(50, 9);
    const json = await run({ a: 'tea\n', b: 'te\n' }, [...SOURCE, '--s-src', 'chrf:eps=yes', '--format', 'json']);
    expect((JSON.parse(json.stdout) as { signature: string }).signature).toContain('|eff:no|');
  });

  it('B02 mjpost/sacrebleu#141: BLEU is 0 when nothing matches', async () => {
    for (const smooth of ['exp', 'floor', 'add-k', 'none']) {
      expect(await scores('mint\n', 'tea\n', '--s-src', `bleu:smooth=${smooth}`)).toEqual([0]);
    }
  });

  it("B03 mjpost/sacrebleu#98: one sentence BLEU, teapot-nlp's floor 0.01", async () => {
    const pair = ['we drink tea\n', 'we drink coffee\n'] as const;
    expect((await scores(...pair, '--s-src', 'bleu'))[0]).toBeCloseTo(14.938_015_821_857_212, 10);
    for (const [parameters, expected] of [
      ['smooth=floor,value=0.1', 32.182_98],
      ['smooth=exp', 55.032_12],
      ['smooth=add-k', 68.6589],
      ['smooth=none', 0],
    ] as const) {
      expect((await scores(...pair, '--s-src', `bleu:${parameters}`))[0]).toBeCloseTo(expected, 4);
    }
  });

  it('B08 mjpost/sacrebleu#165: the language chooses the tokenizer, or a warning says that it should', async () => {
    const files = { c: '我爱绿茶\n', d: '我爱红茶\n' };
    const chinese = [...TARGET, '--s-tgt', 'bleu:smooth=exp', '--tgt-lang', 'zh', '--format', 'json'];
    const known = await run(files, chinese);
    const document = JSON.parse(known.stdout) as { s_tgt: { mean: number }; signature: string };
    expect(document.s_tgt.mean).toBeCloseTo(0.353_553_390_593_273_7, 11);
    expect(document.signature).toContain('|tok:zh|');
    const unknown = await run(files, [...TARGET, '--s-tgt', 'bleu']);
    expect(unknown.stderr).toContain('Warning: BLEU splits words by the tokenizer 13a');
  });

  it('B15 comet-ml/opik PR#7230: every parameter reaches the metric', async () => {
    expect((await scores('ab cd\n', 'abcd\n', '--s-src', 'chrf'))[0]).toBeCloseTo(100, 9);
    expect((await scores('ab cd\n', 'abcd\n', '--s-src', 'chrf:whitespace=yes'))[0]).toBeCloseTo(
      39.441_747_572_815_53,
      9,
    );
    expect((await scores('the cat\n', 'the dog\n', '--s-src', 'chrf:char_order=1'))[0]).toBeCloseTo(50, 9);
    expect((await scores('tea\n', 'green tea\n', '--s-src', 'chrf:beta=1'))[0]).toBeCloseTo(43.234_836_702_954_9, 9);
    expect((await scores('tea\n', 'green tea\n', '--s-src', 'chrf:beta=3'))[0]).toBeCloseTo(29.732_620_320_855_61, 9);
    expect((await scores('TEA\n', 'tea\n', '--s-src', 'chrf:lowercase=yes'))[0]).toBeCloseTo(100, 9);
  });
});

describe.concurrent('lines and characters', () => {
  it('B18 mjpost/sacrebleu PR#24: a lone carriage return ends no line, and a warning counts it', async () => {
    const result = await run({ a: 'hot\rtea\nmilk\n', b: 'hot tea\nmilk\n' }, [...SOURCE, '--terse']);
    expect(result).toMatchObject({ code: 0, stdout: '100.000\n' });
    expect(result.stderr).toContain('Warning: a: carriage returns inside lines: 1.');
  });

  it('B19 mholt/PapaParse#1132: CRLF on one side only', async () => {
    expect(await scores('1\r\n0\r\n', '1\n0\n', '--s-src', 'zero_one')).toEqual([100, 100]);
    const table = 'src\tadv_src\r\n1\t1\r\n0\t0\r\n';
    const args = ['--data', 't.tsv', '--columns', 'src=src,adv_src=adv_src', '--s-src', 'zero_one', '--terse'];
    expect(await run({ 't.tsv': table }, args)).toMatchObject({ code: 0, stdout: '100.000\n' });
  });

  it('B22 denoland/std#6013: code points, not UTF-16 units', async () => {
    expect(await scores('tea🍵\n🍵\n', 'tea\n🍷\n')).toEqual([expect.closeTo(89.843_75, 9), 0]);
    expect(await scores('tea🍵\n', 'tea\n', '--s-src', 'edit')).toEqual([expect.closeTo(75, 9)]);
  });

  it('B26 whitfin/runiq#1: bytes that are no UTF-8 are located, and --encoding reads them', async () => {
    const latin = Buffer.from('tea\ncaf\u00E9\nmilk\n', 'latin1');
    const files = { a: latin, b: 'tea\ncaf\u00E9\nmilk\n' };
    const failed = await run(files, SOURCE, { LANG: 'C', LC_ALL: 'C' });
    expect(failed).toMatchObject({ code: 2, stdout: '' });
    expect(failed.stderr).toMatch(/^teapot: error: a.*line 2.*byte.*--encoding/);
    const read = await run({ ...files, b: latin }, [...SOURCE, '--encoding', 'latin-1', '--terse'], { LANG: 'C' });
    expect(read).toMatchObject({ code: 0, stdout: '100.000\n' });
  });

  it('B27 mholt/PapaParse#1132: characters, CRLF and doubled quotes on the edge of a chunk', async () => {
    const line = `${'a'.repeat(65_535)}é${'b'.repeat(65_533)}€${'c'.repeat(65_532)}🍵`;
    const text = `${line}\r\n${line}\n`;
    expect(await scores(text, text, '--s-src', 'zero_one')).toEqual([100, 100]);
    expect(await scores(gzipSync(text), text, '--s-src', 'edit')).toEqual([100, 100]);
    for (const shift of [0, 1, 2]) {
      const cell = `${'a'.repeat(262_144 - 18 - shift)}""é""`;
      const table = `src,adv_src\r\n"${cell}","${cell}"\r\nx,x\r\n`;
      const args = [
        '--data',
        't.csv',
        '--columns',
        'src=src,adv_src=adv_src',
        '--s-src',
        'edit',
        '--per-line',
        'l.tsv',
      ];
      const { path, code } = await run({ 't.csv': table }, [...args, '--terse']);
      expect(code).toBe(0);
      expect(readFileSync(`${path}/l.tsv`, 'utf8').split('\n')[1]).toMatch(/^1\t1\t/);
    }
  });

  it('B28 awslabs/sockeye PR#119: what counts as a line', async () => {
    expect(await scores('x\ny', 'x\ny\n')).toEqual([0, 0].map(() => expect.anything()));
    expect(await scores('x\n\ny\n', 'x\nq\ny\n')).toEqual([100, 0, 100]);
    expect(await scores('\n', '\n')).toEqual([0]);
    expect(await scores('hot\ttea\n', 'hot tea\n')).toEqual([100]);
    const unequal = await run({ a: 'x\ny\nz\n', b: 'x\ny\n' }, SOURCE);
    expect(unequal).toMatchObject({ code: 2, stdout: '' });
    expect(unequal.stderr).toMatch(/a has 3 lines, b has 2 lines/);
  });
});

describe.concurrent('tables and compressed files', () => {
  it('B37 adaltas/node-csv-parse#284: a byte order mark before the header', async () => {
    const columns = ['--columns', 'src=original_text,adv_src=perturbed_text,id=result_type', '--terse'];
    for (const [name, text] of [
      ['t.csv', '\uFEFF"original_text","perturbed_text","result_type"\r\n"tea","tea","Failed"\r\n'],
      ['t.tsv', '\uFEFForiginal_text\tperturbed_text\tresult_type\ntea\ttea\tFailed\n'],
      ['t.jsonl', '\uFEFF{"original_text":"tea","perturbed_text":"tea","result_type":"Failed"}\n'],
    ] as const) {
      expect(await run({ [name]: text }, ['--data', name, ...columns])).toMatchObject({ code: 0, stdout: '100.000\n' });
    }
    expect(await scores('\uFEFFtea\n', 'tea\n')).toEqual([100]);
  });

  it('B39 mholt/PapaParse#980: equal column names are chosen by number; values are never renamed', async () => {
    const rows = Array.from({ length: 30_000 }, () => 'tea,tea,x\n').join('');
    const table = { 't.csv': `text,text,text_1\n${rows}` };
    const ambiguous = await run(table, ['--data', 't.csv', '--columns', 'src=text,adv_src=text_1']);
    expect(ambiguous.stderr).toContain('several columns are named "text"');
    const numbered = await run(table, ['--data', 't.csv', '--columns', 'src=#1,adv_src=#2', '--terse']);
    expect(numbered).toMatchObject({ code: 0, stdout: '100.000\n' });
  });

  it('B40 nodejs/node#4306: gzip files of several members, with padding, and cut off', async () => {
    const members = Buffer.concat([gzipSync('a\nb\n'), gzipSync('c\n')]);
    const plain = 'a\nb\nc\n';
    expect(await scores(members, plain, '--s-src', 'zero_one')).toEqual([100, 100, 100]);
    const padded = Buffer.concat([members, Buffer.alloc(512)]);
    expect(await scores(padded, plain, '--s-src', 'zero_one')).toEqual([100, 100, 100]);
    const cut = await run({ 'x.gz': members.subarray(0, members.length - 12), b: plain }, [
      '--src',
      'x.gz',
      '--adv-src',
      'b',
    ]);
    expect(cut).toMatchObject({ code: 2, stdout: '' });
    expect(cut.stderr).toContain('x.gz');
  });
});

describe.concurrent('criteria and sums', () => {
  it('B48 mjpost/sacrebleu#275: doing nothing is no successful attack', async () => {
    const same = 'we drink tea\n'.repeat(3);
    const files = { a: same, b: same, c: same, d: same, e: same };
    const result = await run(files, [...SOURCE, ...TARGET, '--ref', 'e', '--s-src', 'bleu', '--s-tgt', 'bleu']);
    expect(result.stdout).toMatch(/Mean:\t100\.000\n[^]*Success percentage: 0\.00 %\n$/);
  });

  it('B50: a base score of 0 gives d_tgt 0, and is counted', async () => {
    const files = { c: 'wrong\nright\n', d: 'wrong\nwrong\n', e: 'right\nright\n', a: 'x\nx\n', b: 'x\nx\n' };
    const args = [...SOURCE, ...TARGET, '--ref', 'e', '--s-tgt', 'zero_one', '--per-line', 'l.csv', '--terse'];
    const result = await run(files, args);
    expect(result.stdout).toBe('100.000\n50.000\n50.000\n');
    expect(result.stderr).toBe(
      'Note: undefined: 1 (base score is 0)\nNote: success percentage over lines with a defined criterion (1): 100.00 %\n',
    );
    expect(readFileSync(`${result.path}/l.csv`, 'utf8')).toBe(
      'id,s_src,s_tgt_base,s_tgt_attacked,d_tgt,s_tgt,success,margin,reason\r\n' +
        '1,1,0,0,0,,false,0,base score is 0\r\n2,1,1,0,1,,true,1,\r\n',
    );
  });

  it('B52 QData/TextAttack#374: no nan and no -0, whatever there is', async () => {
    const one = await run({ a: 'tea\n', b: 'te\n' }, [...SOURCE, '--format', 'json']);
    expect((JSON.parse(one.stdout) as { s_src: { std: unknown } }).s_src.std).toBeNull();
    const empty = await run({ a: '', b: '' }, SOURCE);
    expect(empty).toMatchObject({ code: 2, stdout: '' });
    const files = { a: 'tea\n', b: 'tea\n', c: 'x\n', d: 'x\n', e: 'x\n' };
    for (const format of ['text', 'terse', 'json', 'csv', 'markdown', 'latex']) {
      const { stdout } = await run(files, [...SOURCE, ...TARGET, '--ref', 'e', '--format', format]);
      expect(stdout).not.toMatch(/nan|infinity|(?<![\d%])-0/i);
    }
  });
});

describe.concurrent('arguments and streams', () => {
  it('B67 yargs/yargs-parser#33: values that begin with a dash', async () => {
    const files = { a: 'tea\n', b: 'te\n', c: 'x\n', d: 'x\n', '-dash': 'tea\n' };
    for (const threshold of [['--success-threshold', '-0.5'], ['--success-threshold=-0.5']]) {
      const result = await run(files, [...SOURCE, ...TARGET, ...threshold]);
      expect(result.stdout).toContain('Success percentage: 100.00 %');
    }
    const joined = await run(files, ['--src=-dash', '--adv-src', 'b', '--terse']);
    expect(joined).toMatchObject({ code: 0, stdout: '63.636\n' });
    const apart = await run(files, ['--src', '-dash', '--adv-src', 'b']);
    expect(apart.code).toBe(2);
    expect(apart.stderr).toContain('--src=-');
    const eaten = await run(files, [...SOURCE, ...TARGET, '--ref', 'c', 'd']);
    expect(eaten.code).toBe(2);
    expect(eaten.stderr).toContain('"d"');
  });

  it('B72 QData/TextAttack#388: stdout is data alone', async () => {
    const files = { a: 'tea\r\r\n', b: 'te\n', c: 'x\n', d: 'y\n' };
    const terse = await run(files, [...SOURCE, ...TARGET, '--terse'], { FORCE_COLOR: '1' });
    expect(terse.stdout).toMatch(/^[\d.]+\n[\d.]+\n[\d.]+\n$/);
    expect(terse.stderr).toContain('No reference file provided. We will use the reference-less criterion.\n');
    const json = await run(files, [...SOURCE, ...TARGET, '--format', 'json'], { FORCE_COLOR: '1' });
    expect(JSON.parse(json.stdout)).toHaveProperty('schema', 'teapot.summary/2');
    const quiet = await run(files, [...SOURCE, ...TARGET, '--quiet']);
    expect(quiet).toMatchObject({ code: 0, stderr: '' });
    const wrong = await run(files, [...SOURCE, '--out', 'c', '--quiet']);
    expect(wrong.stderr).toContain('--out needs --adv-out');
  });

  it.each([
    [['--s-tgt', 'bleu'], '--s-tgt does nothing without --out and --adv-out.'],
    [['--success-threshold', '2'], '--success-threshold does nothing without --out and --adv-out.'],
    [['--threshold-sweep', '0:2:1'], '--threshold-sweep does nothing without --out and --adv-out.'],
  ])('B75 QData/TextAttack#728: an option that does nothing is refused: %j', async (flags, message) => {
    const files = { a: 'tea\n', b: 'te\n', e: 'x\n' };
    const result = await run(files, [...SOURCE, ...flags, '--terse']);
    expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) as string });
  });

  it('B75: references of a side that is not measured are a warning, as scripts for teapot-nlp give them', async () => {
    const result = await run({ a: 'tea\n', b: 'te\n', e: 'x\n' }, [...SOURCE, '--ref', 'e', '--terse']);
    expect(result).toMatchObject({
      code: 0,
      stdout: '63.636\n',
      stderr: 'Warning: --ref does nothing without --out and --adv-out.\n',
    });
  });

  it('B75: the metric of the source side is refused where only outputs are measured', async () => {
    const result = await run({ c: 'tea\n', d: 'te\n' }, [...TARGET, '--s-src', 'bleu']);
    expect(result).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--s-src does nothing without --src and --adv-src.') as string,
    });
  });
});
