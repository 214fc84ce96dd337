import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MAIN, runCli, temporaryFolder } from '../helpers/cli.js';
import { isRunning, until } from '../score/temp-folder.js';

const { path: folder, write } = temporaryFolder();
write({
  'a.txt': 'we drink tea\nthey eat toast\n',
  'b.txt': 'we drink tea\nthey burn toast\n',
  'half.mjs': `export default { key: 'half', name: 'half', options: { share: { default: 0.5, help: 'the score' } },
    create: ({ share }) => ({ scoreSentence: () => share }) };`,
  'chrf.mjs': `export default { key: 'chrf', name: 'my chrF', scoreSentence: () => 0.25 };`,
  'nan.mjs': `export default { key: 'broken', scoreSentence: (hyp) => (hyp.includes('burn') ? NaN : 1) };`,
  'scale.mjs': `export default { key: 'scaled', options: { scale: { default: 0.5 }, quiet: { default: 1 } },
    create: ({ scale, quiet }) => ({ scoreSentence: () => scale * quiet }) };`,
  'constant.mjs': `export default { key: 'constant', options: { value: { default: 0.125 } },
    create: ({ value }) => ({ scoreSentence: () => value }) };`,
  'crash.mjs': `console.error('out of memory'); process.exit(9);`,
  'half.py': `import sys\nfor line in sys.stdin:\n    print(0.5)\n`,
  'sleep.mjs': `import { writeFileSync } from 'node:fs'; writeFileSync('pid', String(process.pid)); process.stdin.resume(); setInterval(() => {}, 1000);`,
  'java.mjs': `import { writeFileSync } from 'node:fs'; writeFileSync('java-pid', String(process.pid)); setInterval(() => {}, 1000);`,
  'meteor.jar': '',
});

const PAIR = ['--src', 'a.txt', '--adv-src', 'b.txt'];

async function teapot(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return runCli(args, { cwd: folder });
}

describe('a module of scorers', () => {
  it('adds a key with an option, as parameter and as flag', async () => {
    const [byDefault, byParameter, byFlag] = await Promise.all([
      teapot(...PAIR, '--terse', '--custom-scores-source', 'half.mjs', '--s-src', 'half'),
      teapot(...PAIR, '--terse', '--custom-scores-source=half.mjs', '--s-src', 'half:share=0.25'),
      teapot(...PAIR, '--terse', '--custom-scores-source', 'half.mjs', '--s-src', 'half', '--share', '0.75'),
    ]);
    expect([byDefault.stdout, byParameter.stdout, byFlag.stdout]).toEqual(['50.000\n', '25.000\n', '75.000\n']);
    expect(byFlag.stderr).toBe('');
  });

  it('shows its options in the help', async () => {
    const { stdout } = await teapot('--custom-scores-source', 'half.mjs', '-h');
    expect(stdout).toMatch(/Metrics of your modules:\n +--share TEXT +the score: a number; for half \[0\.5\]/);
  });

  it('refuses its flag when the scorer is not used, and both ways at once', async () => {
    const unused = await teapot(...PAIR, '--custom-scores-source', 'half.mjs', '--share', '1');
    expect(unused.code).toBe(2);
    expect(unused.stderr).toContain('--share does nothing here: it belongs to the scorer half, but --s-src is chrf');
    const both = ['--s-src', 'half:share=1', '--share', '1'];
    const twice = await teapot(...PAIR, '--custom-scores-source', 'half.mjs', ...both);
    expect(twice.code).toBe(2);
    expect(twice.stderr).toContain('half:share and --share both set the same parameter');
  });

  it('says on stderr that it replaces a built-in scorer', async () => {
    const { stdout, stderr } = await teapot(...PAIR, '--custom-scores-source', 'chrf.mjs');
    expect(stdout).toContain('Source side preservation (my chrF):\nMean:\t25.000\n');
    expect(stderr).toBe('Note: the scorer "chrf" of chrf.mjs replaces the one of that key (built-in).\n');
  });

  it('has no flag that teapot has, but may share the flag of the scorer it replaces', async () => {
    const own = await teapot(
      ...PAIR,
      '--custom-scores-source',
      'scale.mjs',
      '--s-src',
      'scaled',
      '--scale',
      '10',
      '-q',
    );
    expect(own.stdout).toContain('Mean:\t5.000');
    const shared = await teapot(
      ...PAIR,
      '--custom-scores-source',
      'constant.mjs',
      '--s-src',
      'constant',
      '--value',
      '0.5',
    );
    expect(shared.stdout).toContain('Mean:\t50.000');
  });

  it('that answers NaN ends with exit code 1, module, key and line', async () => {
    const { code, stdout, stderr } = await teapot(...PAIR, '--custom-scores-source', 'nan.mjs', '--s-src', 'broken');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('Scorer broken of nan.mjs: line 2: found NaN, expected a number from 0 to 1');
    expect(stderr).not.toContain('    at ');
  });

  it('that is not there ends with exit code 2', async () => {
    const { code, stderr } = await teapot(...PAIR, '--custom-scores-source', 'none.mjs');
    expect(code).toBe(2);
    expect(stderr).toContain("none.mjs can't be loaded as a module of scorers");
  });
});

