/** The golden rows through the command line: as a table of any texts, and as line-aligned files in the native reader. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../helpers/cli.js';
import { hasShared, sharedJson } from '../shared.js';
import { CASES } from './cases.js';

interface Row {
  readonly id: string;
  readonly hyp: string;
  readonly ref: string;
  readonly values: Readonly<Record<string, number>>;
}

const folder = temporaryFolder();

async function scoresOf(name: string, spec: string, args: readonly string[]): Promise<readonly number[]> {
  const output = ['--scale', '1', '--terse', '--keep-trailing-whitespace', '--per-line', `${name}.jsonl`];
  const { code, stderr } = await runCli([...args, '--s-src', spec, ...output], { cwd: folder.path });
  if (code !== 0) throw new Error(stderr);
  const lines = readFileSync(`${folder.path}/${name}.jsonl`, 'utf8').trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { s_src: number }).s_src);
}

describe.skipIf(!hasShared)('every golden row holds through the command line', () => {
  it.concurrent.each(CASES)('%s.json, %s: %s', async (file, column, spec, toScore) => {
    const { rows } = sharedJson<{ rows: readonly Row[] }>(`golden/${file}.json`);
    const differing = (some: readonly Row[], found: readonly number[]): unknown[] =>
      some
        .map(({ id, values }, index) => ({ id, found: found[index], expected: toScore(values[column] ?? Number.NaN) }))
        .filter((row) => !(Math.abs((row.found ?? Number.NaN) - row.expected) <= 1e-9));

    const name = `${file}-${spec.replaceAll(/\W/g, '-')}`;
    folder.write({ [`${name}-table.jsonl`]: rows.map((row) => `${JSON.stringify(row)}\n`).join('') });
    const table = ['--data', `${name}-table.jsonl`, '--columns', 'src=ref,adv_src=hyp'];
    expect(differing(rows, await scoresOf(`${name}-a`, spec, table))).toEqual([]);

    // A line can't hold a line feed, end in a carriage return, or begin the file with a byte order mark.
    const asLines = rows.filter(({ hyp, ref }) => !/\n|\r$|^\uFEFF/.test(hyp) && !/\n|\r$|^\uFEFF/.test(ref));
    const lines = (side: 'hyp' | 'ref'): string => asLines.map((row) => `${row[side]}\n`).join('');
    folder.write({ [`${name}-hyp`]: lines('hyp'), [`${name}-ref`]: lines('ref') });
    const files = ['--src', `${name}-ref`, '--adv-src', `${name}-hyp`];
    expect(differing(asLines, await scoresOf(`${name}-b`, spec, files))).toEqual([]);
    expect(asLines.length).toBeGreaterThan(200);
  });
});
