import { compareRuns, OutcomeTable, type Change, type Comparison } from '../../record/compare.js';
import { groupingValues, parseGroupingKeys } from '../../record/grouping.js';
import type { RecordInput } from '../../record/record-files.js';
import { scoreRecords, type RecordScoring } from '../../record/score-records.js';
import { ReferenceCounts } from '../../score/reference-counts.js';
import { csvOf, gridOf, numberNames, numbersOf } from '../../report/columns.js';
import type { TableFormat } from '../../report/formats.js';
import { renderGrids } from '../../report/render-grids.js';
import { renderJson } from '../../report/json.js';
import { DEFAULT_BOOTSTRAP } from '../../measure/intervals.js';
import { writeFileSafely } from '../../output-file.js';
import type { CompareArguments } from '../commands/compare.js';
import { checkGateNames, enforceGates } from '../gate.js';
import { gatedFormat, printGated } from '../gated-output.js';
import { interruptSignal } from '../interrupt.js';
import { createNote, type Note } from '../notes.js';
import { openRecordFiles } from '../record-options.js';
import { BOTH_CHRF, openScorers } from '../scorers.js';
import { invalid } from '../values.js';
import { changeTable, COMPARISON_COLUMNS, itemObject, testGrid } from './columns.js';
import type { ComparisonRow } from './columns.js';
import { comparisonDocument, type ComparisonSettings } from './document.js';

/** Fields that match items beside the grouping keys. */
const KEYS = ['id', 'src', 'ref'] as const;

/**
 * Compares two runs item by item and prints what became of each.
 *
 * @throws {UsageError} when an option is wrong, a line is no record, or no item is in both runs.
 * @throws {GateError} when a condition of `--fail-if` holds.
 */
export async function runCompare(argv: CompareArguments): Promise<void> {
  const note = createNote(argv);
  gatedFormat(argv);
  checkGateNames(argv.failIf ?? [], numberNames(COMPARISON_COLUMNS));
  const keys = parseGroupingKeys(argv.key, '--key', KEYS);
  const { examples, successThreshold, confidence, seed } = argv;
  const bootstrap = { ...DEFAULT_BOOTSTRAP, confidence, seed };
  if (argv.a === '-' && argv.b === '-') throw invalid('Standard input (-) can be one of the runs only.');
  const { sSrc, sTgt } = await openScorers(argv, BOTH_CHRF, note);
  try {
    const references = new ReferenceCounts();
    const scoring: RecordScoring = { sSrc, sTgt, references, successThreshold, signal: interruptSignal };
    const first = await readRun(argv.a, keys, argv, scoring, note);
    const second = await readRun(argv.b, keys, argv, scoring, note);
    const comparison = await compareRuns(first.table, second.table, bootstrap, { signal: interruptSignal });
    refuseNothing(comparison, argv, keys);
    const settings: ComparisonSettings = {
      keys,
      judge: argv.success,
      sSrc: sSrc.signature,
      sTgt: references.sign(sTgt.signature),
      successThreshold,
      bootstrap,
      inputs: [...first.inputs, ...second.inputs],
    };
    if (argv.perLine !== undefined) await writeItems(argv.perLine, comparison);
    const row = { comparison, examples };
    const signature = `s_src:[${sSrc.signature}]|s_tgt:[${references.sign(sTgt.signature)}]|threshold:${successThreshold}`;
    const verdicts = await printGated(argv, {
      suite: 'teapot compare',
      signature,
      rows: [{ group: null, numbers: numbersOf(COMPARISON_COLUMNS, row) }],
      render: async (format) =>
        format === 'html'
          ? (await import('../report/result-page.js')).comparisonPage(comparison, signature)
          : render(row, settings, format),
    });
    enforceGates(verdicts);
  } finally {
    await sSrc.close?.();
    await sTgt.close?.();
  }
}

interface Run {
  readonly table: OutcomeTable;
  readonly inputs: readonly RecordInput[];
}

async function readRun(
  path: string,
  keys: readonly string[],
  argv: CompareArguments,
  scoring: RecordScoring,
  note: Note,
): Promise<Run> {
  const table = new OutcomeTable((record) => groupingValues(record, keys), argv.success);
  const files = await openRecordFiles({ records: [path], onError: argv.onError }, note, { wellFormed: true });
  for await (const scored of scoreRecords(files.records(), scoring)) table.add(scored);
  if (table.repeated > 0) {
    note(
      `${path}: ${table.repeated} records repeat a key (${keys.join(', ')}); they are matched in the order of the files.`,
    );
  }
  return { table, inputs: files.inputs };
}

/** A comparison of nothing would pass every gate. */
function refuseNothing(comparison: Comparison, argv: CompareArguments, keys: readonly string[]): void {
  if (comparison.items.length === 0) {
    throw invalid(
      `No item of ${argv.a} is in ${argv.b}: they are matched by ${keys.join(', ')}; try --key src or --key attack,src.`,
    );
  }
  if (comparison.counts.undefined < comparison.items.length) return;
  const other = argv.success === 'teapot' ? 'tool' : 'teapot';
  throw invalid(`No item has a verdict of ${argv.success} in both runs: try --success ${other}.`);
}

async function writeItems(path: string, comparison: Comparison): Promise<void> {
  const order: readonly Change[] = ['broken', 'fixed', 'undefined', 'unchanged'];
  function* lines(): Generator<string> {
    for (const change of order) {
      for (const item of comparison.items.of(change)) yield `${JSON.stringify(itemObject(item))}\n`;
    }
  }
  await writeFileSafely(path, lines(), interruptSignal);
}

function render(row: ComparisonRow, settings: ComparisonSettings, format: Exclude<TableFormat, 'html'>): string {
  if (format === 'json') return renderJson(comparisonDocument(row, settings));
  if (format === 'csv') return csvOf({ columns: COMPARISON_COLUMNS, rows: [row] });
  return renderGrids([gridOf(changeTable(row), { scale: 1 }), testGrid(row.comparison)], format);
}
