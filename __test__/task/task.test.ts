import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { attackConfigJsonSchema, parseAttackConfig } from '../../src/task/attack-config.js';
import { loadTask } from '../../src/task/load-task.js';
import { damagedSpans, protectedSpans } from '../../src/task/protected-text.js';
import { temporaryFolder } from '../helpers/cli.js';

const folder = temporaryFolder();
folder.write({
  'reviews.jsonl': [
    { text: 'A {warm} film, {prompt}', label: 1 },
    { text: 'Dull.', label: 0 },
    { text: '', label: 1 },
  ]
    .map((row) => `${JSON.stringify(row)}\n`)
    .join(''),
  'reviews.tsv': 'text\tlabel\nA "warm film\t1\n\t0\n',
  'bad.csv': 'text,label\nx,2\n',
  'empty.jsonl': '',
});
const reviews = {
  data: 'reviews.jsonl',
  answer: 'label',
  content: 'Review: {text}\nAnswer:',
  labels: { '0': 'bad', '1': 'good' },
};
const options = { folder: folder.path };

describe('inputs', () => {
  test('are filled in one pass: braces of the data stay characters', async () => {
    const { task } = await loadTask(reviews, options);
    expect(task.inputs('Good or bad?')[0]).toBe('Good or bad?\nReview: A {warm} film, {prompt}\nAnswer:');
    expect(task.inputs('Rate "{text}" please.')[1]).toBe('Rate "Dull." please.');
    expect(task.inputs('An {unknown} place')[2]).toBe('An {unknown} place\nReview: \nAnswer:');
  });

  test('few-shot examples stand between the prompt and the item', async () => {
    const examples = [{ text: 'Fine.', label: '1' }];
    const { task } = await loadTask({ ...reviews, examples }, { ...options, shot: 1 });
    expect(task.inputs('Rate.')[1]).toBe('Rate.\nReview: Fine.\nAnswer: good\n\nReview: Dull.\nAnswer:');
    await expect(loadTask({ ...reviews, examples }, { ...options, shot: 2 })).rejects.toThrow('there are 1 examples');
  });

  test('a template needs a place for the prompt and known names', async () => {
    await expect(loadTask({ ...reviews, template: '{content}' }, options)).rejects.toThrow('no place for the prompt');
    await expect(loadTask({ ...reviews, content: '{tetx}' }, options)).rejects.toThrow('Did you mean "text"?');
  });
});

test('score: unparsed outputs are counted and wrong', async () => {
  const { task } = await loadTask(reviews, options);
  const { score, unparsed, answers } = await task.score(['Good.', 'not bad', '**good**']);
  expect({ score, unparsed, answers }).toEqual({ score: 2 / 3, unparsed: 1, answers: ['good', null, 'good'] });
  expect(task.scale).toBe(1);
});

test('TSV keeps quotes and empty cells', async () => {
  const { task } = await loadTask({ ...reviews, data: 'reviews.tsv' }, options);
  expect(task.items.map(({ columns }) => columns['text'])).toEqual(['A "warm film', '']);
});

test('errors name file and line', async () => {
  await expect(loadTask({ ...reviews, data: 'bad.csv' }, options)).rejects.toThrow(
    /bad\.csv:2: column "label": "2" is no label, expected one of 0, 1/u,
  );
  await expect(loadTask({ ...reviews, answer: 'lable' }, options)).rejects.toThrow('Did you mean "label"?');
  await expect(loadTask({ ...reviews, data: 'empty.jsonl' }, options)).rejects.toThrow('no row');
});

describe('metrics', () => {
  test('BLEU is the corpus score, SQuAD F1 has scale 100', async () => {
    folder.write({ 'qa.jsonl': '{"q": "Where?", "a": ["the old bridge", "bridge"]}\n{"q": "Who?", "a": [""]}\n' });
    const qa = { data: 'qa.jsonl', answer: 'a' };
    const squad = (await loadTask({ ...qa, metric: 'squad_f1' }, options)).task;
    expect(squad.scale).toBe(100);
    expect((await squad.score(['The answer is: bridge', 'unanswerable'])).score).toBe(1);
    expect((await squad.score(['bridge', 'Ann'])).score).toBe(0.5);
    const bleu = (await loadTask({ ...qa, metric: 'bleu', extract: 'text' }, options)).task;
    // No n-gram of order 4 matches, and nothing is smoothed.
    expect((await bleu.score(['the old bridge', 'x'])).score).toBe(0);
  });
});

