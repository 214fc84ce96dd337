import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { MAIN, runCli, temporaryFolder } from '../helpers/cli.js';
import type { CliResult } from '../helpers/cli.js';
import { seeded } from '../helpers/seeded.js';
import { ChaosServer } from '../victim/chaos-server.js';
import type { Behaviour, SeenRequest } from '../victim/chaos-server.js';

/*
 * Whole prompt attacks on an endpoint that goes wrong in every way it can: what they write must be what an undisturbed run
 * writes, byte for byte.
 */

// Several processes a test, on a machine that may do other work.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const folder = temporaryFolder();
const cwd = folder.path;
const FILES = ['attacklog.txt', 'records.jsonl', 'predictions.jsonl', 'run.json'];
const filesOf = (run: string) => FILES.map((name) => readFileSync(join(cwd, run, name), 'utf8'));
const statusOf = (run: string): unknown => JSON.parse(readFileSync(join(cwd, run, 'run.json'), 'utf8')).status;

/** What the model says: it follows the prompt while it can read "sentiment". */
function answerTo(input: string): string {
  if (input.includes('sentiment')) return input.includes('fine') ? 'Good.' : 'bad';
  return input.includes('opinion') && input.includes('fine') ? 'good' : 'bad';
}
const ANSWER: Behaviour = { kind: 'answer', text: answerTo };

/** Every way to go wrong that may be over a moment later. */
const CHAOS: readonly Behaviour[] = [
  { ...ANSWER, delayMs: 30 },
  { kind: 'status', status: 429, headers: { 'retry-after-ms': '3' } },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503, body: '<html>busy</html>' },
  { kind: 'cut' },
  { kind: 'cut-body' },
  { kind: 'truncated' },
  { kind: 'body', body: { ok: true } },
  { kind: 'body', body: { choices: [] } },
  { kind: 'body', body: { choices: [{ message: { content: 7 } }] } },
  { kind: 'body', body: { error: { code: 502, message: 'bad gateway' } } },
];

let server: ChaosServer;
/** How often each input got a right answer. */
let answered: Map<string, number>;

/** Behaves as told, and counts the right answers. */
function behave(choose: (request: SeenRequest, index: number) => Behaviour): void {
  server.behave = (request, index) => {
    const behaviour = choose(request, index);
    if (behaviour.kind === 'answer') answered.set(request.input, (answered.get(request.input) ?? 0) + 1);
    return behaviour;
  };
}

/** Goes wrong two times of three, at most four times in a row for one input; two requests are never answered. */
function chaos(seed: number): (request: SeenRequest, index: number) => Behaviour {
  const { below, pick } = seeded(seed);
  const attempts = new Map<string, number>();
  const first = server.requests.length;
  return ({ input }, index) => {
    const made = attempts.get(input) ?? 0;
    attempts.set(input, made + 1);
    if ([7, 60].includes(index - first)) return { kind: 'hang', headers: index % 2 === 0 };
    return made >= 4 || below(3) === 0 ? ANSWER : pick(CHAOS);
  };
}

const argsOf = (run: string, ...more: readonly string[]): string[] =>
  ['attack', '--config', 'attack.yaml', '--work-dir', run, '--format', 'json'].concat(more);
const attack = (run: string, ...more: readonly string[]): Promise<CliResult> => runCli(argsOf(run, ...more), { cwd });

let undisturbed: CliResult;

