import { basename } from 'node:path';

import type { ReadOptions } from '../native.js';
import type { CorpusFiles } from '../read/parallel-corpus.js';
import { roleFiles } from '../read/parallel-corpus.js';
import { parseGroupingKeys } from '../record/grouping.js';
import { parseColumns } from '../read/table-columns.js';
import type { TableColumns } from '../read/table-columns.js';
import { chooseFormat, ROW_FORMATS, SCORE_FORMATS } from '../report/formats.js';
import type { RowFormat, ScoreFormat } from '../report/formats.js';
import { readMetrics } from '../score/metric-list.js';
import { DEFAULT_BOOTSTRAP } from '../measure/intervals.js';
import type { PercentileMethod } from '../measure/order-statistics.js';
import type { Shard } from '../read/shard.js';
import { flagName } from './command.js';
import type { ScoreArguments } from './commands/score.js';
import type { Gate } from './gate.js';
import type { Note } from './notes.js';
import { invalid } from './values.js';

/** Where the texts are. */
export type ScoreInput =
  | { readonly kind: 'files'; readonly files: CorpusFiles }
  | { readonly kind: 'table'; readonly paths: readonly string[]; readonly columns: TableColumns }
  | { readonly kind: 'records'; readonly paths: readonly string[] };

/** A run of `teapot score`, checked: what was asked for, with the defaults filled in. */
export interface ScorePlan {
  readonly input: ScoreInput;
  readonly read: ReadOptions;
  readonly threads: number | undefined;
  /** The metrics of the source side; none when it isn't measured. */
  readonly sSrc: readonly string[];
  /** The metrics of the target side, or `auto` alone; none when it isn't measured. */
  readonly sTgt: readonly string[];
  /** What results differ by, in order: attacks, groups, metrics; empty for one summary. */
  readonly keys: readonly string[];
  /** Whether the scores of the whole corpus are wanted as well. */
  readonly corpusLevel: boolean;
  /** Whether the user named the metric of the target side. */
  readonly isTargetNamed: boolean;
  /** Number of references a segment. */
  readonly references: number;
  /** What segments are grouped by: keys of records, columns of a table; empty for none. */
  readonly by: readonly string[];
  /** The part of the input that is scored; undefined for all of it. */
  readonly shard: Shard | undefined;
  /** One name an attack. */
  readonly attackNames: readonly string[];
  readonly successThreshold: number;
  readonly percentileMethod: PercentileMethod;
  /** Confidence of the intervals; undefined for none. */
  readonly confidence: number | undefined;
  readonly seed: number;
  readonly sweep: readonly number[] | undefined;
  readonly gates: readonly Gate[];
  readonly format: ScoreFormat;
  /** Where the results go; undefined is stdout. */
  readonly output: string | undefined;
  readonly perLine: { readonly path: string; readonly format: RowFormat } | undefined;
  /** Where the paired tests go. */
  readonly comparisons: string | undefined;
  readonly scale: number;
  /** Around the table in LaTeX. */
  readonly caption: string | undefined;
  readonly label: string | undefined;
}

/** The interval that a person at a terminal gets without asking. */
const TERMINAL_CONFIDENCE = 0.95;

/**
 * Checks the arguments of `teapot score`: values, and whether they fit together. An option that would do nothing is an
 * error; where teapot-nlp takes it, a warning.
 *
 * @param note Is told the warnings.
 * @param terminal Whether the results go to a terminal.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` naming the options.
 */