describe('a program as scorer', () => {
  it('scores both sides', async () => {
    const args = [...PAIR, '--out', 'a.txt', '--adv-out', 'b.txt', '--ref', 'a.txt', '--terse'];
    const { code, stdout, stderr } = await teapot(
      ...args,
      '--s-src',
      'exec:python3 half.py',
      '--s-tgt',
      'exec:python3 half.py',
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '50.000\n0.000\n0.000\n', stderr: '' });
  });

  it('that crashes ends with exit code 1 and its last words; nothing is printed or written', async () => {
    const args = [
      ...PAIR,
      '--s-src',
      `exec:"${process.execPath}" crash.mjs`,
      '-o',
      'out.json',
      '--per-line',
      'lines.tsv',
    ];
    const { code, stdout, stderr } = await teapot(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('ended too early (exit code 9) at line 1, after 0 of 2 answers');
    expect(stderr).toContain('out of memory');
    expect(stderr).not.toContain('    at ');
    expect(readdirSync(folder).filter((name) => /out\.json|lines\.tsv/.test(name))).toEqual([]);
  });

  it('that does not exist ends with exit code 2', async () => {
    const { code, stderr } = await teapot(...PAIR, '--s-src', 'exec:no-such-program-of-teapot');
    expect(code).toBe(2);
    expect(stderr).toContain('there is no such program');
  });

  it.each([
    ['the program', ['--s-src', `exec:"${process.execPath}" sleep.mjs`], 'pid'],
    [
      'METEOR',
      ['--s-src', 'meteor', '--src-lang', 'en', '--meteor-jar', 'meteor.jar'].concat(
        '--java-command',
        `"${process.execPath}" java.mjs`,
      ),
      'java-pid',
    ],
  ])('is stopped by SIGTERM: %s is killed, exit code 130', async (_, args, pidFile) => {
    const child = spawn(process.execPath, [MAIN, ...PAIR, ...args], { cwd: folder });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const file = `${folder}/${pidFile}`;
    await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
    const pid = Number(readFileSync(file, 'utf8'));
    expect(isRunning(pid)).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toBe(130);
    await until(() => !isRunning(pid));
  });
});

describe('METEOR', () => {
  it('B74 (promptfoo#8681): names METEOR and the option that is missing', async () => {
    const noJar = await teapot(...PAIR, '--s-src', 'meteor', '--src-lang', 'en');
    expect({ code: noJar.code, stdout: noJar.stdout }).toEqual({ code: 2, stdout: '' });
    expect(noJar.stderr).toContain('METEOR needs its jar: --meteor-jar FILE');
    const noLanguage = await teapot(...PAIR, '--s-src', 'meteor', '--meteor-jar', 'meteor.jar');
    expect(noLanguage.code).toBe(2);
    expect(noLanguage.stderr).toContain('METEOR needs the language of the texts: --src-lang en');
  });
});
