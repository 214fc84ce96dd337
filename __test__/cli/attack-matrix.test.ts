import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test, vi } from 'vitest';

import { runCli, temporaryFolder } from '../helpers/cli.js';
import type { CliResult } from '../helpers/cli.js';

/*
 * Several victims and attacks in one work folder: every pair is run, a pair that fails does not end the others, and what is written is
 * the same for a run that was killed.
 */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const folder = temporaryFolder();
const cwd = folder.path;

/** Follows the prompt while it can read "sentiment"; kills its own process at the question that the environment names. */
const VICTIM = `
let asked = 0;
export const answer = (input) => {
  asked += 1;
  const [signal, at] = (process.env.KILL ?? '').split(':');
  if (asked === Number(at)) process.kill(process.pid, signal);
  if (input.includes('sentiment')) return input.includes('fine') ? 'good' : 'bad';
  return input.includes('opinion') && input.includes('fine') ? 'good' : 'bad';
};
`;

const TASK = `
query_budget: 6
prompt_topk: 2
dataset:
  name: toy
  data: toy.jsonl
  answer: label
  content: "Review: {text}"
  labels: {0: bad, 1: good}
prompts:
  - Guess now.
  - "What is the sentiment, 'good' or 'bad'?"
  - "What is the opinion of the writer, 'good' or 'bad'?"
`;

const MODELS = `
models:
  - {name: first, model: "module:./victim.mjs"}
  - {name: second, model: "module:./other.mjs"}
`;

beforeAll(() => {
  folder.write({
    'victim.mjs': VICTIM,
    'other.mjs': "export const answer = (input) => (input.includes('fine') ? 'good' : 'bad');",
    'broken.mjs': "export const answer = () => { throw new Error('out of order'); };",
    'toy.jsonl': Array.from(
      { length: 6 },
      (_, index) =>
        `${JSON.stringify({ text: `${index % 2 === 0 ? 'fine' : 'poor'} ${index}`, label: (index + 1) % 2 })}\n`,
    ).join(''),
    'prompts.yaml': `${MODELS}
attacks:
  - deepwordbug
  - {name: checks, attack: checklist, query_budget: 4}
${TASK}`,
    'inputs.yaml': `
models:
  - lexicon
  - {name: shouts, model: "module:./sentiment.mjs"}
attacks: [deepwordbug, {name: pruthi-9, attack: pruthi, query_budget: 9}]
query_budget: 12
parallel: 2
inputs: {data: reviews.csv, columns: "src=text,ref=label"}
`,
    'sentiment.mjs': `
let asked = 0;
export const answer = (input) => {
  asked += 1;
  const [signal, at] = (process.env.KILL ?? '').split(':');
  if (asked === Number(at)) process.kill(process.pid, signal);
  return /warm|good|loved/.test(input) ? 'positive' : 'negative';
};
`,
    'reviews.csv':
      'text,label\na warm film,positive\nthe plot drags and it is a terrible bore,negative\na good play,positive\nI loved it,positive\nan awful mess,negative\n',
  });
});

const attack = (args: readonly string[], kill = '') => runCli(['attack', ...args], { cwd, env: { KILL: kill } });

/** The bytes of all files of a run but those of the cache, by path. */
function filesOf(run: string): ReadonlyMap<string, string> {
  const names = readdirSync(join(cwd, run), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('answers.sqlite'))
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(names.toSorted().map((name) => [name.slice(join(cwd, run).length), readFileSync(name, 'utf8')]));
}

