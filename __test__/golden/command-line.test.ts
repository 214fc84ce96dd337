/** The golden rows through the command line: as a table of any texts, and as line-aligned files in the native reader. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../helpers/cli.js';
import { hasShared, sharedJson } from '../shared.js';
import { CASES, expectedF1, MULTIREF_CASES } from './cases.js';

interface Row {
  readonly id: string;
  readonly hyp: string;
  readonly ref: string;
  readonly values: Readonly<Record<string, number>>;
}

interface MultiRow {
  readonly id: string;
  readonly hyp: string;
  readonly refs: readonly string[];
  readonly values: Readonly<Record<string, number>>;
}

const folder = temporaryFolder();

async function perLine(name: string, args: readonly string[]): Promise<readonly Readonly<Record<string, number>>[]> {
  const output = ['--scale', '1', '--terse', '--keep-trailing-whitespace', '--per-line', `${name}.jsonl`];
  const { code, stderr } = await runCli([...args, ...output], { cwd: folder.path });
  if (code !== 0) throw new Error(stderr);
  const lines = readFileSync(`${folder.path}/${name}.jsonl`, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, number>>);
}

async function scoresOf(name: string, spec: string, args: readonly string[]): Promise<readonly (number | undefined)[]> {
  return (await perLine(name, [...args, '--s-src', spec])).map((line) => line['s_src']);
}

function differing(
  rows: readonly { readonly id: string }[],
  found: readonly (number | undefined)[],
  expected: readonly number[],
): unknown[] {
  return rows
    .map(({ id }, index) => ({ id, found: found[index] ?? Number.NaN, expected: expected[index] ?? Number.NaN }))
    .filter((row) => !(Math.abs(row.found - row.expected) <= 1e-9));
}

/** Writes one text a line and gives the name of the file. */
function file(name: string, texts: readonly string[]): string {
  folder.write({ [name]: texts.map((text) => `${text}\n`).join('') });
  return name;
}

/** A line can't hold a line feed, end in a carriage return, or begin the file with a byte order mark. */
function fitsLine(text: string): boolean {
  return !/\n|\r$|^\uFEFF/.test(text);
}

describe.skipIf(!hasShared)('every golden row holds through the command line', () => {
  /** What differs as a table, which holds any text, and as line-aligned files, which the native core reads. */
  async function bothWays(
    name: string,
    spec: string,
    rows: readonly Row[],
    score: (row: Row) => number,
  ): Promise<Readonly<Record<'table' | 'lines', readonly unknown[]>>> {
    const expected = rows.map(score);
    const table = [
      '--data',
      file(
        `${name}-table.jsonl`,
        rows.map((row) => JSON.stringify(row)),
      ),
    ];
    const columns = ['--columns', 'src=ref,adv_src=hyp'];
    const fromTable = differing(rows, await scoresOf(`${name}-a`, spec, [...table, ...columns]), expected);

    const asLines = rows.filter(({ hyp, ref }) => fitsLine(hyp) && fitsLine(ref));
    const src = file(
      `${name}-ref`,
      asLines.map(({ ref }) => ref),
    );
    const advSrc = file(
      `${name}-hyp`,
      asLines.map(({ hyp }) => hyp),
    );
    const found = await scoresOf(`${name}-b`, spec, ['--src', src, '--adv-src', advSrc]);
    expect(asLines.length).toBeGreaterThan(200);
    return { table: fromTable, lines: differing(asLines, found, asLines.map(score)) };
  }

  it.concurrent.each(CASES)('%s.json, %s: %s', async (golden, column, spec, toScore) => {
    const { rows } = sharedJson<{ rows: readonly Row[] }>(`golden/${golden}.json`);
    const name = `${golden}-${spec.replaceAll(/\W/g, '-')}`;
    const found = await bothWays(name, spec, rows, ({ values }) => toScore(values[column] ?? Number.NaN));
    expect(found).toEqual({ table: [], lines: [] });
  });

  it.concurrent('teapot-scorers.json, f1', async () => {
    const { rows } = sharedJson<{ rows: readonly Row[] }>('golden/teapot-scorers.json');
    expect(await bothWays('f1', 'f1', rows, expectedF1)).toEqual({ table: [], lines: [] });
  });

  it.concurrent.each(MULTIREF_CASES)('multiref.json, %s: %s', async (column, spec, toScore) => {
    const { rows } = sharedJson<{ rows: readonly MultiRow[] }>('golden/multiref.json');
    const expected = rows.map(({ values }) => toScore(values[column] ?? Number.NaN));
    const name = `multiref-${spec.replaceAll(/\W/g, '-')}`;
    const outputs = file(
      `${name}-hyp`,
      rows.map(({ hyp }) => hyp),
    );
    const references = [0, 1].flatMap((index) => [
      '--ref',
      file(
        `${name}-ref${index}`,
        rows.map(({ refs }) => refs[index] ?? ''),
      ),
    ]);
    const lines = await perLine(name, ['--out', outputs, '--adv-out', outputs, ...references, '--s-tgt', spec]);
    for (const column of ['s_tgt_base', 's_tgt_attacked']) {
      expect(
        differing(
          rows,
          lines.map((line) => line[column]),
          expected,
        ),
      ).toEqual([]);
    }
    expect(rows.every(({ refs }) => refs.length === 2)).toBe(true);
  });
});
