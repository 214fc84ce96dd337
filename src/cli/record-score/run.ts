import { parseGroupingKeys } from '../../record/grouping.js';
import { GroupSummariser } from '../../record/score-groups.js';
import { scoreRecords, type ScoredRecord } from '../../record/score-records.js';
import type { AttackRecord } from '../../record/schema.js';
import { renderGrid } from '../../report/grid.js';
import { createScorer, refuseUnusedFlags } from '../../score/registry.js';
import type { Scorer } from '../../score/scorer.js';
import { version } from '../../version.js';
import { applyGates, checkGateNames, parseGate } from '../gate.js';
import { interruptSignal } from '../interrupt.js';
import { createNote, type Note } from '../notes.js';
import type { ScoreArguments } from '../options.js';
import { openRecordFiles, tableFormat, type TableFormat } from '../record-options.js';
import { invalid, readNumber } from '../values.js';
import { groupNumbers, groupsDocument } from './document.js';
import { groupsCsv, groupsGrid } from './grids.js';
import { printResult } from '../terminal.js';

/** The arguments of `teapot score` with files of records. */
export type RecordScoreArguments = ScoreArguments & {
  readonly records: readonly string[];
  readonly by?: string | undefined;
  readonly 'on-error'?: 'stop' | 'skip' | 'collect' | undefined;
  readonly quiet?: boolean | undefined;
};

/** Flags that belong to parallel files and tables: with records they would do nothing. */
const FILE_FLAGS = ['src', 'adv-src', 'out', 'adv-out', 'ref', 'data', 'columns', 'threshold-sweep'] as const;

/**
 * Scores attack records and prints them by group, beside what the attacking tool claimed.
 *
 * @throws {UsageError} when an option is wrong or does nothing with records, or a line is no record.
 * @throws {GateError} when a condition of `--fail-if` holds.
 */
export async function runRecordScore(argv: RecordScoreArguments): Promise<void> {
  const note = createNote(argv);
  refuseFileFlags(argv);
  const format = readFormat(argv);
  const keys = parseGroupingKeys(argv.by ?? 'attack', '--by');
  const successThreshold = readNumber('--success-threshold', argv['success-threshold'] ?? '1');
  const gates = (argv['fail-if'] ?? []).map(parseGate);
  const groups = new GroupSummariser(keys);
  checkGateNames(gates, [...groupNumbers(groups.all()).keys()]);
  const perRecord = perRecordPath(argv['per-line']);
  const scorers = await createScorers(argv, note);

  try {
    const files = await openRecordFiles({ records: argv.records, onError: argv['on-error'] ?? 'stop' }, note);
    const scoring = { ...scorers, successThreshold, signal: interruptSignal };
    const scored = summed(scoreRecords(files.records(), scoring), groups);
    if (perRecord === undefined) for await (const _record of scored);
    else await writeMeasured(perRecord, scored);

    const all = groups.all();
    if (all.records === 0) throw invalid(`${argv.records.join(', ')}: there is no attack to score.`);
    const settings = {
      keys,
      sSrc: scorers.sSrc.signature,
      sTgt: scorers.sTgt.signature,
      successThreshold,
      version: version(),
    };
    const text =
      format === 'json'
        ? `${JSON.stringify(groupsDocument(groups.groups(), all, settings, files.inputs), undefined, 2)}\n`
        : renderGrid(
            format === 'csv' ? groupsCsv(groups.groups(), keys) : groupsGrid(groups.groups(), all, keys),
            format,
          );
    await printResult(text, { output: argv.output, format });
    for (const [reason, count] of all.undefined) note(`undefined: ${count} (${reason})`);
    note(
      `Signature: s_src:[${settings.sSrc}]|s_tgt:[${settings.sTgt}]|threshold:${successThreshold}|version:${settings.version}`,
    );
    applyGates(gates, groupNumbers(all));
  } finally {
    await scorers.sSrc.close?.();
    await scorers.sTgt.close?.();
  }
}

async function* summed(records: AsyncIterable<ScoredRecord>, groups: GroupSummariser): AsyncGenerator<ScoredRecord> {
  for await (const scored of records) {
    groups.add(scored);
    yield scored;
  }
}

/** Writes the records with `measured` filled in; everything else of them stays. */
async function writeMeasured(path: string, records: AsyncIterable<ScoredRecord>): Promise<void> {
  const { writeRecords } = await import('../../record/write.js');
  async function* measured(): AsyncGenerator<AttackRecord> {
    for await (const { record, measured: numbers } of records) {
      yield numbers === null ? record : { ...record, measured: { ...record.measured, ...numbers } };
    }
  }
  await writeRecords(path, measured(), { signal: interruptSignal });
}

async function createScorers(
  argv: RecordScoreArguments,
  note: Note,
): Promise<{ readonly sSrc: Scorer; readonly sTgt: Scorer }> {
  const specs = { 's-src': argv['s-src'] ?? 'chrf', 's-tgt': argv['s-tgt'] ?? 'chrf' };
  refuseUnusedFlags(argv, specs);
  const context = { flags: argv, onNote: note };
  const sSrc = await createScorer(specs['s-src'], { ...context, side: 'source', language: argv['src-lang'] });
  const sTgt = await createScorer(specs['s-tgt'], { ...context, side: 'target', language: argv['tgt-lang'] });
  return { sSrc, sTgt };
}

function refuseFileFlags(argv: RecordScoreArguments): void {
  for (const name of FILE_FLAGS) {
    if (argv[name] !== undefined) throw invalid(`--${name} does nothing with files of records: give one or the other.`);
  }
  if (argv.confidence !== undefined) throw invalid('--confidence is not there for records yet: see "teapot pdr".');
  if (argv.terse === true) throw invalid('--terse has no meaning for groups of records: use --format csv or json.');
}

function readFormat(argv: RecordScoreArguments): TableFormat {
  if (argv.format === 'terse') throw invalid('--format terse has no meaning for groups of records: use csv or json.');
  return tableFormat({ format: argv.format, output: argv.output });
}

function perRecordPath(path: string | undefined): string | undefined {
  if (path === undefined || /\.jsonl(?:\.gz|\.zst)?$/u.test(path)) return path;
  throw invalid(`--per-line ${path}: records are written as .jsonl (also .gz and .zst).`);
}
