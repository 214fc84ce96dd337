import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { FileImport } from '../../src/record/import/import-files.js';
import { MAIN, runCli, temporaryFolder } from '../helpers/cli.js';

/*
 * The one test with a real language model: the example of examples/prompt-attack on its first reviews. It runs where the model is
 * set up (`npm run small-model -- --setup`, or TEAPOT_SMALL_MODEL=1 to let this test do it), and takes about a minute and a half of one core.
 */

const ROOT = resolve(import.meta.dirname, '../..');
const SCRIPT = join(ROOT, 'scripts/small-model.mjs');
const CONFIG = join(ROOT, 'examples/prompt-attack/attack.yaml');
const FILES = ['attacklog.txt', 'records.jsonl', 'predictions.jsonl', 'run.json'];
const ITEMS = 4;
const PROMPTS = 3;
const BUDGET = 20;
const MINUTE_MS = 60_000;

if (process.env['TEAPOT_SMALL_MODEL'] === '1') {
  const { status } = spawnSync(process.execPath, [SCRIPT, '--setup'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the small model could not be set up; see above');
}
const isSetUp = spawnSync(process.execPath, [SCRIPT, '--check']).status === 0;
const missing = isSetUp ? '' : ' (skipped: it is not set up; npm run small-model -- --setup)';

const folder = temporaryFolder();
const cwd = folder.path;
const filesOf = (run: string) => FILES.map((name) => readFileSync(join(cwd, run, name), 'utf8'));

interface Summary {
  readonly ranking: readonly { readonly score: number; readonly unparsed: number }[];
  readonly attacks: readonly {
    readonly original_score: number;
    readonly attacked_score: number;
    readonly pdr: number;
    readonly queries: number;
  }[];
  readonly victim_calls: number;
}

describe.skipIf(!isSetUp)(`a prompt attack on a real small model${missing}`, () => {
  let server: ChildProcess;
  let url: string;
  const argsOf = (run: string) =>
    [
      'attack',
      '--config',
      CONFIG,
      '--base-url',
      url,
      '-n',
      String(ITEMS),
      '--work-dir',
      run,
      '--format',
      'json',
    ].concat('--quiet');

  beforeAll(async () => {
    server = spawn(process.execPath, [SCRIPT, '--labels', 'positive,negative'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { stdout } = server;
    if (stdout === null) throw new Error('the server has no standard output');
    for await (const line of createInterface(stdout)) {
      url = line;
      break;
    }
    if (!/^http:\/\/127\.0\.0\.1:\d+\/v1$/u.test(url)) throw new Error(`the server is at ${url}`);
  }, MINUTE_MS);

  afterAll(() => {
    server.kill('SIGKILL');
  });

  let undisturbedMs = 0;

  test(
    'ends within its budget and has a drop rate',
    async () => {
      const started = performance.now();
      const { code, stdout, stderr } = await runCli(argsOf('undisturbed'), { cwd });
      undisturbedMs = performance.now() - started;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const { ranking, attacks, victim_calls } = JSON.parse(stdout) as Summary;
      expect(ranking.map(({ unparsed }) => unparsed)).toEqual([0, 0, 0]);
      expect(attacks).toHaveLength(1);
      const [attack] = attacks;
      expect(attack?.queries).toBeGreaterThan(1);
      expect(attack?.queries).toBeLessThanOrEqual(BUDGET);
      expect(victim_calls).toBeLessThanOrEqual(ITEMS * (PROMPTS + BUDGET - 1));
      const { original_score = 0, attacked_score = 0, pdr } = attack ?? {};
      expect(original_score).toBeGreaterThan(0);
      expect(pdr).toBeCloseTo(1 - attacked_score / original_score, 12);
      expect(pdr).toBeGreaterThanOrEqual(0);
      const imported = [];
      for await (const record of new FileImport('opencompass', [join(cwd, 'undisturbed/attacklog.txt')]).records()) {
        if (record.adv_src !== null) imported.push(record);
      }
      expect(imported).toHaveLength(1);
      expect(imported[0]?.original_score).toBeCloseTo(original_score * 100, 1);
    },
    15 * MINUTE_MS,
  );

  test(
    'asked afresh, killed twice and resumed, it ends with the same bytes',
    async () => {
      const killedAt: number[] = [];
      for (const share of [0.1 + 0.3 * Math.random(), 0.1 + 0.2 * Math.random()]) {
        const resume = killedAt.length === 0 ? [] : ['--resume'];
        const run = spawn(process.execPath, [MAIN, ...argsOf('killed'), ...resume], { cwd, stdio: 'ignore' });
        const ended = new Promise((done) => {
          run.once('exit', done);
        });
        const afterMs = Math.round(share * undisturbedMs);
        killedAt.push(afterMs);
        await sleep(afterMs);
        run.kill('SIGKILL');
        await ended;
      }
      const { code, stderr } = await runCli([...argsOf('killed'), '--resume'], { cwd });
      expect({ code, stderr, killedAt }).toEqual({ code: 0, stderr: '', killedAt });
      expect(filesOf('killed'), `killed after ${killedAt.join(' and ')} ms`).toEqual(filesOf('undisturbed'));
    },
    15 * MINUTE_MS,
  );

  test('its server ends when it is told to', async () => {
    const ended = new Promise((done) => {
      server.once('exit', (code) => done(code));
    });
    server.kill('SIGTERM');
    expect(await ended).toBe(0);
    await expect(fetch(`${url}/models`)).rejects.toThrow('fetch failed');
  });
});
