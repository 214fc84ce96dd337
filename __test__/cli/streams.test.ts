import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, rmSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { MAIN, runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
const record = (id: string, attack: string): string =>
  `${JSON.stringify({ schema: 'teapot.record/1', id, unit: 'input', attack, src: 'the tea', adv_src: 'the tae', out: '1', adv_out: '0', ref: '1', result: 'successful' })}\n`;
folder.write({
  a: 'tea\n',
  b: 'tae\n',
  'records.jsonl': record('r1', 'swap') + record('r2', 'swap'),
  'evil.jsonl': record('\u001b]8;;http://evil\u001b\\x', '\u001b[2J\u202eswap\u009b'),
});

/** What a user would type at a shell, in the folder; `teapot` is the built command line. */
function shell(script: string): { readonly code: number | null; readonly stdout: string; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `teapot() { node ${MAIN} "$@"; }\n${script}`], {
    cwd: folder.path,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

/** One run of every command that prints results. */
const COMMANDS: readonly string[] = [
  '--src a --adv-src b',
  'score records.jsonl',
  'pdr records.jsonl',
  'edits records.jsonl',
  'compare records.jsonl records.jsonl',
  'audit records.jsonl',
  'explain records.jsonl --line 1',
  'importance "good tea"',
  'import auto records.jsonl',
  'export table records.jsonl',
  'perturb a --attack charswap',
  'attack --src a',
  'list scorers',
  'list attacks',
  'list victims',
  'list datasets',
  'perturb --list',
  '--help',
  '--version',
];

describe('a full disk', () => {
  it.each(COMMANDS)('F32: teapot %s > /dev/full is one line and exit code 1', (args) => {
    const { code, stderr } = shell(`teapot ${args} > /dev/full`);
    const errors = stderr.split('\n').filter((line) => line.startsWith('teapot:'));
    expect(errors).toEqual([
      "teapot: error: standard output can't be written: no space left on device. [ERR_TEAPOT_WRITE]",
    ]);
    expect(stderr).not.toContain('    at ');
    expect(code).toBe(1);
  });

  it.each([
    '--src a --adv-src b -o big.json',
    '--src a --adv-src b --per-line big.tsv',
    '--src a --adv-src b --per-line big.parquet',
    'score records.jsonl --per-line big.jsonl',
    'edits records.jsonl --per-record big.jsonl',
    'audit records.jsonl --findings big.jsonl -o big.txt',
    'perturb a --attack charswap -n 9 -o big.txt',
    'perturb a --attack charswap --edits big.jsonl',
    'import auto records.jsonl -o big.jsonl',
    'export table records.jsonl -o big.csv',
    'export table records.jsonl -o big.parquet',
    'attack --src a --work-dir big',
  ])('F32 F57: teapot %s under ulimit -f 0 is one line and exit code 1', (args) => {
    const { code, stderr } = shell(`(ulimit -f 0; teapot ${args}) 2>&1 >/dev/null | cat >&2; exit "\${PIPESTATUS[0]}"`);
    expect(stderr).toMatch(/^teapot: error: \S*big\S* can't be (?:written|opened)[^\n]*\[ERR_TEAPOT_\w+\]$/mu);
    expect(stderr).not.toMatch(/bug|^ {4}at /mu);
    expect(code).toBe(1);
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    rmSync(join(folder.path, 'big'), { recursive: true, force: true });
  });
});

describe('streams that others closed', () => {
  it('F72: the work goes on when stderr is closed early', () => {
    const { code } = shell(
      'teapot import auto records.jsonl -o kept.jsonl 2>&1 | true; [ "$(wc -l < kept.jsonl)" = 2 ] || exit 9; exit "${PIPESTATUS[0]}"',
    );
    expect(code).toBe(0);
  });

  it.each(['import auto records.jsonl -o kept.jsonl', 'perturb a --attack charswap', '--src a --adv-src b'])(
    'F58: teapot %s with a full or closed stderr ends as its work does',
    (args) => {
      for (const redirection of ['2>/dev/full', '2>&-']) expect(shell(`teapot ${args} ${redirection}`).code).toBe(0);
      expect(shell(`teapot ${args} --no-such-flag 2>/dev/full`).code).toBe(2);
    },
  );

  it('a reader that closes our output early does not hide a gate', () => {
    const gated = "teapot --src a --adv-src b --fail-if 's_src.mean<200' 2>/dev/null | true; exit ${PIPESTATUS[0]}";
    expect(shell(gated).code).toBe(3);
  });

  it('F58: a deleted working folder and a limit of open files are one line', () => {
    mkdirSync(join(folder.path, 'gone'));
    const gone = shell(`cd gone && rmdir ../gone && teapot --src ${folder.path}/a --adv-src ${folder.path}/b`);
    expect(gone).toMatchObject({ code: 1, stdout: '' });
    expect(gone.stderr).toMatch(/^teapot: error: the working folder is gone[^\n]*\n$/u);
    const few = shell('ulimit -n 20; teapot --src a --adv-src b');
    expect(few).toMatchObject({ code: 1, stdout: '' });
    expect(few.stderr).toMatch(/^teapot: error: [^\n]*too many open files[^\n]*\n$/u);
  });
});

describe('control characters', () => {
  it.each([
    'score evil.jsonl',
    'pdr evil.jsonl',
    'pdr evil.jsonl --long',
    'edits evil.jsonl',
    'compare evil.jsonl evil.jsonl',
    'audit evil.jsonl',
    'explain evil.jsonl --line 1',
    'importance $"\\e[2J good \\u202e tea"',
    '--src "$(printf "no\\e]8;;x\\e\\\\")" --adv-src b',
    '--src a --adv-src b --s-src "exec:printf \'\\\\e[2J\'"',
    '"--$(printf "\\e[2J")"',
    'score evil.jsonl --by "$(printf "\\e[2J")"',
  ])('F56: of data, files, flags and programs never reach a terminal raw: teapot %s', (args) => {
    const { stdout, stderr } = shell(`teapot ${args}`);
    expect(stdout + stderr).not.toBe('');
    // oxlint-disable-next-line no-control-regex -- these are the characters that must not be there
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/u);
  });

  it('F56: JSON stays exact', () => {
    const { stdout } = shell('teapot score evil.jsonl --format json');
    expect(JSON.stringify(JSON.parse(stdout))).toContain('\\u001b[2J\u202eswap\u009b');
  });

  it('F59: a huge name or header is cut, and its length said', () => {
    folder.write({ 'wide.csv': `${'x'.repeat(1_000_000)},b\n1,2\n` });
    for (const args of [`--src ${'n'.repeat(5000)} --adv-src b`, '--data wide.csv --columns src=a,adv_src=b']) {
      const { stderr, code } = shell(`teapot ${args}`);
      expect(code).toBeGreaterThan(0);
      expect(stderr.length).toBeLessThan(3000);
      expect(stderr).toMatch(/\d characters/u);
    }
  });
});

describe('signals', () => {
  it('F76: SIGHUP ends the run as SIGTERM does: programs are ended and no temporary file is left', async () => {
    folder.write({
      'slow.mjs': 'process.stdin.resume(); console.error(process.pid); setInterval(() => {}, 1000);',
      'pid.mjs': `import { writeFileSync } from 'node:fs'; writeFileSync('slow.pid', String(process.pid)); process.stdin.resume(); setInterval(() => {}, 1000);`,
    });
    const child = spawn(
      process.execPath,
      [MAIN, '--src', 'a', '--adv-src', 'b', '--s-src', 'exec:node pid.mjs', '--per-line', 'hup.tsv'],
      { cwd: folder.path, stdio: 'ignore' },
    );
    const ended = new Promise<number | null>((done) => child.on('close', done));
    const { readFile } = await import('node:fs/promises');
    let program = 0;
    while (program === 0) {
      program = Number(await readFile(join(folder.path, 'slow.pid'), 'utf8').catch(() => '0'));
      await new Promise((done) => setTimeout(done, 20));
    }
    child.kill('SIGHUP');
    expect(await ended).toBe(130);
    expect(() => process.kill(program, 0)).toThrow('ESRCH');
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

it('notes and results of a run with plain names are as before', async () => {
  const { stdout } = await runCli(['--src', 'a', '--adv-src', 'b', '--terse'], { cwd: folder.path });
  expect(stdout).toMatch(/^[\d.]+\n/u);
});
