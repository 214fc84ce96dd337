import { existsSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { textattack } from '../../../src/record/import/textattack/textattack.js';
import type { AttackRecord } from '../../../src/record/schema.js';
import { shared, sharedJson, sharedNames } from '../../shared.js';
import { collect } from './collect.js';

interface Expected {
  readonly records: number;
  readonly counts: Record<'successful' | 'failed' | 'skipped' | 'maximized', number>;
  readonly summary: Record<string, number | null> | null;
  readonly results: readonly {
    readonly result_type: string;
    readonly queries: number;
    readonly original_text: string;
    readonly perturbed_text: string;
    readonly original_columns: Record<string, string>;
    readonly perturbed_columns: Record<string, string>;
    readonly original_label: number | string;
    readonly perturbed_label: number | string;
    readonly ground_truth: number | string;
    readonly original_score: number;
    readonly perturbed_score: number;
    readonly original_raw_output: readonly number[] | string;
  }[];
}

const ROOT = 'data/logs/textattack';

const SUMMARY_NAMES: Record<string, string> = {
  successful_attacks: 'Number of successful attacks',
  failed_attacks: 'Number of failed attacks',
  skipped_attacks: 'Number of skipped attacks',
  original_accuracy: 'Original accuracy',
  attack_accuracy_perc: 'Accuracy under attack',
  attack_success_rate: 'Attack success rate',
  avg_word_perturbed: 'Average num. words per input',
  avg_word_perturbed_perc: 'Average perturbed word %',
  avg_num_queries: 'Avg num queries',
};

function summaryOf(expected: Expected): Record<string, number | null> {
  return Object.fromEntries(
    Object.entries(SUMMARY_NAMES).map(([key, name]) => [name, expected.summary?.[key] ?? null]),
  );
}

function columnsOf(texts: Record<string, string>): Record<string, string> | undefined {
  return Object.keys(texts).length > 1 ? texts : undefined;
}

function types(records: readonly AttackRecord[]): string[] {
  return records.map((record) => String(record.extra['result_type']).toLowerCase());
}

describe.each(sharedNames(ROOT))('TextAttack run %s', (run) => {
  const expected = sharedJson<Expected>(`${ROOT}/${run}/expected.json`);
  const path = (file: string): string => shared(`${ROOT}/${run}/${file}`);
  const files = (names: readonly string[]): string[] => names.filter((name) => existsSync(path(name)));

  it.each(files(['log.csv', 'log.plain.csv', 'log.html.csv']))('%s', async (file) => {
    const { records, warnings } = await collect(textattack, { path: path(file) });
    expect(warnings).toEqual([]);
    expect(types(records)).toEqual(expected.results.map((result) => result.result_type));
    expect(
      records.map((record) => ({
        result_type: String(record.extra['result_type']).toLowerCase(),
        queries: record.queries,
        original_text: record.src,
        perturbed_text: record.adv_src,
        original_columns: record.columns?.original,
        perturbed_columns: record.columns?.perturbed ?? undefined,
        original_label: record.out,
        perturbed_label: record.adv_out,
        ground_truth: record.ref,
        original_score: record.original_score,
        perturbed_score: record.attacked_score,
      })),
    ).toEqual(
      expected.results.map((result) => ({
        result_type: result.result_type,
        queries: result.queries,
        original_text: result.original_text,
        perturbed_text: result.perturbed_text,
        original_columns: columnsOf(result.original_columns),
        perturbed_columns: columnsOf(result.perturbed_columns),
        original_label: String(result.original_label),
        perturbed_label: String(result.perturbed_label),
        ground_truth: String(result.ground_truth),
        original_score: result.original_score,
        perturbed_score: result.perturbed_score,
      })),
    );
  });

  it.each(files(['log.txt', 'stdout.txt', 'stdout-ansi.txt']))('%s', async (file) => {
    const { records, warnings, summaries } = await collect(textattack, { path: path(file) });
    const isShort = run === 'aborted' && file !== 'log.txt';
    const results = isShort ? expected.results.slice(0, 3) : expected.results;
    expect(warnings.map((warning) => warning.code)).toEqual(expected.summary === null ? ['no-summary'] : []);
    expect(
      records.map((record) => ({
        type: String(record.extra['result_type']).toLowerCase(),
        src: record.src,
        advSrc: record.adv_src,
        columns: record.columns?.original,
        confidence: record.extra['original_confidence'],
      })),
    ).toEqual(
      results.map((result) => ({
        type: result.result_type === 'maximized' ? 'successful' : result.result_type,
        src: result.original_text,
        advSrc: result.result_type === 'failed' ? null : result.perturbed_text,
        columns: columnsOf(result.original_columns),
        confidence:
          typeof result.original_raw_output === 'string'
            ? undefined
            : Math.round(Math.max(...result.original_raw_output) * 100),
      })),
    );
    expect(summaries.map((summary) => summary.values)).toEqual(expected.summary === null ? [] : [summaryOf(expected)]);
  });

  it.each(files(['summary.json']))('%s', async (file) => {
    const { records, summaries } = await collect(textattack, { path: path(file) });
    expect(records).toEqual([]);
    expect(summaries.map((summary) => summary.values)).toEqual([summaryOf(expected)]);
  });
});
