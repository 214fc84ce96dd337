import {
  analyseEdits,
  FOLDINGS,
  type EditAnalysis,
  type FoldingName,
  type RecordEdits,
} from '../../record/analyse-edits.js';
import { EditGroups, type EditGroupSummary } from '../../record/edit-groups.js';
import { NO_VALUE, parseGroupingKeys } from '../../record/grouping.js';
import type { AttackRecord } from '../../record/schema.js';
import { codePoints, EDIT_KINDS, type TextEdit } from '../../record/text-edits.js';
import { formatFixed } from '../../report/fixed.js';
import { renderGrid, type Grid, type GridColumn } from '../../report/grid.js';
import { version } from '../../version.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
import type { TableFormat } from '../options/output.js';
import { tableFormat } from '../record-options.js';

import type { EditsArguments } from '../commands/edits.js';
import { openRecordSource } from '../record-source.js';
import { openScorers } from '../scorers.js';
import { printResult } from '../terminal.js';
import { invalid } from '../values.js';

/** How many look-alikes text shows; JSON has all. */
const SHOWN_HOMOGLYPHS = 12;

/**
 * Finds what attacks did to texts and prints counts by group.
 *
 * @throws {UsageError} when an option is wrong, a line is no record, or no record has both texts.
 */
export async function runEdits(argv: EditsArguments): Promise<void> {
  const note = createNote(argv);
  const format = tableFormat(argv);
  const keys = parseGroupingKeys(argv.by, '--by');
  if (argv.perRecord !== undefined && !/\.jsonl(?:\.gz|\.zst)?$/u.test(argv.perRecord)) {
    throw invalid(`--per-record ${argv.perRecord}: records are written as .jsonl (also .gz and .zst).`);
  }
  const groups = new EditGroups(keys);
  const { sSrc: scorer } = await openScorers(argv, { sSrc: 'chrf' }, note);
  try {
    const source = await openRecordSource(argv, note);
    const analysed = summed(analyseEdits(source.records, scorer, interruptSignal), groups);
    if (argv.perRecord === undefined) for await (const _record of analysed);
    else await writeEdits(argv.perRecord, analysed);

    const all = groups.all();
    if (all.n === 0) throw invalid('No record has both an original and an attacked text: there are no edits to find.');
    const document = { keys, signature: scorer.signature, all, groups: groups.groups() };
    const text =
      format === 'json'
        ? `${JSON.stringify({ ...editsDocument(document), inputs: source.inputs() }, undefined, 2)}\n`
        : render(document, format);
    await printResult(text, { output: argv.output, format });
    if (all.withoutTexts > 0) note(`${all.withoutTexts} records without both texts (or no attack) are left out.`);
    note(`Signature: edits:words,characters|s_src:[${scorer.signature}]|version:${version()}`);
  } finally {
    await scorer.close?.();
  }
}

async function* summed(analysed: AsyncIterable<RecordEdits>, groups: EditGroups): AsyncGenerator<RecordEdits> {
  for await (const one of analysed) {
    groups.add(one);
    yield one;
  }
}

/** Writes the records with `measured.edits` and the folded s_src filled in. */
async function writeEdits(path: string, analysed: AsyncIterable<RecordEdits>): Promise<void> {
  const { writeRecords } = await import('../../record/write.js');
  async function* measured(): AsyncGenerator<AttackRecord> {
    for await (const { record, edits } of analysed) {
      if (edits === null) yield record;
      else yield { ...record, measured: { ...record.measured, s_src: edits.sSrc, ...measuredEdits(edits) } };
    }
  }
  await writeRecords(path, measured(), { signal: interruptSignal });
}

function measuredEdits(edits: EditAnalysis): { s_src_folded: object; edits: Record<string, unknown> } {
  return {
    s_src_folded: edits.sSrcFolded,
    edits: {
      counts: edits.counts,
      char_distance: edits.charDistance ?? null,
      word_distance: edits.wordDistance ?? null,
      words: edits.words,
      chars: edits.chars,
      list: edits.edits.map(editObject),
    },
  };
}

/** One edit as JSON has it; a look-alike or an invisible character is named by its code point. */
export function editObject({
  kind,
  originalPosition,
  editedPosition,
  original,
  edited,
}: TextEdit): Record<string, unknown> {
  const named = kind === 'homoglyph' || kind === 'invisible' ? { code_points: codePoints(edited || original) } : {};
  return {
    kind,
    original_position_code_points: originalPosition,
    edited_position_code_points: editedPosition,
    original,
    edited,
    ...named,
  };
}

interface EditsResult {
  readonly keys: readonly string[];
  readonly signature: string;
  readonly all: EditGroupSummary;
  readonly groups: readonly EditGroupSummary[];
}