export function planScore(argv: ScoreArguments, note: Note, terminal: boolean): ScorePlan {
  const input = readInput(argv);
  const sides = sidesOf(input);
  const format = readFormat(argv);
  const onTerminal = terminal && format === 'text' && argv.output === undefined;
  const sSrc = sides.source ? readMetrics(argv.sSrc ?? 'chrf', '--s-src') : [];
  const sTgt = sides.target ? readMetrics(argv.sTgt ?? 'chrf', '--s-tgt') : [];
  const by = readKeys(argv, input);
  const names = attackNames(argv, input);
  const clash = by.find((key) => (key === 's_src' && sSrc.length > 1) || (key === 's_tgt' && sTgt.length > 1));
  if (clash !== undefined) {
    throw invalid(
      `--by ${clash}: several metrics are named ${clash} in the results: rename the column, or give one metric.`,
    );
  }
  const plan: ScorePlan = {
    input,
    read: {
      ...(argv.encoding !== undefined && { encoding: argv.encoding }),
      ...(argv.keepTrailingWhitespace === true && { keepTrailingWhitespace: true }),
    },
    threads: argv.threads,
    sSrc,
    sTgt,
    keys: [
      ...(names.length > 1 ? ['attack'] : []),
      ...by,
      ...(sSrc.length > 1 ? ['s_src'] : []),
      ...(sTgt.length > 1 ? ['s_tgt'] : []),
    ],
    corpusLevel: argv.corpusLevel === true,
    isTargetNamed: argv.sTgt !== undefined,
    references: sides.target ? sides.references : 0,
    by,
    shard: argv.shard,
    attackNames: names,
    successThreshold: argv.successThreshold ?? 1,
    percentileMethod: argv.percentile ?? 'teapot',
    confidence: argv.confidence ?? (onTerminal ? TERMINAL_CONFIDENCE : undefined),
    seed: argv.seed ?? DEFAULT_BOOTSTRAP.seed,
    sweep: argv.thresholdSweep,
    gates: argv.failIf ?? [],
    format,
    output: argv.output === '-' ? undefined : argv.output,
    perLine: readPerLine(argv.perLine, input),
    comparisons: readComparisons(argv.comparisons),
    scale: argv.scale,
    caption: argv.caption,
    label: argv.label,
  };
  refuseUseless(argv, sides, note);
  if (plan.shard !== undefined) refuseWithShard(argv, plan);
  if (format === 'terse' && plan.by.length > 0) {
    throw invalid('--terse has no meaning for groups: add --by none, or use --format csv or json.');
  }
  return plan;
}

interface Sides {
  readonly source: boolean;
  readonly target: boolean;
  readonly references: number;
}

function readInput(argv: ScoreArguments): ScoreInput {
  const { src, out, data, records = [] } = argv;
  if (data === undefined && records.length > 0) return { kind: 'records', paths: records };
  const { advSrc: advSrcs = [], advOut: advOuts = [], ref: refs = [] } = argv;
  if (data !== undefined) return { kind: 'table', paths: data, columns: parseColumns(argv.columns) };
  const [advSrc] = advSrcs;
  const [advOut] = advOuts;
  requirePair('--src', src, '--adv-src', advSrc);
  requirePair('--out', out, '--adv-out', advOut);
  if (src === undefined && out === undefined) {
    const alone = refs.length > 0 ? '--ref says nothing without --out and --adv-out. ' : '';
    throw invalid(
      `${alone}Give --src and --adv-src (source side), --out and --adv-out (target side), or all four; or --data with a table. See "teapot --help".`,
    );
  }
  if (advSrcs.length > 0 && advOuts.length > 0 && advSrcs.length !== advOuts.length) {
    throw invalid(
      `--adv-src was given ${advSrcs.length} times and --adv-out ${advOuts.length} times: each attack needs both, in the same order.`,
    );
  }
  const attacks = Array.from({ length: Math.max(advSrcs.length, advOuts.length) }, (_, attack) => ({
    advSrc: advSrcs[attack],
    advOut: advOuts[attack],
  }));
  const files = { src, out, refs: out === undefined ? [] : refs, attacks };
  const stdin = roleFiles(files).filter(({ path }) => path === '-');
  if (stdin.length > 1) throw invalid('Standard input (-) can be one of the inputs only.');
  return { kind: 'files', files };
}

/** A part of a run writes its partial result: what is made of the whole result is asked of `merge`. */
function refuseWithShard(argv: ScoreArguments, plan: ScorePlan): void {
  const whole = [
    'format',
    'terse',
    'confidence',
    'seed',
    'failIf',
    'perLine',
    'comparisons',
    'caption',
    'label',
  ] as const;
  const given = whole.find((name) => argv[name] !== undefined && argv[name] !== false);
  if (given !== undefined) {
    throw invalid(
      `--${flagName(given)} does nothing with --shard, which writes a partial result: give it to teapot merge.`,
    );
  }
  if (plan.attackNames.length > 1) {
    throw invalid('--shard takes one attack at a time: the tests between several attacks need all lines at once.');
  }
  if (plan.sSrc.length > 1 || plan.sTgt.length > 1) {
    throw invalid(
      '--shard takes one metric a side: a partial result holds the sums of one. Run each metric by itself.',
    );
  }
  if (argv.output !== undefined && plan.format !== 'json') {
    throw invalid(`--output ${argv.output}: a partial result is JSON, so name it .json.`);
  }
}

/** What `--by` says to leave records ungrouped. */
const NO_GROUPS = 'none';

