// `npm run bench`: measures teapot against its rivals, in turns, in one run, on the same files, and writes the table.
//
//   npm run bench                  all rows (about half an hour)
//   npm run bench -- --quick       short rounds, 100,000 lines for the whole runs
//   npm run bench -- chrf start    only the rows whose name contains one of these words
//
// The rivals live in two Python environments under .bench/, made on the first run.
import { spawnSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { makeCorpora, makeLarge } from './data.mjs';
import { perturbRows } from './perturb.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const work = join(root, '.bench');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds ?? (values.quick ? 2 : 5));
const seconds = values.quick ? 0.5 : 2;
const largeLines = values.quick ? 100_000 : 1_000_000;

mkdirSync(work, { recursive: true });
const python = environment('rivals', [
  'sacrebleu==2.6.0',
  'fastchrf==0.2.1',
  'bleuscore==0.2.0',
  'rapidfuzz==3.14.6',
  'numpy',
]);
// The wheel of teapot-nlp hands its reference to sacreBLEU as a plain string: 1.4.10 is the last version that takes it so.
const teapotNlp = environment('teapot-nlp', ['teapot-nlp==0.2.2', 'sacrebleu==1.4.10', 'setuptools<70']);
const corpus = makeCorpora(join(work, 'data'), join(root, '..', 'shared'));

run('cargo', ['build', '--quiet', '--release', '--locked', '-p', 'teapot-core', '--example', 'pair_rate']);
const pairRate = join(root, 'target', 'release', 'examples', 'pair_rate');
const cli = join(root, 'dist', 'cli', 'main.js');

const wanted = (name) =>
  positionals.length === 0 || positionals.some((word) => name.toLowerCase().includes(word.toLowerCase()));
const rows = [];
const pairs = [
  ['s_src chrF, charswap pairs, one core', 'sacrebleu_chrf', 'chrf', corpus.advSrc, corpus.src, 400],
  ['s_src chrF, one edit a sentence, one core', 'sacrebleu_chrf', 'chrf', corpus.oneEdit, corpus.src, 1000],
  ['chrF, unlike pairs, one core', 'sacrebleu_chrf', 'chrf', corpus.out, corpus.ref, 150],
  ['chrF, unlike pairs, one core', 'fastchrf', 'chrf', corpus.out, corpus.ref, 40],
  ['chrF++, unlike pairs, one core', 'sacrebleu_chrf++', 'chrf++', corpus.out, corpus.ref, null],
  ['BLEU sentence, one core', 'sacrebleu_bleu', 'bleu', corpus.out, corpus.ref, 150],
  ['BLEU sentence, one core', 'bleuscore', 'bleu', corpus.out, corpus.ref, 15],
  ...Object.entries(corpus.lengths).flatMap(([length, files]) => [
    [`Levenshtein, ${length} characters, similar, one core`, 'rapidfuzz', 'levenshtein', files.similar, files.text, 1],
    [`Levenshtein, ${length} characters, unlike, one core`, 'rapidfuzz', 'levenshtein', files.unlike, files.text, 1],
  ]),
];
for (const [name, rival, metric, hyps, refs, goal] of pairs) {
  measure(name, rival, goal, () => {
    const theirs = json(python, [join(root, 'bench', 'rivals.py'), rival, hyps, refs, String(seconds)]);
    const ours = json(pairRate, [metric, hyps, refs, String(seconds / 2)]);
    // bleuscore smooths in its own way; fastChrF counts in 32 bits.
    const tolerance = rival === 'fastchrf' ? 1e-5 : 1e-9;
    if (rival !== 'bleuscore') agree(name, ours.sum, theirs.sum, tolerance);
    return { ours: ours.rate, theirs: theirs.rate, unit: 'pairs/s' };
  });
}

const scoreFlags = (files) => [
  '--src',
  files.src,
  '--adv-src',
  files.advSrc,
  '--out',
  files.out,
  '--adv-out',
  files.advOut,
  '--ref',
  files.ref,
];
if (wanted('whole run') || wanted('memory') || wanted('2 cores')) {
  const large = await makeLarge(join(work, 'large'), corpus, largeLines);
  const small = await makeLarge(join(work, 'large'), corpus, 2000);
  const label = largeLines.toLocaleString('en');
  measure(`whole run: five files, ${label} lines, both sides and success`, 'teapot-nlp', 400, () => {
    const theirs = timed(join(dirname(teapotNlp), 'teapot'), scoreFlags(small));
    const theirStart = timed(teapotNlp, ['-c', 'import teapot']);
    const ours = timed('node', [cli, ...scoreFlags(large), '--quiet']);
    const check = timed('node', [cli, ...scoreFlags(small), '--quiet']);
    sameNumbers(check.stdout, theirs.stdout);
    return { ours: largeLines / ours.seconds, theirs: 2000 / (theirs.seconds - theirStart.seconds), unit: 'lines/s' };
  });
  measure(`the same on ${cpus().length} cores`, 'one thread', 1.8, () => {
    const one = timed('node', [cli, ...scoreFlags(large), '--quiet', '--threads', '1']);
    const all = timed('node', [cli, ...scoreFlags(large), '--quiet']);
    return { ours: largeLines / all.seconds, theirs: largeLines / one.seconds, unit: 'lines/s' };
  });
  if (wanted('memory')) {
    for (const perLine of [false, true]) {
      const huge = await makeLarge(join(work, 'large'), corpus, largeLines * 10);
      const extra = perLine ? ['--per-line', join(work, 'per-line.tsv')] : [];
      const peak = (files) => timed('node', [cli, ...scoreFlags(files), '--quiet', ...extra]).peakMiB;
      const [less, more] = [peak(large), peak(huge)];
      rows.push({
        name: `peak memory, ${label} → ${(largeLines * 10).toLocaleString('en')} lines${perLine ? ', with --per-line' : ''}`,
        rival: 'itself',
        goal: 'within 10 %, under 300 MB',
        ours: `${less.toFixed(0)} → ${more.toFixed(0)} MiB`,
        theirs: '',
        ratio: more / less,
        met: Math.abs(more / less - 1) <= 0.1 && more * 1.048576 < 300,
      });
    }
  }
}
measure('start-up: --version', 'python -c "import sacrebleu"', 1, () => {
  const theirs = timed(python, ['-c', 'import sacrebleu']);
  const ours = timed('node', [cli, '--version']);
  return { ours: 1 / ours.seconds, theirs: 1 / theirs.seconds, unit: 'runs/s' };
});
measure('start-up: a corpus of 1,000 lines', 'python -c "import sacrebleu"', 1, () => {
  const theirs = timed(python, ['-c', 'import sacrebleu']);
  const ours = timed('node', [cli, ...scoreFlags(corpus), '--quiet']);
  return { ours: 1 / ours.seconds, theirs: 1 / theirs.seconds, unit: 'runs/s' };
});
measure('bootstrap, 1,000 resamples of 1 M lines', 'numpy', 2, () => {
  const resamples = values.quick ? 20 : 100;
  const theirs = json(python, [join(root, 'bench', 'bootstrap.py'), '1000000', String(resamples)]);
  const ours = json('node', [join(root, 'bench', 'bootstrap.mjs'), '1000000', '1000']);
  return { ours: 1000 / ours.seconds, theirs: resamples / theirs.seconds, unit: 'resamples/s' };
});
await perturbRows({ root, work, environment, measure, json, timed, run, corpus, quick: values.quick });

report();
if (!values.keep) rmSync(join(work, 'large'), { recursive: true, force: true });

/** One row: rival and teapot in turns, `rounds` times; the row holds the median ratio and its spread. */
function measure(name, rival, goal, turn) {
  if (!wanted(name)) return;
  const turns = Array.from({ length: rounds }, turn);
  const sorted = turns.toSorted((a, b) => a.ours / a.theirs - b.ours / b.theirs);
  const ratios = sorted.map(({ ours, theirs }) => ours / theirs);
  const median = sorted[Math.floor(sorted.length / 2)];
  const ratio = median.ours / median.theirs;
  rows.push({
    name,
    rival,
    goal,
    ours: `${rate(median.ours)} ${median.unit}`,
    theirs: `${rate(median.theirs)} ${median.unit}`,
    ratio,
    low: ratios[0],
    high: ratios.at(-1),
    met: goal === null ? null : ratio >= goal,
  });
  console.error(`${name} | ${rival} | ${ratio.toFixed(1)}x (${ratios[0].toFixed(1)}-${ratios.at(-1).toFixed(1)})`);
}

/**
 * Puts the new rows into the last table, when only some were measured: each row is measured within itself, so rows of several
 * runs on one machine stand beside each other as well as those of one.
 */
function withEarlierRows() {
  const file = join(work, 'results.json');
  if (positionals.length === 0 || values.quick || !existsSync(file)) return rows;
  const key = ({ name, rival }) => `${name} | ${rival}`;
  const fresh = new Map(rows.map((row) => [key(row), row]));
  const earlier = JSON.parse(readFileSync(file, 'utf8')).rows.map((row) => fresh.get(key(row)) ?? row);
  const known = new Set(earlier.map(key));
  return [...earlier, ...rows.filter((row) => !known.has(key(row)))];
}

function report() {
  const table = withEarlierRows();
  const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}, ${corpus.source}`;
  const cell = (row) => (row.goal === null ? 'none' : typeof row.goal === 'number' ? `≥ ${row.goal}×` : row.goal);
  const spread = (row) =>
    row.low === undefined ? row.ratio.toFixed(2) : `${digits(row.ratio)}× (${digits(row.low)}–${digits(row.high)})`;
  const lines = [
    '| work | rival, same run | rival | teapot | ratio (lowest–highest of the rounds) | goal | met |',
    '| --- | --- | --: | --: | --: | --: | --- |',
    ...table.map(
      (row) =>
        `| ${row.name} | ${row.rival} | ${row.theirs} | ${row.ours} | ${spread(row)} | ${cell(row)} | ${row.met === null ? '' : row.met ? 'yes' : 'no'} |`,
    ),
  ].join('\n');
  const date = new Date().toISOString().slice(0, 10);
  const head = `# Results\n\nWritten by \`npm run bench\` on ${date}, ${rounds} rounds. Machine: ${machine}.\n\n`;
  console.log(lines);
  writeFileSync(join(work, 'results.json'), `${JSON.stringify({ date, machine, rounds, rows: table }, null, 2)}\n`);
  writeFileSync(join(work, 'RESULTS.md'), `${head}${lines}\n`);
  if (!values.quick) writeFileSync(join(root, 'bench', 'RESULTS.md'), `${head}${lines}\n`);
}

