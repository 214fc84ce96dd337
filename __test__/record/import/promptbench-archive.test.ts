import { readdirSync } from 'node:fs';

import { beforeAll, describe, expect, it } from 'vitest';

import { promptbench } from '../../../src/record/import/promptbench/promptbench.js';
import { recordKind } from '../../../src/record/kind.js';
import { hasShared, shared, sharedJson } from '../../shared.js';
import { collect, countCodes } from './collect.js';
import type { Imported } from './collect.js';

const TRIPLE = [
  'Original prompt: Rate the tea.',
  String.raw`Attacked prompt: b"R\xd0\xb0te the tea. "`,
  'Original acc: 80.00%, attacked acc: 60.00%, dropped acc: 20.00%',
].join('\n');

const HEADINGS = '# t5_zeroshot\n\n# cola\n\n';

async function importText(text: string, onError?: 'skip'): Promise<Imported> {
  return collect(promptbench, { text }, onError === undefined ? {} : { onError });
}

describe('an archive file', () => {
  it('decodes the attacked prompt once (B29, microsoftarchive/promptbench#73)', async () => {
    const { records } = await importText(`${HEADINGS}## textbugger\n\n${TRIPLE}\n`);
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      id: 't5_zeroshot/cola/textbugger/1',
      run: 't5_zeroshot',
      attack: 'textbugger',
      model: 't5',
      dataset: 'cola',
      prompt_type: 'zs-task',
      src: 'Rate the tea.',
      adv_src: 'R\u0430te the tea. ',
      original_score: 80,
      attacked_score: 60,
      scale: 100,
      provenance: { tool: 'promptbench', line: 7 },
      extra: { kind: 'attack', dropped: 20, decimals: 2 },
    });
  });

  it('keeps quotes, backslashes and line ends of the literal', async () => {
    const attacked = String.raw`Attacked prompt: b'say "yes", it\'s\n\\'`;
    const { records } = await importText(
      `${HEADINGS}## textbugger\n\n${TRIPLE.replace(/^Attacked.*$/mu, () => attacked)}\n`,
    );
    expect(records[0]?.adv_src).toBe('say "yes", it\'s\n\\');
  });

  it('reports a literal that is not UTF-8 with its line, and reads the rest on demand', async () => {
    const bad = TRIPLE.replace(String.raw`\xb0`, '');
    const text = `${HEADINGS}## textbugger\n\n${bad}\n\n${TRIPLE}\n`;
    await expect(importText(text)).rejects.toThrow(
      /^<stdin>:8: attacked prompt: not valid UTF-8: byte \\xd0 at byte 1/u,
    );
    const { records, warnings } = await importText(text, 'skip');
    expect(records).toHaveLength(1);
    expect(warnings.find(({ code }) => code === 'bad-row')).toMatchObject({ line: 8 });
  });

  it('takes a line apart that has lost its line ends, but no prompt that quotes the words', async () => {
    const glued = TRIPLE.replaceAll('\n', ' ');
    const quoting = TRIPLE.replace('Rate the tea.', 'Say Attacked prompt: b"no" and Original acc: 1%.');
    const { records, warnings } = await importText(`${HEADINGS}## checklist\n\n${glued}${quoting}\n`);
    expect(records.map(({ src }) => src)).toEqual([
      'Rate the tea.',
      'Say Attacked prompt: b"no" and Original acc: 1%.',
    ]);
    expect(countCodes(warnings)['several-records-on-a-line']).toBe(1);
  });

  it('keeps a prompt with line ends whole', async () => {
    const { records, warnings } = await importText(
      `${HEADINGS}## checklist\n\n${TRIPLE.replace('the tea', 'the\n\ntea')}\n`,
    );
    expect(records[0]?.src).toBe('Rate the\n\ntea.');
    expect(countCodes(warnings)['continued-prompt']).toBe(1);
  });

  it('takes the six lowest translations as the semantic attack', async () => {
    const clean = 'Acc: 70.00%, prompt: A\nAcc: 60.00%, prompt: B\n\nAcc: 80.00%, prompt: C\n';
    const accuracies = [10, 50, 20, 30, 60, 40, 70];
    const translations = accuracies.map((accuracy) => `Language: greek, acc: ${accuracy}.00%, prompt: p${accuracy}`);
    const { records } = await importText(
      `${HEADINGS}## 10 prompts\n\n${clean}\n## translation\n\n${translations.join('\n')}\n`,
    );
    const attacks = records.filter((record) => recordKind(record) === 'attack');
    expect(attacks.map(({ adv_src, prompt_type }) => `${adv_src} ${prompt_type}`)).toEqual([
      'p10 zs-role',
      'p50 zs-role',
      'p20 zs-task',
      'p30 zs-role',
      'p60 zs-task',
      'p40 zs-task',
    ]);
    expect(attacks.every(({ src, original_score }) => src === 'C' && original_score === 80)).toBe(true);
    expect(records.filter((record) => recordKind(record) === 'candidate')).toHaveLength(1);
    expect(records.filter((record) => recordKind(record) === 'clean').map(({ prompt_type }) => prompt_type)).toEqual([
      'zs-task',
      'zs-task',
      'zs-role',
    ]);
  });

  it.each([
    ['a row before any heading', 'Acc: 1.00%, prompt: x\n# cola\n## 10 prompts\n', /:1: a row stands before/u],
    ['a triple without scores', `${HEADINGS}## checklist\nOriginal prompt: x\n`, /:6: the triple that starts here/u],
    [
      'scores that are no numbers',
      `${HEADINGS}## checklist\n${TRIPLE.replace('80.00%', 'many')}`,
      /:8: expected "Original acc/u,
    ],
  ])('refuses %s', async (_name, text, message) => {
    await expect(importText(text)).rejects.toThrow(message);
  });

  it('refuses what is nothing of PromptBench', async () => {
    await expect(importText('just a text\n')).rejects.toThrow(/nothing of PromptBench/u);
    await expect(importText('')).rejects.toThrow(/nothing of PromptBench/u);
  });
});

