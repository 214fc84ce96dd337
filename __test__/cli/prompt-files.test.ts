import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test, vi } from 'vitest';

import { runCli, temporaryFolder } from '../helpers/cli.js';

vi.setConfig({ testTimeout: 60_000 });

const folder = temporaryFolder();
const cwd = folder.path;

const ARCHIVE = `# t5_zeroshot

# cola

## 10 prompts

Acc: 78.00%, prompt: Is it 'Acceptable' or 'Unacceptable'?

# sst2

## 10 prompts

Acc: 92.00%, prompt: Say 'good' or 'bad':
Acc: 91.00%, prompt: Is it 'good' or 'bad'?
`;

beforeAll(() => {
  folder.write({
    'victim.mjs': `
let asked = 0;
export const answer = (input) => {
  asked += 1;
  if (asked === Number(process.env.KILL)) process.kill(process.pid, 'SIGKILL');
  return input.includes('fine') ? 'good' : 'bad';
};`,
    'toy.jsonl': '{"text":"a fine film","label":1}\n{"text":"a poor film","label":0}\n',
    'attack.yaml':
      'model: module:./victim.mjs\nquery_budget: 3\ndataset: {name: sst2, data: toy.jsonl, answer: label, labels: {0: bad, 1: good}}\n',
    'archive.md': ARCHIVE,
    'archive.txt': ARCHIVE,
    'prompts.py': `original_prompt_list = ["Is it 'good' or 'bad'? {txt}", 'Good or bad?']\n`,
    'prompts.json': '["Good or bad?"]',
    'text.md': '# No archive\n',
  });
});

const attack = (...args: readonly string[]) =>
  runCli(['attack', '--config', 'attack.yaml', '--format', 'json', ...args], { cwd });

describe('--prompts', () => {
  test.each([
    ['archive.md', ["Say 'good' or 'bad':", "Is it 'good' or 'bad'?"]],
    ['prompts.py', ["Is it 'good' or 'bad'? {txt}", 'Good or bad?']],
    ['prompts.json', ['Good or bad?']],
  ])('reads %s', async (file, prompts) => {
    const { code, stdout } = await attack('--prompts', file, '-q');
    expect(code).toBe(0);
    const ranking: readonly { readonly prompt: string }[] = JSON.parse(stdout).ranking;
    expect(ranking.map(({ prompt }) => prompt)).toStrictEqual(prompts);
  });

  test('warns of a placeholder that nothing fills', async () => {
    const { code, stderr } = await attack('--prompts', 'prompts.py', '--dry-run');
    expect(code).toBe(0);
    expect(stderr).toBe(
      `Warning: {txt} in the prompt "Is it 'good' or 'bad'? {txt}" is no column of the data and is sent as it stands. ` +
        'Did you mean "text"? Known: {content}, {examples}, {text}\n',
    );
  });

  test.each([
    ['archive.txt', 'name the file .md to take the prompts of the data set from it'],
    ['text.md', 'text.md'],
  ])('refuses %s', async (file, message) => {
    const { code, stderr } = await attack('--prompts', file);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('an archive without the data set is refused with those that it has', async () => {
    folder.write({ 'other.yaml': readFileSync(join(cwd, 'attack.yaml'), 'utf8').replace('name: sst2', 'name: sst') });
    const { code, stderr } = await runCli(['attack', '--config', 'other.yaml', '--prompts', 'archive.md'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('no prompts for the data set sst. Did you mean "sst2"? It has prompts for: cola, sst2');
  });
});

describe('teapot importance in a work folder', () => {
  const importance = (args: readonly string[], kill = '') =>
    runCli(['importance', ...args], { cwd, env: { KILL: kill } });

  test.each([
    ['texts', ['a fine film', 'a poor film', '--model', 'module:./victim.mjs']],
    ['prompts', ['Say good or bad of it', '--config', 'attack.yaml']],
  ])('%s: killed and resumed it writes the same bytes, and asks nothing twice', async (name, args) => {
    const whole = await importance([...args, '--work-dir', `${name}-whole`]);
    expect(whole.code).toBe(0);
    const killed = await importance([...args, '--work-dir', name], '5');
    expect(killed).toMatchObject({ code: null, stdout: '' });
    const resumed = await importance([...args, '--work-dir', name, '--resume']);
    expect(resumed).toMatchObject({ code: 0, stdout: whole.stdout });
    for (const file of ['importance.json', 'run.json']) {
      expect(readFileSync(join(cwd, name, file), 'utf8')).toBe(readFileSync(join(cwd, `${name}-whole`, file), 'utf8'));
    }
    expect(readdirSync(join(cwd, name)).toSorted()).toStrictEqual(['answers.sqlite', 'importance.json', 'run.json']);
    // All answers are kept: a victim that would die at its first question is not asked.
    expect((await importance([...args, '--work-dir', name, '--resume'], '1')).stdout).toBe(whole.stdout);
  });

  test('--dry-run counts the questions', async () => {
    const texts = await importance(['a fine film', 'b c', '--dry-run', '--format', 'json']);
    expect(JSON.parse(texts.stdout)).toMatchObject({ texts: 2, queries: 4 + 3, calls: 7 });
    const prompts = await importance(['Say good or bad', '--config', 'attack.yaml', '--dry-run']);
    expect(prompts.stdout).toBe('Texts:\t1\nQueries, at most:\t5\nCalls of the model, at most:\t10\n');
  });
});
