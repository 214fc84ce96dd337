import { describe, expect, it } from 'vitest';

import { audit } from '../../src/record/audit/audit.js';
import type { Finding } from '../../src/record/audit/rule.js';
import { FileImport, importerNamed } from '../../src/record/import/import-files.js';
import { importPairs } from '../../src/record/import/runs/import-pairs.js';
import { isRunImporter } from '../../src/record/import/runs/run-importer.js';
import { makeRecord } from '../../src/record/schema.js';
import type { AttackRecord } from '../../src/record/schema.js';
import { createScorer } from '../../src/score/registry.js';
import { hasShared, shared, sharedNames } from '../shared.js';

async function findings(records: Iterable<AttackRecord>, rules: readonly string[]): Promise<string[]> {
  async function* stream(): AsyncGenerator<AttackRecord> {
    await Promise.resolve();
    yield* records;
  }
  const scorer = await createScorer('chrf');
  const options = { sSrc: scorer, sTgt: scorer, similarity: scorer, successThreshold: 1, labels: [], nearTie: 0 };
  const found: Finding[] = [];
  await audit(stream(), options, 0, (one) => found.push(one));
  return found.filter(({ rule }) => rules.includes(rule)).map(({ rule, message }) => `${rule}: ${message}`);
}

async function imported(format: string, path: string): Promise<AttackRecord[]> {
  const records: AttackRecord[] = [];
  for await (const record of new FileImport(format, [shared(`data/logs/${path}`)]).records()) records.push(record);
  return records;
}

async function paired(format: string, folder: string, clean: RegExp, attacked: RegExp): Promise<AttackRecord[]> {
  const path = (pattern: RegExp): string =>
    shared(`data/logs/${folder}/${sharedNames(`data/logs/${folder}`).find((name) => pattern.test(name))}`);
  const importer = importerNamed(format);
  const records: AttackRecord[] = [];
  if (!isRunImporter(importer)) return records;
  for await (const record of importPairs(importer, path(clean), [{ path: path(attacked) }], {}, () => {}))
    records.push(record);
  return records;
}

const CLAIMS = ['claim_differs', 'claim_unchecked'];

describe.skipIf(!hasShared)('numbers that tools claim', () => {
  it('agree with the records of sound logs', async () => {
    expect(
      await findings(await paired('lm-eval', 'lm-eval/multiple-choice', /mc_clean/u, /mc_viper/u), CLAIMS),
    ).toEqual([]);
    expect(
      await findings(await paired('promptfoo', 'promptfoo/two-evals', /clean\.json$/u, /charswap\.json$/u), CLAIMS),
    ).toEqual([]);
    expect(await findings(await imported('promptfoo', 'promptfoo/redteam/redteam.json'), CLAIMS)).toEqual([]);
    const folder = sharedNames('data/logs/helm/robustness-mild-mix').find((name) => name.startsWith('reviews'));
    expect(await findings(await imported('helm', `helm/robustness-mild-mix/${folder}`), CLAIMS)).toEqual([]);
  });

  it('are found out where they differ', async () => {
    expect(await findings(await imported('auto', 'jailbreakbench/pair/vicuna-13b-v1.5.json'), CLAIMS)).toEqual([
      'claim_differs: total_number_of_jailbreaks: the tool says 82, its 100 records give 69 (successful)',
    ]);
    const records = await paired('lm-eval', 'lm-eval/multiple-choice', /mc_clean/u, /mc_charswap/u);
    const [first] = records;
    if (first !== undefined) first.attacked_score = 1 - (first.attacked_score ?? 0);
    expect(await findings(records, CLAIMS)).toEqual([
      expect.stringContaining('claim_differs: reviews_mc_charswap acc,none'),
    ]);
    expect(await findings(records.slice(0, 30), CLAIMS)).toHaveLength(2);
  });

  it('a log that holds a part of its run is not compared', async () => {
    const path = sharedNames('data/logs/lm-eval/perturbed-column').find((name) => name.startsWith('samples'));
    expect(await findings(await imported('lm-eval', `lm-eval/perturbed-column/${path}`), CLAIMS)).toEqual([
      'claim_unchecked: math_perturbed_full exact_match,none: the tool says 0 over 5000 items, the records hold 10',
    ]);
  });
});

describe('labels', () => {
  it('F04: one number in two spellings is told', async () => {
    const record = (id: string, out: string): AttackRecord =>
      makeRecord({ id, unit: 'input', src: 'a', adv_src: 'b', out, adv_out: '0', ref: '1' });
    const rules = ['mixed_label_spellings'];
    expect(await findings([record('a', '1'), record('b', '1.0')], rules)).toEqual([
      'mixed_label_spellings: "1.0" here, "1" in record "a"',
    ]);
    expect(await findings([record('a', '1'), record('b', '2')], rules)).toEqual([]);
  });
});