interface Golden {
  readonly parser_counts: Readonly<Record<string, number>> & {
    readonly triples_per_file: Readonly<Record<string, number>>;
    readonly clean_per_file: Readonly<Record<string, number>>;
    readonly translations_per_file: Readonly<Record<string, number>>;
  };
  readonly warning_counts: Readonly<Record<string, number>>;
}

describe.skipIf(!hasShared)('the published archive', () => {
  const all: Imported = { records: [], warnings: [], summaries: [] };
  const { parser_counts: counts, warning_counts: oddities } = hasShared
    ? sharedJson<Golden>('golden/promptbench-tables.json')
    : ({} as Golden);

  beforeAll(async () => {
    const folder = shared('data/promptbench/adv_prompts');
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.md'))) {
      const { records, warnings } = await collect(promptbench, { path: `${folder}/${name}` });
      all.records.push(...records);
      all.warnings.push(...warnings);
    }
  });

  it('gives every row', () => {
    const { records } = all;
    const clean = records.filter(
      (record) => recordKind(record) === 'clean' && record.extra['stray_in_section'] === undefined,
    );
    const semantic = records.filter(({ attack }) => attack === 'semantic');
    const triples = records.filter(({ attack }) => attack !== null && attack !== 'semantic');
    const rows = records.filter((record) => recordKind(record) === 'attack');
    expect({
      clean_prompts: clean.length,
      clean_task: clean.filter(({ prompt_type }) => prompt_type?.endsWith('task')).length,
      triples: triples.length,
      translations: semantic.length,
      semantic_rows: semantic.filter((record) => recordKind(record) === 'attack').length,
      table_rows: rows.length,
    }).toEqual({
      clean_prompts: counts['clean_prompts'],
      clean_task: counts['clean_task'],
      triples: counts['triples'],
      translations: counts['translations'],
      semantic_rows: counts['semantic_rows'],
      table_rows: counts['table_rows'],
    });
    const perFile = (list: typeof records): Record<string, number> => {
      const result: Record<string, number> = {};
      for (const { run } of list) result[String(run)] = (result[String(run)] ?? 0) + 1;
      return result;
    };
    expect(perFile(triples)).toEqual(counts.triples_per_file);
    expect(perFile(clean)).toEqual(counts.clean_per_file);
    expect(perFile(semantic)).toEqual(counts.translations_per_file);
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
  });

  it('tells every irregularity with its line', () => {
    expect(countCodes(all.warnings)).toEqual({
      'several-records-on-a-line': oddities['lines_holding_more_than_one_record'],
      'missing-original-prompt': oddities['triple_without_original_prompt'],
      'stray-clean-row': oddities['stray_clean_row_in_attack_section'],
      'stray-line': oddities['stray_line_O'],
      'empty-section': oddities['empty_section'],
      'missing-section': oddities['missing_translation_section'],
      'clean-list-size': (oddities['clean_list_of_21'] ?? 0) + (oddities['clean_list_of_19'] ?? 0),
      'language-size': oddities['language_with_11_rows'],
      'dataset-order': oddities['dataset_order_differs'],
      'drop-inconsistent': oddities['drop_inconsistent_abs_gt_0.015'],
      'drop-rounding': oddities['drop_off_by_0.01'],
      'no-op-attack': oddities['attacked_text_equals_original_after_strip'],
      'negative-drop': oddities['negative_drop'],
      'zero-drop': oddities['zero_drop'],
      'attacked-score-zero': oddities['attacked_acc_zero'],
      'clean-score-zero': oddities['clean_acc_zero'],
      'translation-score-zero': oddities['translation_acc_zero'],
      'original-score-differs': oddities['original_acc_differs_from_clean_list_by_gt_0.005'],
      'original-prompt-unknown': oddities['original_prompt_not_in_clean_list'],
      'slot-differs': oddities['slot_by_position_differs_from_text'],
      'no-final-newline': oddities['no_newline_at_end_of_file'],
    });
    expect(all.warnings.every(({ line }) => line !== null && line > 0)).toBe(true);
    const at = (code: string): string[] =>
      all.warnings
        .filter((warning) => warning.code === code)
        .map(({ file, line }) => `${file.replace(/^.*\//u, '')}:${line}`);
    expect(at('missing-original-prompt')).toEqual(['t5_fewshot.md:1142']);
    expect(at('stray-line')).toEqual(['t5_zeroshot.md:1255', 'ul2_zeroshot.md:2237']);
    expect(at('stray-clean-row')).toEqual(['chatgpt_fewshot.md:173', 'chatgpt_fewshot.md:2987']);
  });
});