function digits(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function rate(value) {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}

function agree(name, ours, theirs, tolerance) {
  if (!(Math.abs(ours - theirs) <= tolerance * Math.max(1, Math.abs(theirs)))) {
    throw new Error(`${name}: the sums of the scores differ: ${ours} and ${theirs}`);
  }
}

/** teapot-nlp prints the same numbers under other headings. */
function sameNumbers(ours, theirs) {
  const numbers = (text) => text.match(/^(?:Mean|Std|5%-95%|Success).*$/gm)?.join('\n');
  if (numbers(ours) !== numbers(theirs)) throw new Error(`the numbers differ:\n${ours}\n${theirs}`);
}

/** A Python environment with exactly these packages; made once. */
function environment(name, packages) {
  const folder = join(work, name);
  const interpreter = join(folder, 'bin', 'python');
  const stamp = join(folder, 'packages.txt');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== packages.join('\n')) {
    console.error(`preparing ${packages.join(' ')}`);
    run('python3', ['-m', 'venv', folder]);
    run(interpreter, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
    writeFileSync(stamp, packages.join('\n'));
  }
  return interpreter;
}

function run(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (error !== undefined || status !== 0) {
    throw new Error(
      `${command} ${args.join(' ')} failed (${String(status)}): ${error?.message ?? stderr.slice(-2000)}`,
    );
  }
  return stdout;
}

function json(command, args) {
  return JSON.parse(run(command, args));
}

/** Wall-clock seconds and peak memory of a command. */
function timed(command, args) {
  const file = join(work, 'time.txt');
  const begin = process.hrtime.bigint();
  const stdout = existsSync('/usr/bin/time')
    ? run('/usr/bin/time', ['-f', '%M', '-o', file, command, ...args])
    : run(command, args);
  const elapsed = Number(process.hrtime.bigint() - begin) / 1e9;
  const peakMiB =
    existsSync(file) && statSync(file).size > 0
      ? Number(readFileSync(file, 'utf8').trim().split('\n').at(-1)) / 1024
      : Number.NaN;
  return { seconds: elapsed, stdout, peakMiB };
}