function editsDocument({ keys, signature, all, groups }: EditsResult): Record<string, unknown> {
  return {
    schema: 'teapot.edits/1',
    by: keys,
    groups: groups.map((group) => ({
      ...Object.fromEntries(keys.map((key, index) => [key, group.group[index] ?? null])),
      ...groupObject(group),
    })),
    all: groupObject(all),
    settings: { s_src: signature },
    version: version(),
  };
}

function groupObject(group: EditGroupSummary): Record<string, unknown> {
  return {
    n: group.n,
    without_texts: group.withoutTexts,
    unchanged: group.unchanged,
    edits: group.edits,
    records_with: group.records,
    mean_edits: group.meanEdits,
    mean_char_distance: group.meanCharDistance,
    mean_word_share: group.meanWordShare,
    mean_s_src: group.meanSSrc,
    mean_s_src_folded: group.meanSSrcFolded,
    homoglyphs: group.homoglyphs.map(({ from, to, codePoint, count }) => ({ from, to, code_point: codePoint, count })),
  };
}

function render(result: EditsResult, format: Exclude<TableFormat, 'json'>): string {
  if (format === 'csv') return renderGrid(csvTable(result), 'csv');
  const parts = [renderGrid(measureGrid(result), format), renderGrid(kindGrid(result), format)];
  const homoglyphs = homoglyphGrid(result.all);
  if (homoglyphs.rows.length > 0) parts.push(renderGrid(homoglyphs, format));
  return parts.join('\n');
}

/** How much was changed, and what a metric and a reader see of it. */
function measureGrid({ keys, all, groups }: EditsResult): Grid {
  const foldings = Object.keys(FOLDINGS) as FoldingName[];
  const row = (group: EditGroupSummary): string[] => [
    String(group.n),
    String(group.unchanged),
    fixed(group.meanEdits, 2),
    fixed(group.meanCharDistance, 2),
    group.meanWordShare === null ? '-' : `${formatFixed(group.meanWordShare * 100, 2)} %`,
    score(group.meanSSrc),
    ...foldings.map((name) => score(group.meanSSrcFolded[name])),
  ];
  const numbers = [
    'n',
    'unchanged',
    'edits',
    'characters',
    'words',
    's_src',
    'confusables',
    'case',
    'whitespace',
    'all folded',
  ];
  return grid('What the attacks changed, and s_src of folded texts', keys, numbers, groups, all, row);
}

/** How often each kind of edit occurs. */
function kindGrid({ keys, all, groups }: EditsResult): Grid {
  const kinds = EDIT_KINDS.filter((kind) => all.edits[kind] > 0);
  const row = (group: EditGroupSummary): string[] => kinds.map((kind) => String(group.edits[kind]));
  return grid('Edits by kind', keys, kinds, groups, all, row);
}

function grid(
  title: string,
  keys: readonly string[],
  numbers: readonly string[],
  groups: readonly EditGroupSummary[],
  all: EditGroupSummary,
  row: (group: EditGroupSummary) => string[],
): Grid {
  const rows = groups.map((group) => group.group.map((value) => value ?? NO_VALUE).concat(row(group)));
  if (groups.length > 1) rows.push(keys.map((_, index): string => (index === 0 ? 'all' : '')).concat(row(all)));
  const columns: GridColumn[] = numbers.map((name) => ({ name, align: 'right' }));
  return { title, columns: [...keys.map((name) => ({ name })), ...columns], rows };
}

function homoglyphGrid(all: EditGroupSummary): Grid {
  return {
    title: 'Look-alikes',
    columns: [{ name: 'for' }, { name: 'stands' }, { name: 'code point' }, { name: 'times', align: 'right' }],
    rows: all.homoglyphs
      .slice(0, SHOWN_HOMOGLYPHS)
      .map(({ from, to, codePoint, count }) => [from, to, codePoint, String(count)]),
  };
}

/** One row a group, full precision. */
function csvTable({ keys, groups }: EditsResult): Grid {
  const foldings = Object.keys(FOLDINGS) as FoldingName[];
  const names = ['n', 'unchanged', 'mean_edits', 'mean_char_distance', 'mean_word_share', 'mean_s_src'];
  const columns = [...keys, ...names, ...foldings.map((name) => `mean_s_src_${name}`), ...EDIT_KINDS];
  const cell = (value: number | null): string => (value === null ? '' : String(value));
  return {
    columns: columns.map((name) => ({ name })),
    rows: groups.map((group) => {
      const numbers = [
        group.n,
        group.unchanged,
        group.meanEdits,
        group.meanCharDistance,
        group.meanWordShare,
        group.meanSSrc,
      ].concat(
        foldings.map((name) => group.meanSSrcFolded[name]),
        EDIT_KINDS.map((kind) => group.edits[kind]),
      );
      return group.group.map((value) => value ?? '').concat(numbers.map(cell));
    }),
  };
}

function fixed(value: number | null, decimals: number): string {
  return value === null ? '-' : formatFixed(value, decimals);
}

function score(value: number | null): string {
  return value === null ? '-' : formatFixed(value * 100, 3);
}
