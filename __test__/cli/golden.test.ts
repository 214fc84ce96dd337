/**
 * Every recorded run of teapot-nlp 0.2.2 (golden/teapot-cli.json): same layout, same digits.
 *
 * Headings are ours ("Target side degradation (ChrF)"); the note about missing references goes to stderr; scores are
 * clamped to [0, 1] (`stdout_if_clamped`). Where teapot-nlp ends in a traceback, the tables below say what we print.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../helpers/cli.js';
import type { CliResult } from '../helpers/cli.js';
import { hasShared, shared, sharedJson } from '../shared.js';

interface Row {
  readonly name: string;
  readonly group: string;
  readonly args: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly exit: number;
  readonly stdout: string;
  readonly stdout_if_clamped?: string;
  readonly stderr: string;
}

/** teapot-nlp divides by an s_tgt of 0 and ends in ZeroDivisionError: the success percentage it never printed. */
const SUCCESS_WITHOUT_DIVISION: Readonly<Record<string, string>> = {
  'charswap both chrf/bleu noref terse-scale1': '98.10',
  'charswap both bleu/bleu noref normal': '85.70',
  'charswap both bleu/bleu noref scale1': '85.70',
  'charswap both bleu/bleu noref terse-scale1': '85.70',
  'knn both chrf/chrf noref terse-scale1': '68.40',
  'knn both chrf/bleu noref normal': '88.50',
  'knn both chrf/bleu noref scale1': '88.50',
  'knn both chrf/bleu noref terse-scale1': '88.50',
  'knn both bleu/chrf noref scale1': '20.90',
  'knn both bleu/bleu noref normal': '59.40',
  'knn both bleu/bleu noref terse-scale1': '59.40',
  'unconstrained both chrf/bleu noref scale1': '99.50',
  'unconstrained both bleu/bleu noref normal': '92.50',
  'unconstrained both bleu/bleu noref scale1': '92.50',
  'unconstrained both bleu/bleu noref terse-scale1': '92.50',
  'knn threshold 0.9 noref': '85.40',
  'knn threshold 1.8 noref': '5.60',
  'knn threshold 2 noref': '3.70',
  'sentiment both chrf/zero_one T=1.8 noref normal': '52.06',
  'sentiment both chrf/zero_one T=1.8 noref scale1': '52.06',
  'sentiment both chrf/zero_one T=1.0 noref normal': '52.06',
  'sentiment both chrf/zero_one T=1.0 noref scale1': '52.06',
  'sentiment both bleu/zero_one T=1.8 noref terse': '52.064',
  'sentiment both bleu/zero_one T=1.0 noref terse': '52.064',
  'charswap both f1/f1 noref': '84.90',
  'knn both f1/f1 noref': '55.70',
  'knn both chrf/f1 noref': '57.70',
  'unconstrained both f1/f1 noref': '92.00',
  'unconstrained both chrf/f1 noref': '89.40',
  'unconstrained both f1/bleu noref': '98.50',
  'inline: blank adv-out line, reference-less': '50.00',
};

/** Checked by the definition: the share of lines with s_src > T * s_tgt in the numbers of every line. */
const CHECKED = [
  'knn both chrf/bleu noref normal',
  'knn threshold 1.8 noref',
  'sentiment both chrf/zero_one T=1.8 noref normal',
];

/** Other runs that end differently here, each for the reason given. */
const DIFFERENT: Readonly<Record<string, { readonly code: number; readonly stderr: string; readonly why: string }>> = {
  'no arguments': { code: 2, stderr: 'Give --src and --adv-src', why: 'traceback there' },
  'only --src': { code: 2, stderr: '--src needs --adv-src', why: 'traceback there' },
  'missing file without reference': { code: 2, stderr: 'no-such-file', why: 'traceback there' },
  'missing reference file': { code: 2, stderr: 'no-such-file', why: 'traceback after half of the results there' },
  'unknown scorer': { code: 2, stderr: 'There is no scorer "rouge"', why: 'traceback there' },
  'unknown option': { code: 2, stderr: 'Unknown option --no-such-option', why: 'usage error there as well' },
  'meteor without language': { code: 2, stderr: 'METEOR', why: 'traceback there' },
  'inline: lone CR is a line end': {
    code: 2,
    stderr: 'a has 1 line, b has 2 lines',
    why: 'only a line feed ends a line here, as in sacreBLEU',
  },
};

