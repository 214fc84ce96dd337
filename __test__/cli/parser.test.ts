import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/nearest.js';
import { MAIN, runCli, temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
const packageVersion = (JSON.parse(readFileSync(resolve(MAIN, '../../../package.json'), 'utf8')) as { version: string })
  .version;

/**
 * Runs with a hook that prints every module and every addon that is loaded to stderr.
 *
 * @returns The loaded files; in place of a bundle, the modules that are in it.
 */
async function modulesOf(...args: string[]): Promise<{ readonly stdout: string; readonly modules: readonly string[] }> {
  folder.write({
    'trace.mjs': `
      import { register } from 'node:module';
      register('./hooks.mjs', import.meta.url);
      const load = process.dlopen;
      process.dlopen = function (...all) { process.stderr.write('LOADED ' + all[1] + '\\n'); return load.apply(this, all); };
    `,
    'hooks.mjs': `
      import { writeSync } from 'node:fs';
      export async function load(url, context, next) { writeSync(2, 'LOADED ' + url + '\\n'); return next(url, context); }
    `,
  });
  const { stdout, stderr } = await runCli(args, { node: ['--no-warnings', '--import', `${folder.path}/trace.mjs`] });
  const modules = stderr.split('\n').filter((line) => line.startsWith('LOADED '));
  return { stdout, modules: modules.flatMap((line) => modulesIn(line.slice(7))) };
}

/** The bundler writes the path of every module before its code. */
function modulesIn(url: string): readonly string[] {
  if (!/\/dist\/cli[^/]*\/?[^/]*\.js$/.test(url)) return [url];
  return readFileSync(fileURLToPath(url), 'utf8').match(/(?<=^\/\/ )(?:src|node_modules)\/\S+$/gm) ?? [url];
}

describe.concurrent('start', () => {
  it('--version loads neither the addon nor yargs nor a command', async () => {
    const { stdout, modules } = await modulesOf('--version');
    expect(stdout).toBe(`${packageVersion}\n`);
    expect(modules.filter((name) => /\.node$|yargs|commands|parser/.test(name))).toEqual([]);
    expect(modules).toContain('src/cli/main.ts');
  });

  it.each(['--version', '-V'])('%s prints the version alone and exits with 0', async (flag) => {
    const { stdout, stderr, code } = await runCli([flag]);
    expect({ stdout, stderr, code }).toEqual({ stdout: `${packageVersion}\n`, stderr: '', code: 0 });
  });

  it('--help loads neither the addon nor a command', async () => {
    const { stdout, modules } = await modulesOf('--help');
    expect(stdout).toContain('--success-threshold');
    expect(modules.filter((name) => /\.node$|zod|\/score\/registry|cli\/.*run[^/]*\.ts$/.test(name))).toEqual([]);
    expect(modules).toContain('src/cli/parser.ts');
  });

  it('a command loads no other command', async () => {
    const { modules } = await modulesOf('list', 'scorers');
    expect(modules.filter((name) => /cli\/.*run[^/]*\.ts$/.test(name))).toEqual(['src/cli/list/run.ts']);
    expect(modules.filter((name) => name.endsWith('.node'))).toEqual([]);
  });
});

describe.concurrent('help', () => {
  it('groups the options and shows examples', async () => {
    const { stdout, stderr, code } = await runCli(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const heading of [
      'Commands (teapot help COMMAND shows their options):',
      'Input (- is stdin',
      'Metrics (see',
      'Criterion and statistics:',
      'Output:',
      'Examples:',
    ]) {
      expect(stdout).toContain(heading);
    }
    expect(stdout.split('\n').every((line) => line.length <= 110)).toBe(true);
  });

  it('is the same for the named default command, and asks no command to run', async () => {
    const named = await runCli(['score', '--help', '--src', 'none']);
    expect(named).toMatchObject({ code: 0, stderr: '' });
    expect(named.stdout).toContain('--threshold-sweep');
  });

  it("shows the options of the user's scorers", async () => {
    folder.write({
      'scorers.mjs':
        "export const ratio = { key: 'ratio', options: { power: { default: 1, help: 'exponent' } }, scoreSentence: () => 1 };",
    });
    const { stdout } = await runCli(['--custom-scores-source', `${folder.path}/scorers.mjs`, '-h']);
    expect(stdout).toMatch(/Metrics of your modules:\n +--power TEXT +exponent/);
    const plain = await runCli(['-h']);
    expect(plain.stdout).not.toContain('--power');
  });
});

describe.concurrent('help of a command', () => {
  it('is the same by each of its names, with metavars and defaults', async () => {
    const [named, flagged] = await Promise.all([runCli(['help', 'compare']), runCli(['compare', '--help'])]);
    expect(named).toEqual(flagged);
    expect(named.stdout).toMatch(/^Usage: teapot compare <a> <b> \[options\]\n/);
    expect(named.stdout).toMatch(/^ {6}--examples N +How many items of each change are named \[5\]$/m);
    expect(named.stdout).toMatch(/^ {2}-o, --output FILE +Write/m);
  });

  it('names the nearest command where there is none of that name', async () => {
    const { code, stderr } = await runCli(['help', 'scorr']);
    expect(code).toBe(2);
    expect(stderr).toContain('Unknown command "scorr". Did you mean "score"?');
  });

  it('is what a missing argument leads to', async () => {
    const { code, stderr } = await runCli(['compare', 'a.jsonl']);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'teapot compare needs <b> (Records of the run after): teapot compare <a> <b>. See "teapot help compare".',
    );
  });

  it.each([
    ['perturb', 's.txt', '--protect', '-foo'],
    ['import', 'textattack', 'x.csv', '--model', '-m'],
    ['attack', '--protect', '-x'],
  ])('F51: %s %s: a value that begins with a dash', async (...args) => {
    const { code, stderr } = await runCli(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^teapot: error: --(\w+) needs a value\. \(A value that begins with a dash is written --\1=-…\)/,
    );
  });

  it.each([
    ['perturb', '-o'],
    ['attack', '-n'],
    ['pdr', 'r.jsonl', '--by', '--'],
    ['explain', '-o'],
    ['list', 'scorers', '--format'],
  ])('F58: %s %s: an option without its value', async (...args) => {
    const { code, stderr } = await runCli(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^teapot: error: --?\w+ needs a value\./);
  });

  it('is a man page too, with every option', async () => {
    const { stdout } = await runCli(['help', '--format', 'man']);
    expect(stdout).toBe(readFileSync(resolve(MAIN, '../../teapot.1'), 'utf8'));
    expect(stdout.startsWith(`.TH TEAPOT 1 "" "teapot ${packageVersion}"\n`)).toBe(true);
    expect(stdout).toContain(String.raw`.B \-\-success\-threshold NUMBER`);
  });
});

