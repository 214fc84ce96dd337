import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test, vi } from 'vitest';

import { paraphraseRequest } from '../../src/attack/paraphrase.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';

/* Attacks on prompts that need something of the user's: other wordings, a masked language model. And the flags of other tools. */

// Several processes a test, on a machine that may do other work.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const folder = temporaryFolder();
const cwd = folder.path;
const PROMPT = "What is the sentiment, 'good' or 'bad'?";
const PROMPTS = [PROMPT, "Sentiment, please: 'good' or 'bad'?", "The sentiment is 'bad' or 'good'?"];

folder.write({
  'victim.mjs': `
import { appendFileSync } from 'node:fs';
export const answer = (input) => {
  appendFileSync('calls.txt', '.');
  if (/sentiment/i.test(input)) return input.includes('fine') ? 'good' : 'bad';
  return /mood/.test(input) ? 'nothing' : 'bad';
};
`,
  'reviews.jsonl': Array.from({ length: 6 }, (_, index) => index)
    .map((index) => `${JSON.stringify({ text: `${index % 2 ? 'fine' : 'poor'} ${index}`, label: index % 2 })}\n`)
    .join(''),
  'attack.yaml': `
model: module:./victim.mjs
query_budget: 10
prompt_topk: 2
dataset:
  name: sst2
  data: reviews.jsonl
  answer: label
  content: "Review: {text}"
  labels: {0: bad, 1: good}
prompts: ${JSON.stringify(PROMPTS)}
`,
});

interface Summary {
  readonly attacks: readonly {
    readonly attacked_prompt: string | null;
    readonly attacked_score: number;
    readonly pdr: number;
    readonly queries: number;
    readonly result: string;
  }[];
  readonly victim_calls: number;
}

async function attack(...more: readonly string[]): Promise<Summary & { readonly stderr: string }> {
  const { code, stdout, stderr } = await runCli(['attack', '--config', 'attack.yaml', '--format', 'json', ...more], {
    cwd,
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return { ...(JSON.parse(stdout) as Summary), stderr };
}

describe('semantic', () => {
  test('takes wordings from a file of PromptBench’s archive: those of the data set', async () => {
    folder.write({
      't5_zeroshot.md': [
        '# t5_zeroshot\n\n# cola\n\n## translation\n',
        "Language: chinese, acc: 50.00%, prompt: Is the grammar 'good' or 'bad'?",
        '\n# sst2\n\n## translation\n',
        "Language: chinese, acc: 80.00%, prompt: What feeling has it, 'good' or 'bad'?",
        "Language: french, acc: 70.00%, prompt: Which mood has it, 'good' or 'bad'?",
        "Language: french, acc: 70.00%, prompt: Which mood has it, 'good' or 'bad'?",
        '',
      ].join('\n'),
    });
    const { attacks } = await attack('--attack', 'semantic', '--wordings', 't5_zeroshot.md');
    expect(
      attacks.map(({ attacked_prompt, attacked_score, queries }) => ({ attacked_prompt, attacked_score, queries })),
    ).toEqual(
      Array.from({ length: 2 }, () => ({
        attacked_prompt: "Which mood has it, 'good' or 'bad'?",
        attacked_score: 0,
        // The original, and each of the two wordings once.
        queries: 3,
      })),
    );
    folder.write({
      'other.md': '# t5_zeroshot\n\n# cola\n\n## translation\n\nLanguage: chinese, acc: 50.00%, prompt: Is it?\n',
    });
    const { code, stderr } = await runCli(
      ['attack', '--config', 'attack.yaml', '--attack', 'semantic', '--wordings', 'other.md'],
      { cwd },
    );
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('for the data set sst2') });
  });

  test('takes wordings from JSONL, and warns of labels that one has lost', async () => {
    folder.write({ 'wordings.jsonl': `${JSON.stringify({ prompt: 'Which mood\nhas it?', type: 'zs-task' })}\n` });
    const { attacks, stderr } = await attack('--attack', 'semantic', '--wordings', 'wordings.jsonl');
    expect(attacks[0]).toMatchObject({ attacked_prompt: 'Which mood\nhas it?', pdr: 1, result: 'successful' });
    expect(stderr).toContain('the attacked prompt 1 has lost good, bad');
  });

  const written = ['1. Bad or good mood: which is it?', "2. Say 'bad' or 'good' of it.", '3. Any mood?'].join('\n');

  test('asks a model for paraphrases; those that keep the labels are tried', async () => {
    folder.write({
      'answers.jsonl': PROMPTS.slice(0, 2)
        .map((prompt) => `${JSON.stringify({ input: paraphraseRequest(prompt, ['bad', 'good']), output: written })}\n`)
        .join(''),
    });
    const { attacks, stderr } = await attack('--attack', 'semantic', '--wordings', 'replay:answers.jsonl');
    expect(stderr).toBe('');
    expect(attacks).toHaveLength(2);
    for (const one of attacks) {
      expect(one).toMatchObject({
        attacked_prompt: "Say 'bad' or 'good' of it.",
        pdr: 0.5,
        queries: 2,
        result: 'successful',
      });
    }
  });

  test('asks it once for each attacked prompt, and a run that goes on sees the same wordings', async () => {
    folder.write({
      'writer.mjs': `
import { appendFileSync } from 'node:fs';
export const answer = () => {
  appendFileSync('asked.txt', '.');
  return ${JSON.stringify(written)} + String(Math.random());
};
`,
      'asked.txt': '',
    });
    const args = ['--attack', 'semantic', '--wordings', 'module:writer.mjs', '--work-dir', 'run'];
    const first = await attack(...args);
    const again = await attack(...args, '--resume');
    expect(readFileSync(join(cwd, 'asked.txt'), 'utf8')).toBe('..');
    expect(again.attacks).toEqual(first.attacks);
    expect(again.victim_calls).toBe(0);
    const { code, stderr } = await runCli(
      [
        'attack',
        '--config',
        'attack.yaml',
        '--resume',
        '--work-dir',
        'run',
        '--attack',
        'semantic',
        '--wordings',
        'replay:answers.jsonl',
      ],
      { cwd },
    );
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('other settings (constraints)'),
    });
  });

  test('an answer without a wording that can be used ends the run, and says so', async () => {
    folder.write({ 'shy.mjs': "export const answer = () => 'I would rather not.';\n" });
    const { code, stderr } = await runCli(
      ['attack', '--config', 'attack.yaml', '--attack', 'semantic', '--wordings', 'module:shy.mjs'],
      { cwd },
    );
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('wrote no other wording of the prompt'),
    });
  });
});