/** The grouping keys: records are grouped by attack unless told otherwise. */
function readKeys({ by }: ScoreArguments, input: ScoreInput): readonly string[] {
  if (input.kind === 'records') return by === NO_GROUPS ? [] : parseGroupingKeys(by ?? 'attack', '--by');
  if (by === undefined || by === NO_GROUPS) return [];
  const names = by.split(',');
  const twice = names.find((name, index) => name === '' || names.indexOf(name) !== index);
  if (twice === undefined) return names;
  throw invalid(twice === '' ? `--by "${by}": a name is empty.` : `--by "${by}": "${twice}" is given twice.`);
}

/** The names of the attacks: as given, or those of their files. */
function attackNames(argv: ScoreArguments, input: ScoreInput): readonly string[] {
  const names = argv.name ?? [];
  const attacks = input.kind === 'files' ? input.files.attacks : [{}];
  if (names.length > 0 && attacks.length === 1)
    throw invalid('--name does nothing with a single attack: leave it out.');
  if (names.length > 0 && names.length !== attacks.length) {
    throw invalid(`--name was given ${names.length} times for ${attacks.length} attacks: give one for each, or none.`);
  }
  const chosen = attacks.map(
    ({ advSrc, advOut }, attack) => names[attack] ?? basename(advSrc ?? advOut ?? `attack ${attack + 1}`),
  );
  const twice = chosen.find((name, attack) => chosen.indexOf(name) !== attack);
  if (twice !== undefined) throw invalid(`Two attacks are called ${twice}: give each a --name of its own.`);
  return chosen;
}

function requirePair(
  first: string,
  firstPath: string | undefined,
  second: string,
  secondPath: string | undefined,
): void {
  if ((firstPath === undefined) === (secondPath === undefined)) return;
  const [given, missing] = firstPath === undefined ? [second, first] : [first, second];
  throw invalid(`${given} needs ${missing} beside it: a side is measured by comparing both.`);
}

function sidesOf(input: ScoreInput): Sides {
  // Which texts records have shows when they are read.
  if (input.kind === 'records') return { source: true, target: true, references: 1 };
  if (input.kind === 'files') {
    const { src, out, refs } = input.files;
    return { source: src !== undefined, target: out !== undefined, references: refs.length };
  }
  const { src, advSrc, out, advOut, refs } = input.columns;
  requirePair('Column src', src, 'adv_src', advSrc);
  requirePair('Column out', out, 'adv_out', advOut);
  if (src === undefined && out === undefined) {
    throw invalid('--columns must name src and adv_src, or out and adv_out, or all four.');
  }
  return { source: src !== undefined, target: out !== undefined, references: refs.length };
}

/**
 * An option that does nothing misleads: the user believes that it did. `--ref` alone is a warning, since teapot-nlp takes it
 * without outputs, and scripts give it.
 */
function refuseUseless(argv: ScoreArguments, sides: Sides, note: Note): void {
  const where = sides.source ? '--out and --adv-out' : '--src and --adv-src';
  if (!sides.target && argv.ref !== undefined) note('Warning: --ref does nothing without --out and --adv-out.');
  const useless: readonly (readonly [flag: string, value: unknown, isUsed: boolean])[] = [
    ['--s-tgt', argv.sTgt, sides.target],
    ['--s-src', argv.sSrc, sides.source],
    ['--success-threshold', argv.successThreshold, sides.source && sides.target],
    ['--threshold-sweep', argv.thresholdSweep, sides.source && sides.target],
  ];
  for (const [flag, value, isUsed] of useless) {
    if (value !== undefined && !isUsed) throw invalid(`${flag} does nothing without ${where}.`);
  }
}

function readFormat(argv: ScoreArguments): ScoreFormat {
  const { format, terse, output } = argv;
  if (terse === true && format !== undefined && format !== 'terse') {
    throw invalid(`--terse and --format ${format} contradict each other: give one of them.`);
  }
  const chosen = terse === true ? 'terse' : format;
  return chooseFormat({ formats: SCORE_FORMATS, format: chosen, output, option: '--output' });
}

function readPerLine(path: string | undefined, input: ScoreInput): ScorePlan['perLine'] {
  if (path === undefined) return undefined;
  const formats = input.kind === 'records' ? (['jsonl'] as const) : ROW_FORMATS;
  return { path, format: chooseFormat({ formats, output: path, option: '--per-line' }) };
}

function readComparisons(path: string | undefined): string | undefined {
  if (path !== undefined) chooseFormat({ formats: ['csv'], output: path, option: '--comparisons' });
  return path;
}
