import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parquetWriteBuffer } from 'hyparquet-writer';
import type { BasicType, ColumnSource } from 'hyparquet-writer';
import { expect, test } from 'vitest';

import { loadTask } from '../../src/task/load-task.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';

/* Data sets as Parquet, as the copies of public ones are: texts, labels as whole numbers, nested columns. */

const folder = temporaryFolder();
const options = { folder: folder.path };

function save(name: string, columns: Readonly<Record<string, readonly [BasicType, unknown[]]>>): string {
  const columnData: ColumnSource[] = Object.entries(columns).map(([column, [type, data]]) => ({
    name: column,
    data,
    type,
    nullable: true,
  }));
  writeFileSync(join(folder.path, name), new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 2 })));
  return name;
}

const TEXTS = ['A fine film {prompt}', 'Dull\tand "long"', 'Чай 🙂'];

test('a table of one’s own, over several row groups', async () => {
  const data = save('own.parquet', {
    text: ['STRING', TEXTS],
    label: ['INT64', [1n, 0n, 1n]],
    id: ['INT32', [7, 8, 9]],
  });
  const config = { data, answer: 'label', content: 'Review: {text}', labels: { '0': 'bad', '1': 'good' } };
  const { task } = await loadTask(config, options);
  expect(task.name).toBe('own');
  expect(task.inputs('P')).toEqual(TEXTS.map((text) => `P\nReview: ${text}`));
  expect(task.items.map(({ id, answers }) => ({ id, answers }))).toEqual([
    { id: '7', answers: ['good'] },
    { id: '8', answers: ['bad'] },
    { id: '9', answers: ['good'] },
  ]);
  expect((await loadTask({ ...config, first: 1 }, options)).task.items).toHaveLength(1);
});

test.each<[string, BasicType, unknown[], string[] | Record<string, string>]>([
  ['labels that are booleans', 'BOOLEAN', [true, false, true], { true: 'good', false: 'bad' }],
  ['labels that are texts', 'STRING', ['good', 'bad', 'good'], ['good', 'bad']],
  ['labels that are doubles', 'DOUBLE', [1, 0, 1], { '1': 'good', '0': 'bad' }],
])('%s', async (_name, type, values, labels) => {
  const data = save(`${type}.parquet`, { text: ['STRING', TEXTS], label: [type, values] });
  const { task } = await loadTask({ data, answer: 'label', labels }, options);
  expect(task.items.map(({ answers }) => answers[0])).toEqual(['good', 'bad', 'good']);
});

test('presets read their copies', async () => {
  const sst2 = save('sst2.parquet', {
    idx: ['INT32', [0, 1, 2]],
    sentence: ['STRING', TEXTS],
    label: ['INT64', [1n, 0n, 1n]],
  });
  const { task } = await loadTask({ preset: 'sst2', data: sst2 }, options);
  expect(task.inputs('P')[1]).toBe('P\nSentence: Dull\tand "long"\nAnswer:');
  expect(task.items.map(({ answers }) => answers[0])).toEqual(['positive', 'negative', 'positive']);
  const pairs = [{ de: 'Tee', en: 'Tea' }];
  const iwslt = save('iwslt.parquet', { translation: ['JSON', pairs] });
  const translated = await loadTask({ preset: 'iwslt', data: iwslt }, options);
  expect(translated.task.inputs('P')).toEqual(['P\nGerman: Tee\nEnglish:']);
});

test.each([
  [
    'a null label',
    { text: ['STRING', ['a', 'b']], label: ['INT64', [1n, null]] },
    /wrong0\.parquet:2: column "label": found null/u,
  ],
  [
    'no such column',
    { text: ['STRING', ['a']], mark: ['INT64', [1n]] },
    /wrong1\.parquet:1: there is no column "label"/u,
  ],
  ['an unknown label', { text: ['STRING', ['a']], label: ['INT64', [2n]] }, /wrong2\.parquet:1: .*"2" is no label/u],
  ['no row', { text: ['STRING', []], label: ['INT64', []] }, /wrong3\.parquet: the data set has no row/u],
] as const)('%s is a mistake that names the row', async (name, columns, message) => {
  const index = ['a null label', 'no such column', 'an unknown label', 'no row'].indexOf(name);
  const data = save(
    `wrong${index}.parquet`,
    Object.fromEntries(
      Object.entries(columns).map(([column, [type, values]]) => [column, [type, [...values]] as const]),
    ),
  );
  await expect(loadTask({ data, answer: 'label', labels: { '0': 'bad', '1': 'good' } }, options)).rejects.toThrow(
    message,
  );
});

test('a file that is no Parquet is a mistake that names it', async () => {
  folder.write({ 'text.parquet': 'text,label\na,1\n' });
  await expect(loadTask({ data: 'text.parquet', answer: 'label' }, options)).rejects.toThrow(/text\.parquet/u);
});

test('the command line attacks prompts on Parquet', async () => {
  save('cli.parquet', { sentence: ['STRING', TEXTS], label: ['INT64', [1n, 0n, 1n]] });
  folder.write({
    'model.mjs': "export const answer = (input) => (input.includes('Dull') ? 'negative' : 'positive');\n",
  });
  const { code, stdout } = await runCli(
    [
      'attack',
      '--dataset',
      'sst2',
      '--data',
      'cli.parquet',
      '--model',
      'module:model.mjs',
      '--query-budget',
      '2',
      '-q',
    ],
    { cwd: folder.path },
  );
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('sst2, 3 items, accuracy') });
});
