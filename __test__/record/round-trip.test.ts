import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { writeFileSafely } from '../../src/output-file.js';
import { exportParallel } from '../../src/record/export/parallel.js';
import { exportTable } from '../../src/record/export/table.js';
import { exportTextAttack } from '../../src/record/export/textattack.js';
import { importParallel } from '../../src/record/import/parallel/import-parallel.js';
import { table } from '../../src/record/import/table/table.js';
import { textattack } from '../../src/record/import/textattack/textattack.js';
import { makeRecord } from '../../src/record/schema.js';
import type { AttackRecord } from '../../src/record/schema.js';
import { collect } from './import/collect.js';
import { seeded } from '../helpers/seeded.js';
import type { Seeded } from '../helpers/seeded.js';

const folder = mkdtempSync(join(tmpdir(), 'teapot-export-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PIECES = [
  'tea',
  '[[',
  ']]',
  '[[tea]]',
  '[[[[Premise]]]]: ',
  'Premise: ',
  '<SPLIT>',
  '\n',
  '\r\n',
  '\r',
  '"',
  '""',
  ',',
  '\t',
  ', acc: 5%',
  ' --> ',
  '\\n',
  '\\',
  '<font color = red>x</font>',
  '\u001B[92mx\u001B[0m',
  'é',
  '🍵',
  '\u2028',
  '\uFEFF',
  '=1+1',
  '1.0',
  '0',
  ' ',
];

function text(random: Seeded): string {
  return Array.from({ length: random.below(6) }, () => random.pick(PIECES)).join('');
}

function maybe(random: Seeded): string | null {
  return random.below(5) === 0 ? null : text(random);
}

function randomRecord(random: Seeded, id: number): AttackRecord {
  return makeRecord({
    id: `#${id} ${text(random)}`,
    unit: random.pick(['input', 'prompt'] as const),
    run: maybe(random),
    attack: maybe(random),
    model: maybe(random),
    source_model: maybe(random),
    prompt_type: random.pick(['zs-task', null] as const),
    src: maybe(random),
    adv_src: maybe(random),
    out: maybe(random),
    adv_out: maybe(random),
    ref: random.pick([null, text(random), [text(random), text(random)], []] as const) as AttackRecord['ref'],
    columns: random.below(3) === 0 ? { original: { premise: text(random), __proto__x: 'y' }, perturbed: null } : null,
    original_score: random.pick([null, 0.1, 1, 5e-324, -0.5]),
    attacked_score: random.pick([null, 0.25, 1e21]),
    metric: maybe(random),
    scale: random.pick([null, 1, 100] as const),
    result: random.pick(['successful', 'failed', 'skipped', 'error', null] as const),
    queries: random.pick([null, 0, 2 ** 40]),
    elapsed_ms: random.pick([null, 12]),
    measured: random.below(2) === 0 ? null : { s_src: 0.5, d_tgt: null, reasons: { d_tgt: text(random) } },
    provenance: random.below(2) === 0 ? null : { tool: 'x', version: null, file: text(random), line: 3 },
    extra: {
      note: text(random),
      list: [text(random), null],
      ...(random.below(2) === 0 ? { result_type: 'Maximized' } : {}),
    },
    ...(random.below(2) === 0 ? { future: { deep: [text(random)] } } : {}),
  });
}

const random = seeded(11);
const records = Array.from({ length: 300 }, (_, index) => randomRecord(random, index));

async function* stream(items: readonly AttackRecord[]): AsyncGenerator<AttackRecord> {
  await Promise.resolve();
  yield* items;
}

describe('import → export → import', () => {
  it.each(['csv', 'jsonl', 'parquet'] as const)('table as %s keeps every field', async (format) => {
    const path = join(folder, `records.${format}`);
    await writeFileSafely(path, exportTable(stream(records), format));
    const { records: again, warnings } = await collect(table, { path });
    expect(warnings).toEqual([]);
    expect(again).toEqual(records);
  });

  it('table as TSV keeps what TSV can hold, and refuses the rest by record', async () => {
    const plain = records.map((record, index) =>
      makeRecord({ id: String(index), unit: 'input', src: (record.src ?? '').replaceAll(/[\t\r\n]/gu, '') }),
    );
    const path = join(folder, 'records.tsv');
    await writeFileSafely(path, exportTable(stream(plain), 'tsv'));
    expect((await collect(table, { path })).records).toEqual(plain);
    const broken = makeRecord({ id: 'seven', unit: 'input', src: 'a\nb' });
    await expect(writeFileSafely(path, exportTable(stream([broken]), 'tsv'))).rejects.toThrow(
      /record seven: src holds a tab or a line break/u,
    );
  });

  it("TextAttack's CSV keeps every field", async () => {
    const path = join(folder, 'textattack.csv');
    await writeFileSafely(path, exportTextAttack(stream(records)));
    const { records: again, warnings } = await collect(textattack, { path });
    expect(warnings).toEqual([]);
    expect(again).toEqual(records);
  });

  it('parallel files keep every text', async () => {
    const paths = {
      src: join(folder, 'src'),
      advSrc: join(folder, 'adv'),
      out: join(folder, 'out.gz'),
      advOut: join(folder, 'aout'),
      refs: [join(folder, 'ref')],
    };
    const whole = records
      .filter((record) => ![record.src, record.adv_src, record.out, record.adv_out].includes(null))
      .map((record) => Object.assign(structuredClone(record), { ref: 'r' }));
    expect(await exportParallel(stream(whole), paths, { lineBreaks: 'escape' })).toEqual({
      written: whole.length,
      skipped: 0,
    });
    const again: AttackRecord[] = [];
    for await (const record of importParallel(paths, { isEscaped: true })) again.push(record);
    const texts = ({ src, adv_src, out, adv_out, ref }: AttackRecord): unknown => ({ src, adv_src, out, adv_out, ref });
    expect(again.map(texts)).toEqual(whole.map(texts));
  });
});

describe('exportParallel', () => {
  const broken = makeRecord({
    id: '7',
    unit: 'input',
    src: 'a\r\nb',
    adv_src: 'x',
    provenance: { tool: null, version: null, file: 'log.csv', line: 9 },
  });
  const lacking = makeRecord({ id: '8', unit: 'input', src: 'c' });
  const paths = { src: join(folder, 'p.src'), advSrc: join(folder, 'p.adv') };

  it('refuses a text with a line break by record, and leaves the old files', async () => {
    writeFileSync(paths.src, 'old');
    await expect(exportParallel(stream([broken]), paths)).rejects.toThrow(
      /record 7 \(from log\.csv:9\): src holds a line break: use the option `lineBreaks`/u,
    );
    expect(readFileSync(paths.src, 'utf8')).toBe('old');
  });

  it('writes spaces when asked', async () => {
    await exportParallel(stream([broken]), paths, { lineBreaks: 'space' });
    expect(readFileSync(paths.src, 'utf8')).toBe('a b\n');
  });

  it('leaves out, fills or refuses records without a text', async () => {
    const both = [makeRecord({ id: '1', unit: 'input', src: 'a', adv_src: 'b' }), lacking];
    expect(await exportParallel(stream(both), paths)).toEqual({ written: 1, skipped: 1 });
    await exportParallel(stream(both), paths, { missing: 'empty' });
    expect(readFileSync(paths.advSrc, 'utf8')).toBe('b\n\n');
    await expect(exportParallel(stream(both), paths, { missing: 'error' })).rejects.toThrow(
      /record 8: has no adv_src/u,
    );
    await expect(exportParallel(stream(both), { src: paths.src, advSrc: paths.src })).rejects.toThrow(/named twice/u);
  });
});