test('B58: protected words next to quotes, and placeholders', () => {
  const prompt = `Say 'good' or "bad". Question: {content} Answer:`;
  const words = ['good', 'bad', 'Question', 'Answer'];
  expect(protectedSpans(prompt, words).map(({ text }) => text)).toEqual([
    'good',
    'bad',
    'Question',
    '{content}',
    'Answer',
  ]);
  expect(damagedSpans(prompt, prompt.replace('Say', 'Sya'), words)).toEqual([]);
  expect(damagedSpans(prompt, prompt.replace('bad', 'bda').replace('{content}', '{contnet}'), words)).toEqual([
    'bad',
    '{content}',
  ]);
  expect(protectedSpans('🙂 good', words)[0]).toEqual({ start: 2, end: 6, text: 'good' });
});

describe('configuration', () => {
  test('errors name file, line and path', () => {
    expect(() => parseAttackConfig('dataset: sst2\nquery_budget: many\n', 'a.yaml')).toThrow(
      /^a\.yaml:2: \$\.query_budget: /u,
    );
    expect(() => parseAttackConfig('dataset:\n  data: x.csv\n  metric: acuracy\n', 'a.yaml')).toThrow(
      /^a\.yaml:3: \$\.dataset\.metric: /u,
    );
    expect(() => parseAttackConfig('dataset: [\n', 'a.yaml')).toThrow(/^a\.yaml:\d: no YAML/u);
  });

  test("F79: an alias is read, and one that can't be is an error with its line", () => {
    const text = 'model: lexicon\ndataset:\n  data: &file x.csv\nlog: *file\n';
    expect(() => parseAttackConfig(text, 'a.yaml')).toThrow(/^a\.yaml:4: \$\.log: there is no such key/u);
    expect(() => parseAttackConfig('model: lexicon\ndataset: *nowhere\n', 'a.yaml')).toThrow(
      /^a\.yaml:2: an alias \(\*name\) can't be read: /u,
    );
    const wide = [
      'a: &a0 [x, x]',
      ...Array.from({ length: 9 }, (_, n) => `a${n}: &a${n + 1} [*a${n}, *a${n}, *a${n}]`),
    ];
    expect(() => parseAttackConfig(wide.join('\n'), 'a.yaml')).toThrow(/^a\.yaml:2: an alias/u);
  });

  test.each([
    [
      'dataset: sst2\nquery_buget: 3\n',
      /^a\.yaml:2: \$\.query_buget: there is no such key\. Did you mean "query_budget"\? Known: /u,
    ],
    [
      'dataset:\n  data: x\n  lable: y\n',
      /^a\.yaml:3: \$\.dataset\.lable: there is no such key\. .*Known: name, preset/u,
    ],
    ['dataset: sst2\nlimits: {retry: 1}\n', /^a\.yaml:2: \$\.limits\.retry: there is no such key\. .*retries/u],
    [
      'dataset: sst2\nprompts:\n  - ok\n  - {prompt: ok, typ: zs-task}\n',
      /^a\.yaml:4: \$\.prompts\[1\]\.typ: .*"type"/u,
    ],
  ])('an unknown key is named with its line and the nearest one: %j', (text, message) => {
    expect(() => parseAttackConfig(text, 'a.yaml')).toThrow(message);
  });

  test('labels may be numbers and booleans', () => {
    const config = parseAttackConfig('dataset:\n  data: x.csv\n  labels: {0: no, 1: yes, true: maybe}\n', 'a.yaml');
    expect(config.dataset).toMatchObject({ labels: { '0': 'no', '1': 'yes', true: 'maybe' } });
  });
});

test('schema/attack-config-1.json is the one that the code checks by', () => {
  const published = readFileSync(new URL('../../schema/attack-config-1.json', import.meta.url), 'utf8');
  expect(JSON.parse(published)).toEqual(attackConfigJsonSchema());
});