describe.concurrent('completion', () => {
  /** What bash offers for the last of these words. */
  async function offered(...words: string[]): Promise<readonly string[]> {
    const { stdout: script } = await runCli(['completion', 'bash']);
    const line = ['teapot', ...words].map((word) => `'${word}'`).join(' ');
    const source = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _teapot; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', source], { cwd: folder.path, encoding: 'utf8' }).trim().split('\n');
  }

  it('of bash offers commands, options of the command, and words of a choice', async () => {
    expect(await offered('com')).toEqual(expect.arrayContaining(['compare', 'completion']));
    expect(await offered('compare', 'a', 'b', '--su')).toEqual(['--success', '--success-threshold']);
    expect(await offered('compare', 'a', 'b', '--success', 't')).toEqual(['teapot', 'tool']);
    expect(await offered('list', 'at')).toEqual(['attacks']);
    expect(await offered('--thr')).toEqual(['--threads', '--threshold-sweep']);
  });

  it('is there for zsh and fish', async () => {
    expect((await runCli(['completion', 'zsh'])).stdout).toMatch(/^#compdef teapot\n/);
    expect((await runCli(['completion', 'fish'])).stdout).toContain(
      "complete -c teapot -n '__fish_seen_subcommand_from compare' -l success ",
    );
  });
});

describe.concurrent('list scorers', () => {
  it('prints keys and parameters, as text and as JSON', async () => {
    const { stdout, code } = await runCli(['list', 'scorers']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^chrf: .*\n {4}char_order=6 /m);
    expect(stdout).toMatch(/^zero_one, exact_match: /m);
    const json = await runCli(['list', 'scorers', '--format', 'json']);
    const scorers = JSON.parse(json.stdout) as { key: string }[];
    expect(scorers.map(({ key }) => key)).toContain('squad_f1');
  });

  it('lists nothing else', async () => {
    const { stderr, code } = await runCli(['list', 'scorrers']);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "scorers"?');
  });
});

describe('nearest', () => {
  it('finds the spelling with the fewest edits', () => {
    expect(nearest('crhf', ['bleu', 'chrf', 'chrf++'])).toBe('chrf');
    expect(nearest('Bleu', ['bleu'])).toBe('bleu');
    expect(nearest('rouge', ['bleu', 'chrf'])).toBeUndefined();
    expect(nearest('', ['a'])).toBe('a');
    expect(nearest('x', [])).toBeUndefined();
  });
});
