import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { evaluate } from '../../src/evaluate.js';
import { GroupSummariser } from '../../src/measure/group-summariser.js';
import { makeRecord } from '../../src/record/schema.js';
import { scoreBlocks } from '../../src/record/score-records.js';
import { ReferenceCounts } from '../../src/score/reference-counts.js';
import { createScorer } from '../../src/score/registry.js';
import { version } from '../../src/version.js';
import { temporaryFolder } from '../helpers/cli.js';
import { runInProcess } from '../helpers/in-process.js';
import { seeded } from '../helpers/seeded.js';

/** Texts of one attack on a corpus; `ref` has one text a segment and reference file. */
interface Corpus {
  readonly src: readonly string[];
  readonly advSrc: readonly string[];
  readonly out: readonly string[];
  readonly advOut: readonly string[];
  readonly refs: readonly (readonly string[])[];
  readonly groups: readonly string[];
}

const WORDS = ['tea', 'hot', 'Green', 'milk', 'té', '红茶', '🍵', 'cup.', 'a', 'the', '1', '"so"', 'x,y'];

/** Short texts, some of them blank, equal or unlike; scores of 0 and 1 are frequent. */
function randomCorpus(seed: number, references: number): Corpus {
  const random = seeded(seed);
  const count = 1 + random.below(60);
  const text = (): string =>
    random.below(8) === 0 ? '' : Array.from({ length: 1 + random.below(6) }, () => random.pick(WORDS)).join(' ');
  const like = (other: string): string => (random.below(3) === 0 ? other : text());
  const src = Array.from({ length: count }, text);
  const out = Array.from({ length: count }, text);
  return {
    src,
    advSrc: src.map(like),
    out,
    advOut: out.map(like),
    refs: Array.from({ length: references }, () => out.map(like)),
    groups: Array.from({ length: count }, () => random.pick(['swap', 'drop', 'dé,lay'])),
  };
}

const SCORERS = ['chrf', 'chrf++:beta=1', 'bleu', 'ter', 'zero_one', 'f1', 'squad_f1', 'squad_em', 'edit:unit=word'];

/** The corpus in every form that teapot reads, with the arguments that name it. */
function writeForms(write: (files: Record<string, string>) => void, corpus: Corpus): Record<string, readonly string[]> {
  const { src, advSrc, out, advOut, refs, groups } = corpus;
  const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');
  const csv = (cells: readonly string[]): string =>
    `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`;
  const names = refs.map((_, index) => `ref${index}`);
  const objects = src.map((text, index) => ({
    src: text,
    adv_src: advSrc[index] ?? '',
    out: out[index] ?? '',
    adv_out: advOut[index] ?? '',
    refs: refs.map((column) => column[index] ?? ''),
    attack: groups[index] ?? '',
  }));
  write({
    src: lines(src),
    adv_src: lines(advSrc),
    base: lines(out),
    adv_out: lines(advOut),
    ...Object.fromEntries(names.map((name, index) => [name, lines(refs[index] ?? [])])),
    't.csv': [
      csv(['src', 'adv_src', 'out', 'adv_out', 'attack', ...names]),
      ...objects.map((one) => csv([one.src, one.adv_src, one.out, one.adv_out, one.attack, ...one.refs])),
    ].join(''),
    't.jsonl': objects.map((one) => `${JSON.stringify(one)}\n`).join(''),
    'r.jsonl': objects
      .map(({ refs: ref, ...fields }, index) =>
        JSON.stringify(
          makeRecord({
            id: String(index),
            unit: 'input',
            ...fields,
            ref: ref.length === 0 ? null : ref.length === 1 ? (ref[0] ?? '') : ref,
          }),
        ),
      )
      .join('\n'),
  });
  const columns = 'src=src,adv_src=adv_src,out=out,adv_out=adv_out';
  return {
    files: ['--src', 'src', '--adv-src', 'adv_src', '--out', 'base', '--adv-out', 'adv_out'].concat(
      names.flatMap((name) => ['--ref', name]),
    ),
    csv: ['--data', 't.csv', '--columns', [columns, ...names.map((name) => `ref=${name}`)].join(',')],
    jsonl: ['--data', 't.jsonl', '--columns', refs.length === 0 ? columns : `${columns},ref=refs`],
    records: ['r.jsonl'],
  };
}

/** A document without what tells where the texts came from. */
function withoutInputs(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document, (key, value: unknown) => (key === 'inputs' ? undefined : value)));
}

