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
import { allGroups, csvOf, gridOf, groupColumns, objectOf } from '../../report/columns.js';
import type { Column, ValueColumn } from '../../report/columns.js';
import { chooseFormat, type TableFormat } from '../../report/formats.js';
import type { Grid } from '../../report/grid.js';
import { renderGrids } from '../../report/render-grids.js';
import { renderJson } from '../../report/json.js';
import { version } from '../../version.js';
import { interruptSignal } from '../interrupt.js';
import { createNote } from '../notes.js';
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
  if (argv.perLine !== undefined) {
    chooseFormat({ formats: ['jsonl'], output: argv.perLine, option: '--per-line' });
  }
  const groups = new EditGroups(keys);
  const { sSrc: scorer } = await openScorers(argv, { sSrc: 'chrf' }, note);
  try {
    const source = await openRecordSource(argv, note);
    const analysed = summed(analyseEdits(source.records, scorer, interruptSignal), groups);
    if (argv.perLine === undefined) for await (const _record of analysed);
    else await writeEdits(argv.perLine, analysed);

    const all = groups.all();
    if (all.n === 0) throw invalid('No record has both an original and an attacked text: there are no edits to find.');
    const document = { keys, signature: scorer.signature, all, groups: groups.groups() };
    const signature = `edits:words,characters|s_src:[${scorer.signature}]|version:${version()}`;
    const text =
      format === 'html'
        ? await (await import('../report/result-page.js')).editsPage(groups, signature)
        : format === 'json'
          ? renderJson({ ...editsDocument(document), inputs: source.inputs() })
          : render(document, format);
    await printResult(text, { output: argv.output, format });
    if (all.withoutTexts > 0) note(`${all.withoutTexts} records without both texts (or no attack) are left out.`);
    note(`Signature: ${signature}`);
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
  const columns = [...groupNames(keys), ...EDIT_NUMBERS];
  return {
    schema: 'teapot.edits/2',
    by: keys,
    groups: groups.map((group) => objectOf(columns, group)),
    all: objectOf(EDIT_NUMBERS, all),
    settings: { s_src: signature },
    version: version(),
  };
}

function render(result: EditsResult, format: Exclude<TableFormat, 'json' | 'html'>): string {
  const { keys, all, groups } = result;
  if (format === 'csv') return csvOf({ columns: [...groupNames(keys), ...EDIT_NUMBERS], rows: groups });
  const rows = groups.length > 1 ? [...groups, { ...all, group: allGroups(keys) }] : groups;
  const kinds = KIND_COLUMNS.filter(({ value }) => value(all) !== 0);
  const grids = [
    { title: 'What the attacks changed, and s_src of folded texts', columns: MEASURE_COLUMNS },
    { title: 'Edits by kind', columns: kinds },
  ].map(({ title, columns }) => gridOf({ title, columns: [...groupNames(keys), ...columns], rows }, { scale: 100 }));
  const homoglyphs = homoglyphGrid(all);
  if (homoglyphs.rows.length > 0) grids.push(homoglyphs);
  return renderGrids(grids, format);
}

function groupNames(keys: readonly string[]): readonly Column<EditGroupSummary>[] {
  return groupColumns(keys, ({ group }) => group, NO_VALUE);
}

/** How much was changed, and what a metric and a reader see of it. */
const MEASURE_COLUMNS: readonly ValueColumn<EditGroupSummary>[] = [
  { name: 'n', kind: 'count', describe: 'Records with both texts', heading: 'n', value: ({ n }) => n },
  {
    name: 'unchanged',
    kind: 'count',
    describe: 'Records whose texts are equal',
    heading: 'unchanged',
    value: ({ unchanged }) => unchanged,
  },
  {
    name: 'mean_edits',
    kind: 'number',
    describe: 'Edits a record',
    heading: 'edits',
    decimals: 2,
    value: ({ meanEdits }) => meanEdits,
  },
  {
    name: 'mean_char_distance',
    kind: 'number',
    describe: 'Levenshtein distance in characters',
    heading: 'characters',
    decimals: 2,
    value: ({ meanCharDistance }) => meanCharDistance,
  },
  {
    name: 'mean_word_share',
    kind: 'rate',
    describe: 'Share of the words that were changed',
    heading: 'words',
    value: ({ meanWordShare }) => meanWordShare,
  },
  {
    name: 's_src.mean',
    kind: 'score',
    describe: 'Mean score of the attacked text against the original one',
    heading: 's_src',
    value: ({ meanSSrc }) => meanSSrc,
  },
  ...(Object.keys(FOLDINGS) as FoldingName[]).map((name): ValueColumn<EditGroupSummary> => ({
    name: `s_src_folded.${name}.mean`,
    kind: 'score',
    describe: `Mean score after folding: ${name}`,
    heading: name === 'all' ? 'all folded' : name,
    value: ({ meanSSrcFolded }) => meanSSrcFolded[name],
  })),
];

/** How often each kind of edit occurs. */
const KIND_COLUMNS: readonly ValueColumn<EditGroupSummary>[] = EDIT_KINDS.map((kind) => ({
  name: `edits.${kind}`,
  kind: 'count',
  describe: `Edits of the kind ${kind}`,
  heading: kind,
  value: ({ edits }) => edits[kind],
}));

/** What is said of each group, under the names of JSON and CSV. */
export const EDIT_NUMBERS: readonly Column<EditGroupSummary>[] = [
  ...MEASURE_COLUMNS,
  {
    name: 'without_texts',
    kind: 'count',
    describe: 'Records without both texts, left out',
    value: ({ withoutTexts }) => withoutTexts,
  },
  ...KIND_COLUMNS,
  ...EDIT_KINDS.map((kind): ValueColumn<EditGroupSummary> => ({
    name: `records_with.${kind}`,
    kind: 'count',
    describe: `Records with an edit of the kind ${kind}`,
    value: ({ records }) => records[kind],
  })),
  {
    name: 'homoglyphs',
    kind: 'json',
    value: ({ homoglyphs }) =>
      homoglyphs.map(({ from, to, codePoint, count }) => ({ from, to, code_point: codePoint, count })),
    schema: (zod) =>
      zod.array(
        zod.strictObject({ from: zod.string(), to: zod.string(), code_point: zod.string(), count: zod.number().int() }),
      ),
  },
];

function homoglyphGrid(all: EditGroupSummary): Grid {
  return {
    title: 'Look-alikes',
    columns: [{ name: 'for' }, { name: 'stands' }, { name: 'code point' }, { name: 'times', align: 'right' }],
    rows: all.homoglyphs
      .slice(0, SHOWN_HOMOGLYPHS)
      .map(({ from, to, codePoint, count }) => [from, to, codePoint, String(count)]),
  };
}
