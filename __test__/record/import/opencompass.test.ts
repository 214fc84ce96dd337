import { describe, expect, it } from 'vitest';

import { opencompass } from '../../../src/record/import/opencompass/opencompass.js';
import { recordKind } from '../../../src/record/kind.js';
import { hasShared, shared, sharedJson } from '../../shared.js';
import { collect } from './collect.js';

/** B32 (opencompass openicl_attack.py, open-compass/opencompass PR#2555). */
const LOG = [
  'Prompt: Rate it, acc: 5, please, acc: 59.15%',
  'Prompt: One',
  'line end, acc: 30.00%',
  'Prompt: Q, acc: 0.00%',
  'Init acc is 0, skip this prompt',
  'Original prompt: Q',
  'Original acc: 0.00% ',
  '',
  'Original prompt: Rate it, acc: 5, please',
  String.raw`Attacked prompt: b'R\xd0\xb0te it'`,
  'Original acc: 59.15%, attacked acc: 29.58%, dropped acc: 29.58%',
  '',
].join('\n');

describe('an attack log', () => {
  it('is read with separators in prompts, skipped prompts and line ends (B32)', async () => {
    const { records, warnings } = await collect(opencompass, { text: LOG });
    expect(warnings).toEqual([]);
    expect(
      records.map(({ id, src, adv_src, original_score, attacked_score, result }) => [
        id,
        src,
        adv_src,
        original_score,
        attacked_score,
        result,
      ]),
    ).toEqual([
      ['stdin#1/attack/1', 'Rate it, acc: 5, please', 'R\u0430te it', 59.15, 29.58, null],
      ['stdin#1/skipped/1', 'Q', null, 0, null, 'skipped'],
      ['stdin#1/ranked/2', 'One\nline end', null, 30, null, null],
    ]);
    expect(records.map(recordKind)).toEqual(['attack', 'attack', 'clean']);
    expect(records[0]?.extra).toMatchObject({ rank: 1, ranking_score: 59.15, decimals: 2 });
  });

  it('keeps appended runs apart (B32)', async () => {
    const second = LOG.replaceAll('59.15', '60.15').replace('dropped acc: 29.58', 'dropped acc: 30.57');
    const { records, warnings } = await collect(opencompass, { text: LOG + second }, { defaults: { run: 'night' } });
    expect(new Set(records.map(({ run }) => run))).toEqual(new Set(['night#1', 'night#2']));
    expect(records.find(({ run }) => run === 'night#2')).toMatchObject({
      original_score: 60.15,
      provenance: { line: 20 },
    });
    expect(warnings).toMatchObject([{ code: 'several-runs', line: 12 }]);
  });

  it('tells runs apart that were ended before their first attack', async () => {
    const { records } = await collect(opencompass, {
      text: 'Prompt: a, acc: 5.00%\nPrompt: b, acc: 1.00%\nPrompt: c, acc: 9.00%\nPrompt: a, acc: 2.00%\nPrompt: a, acc: 2.00%\n',
    });
    expect(records.map(({ run }) => run)).toEqual(['stdin#1', 'stdin#1', 'stdin#2', 'stdin#2', 'stdin#3']);
  });

  it('takes the model from the folder', () => {
    expect(opencompass.detect(LOG, 'attacklog.txt')).toBe(1);
    expect(opencompass.detect('{"a": 1}\n', 'attacklog.txt')).toBe(0);
  });

  it.each([
    ['', /:1: no OpenCompass attack log/u],
    ['Prompt: a\nb', /:1: the ranking line has no/u],
    [`${LOG}Original prompt: x\nAttacked prompt: b'y'\n`, /:12: the block that starts here has no/u],
    [LOG.replace(String.raw`\xb0`, ''), /:10: attacked prompt: not valid UTF-8/u],
    [`${LOG}what is this\n`, /:12: expected "Prompt: …"/u],
  ])('refuses %.20j', async (text, message) => {
    await expect(collect(opencompass, { text })).rejects.toThrow(message);
  });
});

describe('a hostile log', () => {
  it.each([
    ['ranking lines without an end', 'Prompt: y\n'],
    ['blocks without an end', 'Original prompt: q\n'],
    ['ranking lines that are all the same', 'Prompt: y, acc: 5.00%\n'],
    ['stray lines', 'z\n'],
  ])('of %s is read in time that grows with its length', async (_name, line) => {
    const text = `Prompt: a, acc: 5.00%\n${line.repeat(20_000)}`;
    const options = { onError: 'skip' as const };
    const { records, warnings } = await collect(opencompass, { text }, options);
    expect(records.length + warnings.length).toBeGreaterThanOrEqual(20_000);
  });
});

interface Expected {
  readonly runs: readonly {
    readonly attacks: readonly {
      readonly original_text: string;
      readonly perturbed_text: string;
      readonly original_score: number;
      readonly perturbed_score: number;
    }[];
    readonly prompts: readonly { readonly prompt: string; readonly acc: number }[];
    readonly skipped: readonly string[];
    readonly not_attacked: readonly string[];
  }[];
}

describe.skipIf(!hasShared)('logs of real runs', () => {
  it.each(['one-run', 'two-runs'])('%s', async (name) => {
    const folder = `data/logs/opencompass/${name}`;
    const expected = sharedJson<Expected>(`${folder}/expected.json`);
    const { records } = await collect(opencompass, { path: shared(`${folder}/attacklog.txt`) });
    const runs = [...new Set(records.map(({ run }) => run))].toSorted();
    expect(runs).toHaveLength(expected.runs.length);
    for (const [index, run] of expected.runs.entries()) {
      const own = records.filter((record) => record.run === runs[index]);
      const attacks = own.filter(({ adv_src }) => adv_src !== null);
      expect(
        attacks.map(({ src, adv_src, original_score, attacked_score }) => [
          src,
          adv_src,
          original_score,
          attacked_score,
        ]),
      ).toEqual(
        run.attacks.map((attack) => [
          attack.original_text,
          attack.perturbed_text,
          Number((attack.original_score * 100).toFixed(2)),
          Number((attack.perturbed_score * 100).toFixed(2)),
        ]),
      );
      expect(own.filter(({ result }) => result === 'skipped').map(({ src }) => src)).toEqual(run.skipped);
      expect(own.filter((record) => recordKind(record) === 'clean').map(({ src }) => src)).toEqual(run.not_attacked);
      const ranked = own.toSorted((a, b) => Number(a.extra['rank'] ?? 99) - Number(b.extra['rank'] ?? 99));
      expect(ranked.map(({ src, original_score }) => [src, original_score])).toEqual(
        run.prompts.map(({ prompt, acc }) => [prompt, Number((acc * 100).toFixed(2))]),
      );
    }
  });
});