beforeAll(async () => {
  server = await ChaosServer.start();
  answered = new Map();
  behave(() => ANSWER);
  const rows = Array.from({ length: 6 }, (_, index) => ({
    text: index % 2 === 0 ? `fine ${index}` : `poor ${index}`,
    label: (index + 1) % 2,
  }));
  folder.write({
    'reviews.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    'attack.yaml': `
model: openai:tiny
base_url: ${server.origin}
limits: {retries: 6, first_wait_ms: 1, max_wait_ms: 10, timeout_ms: 1500}
attack: deepwordbug
query_budget: 8
prompt_topk: 2
dataset:
  name: toy
  data: reviews.jsonl
  answer: label
  content: "Review: {text}"
  labels: {0: bad, 1: good}
prompts:
  - Guess now.
  - "What is the sentiment, 'good' or 'bad'?"
  - "What is the opinion of the writer, 'good' or 'bad'?"
`,
  });
  undisturbed = await attack('undisturbed');
});
afterAll(() => server.stop());
beforeEach(() => {
  answered = new Map();
});

/** The documents of two runs but for what came from the cache. */
function expectSame(found: CliResult, { cached }: { readonly cached: boolean }): void {
  const requests = { requests: 0, retries: 0, rate_limited: 0 };
  const counts = { ...requests, ...(cached && { victim_calls: 0, victim_cached: 0, tokens: null }) };
  expect({ ...JSON.parse(found.stdout), ...counts }).toEqual({ ...JSON.parse(undisturbed.stdout), ...counts });
}

describe('a prompt attack through chaos', () => {
  test('is worth comparing', () => {
    expect(undisturbed).toMatchObject({ code: 0, stderr: '' });
    const { attacks, victim_calls } = JSON.parse(undisturbed.stdout);
    expect(attacks).toMatchObject([
      { original_score: 1, attacked_score: 0.5, pdr: 0.5, queries: 8 },
      { original_score: 1, attacked_score: 0.5, pdr: 0.5, queries: 8, result: 'successful' },
    ]);
    // 3 prompts of the ranking, and 7 more texts for each of two attacked ones.
    expect(victim_calls).toBe(6 * (3 + 2 * 7));
  });

  test.each([1, 2])('loses nothing and counts nothing twice (seed %i)', async (seed) => {
    behave(chaos(seed));
    const found = await attack(`chaos-${seed}`);
    expect(found).toMatchObject({ code: 0, stderr: '' });
    expectSame(found, { cached: false });
    expect(filesOf(`chaos-${seed}`)).toEqual(filesOf('undisturbed'));
    expect(new Set(answered.values())).toEqual(new Set([1]));
    expect(answered.size).toBe(JSON.parse(found.stdout).victim_calls);
  });

  test('is killed in it and resumed, to the same bytes', async () => {
    behave(chaos(3));
    for (const ms of [700 + Math.random() * 500, 600 + Math.random() * 300]) {
      const run = spawn(process.execPath, [MAIN, ...argsOf('killed', '--resume')], { cwd, stdio: 'ignore' });
      const ended = new Promise((done) => {
        run.once('exit', done);
      });
      await sleep(ms);
      run.kill('SIGKILL');
      await ended;
    }
    const found = await attack('killed', '--resume');
    expect(found).toMatchObject({ code: 0 });
    expectSame(found, { cached: true });
    expect(filesOf('killed')).toEqual(filesOf('undisturbed'));
  });
});

describe('an endpoint that dies', () => {
  const DEATHS: readonly (readonly [string, Behaviour, string])[] = [
    ['answers 500', { kind: 'status', status: 500 }, 'answered with status 500: "no"; given up after 7 requests'],
    ['cuts connections', { kind: 'cut' }, "can't be reached"],
    ['refuses the key', { kind: 'status', status: 401 }, 'answered with status 401'],
    ['answers nonsense', { kind: 'body', body: { ok: true } }, 'answered without choices'],
    [
      'asks to come back tomorrow',
      { kind: 'status', status: 429, headers: { 'retry-after': '86400' } },
      'answered with status 429: "no"; it asks to wait 86400 s',
    ],
  ];

  test.each(DEATHS)('%s: a clear error, and a run that goes on', async (name, death, message) => {
    const run = name.replaceAll(' ', '-');
    const begin = server.requests.length;
    behave((_request, index) => (index - begin < 40 ? ANSWER : death));
    const dead = await attack(run);
    expect(dead).toMatchObject({ code: 1, stdout: '' });
    expect(dead.stderr).toContain('ERR_TEAPOT_ENDPOINT');
    expect(dead.stderr).toContain(`${server.origin}/v1/chat/completions ${message}`);
    expect(dead.stderr).toContain(`What was answered is kept in ${run}: the same command with --resume goes on`);
    expect(dead.stderr).not.toMatch(/^\s+at /mu);
    expect(statusOf(run)).toBe('running');
    behave(() => ANSWER);
    const found = await attack(run, '--resume');
    expect(found).toMatchObject({ code: 0, stderr: '' });
    expectSame(found, { cached: true });
    expect(filesOf(run)).toEqual(filesOf('undisturbed'));
    expect(new Set(answered.values())).toEqual(new Set([1]));
    // Together the two runs asked what the undisturbed one asked.
    expect(answered.size).toBe(JSON.parse(undisturbed.stdout).victim_calls);
  });

  test('is gone altogether before the first answer', async () => {
    const port = Number(new URL(server.origin).port);
    await server.stop();
    const dead = await attack('gone');
    expect(dead).toMatchObject({ code: 1, stdout: '' });
    expect(dead.stderr).toMatch(/can't be reached: connect ECONNREFUSED .*given up after 7 requests/u);
    server = await ChaosServer.start(port);
    behave(() => ANSWER);
    expect(await attack('gone', '--resume')).toMatchObject({ code: 0, stderr: '' });
    expect(filesOf('gone')).toEqual(filesOf('undisturbed'));
  });
});

test.each<[string, Behaviour]>([
  ['refuses', { kind: 'status', status: 400 }],
  ['gives an empty list of choices to', { kind: 'body', body: { choices: [] } }],
])('an endpoint that always %s one review answers all others; the same in every run', async (name, refusal) => {
  behave(({ input }) => (input.includes('fine 4') ? refusal : ANSWER));
  const runs = ['a', 'b'].map((run) => `${name.split(' ')[0]}-${run}`);
  for (const run of runs) {
    const found = await attack(run);
    expect(found).toMatchObject({ code: 0 });
    expect(found.stderr).toContain('Warning: 3 answers of the ranking are none');
    const { attacks } = JSON.parse(found.stdout);
    expect(attacks[0]).toMatchObject({ original_score: 5 / 6, queries: 8 });
  }
  const [one = '', two = ''] = runs;
  expect(filesOf(one)).toEqual(filesOf(two));
});
