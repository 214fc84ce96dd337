import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { afterAll, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'teapot-slurm-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const example = (name: string): string => join(ROOT, 'examples/translation', name);
const FILES = ['--src', example('src.fr'), '--adv-src', example('adv.charswap.fr'), '--out', example('base.en')].concat(
  ['--adv-out', example('adv.charswap.en'), '--ref', example('ref.en')],
);

/** Runs a task of the array with the variables that Slurm sets. */
function task(id: number, more: Readonly<Record<string, string>> = {}) {
  const { status, stderr } = spawnSync(
    'bash',
    [join(ROOT, 'integrations/slurm/array.sh'), join(folder, 'run'), ...FILES],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        TEAPOT: `${process.execPath} ${join(ROOT, 'dist/cli/main.js')}`,
        SLURM_ARRAY_TASK_ID: String(id),
        SLURM_ARRAY_TASK_COUNT: '3',
        SLURM_ARRAY_TASK_MIN: '1',
        SLURM_CPUS_PER_TASK: '1',
        ...more,
      },
    },
  );
  return { status, stderr };
}

test('the last task of an array merges: the result equals the run that was not cut', () => {
  for (const id of [2, 1]) expect(task(id)).toEqual({ status: 0, stderr: '' });
  expect(existsSync(join(folder, 'run/result.json'))).toBe(false);
  expect(task(3).status).toBe(0);
  // A part that is run again: alone in its array.
  expect(task(2, { TEAPOT_SHARDS: '3', SLURM_ARRAY_TASK_MIN: '2', SLURM_ARRAY_TASK_COUNT: '1' }).status).toBe(0);
  const whole = spawnSync(process.execPath, [join(ROOT, 'dist/cli/main.js'), ...FILES, '--format', 'json', '-q'], {
    encoding: 'utf8',
  });
  expect(JSON.parse(readFileSync(join(folder, 'run/result.json'), 'utf8'))).toEqual(JSON.parse(whole.stdout));
});

test('an array that counts from 0 is refused', () => {
  expect(task(0, { SLURM_ARRAY_TASK_MIN: '0' })).toMatchObject({ status: 2 });
});
