import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test, vi } from 'vitest';

import { pythonBytes } from '../../src/cli/attack/report.js';
import { decodePythonBytes } from '../../src/record/import/common/python-bytes.js';
import { FileImport } from '../../src/record/import/import-files.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';

// Several processes a test, on a machine that may do other work.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const folder = temporaryFolder();

/** Follows an instruction only while it can read "sentiment"; without "review" it answers nonsense. Dies when told to. */
const VICTIM = `
import { appendFileSync, readFileSync } from 'node:fs';
const limit = Number(process.env.DIE_AFTER ?? Infinity);
let calls = 0;
export const answer = (input) => {
  calls += 1;
  if (calls > limit) process.kill(process.pid, 'SIGKILL');
  appendFileSync('calls.txt', '.');
  const isGood = input.includes('fine');
  if (input.includes('tea')) return 'no idea';
  if (input.includes('sentiment')) return isGood ? 'Good.' : '**bad**';
  return 'bad';
};
`;
const rows = Array.from({ length: 10 }, (_, index) => ({
  text: index % 2 === 0 ? `fine ${index}` : `poor ${index}`,
  label: (index + 1) % 2,
}));
const config = `
model: module:./victim.mjs
attack: deepwordbug
query_budget: 30
prompt_topk: 3
dataset:
  name: toy
  data: reviews.jsonl
  answer: label
  content: "Review: {text}"
  labels: {0: bad, 1: good}
prompts:
  - Ask the tea leaves.
  - "What is the sentiment, 'good' or 'bad'?"
  - {prompt: "Guess, acc: 5%, now", type: zs-role}
`;
folder.write({
  'victim.mjs': VICTIM,
  'reviews.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  'attack.yaml': config,
});
const cwd = folder.path;
const FILES = ['attacklog.txt', 'records.jsonl', 'predictions.jsonl', 'run.json'];
const filesOf = (run: string) => FILES.map((name) => readFileSync(join(cwd, run, name), 'utf8'));

