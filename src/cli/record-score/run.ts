import { reusedArrays } from '../../array-room.js';
import { GroupSummariser } from '../../measure/group-summariser.js';
import { groupingValue, parseGroupingKeys } from '../../record/grouping.js';
import { measuredRecords, scoreBlocks, type ScoredBlock, type ScoredRecord } from '../../record/score-records.js';
import type { AttackRecord } from '../../record/schema.js';
import { chooseFormat, type TableFormat } from '../../report/formats.js';
import { renderGrids } from '../../report/render-grids.js';
import { renderJson } from '../../report/json.js';
import { ReferenceCounts } from '../../score/reference-counts.js';
import { version } from '../../version.js';
import { applyGates, checkGateNames } from '../gate.js';
import { interruptSignal } from '../interrupt.js';
import type { ScoreArguments } from '../commands/score.js';
import { createNote } from '../notes.js';
import { openRecordFiles, tableFormat } from '../record-options.js';
import { noteSummary } from '../score-notes.js';
import { BOTH_CHRF, openScorers } from '../scorers.js';
import { invalid } from '../values.js';
import { groupNumbers, groupsDocument, NUMBER_NAMES } from './document.js';
import { groupsCsv, groupsGrid } from './grids.js';
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
  checkGateNames(gates, NUMBER_NAMES);
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
    const result = await summariser.result({ references, textRules: ['strip:end'] });
    const text =
      format === 'json'
        ? renderJson(groupsDocument(result, files.inputs))
        : format === 'csv'
          ? groupsCsv(result)
          : renderGrids([groupsGrid(result)], format);
    await printResult(text, { output: argv.output, format });
    noteSummary(result.all.summary, note);
    note(`Signature: ${result.all.summary.signature}`);
    applyGates(gates, groupNumbers(result.all));
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

function readFormat(argv: RecordScoreArguments): TableFormat {
  if (argv.format === 'terse') throw invalid('--format terse has no meaning for groups of records: use csv or json.');
  return tableFormat({ format: argv.format, output: argv.output });
}

function perRecordPath(path: string | undefined): string | undefined {
  if (path !== undefined) chooseFormat({ formats: ['jsonl'], output: path, option: '--per-line' });
  return path;
}
