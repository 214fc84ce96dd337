import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { MAIN, temporaryFolder } from './helpers/cli.js';

const CI = resolve(import.meta.dirname, '../integrations/ci');
const folder = temporaryFolder();
folder.write({ src: 'good tea\nbad tea\n', adv: 'goood tea\nbad tea\n' });

/** Runs a shell script in the folder, with teapot from this checkout. */
function sh(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return spawnSync('sh', args, {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...process.env, TEAPOT: `${process.execPath} ${MAIN}`, ...env },
  });
}

const RUN = join(CI, 'run.sh');
const PAIR = ['--src', 'src', '--adv-src', 'adv'];
const read = (path: string): string => readFileSync(join(folder.path, path), 'utf8');

describe('run.sh', () => {
  test('leaves three reports, and passes when no condition holds', () => {
    writeFileSync(join(folder.path, 'step.md'), 'before\n');
    const { status, stdout } = sh([RUN, 'fine', ...PAIR, '--fail-if', 's_src.mean<0.1'], {
      GITHUB_STEP_SUMMARY: 'step.md',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(JSON.parse(read('fine/results.json'))).toMatchObject({ schema: 'teapot.summary/2', n: 2 });
    expect(read('fine/junit.xml')).toContain('tests="2" failures="0" errors="0"');
    expect(read('fine/summary.md')).toContain('| s\\_src |');
    expect(read('step.md')).toBe(`before\n${read('fine/summary.md')}`);
  });

  test('fails with exit code 3 and writes the reports when a condition holds', () => {
    const { status, stderr } = sh([RUN, 'bad results', ...PAIR, '--fail-if', 's_src.mean<0.99']);
    expect(status).toBe(3);
    expect(stderr.match(/--fail-if holds/gu)).toHaveLength(1);
    expect(read('bad results/junit.xml')).toContain('<failure type="gate" message="s_src.mean is ');
    expect(existsSync(join(folder.path, 'bad results/summary.md'))).toBe(true);
  });

  test('fails with exit code 2 for a slip, and leaves nothing', () => {
    const { status, stderr } = sh([RUN, 'slip', ...PAIR, '--fail-if', 's_scr.mean<0.99']);
    expect(status).toBe(2);
    expect(stderr).toContain('Did you mean "s_src.mean"?');
    expect(existsSync(join(folder.path, 'slip/junit.xml'))).toBe(false);
    expect(sh([RUN, 'slip']).status).toBe(2);
  });
});

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly {
      readonly id?: string;
      readonly run: string;
      readonly env: Readonly<Record<string, string>>;
    }[];
  };
}

describe('the GitHub action', () => {
  const action = parse(readFileSync(join(CI, 'action.yml'), 'utf8')) as Action;

  test('names inputs that it has, and runs its step as GitHub does', () => {
    expect(action.runs.using).toBe('composite');
    const text = readFileSync(join(CI, 'action.yml'), 'utf8');
    for (const [, name] of text.matchAll(/inputs\.([\w-]+)/gu)) expect(Object.keys(action.inputs)).toContain(name);
    const step = action.runs.steps.find(({ id }) => id === 'run');
    expect(action.outputs['exit-code']?.value).toBe('${{ steps.run.outputs.exit-code }}');
    writeFileSync(join(folder.path, 'output.txt'), '');
    const given: Readonly<Record<string, string>> = {
      '${{ inputs.arguments }}': '--src\nsrc\n--adv-src\nadv\n--fail-if\ns_src.mean < 0.99\n',
      '${{ inputs.folder }}': 'from github',
      '${{ github.action_path }}/run.sh': RUN,
    };
    const env = Object.fromEntries(Object.entries(step?.env ?? {}).map(([name, value]) => [name, given[value] ?? '']));
    expect(Object.values(env)).not.toContain('');
    const { status } = sh(['-e', '-c', step?.run ?? ''], { ...env, GITHUB_OUTPUT: 'output.txt' });
    expect(status).toBe(3);
    expect(read('output.txt')).toBe('exit-code=3\n');
    expect(read('from github/junit.xml')).toContain('name="not s_src.mean &lt; 0.99"');
  });
});

describe('the GitLab job', () => {
  test('writes the reports that it names', () => {
    const jobs = parse(readFileSync(join(CI, 'gitlab.yml'), 'utf8')) as {
      readonly '.teapot': {
        readonly variables: Readonly<Record<string, string>>;
        readonly artifacts: { readonly reports: { readonly junit: string } };
      };
      readonly teapot: { readonly extends: string; readonly script: readonly string[] };
    };
    const { variables, artifacts } = jobs['.teapot'];
    const script = jobs.teapot.script
      .join('\n')
      .replace('integrations/ci/run.sh', RUN)
      .replace('score records.jsonl', PAIR.join(' '))
      .replace('success_rate>0.3', 's_src.mean>2');
    expect(jobs.teapot.extends).toBe('.teapot');
    expect(sh(['-e', '-c', script], variables).status).toBe(0);
    const path = artifacts.reports.junit.replace('$TEAPOT_FOLDER', variables['TEAPOT_FOLDER'] ?? '');
    expect(read(path)).toContain('<testsuites name="teapot score"');
  });
});