/** METEOR needs its jar, which is not part of the package: scripts/fetch-meteor.mjs puts it there. */
const METEOR_JAR = resolve(import.meta.dirname, '../../.teapot-resources/meteor/meteor-1.5.jar');

describe.skipIf(!hasShared)('recorded runs of teapot-nlp', { timeout: 120_000 }, () => {
  const folder = temporaryFolder();
  const rows = hasShared ? sharedJson<{ rows: Row[] }>('golden/teapot-cli.json').rows : [];

  const canRun = ({ args, exit }: Row): boolean =>
    exit !== 0 || !args.includes('--meteor-jar') || existsSync(METEOR_JAR);

  async function run(row: Row): Promise<CliResult> {
    const cwd = `run-${rows.indexOf(row)}`;
    folder.write({ [`${cwd}/.keep`]: '' });
    for (const [name, text] of Object.entries(row.files ?? {})) folder.write({ [`${cwd}/${name}`]: text });
    return runCli(argumentsOf(row), { cwd: `${folder.path}/${cwd}` });
  }

  const same = rows.filter((row) => DIFFERENT[row.name] === undefined && canRun(row));
  it.concurrent.each(same.map((row) => [row.name, row] as const))('%s', async (_, row) => {
    const result = await run(row);
    expect(result).toMatchObject({ code: 0, stdout: expectedOutput(row) });
    expect(result.stderr.includes('No reference file provided')).toBe(needsNote(row));
  });

  const different = rows.flatMap((row) => {
    const ours = DIFFERENT[row.name];
    return ours === undefined ? [] : [[row.name, row, ours] as const];
  });
  it.concurrent.each(different)('%s', async (_, row, ours) => {
    const result = await run(row);
    expect(result).toMatchObject({ code: ours.code, stdout: '' });
    expect(result.stderr).toContain(ours.stderr);
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });

  it.each(CHECKED)('%s: the percentage follows from the lines', async (name) => {
    const row = rows.find((one) => one.name === name);
    if (row === undefined) throw new Error(`no row ${name}`);
    const flag = row.args.indexOf('--success-threshold');
    const threshold = flag < 0 ? 1 : Number(row.args[flag + 1]);
    const path = `${folder.path}/lines.jsonl`;
    await runCli([...argumentsOf(row), '--per-line', path]);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const successes = lines.filter((line) => {
      const { s_src: sSrc, s_tgt: sTgt } = JSON.parse(line) as { s_src: number; s_tgt: number };
      return sSrc > threshold * sTgt;
    });
    expect(((100 * successes.length) / lines.length).toFixed(2)).toBe(SUCCESS_WITHOUT_DIVISION[name]);
  });
});

/** The arguments on this machine. f1 and constant are built in here: no file of scorers is needed. */
function argumentsOf(row: Row): readonly string[] {
  const source = row.args.indexOf('--custom-scores-source');
  const args = source < 0 ? row.args : row.args.toSpliced(source, 2);
  return args.map((arg) =>
    arg.startsWith('examples/')
      ? shared(`data/teapot/${arg.slice(9)}`)
      : arg.endsWith('.jar') && existsSync(METEOR_JAR)
        ? METEOR_JAR
        : arg,
  );
}

function expectedOutput(row: Row): string {
  const recorded = (row.stdout_if_clamped ?? row.stdout)
    .replace(/^Note: No reference file.*\n/, '')
    .replace('(relative decrease in ', '(');
  if (row.exit === 0) return recorded;
  const percentage = SUCCESS_WITHOUT_DIVISION[row.name];
  if (row.args.includes('--terse')) return `${recorded}${Number(percentage).toFixed(3)}\n`;
  return `${recorded}${'-'.repeat(80)}\nSuccess percentage: ${percentage} %\n`;
}

/** teapot-nlp prints the note for the source side alone as well, where no criterion is used. */
function needsNote(row: Row): boolean {
  return row.args.includes('--adv-out') && !row.args.includes('--ref');
}