describe('a matrix of prompts', () => {
  let whole: CliResult;

  beforeAll(async () => {
    whole = await attack(['--config', 'prompts.yaml', '--work-dir', 'prompts']);
  });

  test('runs every pair and prints one table', async () => {
    const { code, stdout } = whole;
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "PDR
      attack        first  second
      deepwordbug  0.5000  0.0000
      checks       0.0000  0.0000

      Pairs
      model   attack       n  successful  failed  skipped  errors  success rate  original  attacked     PDR  queries
      first   deepwordbug  3           2       0        0       0      100.00 %    100.00     50.00  0.5000       12
      first   checks       3           0       2        0       0        0.00 %    100.00    100.00  0.0000        8
      second  deepwordbug  3           0       2        0       0        0.00 %    100.00    100.00  0.0000       12
      second  checks       3           0       2        0       0        0.00 %    100.00    100.00  0.0000        8
      "
    `);
    expect([...filesOf('prompts').keys()]).toMatchInlineSnapshot(`
      [
        "/first/checks/attacklog.txt",
        "/first/checks/pair.json",
        "/first/checks/predictions.jsonl",
        "/first/checks/records.jsonl",
        "/first/checks/run.json",
        "/first/deepwordbug/attacklog.txt",
        "/first/deepwordbug/pair.json",
        "/first/deepwordbug/predictions.jsonl",
        "/first/deepwordbug/records.jsonl",
        "/first/deepwordbug/run.json",
        "/matrix.json",
        "/run.json",
        "/second/checks/attacklog.txt",
        "/second/checks/pair.json",
        "/second/checks/predictions.jsonl",
        "/second/checks/records.jsonl",
        "/second/checks/run.json",
        "/second/deepwordbug/attacklog.txt",
        "/second/deepwordbug/pair.json",
        "/second/deepwordbug/predictions.jsonl",
        "/second/deepwordbug/records.jsonl",
        "/second/deepwordbug/run.json",
      ]
    `);
    const record = JSON.parse(filesOf('prompts').get('/second/checks/records.jsonl')?.split('\n')[0] ?? '');
    expect(record).toMatchObject({ model: 'second', attack: 'checks' });
  });

  test('a pair has the results of a run of its own', async () => {
    const { stdout } = await attack(['--config', 'prompts.yaml', '--format', 'json', '-q']);
    const pairs = JSON.parse(stdout).pairs;
    const pair = ['--config', 'prompts.yaml', '--model', 'module:./victim.mjs', '--attack', 'checklist'];
    const own = await attack([...pair, '--query-budget', '4', '--format', 'json', '-q']);
    const [alone] = JSON.parse(own.stdout).pairs;
    const [, second] = pairs;
    expect(alone).toStrictEqual({ ...second, model: 'module:./victim.mjs', attack: 'checklist' });
  });

  // In the ranking; in the search of the first pair; in the second pair; at its end.
  test.each([
    ['SIGKILL', 20],
    ['SIGINT', 3],
    ['SIGTERM', 14],
    ['SIGHUP', 25],
  ])('killed by %s and resumed it writes the same bytes', async (signal, question) => {
    const run = ['--config', 'prompts.yaml', '--work-dir', `killed-${signal}`, '-q'];
    const killed = await attack(run, `${signal}:${question}`);
    expect(killed.code).toBe(signal === 'SIGKILL' ? null : 130);
    const resumed = await attack([...run, '--resume']);
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toBe(whole.stdout);
    expect(filesOf(`killed-${signal}`)).toStrictEqual(filesOf('prompts'));
  });
});

describe('a matrix of inputs', () => {
  test('runs every pair and prints one table', async () => {
    const { code, stdout } = await attack(['--config', 'inputs.yaml', '--work-dir', 'inputs', '--format', 'csv']);
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "model,attack,n,successful,failed,skipped,errors,success_rate,original_score,attacked_score,pdr,queries,error
      lexicon,deepwordbug,5,3,2,0,0,0.6,1,0.4,0.6,48,
      lexicon,pruthi-9,5,2,3,0,0,0.4,1,0.6,0.4,45,
      shouts,deepwordbug,5,3,2,0,0,0.6,1,0.4,0.6,44,
      shouts,pruthi-9,5,3,2,0,0,0.6,1,0.4,0.6,45,
      "
    `);
  });

  test('the same by flags', async () => {
    const flags = ['--data', 'reviews.csv', '--columns', 'src=text,ref=label', '--query-budget', '12'];
    const several = ['--model', 'lexicon', '--model', 'module:./sentiment.mjs', '--attack', 'deepwordbug'];
    const { stdout } = await attack([...flags, ...several, '--format', 'csv', '-q']);
    const rows = (await attack(['--config', 'inputs.yaml', '--attack', 'deepwordbug', '--format', 'csv', '-q'])).stdout;
    expect(stdout.replaceAll('module:./sentiment.mjs', 'shouts')).toBe(rows);
  });

  test.each(['SIGKILL', 'SIGTERM'])('killed by %s it holds whole lines, and resumed the same bytes', async (signal) => {
    const run = ['--config', 'inputs.yaml', '--work-dir', `inputs-killed-${signal}`, '-q'];
    const killed = await attack(run, `${signal}:40`);
    expect(killed.code).not.toBe(0);
    const whole = filesOf('inputs');
    const records = '/shouts/deepwordbug/records.jsonl';
    const found = filesOf(`inputs-killed-${signal}`).get(records) ?? '';
    expect(whole.get(records)?.startsWith(found)).toBe(true);
    expect(found).toMatch(/^$|\n$/u);
    expect((await attack([...run, '--resume'])).code).toBe(0);
    expect(filesOf(`inputs-killed-${signal}`)).toStrictEqual(whole);
  });
});

describe('live records', () => {
  test('a record is in its file before the next input is answered', async () => {
    // The victim answers the second input once the first one's record is there, and ends the run there.
    folder.write({
      'patient.mjs': `
import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
export const answer = async (input) => {
  if (input.includes('plot')) {
    while (!readFileSync('live/records.jsonl', 'utf8').endsWith('\\n')) await turn();
    process.kill(process.pid, 'SIGKILL');
  }
  return 'positive';
};`,
    });
    const inputs = ['--data', 'reviews.csv', '--columns', 'src=text,ref=label', '--query-budget', '3'];
    const { code } = await attack([...inputs, '--model', 'module:./patient.mjs', '--work-dir', 'live', '-q']);
    expect(code).toBeNull();
    const records = readFileSync(join(cwd, 'live/records.jsonl'), 'utf8');
    expect(
      records
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).src),
    ).toStrictEqual(['a warm film']);
  });
});

