import { describe, expect, it } from 'vitest';

import { promptbench } from '../../../src/record/import/promptbench/promptbench.js';
import { hasShared, shared, sharedJson } from '../../shared.js';
import { collect } from './collect.js';

describe('a stored result', () => {
  it('is read in every layout (B33, microsoftarchive/promptbench#39, #102)', async () => {
    const rows = [
      '{"original prompt":"p","original score":0.8,"attacked prompt":"q","attacked score":0.6,"PDR":0.25}',
      '[0.8,"q",0.6,0.2]',
      '{"original prompt":"p","original score":0.8,"attacked prompt":"q","attacked score":0.6,"PDR":0.8}',
    ];
    const { records, warnings } = await collect(promptbench, { text: rows.join('\n') });
    expect(
      records.map(({ src, adv_src, original_score, attacked_score }) => [src, adv_src, original_score, attacked_score]),
    ).toEqual([
      ['p', 'q', 0.8, 0.6],
      [null, 'q', 0.8, 0.6],
      ['p', 'q', 0.8, 0.6],
    ]);
    expect(records.map(({ extra }) => [extra['layout'], extra['stored_pdr'], extra['dropped']])).toEqual([
      ['dict', 0.25, undefined],
      ['tuple', undefined, 0.2],
      ['dict', 0.8, undefined],
    ]);
    expect(warnings).toMatchObject([{ code: 'pdr-differs', line: 3 }]);
    expect(warnings[0]?.message).toMatch(/stored PDR is 0\.8, recomputed .* 0\.2/u);
  });

  it('is read from a JSON list, and keeps unknown keys', async () => {
    const text = `[\n {"original prompt": "a", "original score": 90.5, "attacked prompt": "b", "attacked score": 0, "PDR": 1, "seed": {"__proto__": 7}}\n]`;
    const { records } = await collect(promptbench, { text }, { defaults: { attack: 'checklist', model: 't5' } });
    expect(records[0]).toMatchObject({ attack: 'checklist', model: 't5', scale: 100 });
    expect(JSON.stringify(records[0]?.extra['seed'])).toBe('{"__proto__":7}');
  });

  it('with an original score of 0 has no drop rate to compare', async () => {
    const { warnings } = await collect(promptbench, {
      text: `{'original prompt': 'p', 'original score': 0, 'attacked prompt': 'q', 'attacked score': 0, 'PDR': 0}`,
    });
    expect(warnings[0]?.message).toContain('undefined (the original score is 0)');
  });

  it.each([
    ['{"original prompt":"p","original score":0.8}', /:1: "attacked prompt" is missing/u],
    [
      '{"original prompt":"p","original score":"x","attacked prompt":"q","attacked score":1}',
      /:1: "original score" is missing or no finite/u,
    ],
    ['{"a": 1}\n\n{"b": ', /:3: expected a Python literal, found the end/u],
    ['[1, 2, 3]', /:1: found a list of 3 values/u],
    [`${'['.repeat(100_000)}`, /nested deeper/u],
    ['{}', /:1: found an empty dict/u],
  ])('refuses %.40s', async (text, message) => {
    await expect(collect(promptbench, { text })).rejects.toThrow(message);
  });

  it('goes on behind a bad row on demand', async () => {
    const { records, warnings } = await collect(
      promptbench,
      { text: '[0.8,"q",0.6,0.2]\n[0.8,"q\n[0.7,"r",0.6,0.1]' },
      { onError: 'skip' },
    );
    expect(records.map(({ adv_src }) => adv_src)).toEqual(['q', 'r']);
    expect(warnings).toMatchObject([{ code: 'bad-row', line: 2 }]);
  });
});

describe('a verbose log', () => {
  const RULE = '-'.repeat(50);
  const query = (prompt: string, score: number) =>
    `${RULE}\nCurrent prompt is:  ${prompt}\nCurrent accuracy is:  ${score}\n${RULE}\n`;

  it('keeps a prompt that quotes the log itself', async () => {
    const prompt = `one\nCurrent accuracy is:  0.1\nCurrent prompt is:  two`;
    const { records } = await collect(promptbench, { text: query(prompt, 0.5) });
    expect(records[0]).toMatchObject({ src: prompt, original_score: 0.5, attacked_score: null, queries: 1 });
  });

  it('tells several attacks apart, and one that was cut off', async () => {
    const start = 'These words (if they appear in the prompt) are not allowed to be attacked:\n';
    const result = `{'original prompt': 'a', 'original score': 0.5, 'attacked prompt': 'b', 'attacked score': 0.4, 'PDR': 0.19999999999999996}`;
    const text = `${start}['x']\n${query('a', 0.5)}${query('b', 0.4)}${result}\n${start}['y']\n${query('c', 0.9)}`;
    const { records, warnings } = await collect(promptbench, { text });
    expect(records.map(({ src, queries, result: said }) => [src, queries, said])).toEqual([
      ['a', 2, null],
      ['c', 1, 'error'],
    ]);
    expect(records[0]?.extra['protected_words']).toBe("['x']");
    expect(warnings).toMatchObject([{ code: 'no-result' }]);
    await expect(collect(promptbench, { text: text.slice(0, text.lastIndexOf('Current accuracy')) })).rejects.toThrow(
      /cut off/u,
    );
  });
});

interface Expected {
  readonly attack: string;
  readonly queries: number;
  readonly original_text?: string;
  readonly perturbed_text?: string;
  readonly original_score?: number;
  readonly perturbed_score?: number;
  readonly pdr?: number;
  readonly calls?: readonly { readonly prompt: string; readonly accuracy: number }[];
  readonly result?: readonly { readonly prompt: string; readonly score: number }[];
}

describe.skipIf(!hasShared)('logs of real runs', () => {
  const FILES = ['result.json', 'result.repr.txt', 'stdout.txt'];
  const ATTACKS = ['checklist-mmlu', 'deepwordbug-odd-prompt', 'deepwordbug-sst2', 'stresstest-mnli'];

  it.each(ATTACKS.flatMap((run) => FILES.map((file) => [run, file] as const)))('%s/%s', async (run, file) => {
    const folder = `data/logs/promptbench/${run}`;
    const expected = sharedJson<Expected>(`${folder}/expected.json`);
    const { records, warnings } = await collect(promptbench, { path: shared(`${folder}/${file}`) });
    expect(warnings).toEqual([]);
    expect(records).toHaveLength(1);
    const calls = expected.calls?.map(({ prompt, accuracy }) => ({ prompt, score: accuracy }));
    const hasCalls = file === 'stdout.txt';
    expect(records[0]).toMatchObject({
      src: expected.original_text,
      adv_src: expected.perturbed_text,
      original_score: expected.original_score,
      attacked_score: expected.perturbed_score,
      scale: 1,
      queries: hasCalls ? expected.queries : null,
      extra: { stored_pdr: expected.pdr, ...(hasCalls ? { calls } : {}) },
    });
  });

  it.each(FILES)('semantic-sst2/%s', async (file) => {
    const folder = 'data/logs/promptbench/semantic-sst2';
    const expected = sharedJson<Expected>(`${folder}/expected.json`);
    const { records, warnings } = await collect(promptbench, { path: shared(`${folder}/${file}`) });
    expect(warnings).toEqual([]);
    expect(records.map(({ adv_src, attacked_score }) => ({ prompt: adv_src, score: attacked_score }))).toEqual(
      expected.result,
    );
    expect(records.every(({ attack }) => attack === 'semantic')).toBe(true);
  });
});
