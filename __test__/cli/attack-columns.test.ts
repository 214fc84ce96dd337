import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test, vi } from 'vitest';

import { columnsAfter, defaultAttacked, joinInput } from '../../src/attack/input-columns.js';
import { openSource } from '../../src/read/source-file.js';
import { FileImport } from '../../src/record/import/import-files.js';
import { readRecords } from '../../src/record/read.js';
import type { AttackRecord } from '../../src/record/schema.js';
import { runCli, temporaryFolder } from '../helpers/cli.js';

vi.setConfig({ testTimeout: 120_000 });

const folder = temporaryFolder();
const cwd = folder.path;

const PAIRS = [
  ['a man plays the guitar', 'a man makes music', 'entailment'],
  ['a woman reads a letter', 'nobody reads', 'contradiction'],
  ['two dogs run over the snow', 'two dogs sleep indoors', 'contradiction'],
  ['children wait for the bus', 'children are going somewhere', 'neutral'],
] as const;

folder.write({
  'nli.jsonl': PAIRS.map(([premise, hypothesis, label]) => `${JSON.stringify({ premise, hypothesis, label })}\n`).join(
    '',
  ),
  // It takes the hypothesis for contradicted where it has read one of these words there.
  'nli.mjs': `
    export const isFree = true;
    export const answer = (text) => {
      const [premise, hypothesis] = text.split('\\n');
      if (!premise.startsWith('Premise: ') || !hypothesis?.startsWith('Hypothesis: ')) return 'no pair';
      if (/nobody|sleep/.test(hypothesis)) return 'contradiction';
      return /music/.test(hypothesis) ? 'entailment' : 'neutral';
    };`,
});

const ARGS = [
  'attack',
  '--data',
  'nli.jsonl',
  '--columns',
  'src=premise+hypothesis,ref=label',
  '--model',
  'module:./nli.mjs',
];

async function attacked(name: string, ...more: string[]): Promise<AttackRecord[]> {
  const { code, stderr } = await runCli([...ARGS, '--work-dir', name, ...more], { cwd });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  const records: AttackRecord[] = [];
  for await (const record of readRecords(openSource(join(cwd, name, 'records.jsonl')))) records.push(record);
  return records;
}

describe('an input of two columns', () => {
  test('premise and hypothesis: the hypothesis is attacked, both are in the record', async () => {
    const records = await attacked('pair');
    expect(records.map(({ result }) => result)).toEqual(['successful', 'successful', 'successful', 'failed']);
    for (const [index, { columns, src, adv_src: advSrc, extra }] of records.entries()) {
      const [premise = '', hypothesis = ''] = PAIRS[index] ?? [];
      expect(src).toBe(`Premise: ${premise}\nHypothesis: ${hypothesis}`);
      expect(columns?.original).toEqual({ premise, hypothesis });
      expect(columns?.perturbed?.['premise']).toBe(premise);
      expect(advSrc).toBe(`Premise: ${premise}\nHypothesis: ${columns?.perturbed?.['hypothesis'] ?? ''}`);
      expect(extra['s_src_columns']).toMatchObject({ premise: 1 });
    }
  });

  test('--attack-columns names others, or all', async () => {
    const [first] = await attacked('premise', '--attack-columns', 'premise', '--query-budget', '60');
    expect(first?.columns?.perturbed?.['hypothesis']).toBe(PAIRS[0][1]);
    const { code, stderr } = await runCli([...ARGS, '--attack-columns', 'label'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('label is none of the columns premise, hypothesis')]);
  });

  test('scored, and equal to the records of a TextAttack log of the same run', async () => {
    const records = await attacked('scored');
    const cells = (text: string | null | undefined) => `"${(text ?? '').replaceAll('\n', '<SPLIT>')}"`;
    const header = [
      'original_text',
      'perturbed_text',
      'original_score',
      'perturbed_score',
      'original_output',
      'perturbed_output',
      'ground_truth_output',
      'num_queries',
      'result_type',
    ];
    const kinds = { successful: 'Successful', failed: 'Failed', skipped: 'Skipped' } as Record<string, string>;
    const rows = records.map(({ src, adv_src: advSrc, queries, result }) =>
      [cells(src), cells(advSrc), 0, 1, 0, 1, 0, queries, `"${kinds[result ?? ''] ?? ''}"`].join(','),
    );
    folder.write({ 'log.csv': `${[header.map((name) => `"${name}"`).join(','), ...rows].join('\n')}\n` });
    const imported: AttackRecord[] = [];
    for await (const record of new FileImport('textattack', [join(cwd, 'log.csv')]).records()) imported.push(record);
    const texts = (list: readonly AttackRecord[]) =>
      list.map(({ src, adv_src: advSrc, columns, queries, result }) => ({ src, advSrc, columns, queries, result }));
    expect(texts(imported)).toEqual(texts(records));
    const scored = await runCli(['score', 'scored/records.jsonl', '--format', 'json'], { cwd });
    expect(scored.code).toBe(0);
    expect(readFileSync(join(cwd, 'scored', 'records.jsonl'), 'utf8').split('\n')).toHaveLength(5);
  });
});

test('columns stand where they are said to, and take the edits inside them', () => {
  const columns = { names: ['question', 'sentence'], texts: ['so 🍵?', 'it is'], attacked: ['sentence'] };
  const { text, locked, spans } = joinInput(columns);
  const points = [...text];
  expect(text).toBe('Question: so 🍵?\nSentence: it is');
  expect(spans.map(({ start, end }) => points.slice(start, end).join(''))).toEqual(columns.texts);
  expect([points.slice(locked[0], locked[1]).join(''), points.slice(locked[2], locked[3]).join('')]).toEqual([
    'Question: so 🍵?',
    '\nSentence:',
  ]);
  const start = spans[1]?.start ?? 0;
  const edit = { start, end: start + 2, replacement: 'that', kind: 'replace' };
  expect(columnsAfter(columns, [edit])).toEqual({ question: 'so 🍵?', sentence: 'that is' });
  expect(defaultAttacked(['premise', 'hypothesis'])).toEqual(['hypothesis']);
  expect(defaultAttacked(['question', 'sentence'])).toEqual(['question', 'sentence']);
});