describe('pairs that fail', () => {
  test('do not end the others, are named, and are run again by --resume', async () => {
    const args = ['--config', 'prompts.yaml', '--work-dir', 'failing', '--attack', 'deepwordbug', '-q'];
    const models = ['--model', 'module:./broken.mjs', '--model', 'module:./other.mjs'];
    const { code, stdout, stderr } = await attack([...args, ...models, '--format', 'csv']);
    expect(code).toBe(1);
    expect(stdout.split('\n').map((line) => line.split(',').slice(0, 3).join(','))).toStrictEqual([
      'model,attack,n',
      'module:./broken.mjs,deepwordbug,3',
      'module:./other.mjs,deepwordbug,3',
      '',
    ]);
    expect(stderr).toContain('1 of 2 pairs failed: module:./broken.mjs × deepwordbug:');
    const again = await attack([...args, ...models, '--resume']);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('the victim answered nothing: 18 failed');
  });
});

test('a configuration in another folder names files from there, and models that are set up by their names', async () => {
  folder.write({
    'below/a.yaml':
      'inputs: {data: ../reviews.csv, columns: "src=text,ref=label"}\nattacks: [{attack: textfooler, encoder: minilm, neighbours: n.tsv}]\n',
    'below/n.tsv': 'warm\tcold\n',
  });
  const args = ['attack', '--config', 'below/a.yaml', '--format', 'json', '-q'];
  const { code, stdout } = await runCli(args, { cwd, env: { TEAPOT_MODELS: join(cwd, 'none') } });
  expect(code).toBe(1);
  expect(JSON.parse(stdout).pairs[0].error).toMatch(/^--encoder minilm: is not set up/u);
});

describe('before any work', () => {
  test.each([
    [['--attack', 'deepwordbug', '--attack', 'deepwordbug'], 'two of the attacks are named deepwordbug'],
    [['--attack', 'deepwordbug', '--attack', 'nothing'], 'nothing'],
    [['--attack', 'deepwordbug', '--attack', 'textfooler'], 'the attack textfooler needs --neighbours'],
    [['--attack', 'deepwordbug', '--attack', 'semantic'], 'the attack semantic needs --wordings'],
    [['--model', 'lexicon', '--model', 'nothing:x'], 'nothing:x'],
    [['--fail-if', 'success>1'], 'this run gives no number "success"'],
    [['--work-dir', 'prompts.yaml'], 'prompts.yaml'],
  ])('%j is refused', async (args, message) => {
    const { code, stdout, stderr } = await attack(['--config', 'prompts.yaml', ...args]);
    expect({ code, stdout }).toStrictEqual({ code: args[0] === '--work-dir' ? 1 : 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test.each([
    ['models: [lexicon]\nmodel: lexicon\ndataset: sst2\n', 'c.yaml:1: models: stands beside "model": give one of them'],
    ['dataset: sst2\ninputs: {data: reviews.csv}\n', 'c.yaml:2: inputs: stands beside "dataset": give one of them'],
    ['inputs: {data: reviews.csv}\nshot: 2\n', 'c.yaml:2: shot: does nothing for attacks on inputs: leave it out'],
    ['dataset: sst2\ngoal: targeted\n', 'c.yaml:2: goal: does nothing for attacks on prompts: leave it out'],
    ['inputs: {first: 2}\n', 'c.yaml:1: inputs: expected "data", or "src" and "ref"'],
    ['dataset: sst2\nattacks: [{atack: pruthi}]\n', 'there is no such key. Did you mean "attack"?'],
  ])('the configuration %j is refused', async (text, message) => {
    folder.write({ 'c.yaml': text });
    const { code, stderr } = await attack(['--config', 'c.yaml']);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('a second run without --resume is refused, and one with other settings', async () => {
    const args = ['--config', 'inputs.yaml', '--work-dir', 'twice', '-q'];
    expect((await attack(args)).code).toBe(0);
    expect((await attack(args)).stderr).toContain('holds a run already');
    expect((await attack([...args, '--resume', '--query-budget', '3'])).stderr).toContain('other settings (flags)');
  });

  test('--dry-run says what each pair may cost and asks nothing', async () => {
    const { stdout } = await attack(['--config', 'prompts.yaml', '--dry-run']);
    expect(stdout).toMatchInlineSnapshot(`
      "model   attack       items  queries, at most  calls, at most  input tokens, about  output tokens
      first   deepwordbug      6                13              78                  943           4992
      first   checks           6                 9              54                  653           3456
      second  deepwordbug      6                13              78                  943           4992
      second  checks           6                 9              54                  653           3456
      "
    `);
    const inputs = await attack(['--config', 'inputs.yaml', '--dry-run', '--format', 'json']);
    expect(JSON.parse(inputs.stdout).pairs.map(({ queries }: { queries: number }) => queries)).toStrictEqual([
      60, 45, 60, 45,
    ]);
  });
});