describe('bertattack', () => {
  folder.write({
    'model.mjs': `
export function predict(text, words, count, { isMasked }) {
  if (isMasked) throw new Error('this attack reads the text as it stands');
  return words.map(({ text: word }) => (word === 'sentiment' ? ['mood', 'two words', 'sentiment', 'good'] : ['zzz'].slice(0, count)));
}
`,
    'broken.mjs': 'export const predict = () => [["one list for all words"]];\n',
  });

  test('takes the words of a masked language model, and leaves labels alone', async () => {
    const { attacks, stderr } = await attack(
      '--attack',
      'bertattack',
      '--resources',
      'model.mjs',
      '--prompt-topk',
      '1',
    );
    expect(attacks[0]?.attacked_prompt).toMatch(/'good' or 'bad'\?$/u);
    expect(attacks[0]).toMatchObject({ attacked_score: 0, pdr: 1, result: 'successful' });
    expect(attacks[0]?.attacked_prompt).toContain('mood');
    // What it has no model for, it says.
    expect(stderr).toContain('bertattack runs without its constraint sentence-encoder');
  });

  test('a model that answers in another shape is a clear error', async () => {
    const { code, stderr } = await runCli(
      ['attack', '--config', 'attack.yaml', '--attack', 'bertattack', '--resources', 'broken.mjs'],
      { cwd },
    );
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/predict/u);
    expect(stderr).not.toMatch(/^\s+at /mu);
  });
});

describe('flags of PromptBench and OpenCompass', () => {
  const dryRun = async (...more: readonly string[]) => {
    const { code, stdout, stderr } = await runCli(['attack', '--dry-run', '--format', 'json', ...more], { cwd });
    return { code, stderr, ...(code === 0 ? (JSON.parse(stdout) as Record<string, number>) : {}) };
  };

  test('mean the same with dashes and with underscores', async () => {
    const common = [
      '--model',
      'module:victim.mjs',
      '--dataset',
      'bool_logic',
      '--attack',
      'stresstest',
      '--shot',
      '2',
      '-n',
      '7',
    ];
    const dashed = await dryRun(...common, '--generate-len', '5', '--query-budget', '9', '--prompt-topk', '3');
    expect(dashed).toMatchObject({
      code: 0,
      items: 7,
      prompts: 6,
      passes: 6 + 3 * 8,
      calls: 7 * 30,
      output_tokens: 7 * 30 * 5,
    });
    expect(await dryRun(...common, '--generate_len', '5', '--query_budget', '9', '--prompt_topk', '3')).toEqual(dashed);
    expect(await dryRun(...common, '--generate-len', '5', '--generate_len', '6')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--generate-len is given in two spellings'),
    });
  });

  test.each([
    [['--prompt-topk', '9', '--query-budget', '4'], 3 + 3 * 3],
    [['--prompt-topk', '1', '--query-budget', '1'], 3],
    [['--prompt-topk', '2', '--query-budget', '0'], 3],
    [['--attack', 'semantic', '--wordings', 'replay:answers.jsonl', '--query-budget', '3'], 3 + 2 * 2],
  ])('--dry-run with %j: the passes, and no run makes more', async (more, passes) => {
    const isAsking = more.includes('semantic');
    const estimate = await dryRun('--config', 'attack.yaml', ...more);
    expect(estimate).toMatchObject({ code: 0, passes, calls: 6 * passes + (isAsking ? 2 : 0) });
    const { victim_calls } = await attack(...more);
    expect(victim_calls).toBeLessThanOrEqual(6 * passes);
    // Edited words leave no text untried within so small a budget; other wordings may be fewer.
    expect(isAsking || victim_calls === 6 * passes).toBe(true);
  });
});
