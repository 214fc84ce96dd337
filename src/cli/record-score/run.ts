import { reusedArrays } from '../../array-room.js';
import { GroupSummariser } from '../../measure/group-summariser.js';
import { groupingValue, parseGroupingKeys } from '../../record/grouping.js';
import { measuredRecords, scoreBlocks, type ScoredBlock, type ScoredRecord } from '../../record/score-records.js';
import type { InputFile } from '../../read/segment-source.js';
import type { AttackRecord } from '../../record/schema.js';
import { numberNames } from '../../report/columns.js';
import { chooseFormat, GATED_FORMATS, type GatedFormat } from '../../report/formats.js';
import { gatedRows, reportResult } from '../../report/result.js';
import { resultColumns } from '../../report/result-columns.js';
import { ReferenceCounts } from '../../score/reference-counts.js';
import { version } from '../../version.js';
import { checkGateNames, decideGates, enforceGates } from '../gate.js';
import { interruptSignal } from '../interrupt.js';
import type { ScoreArguments } from '../commands/score.js';
import { createNote } from '../notes.js';
import { openRecordFiles } from '../record-options.js';
import { noteSummary } from '../score-notes.js';
import { BOTH_CHRF, openScorers } from '../scorers.js';
import { invalid } from '../values.js';
import { junitReport } from '../junit.js';
import { printResult } from '../terminal.js';

/** The arguments of `teapot score` with files of records. */
export type RecordScoreArguments = ScoreArguments & { readonly records: readonly string[] };

/**
 * Scores attack records and prints them by group, beside what the attacking tool claimed.
 *
 * @throws {UsageError} when an option is wrong or does nothing with records, or a line is no record.
 * @throws {GateError} when a condition of `--fail-if` holds.
 */
export async function runRecordScore(argv: RecordScoreArguments): Promise<void> {
  const note = createNote(argv);
  const format = readFormat(argv);
  const keys = parseGroupingKeys(argv.by ?? 'attack', '--by');
  const successThreshold = argv.successThreshold ?? 1;
  const gates = argv.failIf ?? [];
  checkGateNames(gates, numberNames(resultColumns([], true)), keys);
  const perRecord = perRecordPath(argv.perLine);
  const scorers = await openScorers(argv, BOTH_CHRF, note);

  try {
    const files = await openRecordFiles({ records: argv.records, onError: argv.onError }, note);
    const references = new ReferenceCounts();
    const summariser = new GroupSummariser(
      { version: version(), ...scorers, successThreshold, percentileMethod: 'teapot', arrays: reusedArrays() },
      keys,
    );
    const blocks = scoreBlocks(files.records(), { ...scorers, references, signal: interruptSignal });
    const scored = summed(blocks, summariser, keys);
    if (perRecord === undefined) for await (const _record of scored);
    else await writeMeasured(perRecord, scored);

    if (summariser.segments === 0) throw invalid(`${argv.records.join(', ')}: there is no attack to score.`);
    const inputs = files.inputs.map(({ name, records, sha256 }): InputFile => ({
      role: 'data',
      name,
      lines: records,
      sha256,
      loneCarriageReturns: 0,
      tokenizedLines: 0,
    }));
    const result = await summariser.result({ references, inputs, textRules: ['strip:end'] });
    const verdicts = decideGates(gates, gatedRows(result));
    const { scale, caption, label } = argv;
    const text =
      format === 'junit'
        ? junitReport('teapot score', gatedRows(result), verdicts, result.all.summary.signature)
        : await reportResult(result, format, { scale, caption, label, terminal: false, color: false });
    await printResult(text, { output: argv.output, format });
    noteSummary(result.all.summary, note);
    note(`Signature: ${result.all.summary.signature}`);
    enforceGates(verdicts);
  } finally {
    await scorers.sSrc.close?.();
    await scorers.sTgt.close?.();
  }
}

/** Adds the attacks of each block to their groups, and gives the records with what was measured of them. */
async function* summed(
  blocks: AsyncIterable<ScoredBlock>,
  summariser: GroupSummariser,
  keys: readonly string[],
): AsyncGenerator<readonly ScoredRecord[]> {
  for await (const block of blocks) {
    yield measuredRecords(block, ({ records, scores }) =>
      summariser.add({ ...scores, groups: keys.map((key) => records.map((record) => groupingValue(record, key))) }),
    );
  }
}

/** Writes the records with `measured` filled in; everything else of them stays. */
async function writeMeasured(path: string, blocks: AsyncIterable<readonly ScoredRecord[]>): Promise<void> {
  const { writeRecords } = await import('../../record/write.js');
  async function* measured(): AsyncGenerator<AttackRecord> {
    for await (const records of blocks) {
      for (const { record, measured: numbers } of records) {
        yield numbers === null ? record : { ...record, measured: { ...record.measured, ...numbers } };
      }
    }
  }
  await writeRecords(path, measured(), { signal: interruptSignal });
}

function readFormat({ format, output }: RecordScoreArguments): GatedFormat {
  if (format === 'terse') throw invalid('--format terse has no meaning for groups of records: use csv or json.');
  return chooseFormat({ formats: GATED_FORMATS, format, output, option: '--output' });
}

function perRecordPath(path: string | undefined): string | undefined {
  if (path !== undefined) chooseFormat({ formats: ['jsonl'], output: path, option: '--per-line' });
  return path;
}