describe.each([1, 2, 3])('one corpus in every form (%i)', { timeout: 120_000 }, (seed) => {
  const folder = temporaryFolder();
  const home = process.cwd();
  beforeAll(() => process.chdir(folder.path));
  afterAll(() => process.chdir(home));
  const random = seeded(seed + 100);
  const references = seed - 1;
  const corpus = randomCorpus(seed, references);
  const forms = writeForms((files) => folder.write(files), corpus);
  const metrics = ['--s-src', random.pick(SCORERS), '--s-tgt', random.pick(SCORERS)];
  const options = [...metrics, '--success-threshold', random.pick(['0.5', '1']), '--threshold-sweep', '0:2:0.25'];
  const run = async (form: string, ...more: string[]): Promise<string> => {
    const { stdout, stderr, code } = await runInProcess(['score', ...(forms[form] ?? []), ...options, ...more]);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };

  it('has one summary to the last bit', async () => {
    const files = await run('files', '--format', 'json', '--confidence', '0.9');
    const summary = withoutInputs(JSON.parse(files));
    for (const form of ['csv', 'jsonl']) {
      expect(withoutInputs(JSON.parse(await run(form, '--format', 'json', '--confidence', '0.9')))).toEqual(summary);
    }
    const records = await run('records', '--by', 'none', '--format', 'json', '--confidence', '0.9');
    const { all } = JSON.parse(records) as { readonly all: { readonly summary: unknown } };
    expect(withoutInputs(all.summary)).toEqual(summary);
  });

  it('is printed alike', async () => {
    const text = await run('files', '--confidence', '0.9');
    for (const form of ['csv', 'jsonl', 'records']) {
      const by = form === 'records' ? ['--by', 'none'] : [];
      expect(await run(form, '--confidence', '0.9', ...by)).toBe(text);
      expect(await run(form, '--terse', ...by)).toBe(await run('files', '--terse'));
    }
  });

  it('has the same groups in tables and records', async () => {
    const groups = async (form: string): Promise<unknown> => {
      const document = JSON.parse(await run(form, '--by', 'attack', '--format', 'json')) as {
        readonly groups: readonly { readonly group: unknown; readonly summary: unknown }[];
      };
      return withoutInputs(document.groups.map(({ group, summary }) => ({ group, summary })));
    };
    const records = await groups('records');
    expect(await groups('csv')).toEqual(records);
    expect(await groups('jsonl')).toEqual(records);
    const cells = async (form: string): Promise<readonly string[]> => {
      const [header = '', ...rows] = (await run(form, '--by', 'attack', '--format', 'csv')).split('\r\n');
      const width = header.split(',').indexOf('signature');
      return rows.map((row) => row.split(',').slice(0, width).join(','));
    };
    expect(await cells('csv')).toEqual(await cells('records'));
  });

  it('passes and fails the same gates', async () => {
    const files = JSON.parse(await run('files', '--format', 'json')) as { readonly success_rate: number };
    const gate = async (form: string, condition: string) => {
      const by = form === 'records' ? ['--by', 'none'] : [];
      const { code, stderr } = await runInProcess([
        'score',
        ...(forms[form] ?? []),
        ...options,
        ...by,
        '-q',
        '--fail-if',
        condition,
      ]);
      return { code, stderr };
    };
    const fires = `success_rate>=${files.success_rate}`;
    for (const form of ['files', 'csv', 'records']) {
      expect(await gate(form, fires)).toEqual({
        code: 3,
        stderr: `teapot: --fail-if holds: ${fires} (success_rate is ${files.success_rate})\n`,
      });
      expect(await gate(form, `success_rate>${files.success_rate}`)).toEqual({ code: 0, stderr: '' });
    }
  });
});

describe('records and texts in memory', () => {
  it.each(SCORERS)('have one summary by %s', async (spec) => {
    for (let seed = 0; seed < 12; seed += 1) {
      const { src, advSrc, out, advOut, refs, groups } = randomCorpus(seed + 1000, seed % 3);
      const ref = src.map((_, index) => refs.map((column) => column[index] ?? ''));
      const records = src.map((text, index) =>
        makeRecord({
          id: String(index),
          unit: 'input',
          src: text,
          adv_src: advSrc[index] ?? '',
          out: out[index] ?? '',
          adv_out: advOut[index] ?? '',
          ref: refs.length === 0 ? null : (ref[index] ?? []),
          attack: groups[index] ?? '',
        }),
      );
      const scorers = { sSrc: await createScorer(spec), sTgt: await createScorer(spec) };
      const sweep = [0, 0.5, 1, 1.5];
      const references = new ReferenceCounts();
      const summariser = new GroupSummariser(
        { version: version(), ...scorers, successThreshold: 1, percentileMethod: 'linear', sweep },
        ['attack'],
      );
      for await (const { shapes } of scoreBlocks(records, { ...scorers, references })) {
        for (const { scores, records: members } of shapes) {
          summariser.add({ ...scores, groups: [members.map(({ attack }) => attack)] });
        }
      }
      const { all } = await summariser.result({ references, intervals: { confidence: 0.8 } });
      const { summary } = await evaluate(
        { src, advSrc, out, advOut, ref: refs.length === 0 ? undefined : ref },
        { ...scorers, sweep, percentile: 'linear', confidence: 0.8 },
      );
      expect(all.summary).toEqual(summary);
    }
  });
});