describe('a prompt attack', () => {
  test('ranks, attacks the best, keeps labels, writes what it found', async () => {
    const { code, stdout, stderr } = await runCli(['attack', '--config', 'attack.yaml', '--work-dir', 'run'], { cwd });
    expect(stderr).toContain('hold no answer');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1\t100\.00\t50\.00\t0\.5000\t\d+\tsuccessful$/mu);
    expect(stdout).toMatch(/^3\t0\.00\tn\/a\tn\/a\t0\tskipped: original score is 0$/mu);
    const log = readFileSync(join(cwd, 'run/attacklog.txt'), 'utf8');
    expect(log.split('\n').slice(0, 4)).toEqual([
      "Prompt: What is the sentiment, 'good' or 'bad'?, acc: 100.00%",
      'Prompt: Guess, acc: 5%, now, acc: 50.00%',
      'Prompt: Ask the tea leaves., acc: 0.00%',
      "Original prompt: What is the sentiment, 'good' or 'bad'?",
    ]);
    expect(log).toMatch(/^Attacked prompt: b"What is the \S+, 'good' or 'bad'\?"$/mu);
    expect(
      log.endsWith('Init acc is 0, skip this prompt\nOriginal prompt: Ask the tea leaves.\nOriginal acc: 0.00% \n\n'),
    ).toBe(true);
    const [first] = readFileSync(join(cwd, 'run/records.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({
      unit: 'prompt',
      attack: 'deepwordbug',
      dataset: 'toy',
      original_score: 1,
      attacked_score: 0.5,
      scale: 1,
      result: 'successful',
      measured: { pdr: 0.5 },
    });
    const predictions = readFileSync(join(cwd, 'run/predictions.jsonl'), 'utf8').trimEnd().split('\n');
    expect(predictions.length % 10).toBe(0);
    expect(JSON.parse(predictions[0] ?? '')).toMatchObject({
      role: 'original',
      rank: 1,
      output: 'Good.',
      answer: 'good',
      score: 1,
    });
    expect(JSON.parse(readFileSync(join(cwd, 'run/run.json'), 'utf8'))).toMatchObject({ status: 'complete' });
  });

  test('its log is read by the importer of OpenCompass', async () => {
    const records = [];
    const warnings: string[] = [];
    const read = new FileImport('opencompass', [join(cwd, 'run/attacklog.txt')], {
      onWarning: ({ message }) => warnings.push(message),
    });
    for await (const record of read.records()) records.push(record);
    expect(warnings).toEqual([]);
    expect(
      records.map(({ src, original_score, attacked_score, result }) => [src, original_score, attacked_score, result]),
    ).toEqual([
      ["What is the sentiment, 'good' or 'bad'?", 100, 50, null],
      ['Guess, acc: 5%, now', 50, 50, null],
      ['Ask the tea leaves.', 0, null, 'skipped'],
    ]);
  });

  test('killed and resumed, it ends with the same bytes and pays for no answer twice', async () => {
    const args = ['attack', '--config', 'attack.yaml', '--work-dir', 'killed'];
    folder.write({ 'calls.txt': '' });
    const killed = await runCli(args, { cwd, env: { DIE_AFTER: '75' } });
    expect(killed.code).not.toBe(0);
    expect(JSON.parse(readFileSync(join(cwd, 'killed/run.json'), 'utf8'))).toMatchObject({ status: 'running' });
    expect((await runCli(args, { cwd })).stderr).toContain('--resume');
    expect((await runCli([...args, '--resume'], { cwd })).code).toBe(0);
    expect(filesOf('killed')).toEqual(filesOf('run'));
    folder.write({ 'calls.txt': '' });
    expect((await runCli([...args, '--resume'], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'calls.txt'), 'utf8')).toBe('');
    const other = await runCli([...args, '--resume', '--query-budget', '7'], { cwd });
    expect(other).toMatchObject({ code: 2 });
    expect(other.stderr).toContain('other settings (query_budget)');
  });

  test('the budget holds', async () => {
    for (const budget of [0, 1, 4]) {
      const { stdout } = await runCli(
        [
          'attack',
          '--config',
          'attack.yaml',
          '--prompt-topk',
          '1',
          '--query-budget',
          String(budget),
          '--format',
          'json',
          '-q',
        ],
        { cwd },
      );
      const { attacks, victim_calls } = JSON.parse(stdout) as { attacks: { queries: number }[]; victim_calls: number };
      expect(attacks[0]?.queries).toBe(budget);
      expect(victim_calls).toBeLessThanOrEqual(10 * (3 + Math.max(0, budget - 1)));
    }
  });

  test('F02: a prompt given twice has its first place in the list', async () => {
    folder.write({ 'twice.txt': 'Guess, now\nWrite, soon\nGuess, now\n' });
    const args = [
      'attack',
      '--config',
      'attack.yaml',
      '--prompts',
      'twice.txt',
      '--prompt-topk',
      '1',
      '--format',
      'json',
    ];
    const { code, stdout } = await runCli(args, { cwd });
    expect(code).toBe(0);
    const { ranking } = JSON.parse(stdout) as { ranking: { prompt: string }[] };
    expect(ranking.map(({ prompt }) => prompt)).toEqual(['Guess, now', 'Write, soon']);
  });

  test('--dry-run counts calls and asks nothing', async () => {
    folder.write({ 'calls.txt': '' });
    const { code, stdout } = await runCli(['attack', '--config', 'attack.yaml', '--dry-run', '--format', 'json'], {
      cwd,
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ items: 10, prompts: 3, passes: 3 + 3 * 29, calls: 900 });
    expect(readFileSync(join(cwd, 'calls.txt'), 'utf8')).toBe('');
  });

  test.each(['textbugger', 'checklist', 'stresstest'])('%s runs', async (attack) => {
    const { code, stdout } = await runCli(['attack', '--config', 'attack.yaml', '--attack', attack, '-q'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain(`Attack:\t${attack}`);
  });

  test.each(['textfooler', 'bertattack', 'semantic'])('%s does not run without its resource', async (attack) => {
    const { code, stderr } = await runCli(['attack', '--config', 'attack.yaml', '--attack', attack], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/ERR_TEAPOT_RESOURCE/u);
  });

  test('semantic and textfooler run with theirs', async () => {
    folder.write({
      'other.txt': 'Is it good or bad?\nThe sentiment: good or bad?\n',
      'near.tsv': 'sentiment\tmood\tfeeling\n',
    });
    const args = ['attack', '--config', 'attack.yaml', '-q', '--attack'];
    const semantic = await runCli([...args, 'semantic', '--wordings', 'other.txt'], { cwd });
    expect(semantic.stdout).toContain('Attacked:\tIs it good or bad?');
    const words = await runCli([...args, 'textfooler', '--neighbours', 'near.tsv'], { cwd });
    expect(words.stdout).toMatch(/Attacked:\tWhat is the (mood|feeling), 'good' or 'bad'\?/u);
  });

  test('attacked prompts are carried over to another model', async () => {
    folder.write({ 'other.mjs': "export const answer = (input) => (input.includes('fine') ? 'good' : 'bad');\n" });
    const args = [
      'attack',
      '--config',
      'attack.yaml',
      '--transfer',
      'run/records.jsonl',
      '--model',
      'module:other.mjs',
    ];
    const { code, stdout } = await runCli([...args, '--work-dir', 'carried'], { cwd });
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(1, 3)).toEqual([
      'deepwordbug\t./victim.mjs\tother.mjs\t100.00\t100.00\t0.0000',
      'deepwordbug\t./victim.mjs\tother.mjs\t100.00\t100.00\t0.0000',
    ]);
    const [first] = readFileSync(join(cwd, 'carried/records.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({ source_model: './victim.mjs', model: 'other.mjs', dataset: 'toy' });
    const matrix = await runCli(['transfer', 'carried/records.jsonl', 'run/records.jsonl'], { cwd });
    expect(matrix.stdout).toContain('victim.mjs→other.mjs');
  });

  test('importance of the words of a prompt', async () => {
    const { code, stdout, stderr } = await runCli(
      ['importance', 'Name the sentiment, the mood', '--config', 'attack.yaml', '--format', 'json'],
      { cwd },
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const shown = JSON.stringify(JSON.parse(stdout));
    expect(shown).toContain('"sentiment"');
    expect(shown.match(/"the"/gu)).toHaveLength(2);
  });

  test('options of the other kind of attack are refused', async () => {
    const { code, stderr } = await runCli(['attack', '--config', 'attack.yaml', '--goal', 'untargeted'], { cwd });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '--goal does nothing with attacks on prompts (--config, --dataset, --prompts): it belongs to attacks on inputs',
      ),
    });
    expect((await runCli(['attack', '--src', 'x', '--shot', '1'], { cwd })).stderr).toContain(
      '--shot does nothing with attacks on inputs: it belongs to attacks on prompts',
    );
  });
});

test.each([
  'plain',
  `it's`,
  `say "yes"`,
  `'both' "kinds"`,
  'tab\tline\nend\r',
  'back\\slash',
  'чай 🙂',
  '\u0000\u007f',
])('bytes literal of %j is read back', (text) => {
  expect(decodePythonBytes(pythonBytes(text)).text).toBe(text);
});
