import type { AuditReport } from '../../record/audit/audit.js';
import type { Comparison } from '../../record/compare.js';
import type { EditGroups, EditGroupSummary } from '../../record/edit-groups.js';
import { NO_VALUE } from '../../record/grouping.js';
import { EDIT_KINDS } from '../../record/text-edits.js';
import { formatFixed } from '../../number-format.js';
import { gridOf } from '../../report/columns.js';
import type { EditsData } from '../../report/figures/figure-data.js';
import type { RecordTable, ReportBlock, ReportSection } from '../../report/html/report-data.js';
import { changeTable, testGrid } from '../compare/columns.js';
import { placeOf, ReportCollector } from './collect.js';
import { decimal, percent, plural } from './phrases.js';

/** Attacks that a chart of edits shows: those with the most records. */
const CHART_ROWS = 40;

/** The charts and tables of two runs, item by item. */
export function comparisonSection(comparison: Comparison): ReportSection {
  const { counts, successA, successB, mcnemar, items } = comparison;
  const rates =
    successA.rate === null || successB.rate === null
      ? ''
      : ` The success rate goes from ${percent(successA.rate)} to ${percent(successB.rate)}${mcnemar === null ? '' : ` (McNemar's exact test: p ${pText(mcnemar.pValue)})`}.`;
  return {
    id: 'comparison',
    title: 'Comparison of both runs',
    intro: `Of ${plural(items.length, 'item')} in both runs, ${counts.fixed} are fixed (the attack succeeds in the first run alone), ${counts.broken} broken (in the second alone) and ${counts.unchanged} unchanged.${rates}`,
    blocks: [
      { kind: 'grid', grid: gridOf(changeTable({ comparison, examples: 5 }), { scale: 1 }) },
      { kind: 'grid', grid: testGrid(comparison) },
    ],
  };
}

function pText(value: number): string {
  return value < 0.0001 ? '< 0.0001' : `= ${formatFixed(value, 4)}`;
}

/** What attacks changed: the kinds of edits as a chart, and the look-alikes. */
export function editsSection(edits: EditGroups): ReportSection {
  const all = edits.all();
  const groups = edits.groups().toSorted((a, b) => b.n - a.n);
  const data = editsFigure(groups, all);
  if (data === undefined) return { id: 'edits', title: 'Edits', blocks: [] };
  const blocks: ReportBlock[] = [
    {
      kind: 'figure',
      data,
      caption: 'In how many percent of the texts of an attack each kind of edit occurs.',
      table: {
        columns: [
          { name: 'attack' },
          ...['n', ...data.kinds.map((kind) => kind.replaceAll('_', ' '))].map((name) => ({
            name,
            align: 'right' as const,
          })),
        ],
        rows: data.attacks.map(({ name, n }) =>
          [name, String(n)].concat(
            data.kinds.map((kind) =>
              String(data.cells.find((cell) => cell.attack === name && cell.edit === kind)?.edits ?? 0),
            ),
          ),
        ),
      },
    },
  ];
  if (all.homoglyphs.length > 0) {
    blocks.push({
      kind: 'grid',
      folded: `Look-alikes (${all.homoglyphs.length} pairs)`,
      grid: {
        columns: [{ name: 'for' }, { name: 'stands' }, { name: 'code point' }, { name: 'times', align: 'right' }],
        rows: all.homoglyphs
          .slice(0, 60)
          .map(({ from, to, codePoint, count: times }) => [from, to, codePoint, String(times)]),
      },
    });
  }
  const words = all.meanWordShare === null ? '' : ` and ${percent(all.meanWordShare)} of the words`;
  return {
    id: 'edits',
    title: 'Edits',
    intro: `An attack changes ${all.meanEdits === null ? 'nothing' : `${formatFixed(all.meanEdits, 1)} places`}${words} on average; ${all.unchanged} of ${all.n} texts are unchanged.${
      all.meanSSrc === null || all.meanSSrcFolded.all === null
        ? ''
        : ` s_src is ${decimal(all.meanSSrc)}, and ${decimal(all.meanSSrcFolded.all)} when look-alikes, case and whitespace are folded.`
    }`,
    blocks,
  };
}

function editsFigure(groups: readonly EditGroupSummary[], all: EditGroupSummary): EditsData | undefined {
  const kinds = EDIT_KINDS.filter((kind) => all.records[kind] > 0);
  if (kinds.length === 0) return undefined;
  const shown = groups.slice(0, CHART_ROWS);
  const name = ({ group }: EditGroupSummary): string => group[0] ?? NO_VALUE;
  return {
    kind: 'edits',
    kinds,
    attacks: shown.map((group) => ({ name: name(group), n: group.n })),
    cells: shown.flatMap((group) =>
      kinds.map((edit) => ({
        attack: name(group),
        edit,
        share: group.records[edit] / group.n,
        edits: group.edits[edit],
      })),
    ),
  };
}

/** What the rules of the audit found; findings lead to the rows of their records. */
export function auditSection({ rules, records }: AuditReport, rows: RecordTable['rows']): ReportSection {
  const places = ReportCollector.rowPlaces(rows);
  const found = rules.filter((rule) => rule.count > 0);
  const sum = (severity: string): number =>
    found.reduce((total, rule) => total + (rule.severity === severity ? rule.count : 0), 0);
  return {
    id: 'audit',
    title: 'Audit',
    intro:
      found.length === 0
        ? `${rules.length} rules found nothing in ${plural(records, 'record')}.`
        : `${plural(sum('error'), 'error')} that make a number wrong, ${plural(sum('warning'), 'warning')}, ${plural(sum('note'), 'note')}; each finding leads to its record.`,
    blocks: [
      {
        kind: 'findings',
        rules: found.map(({ id, severity, description, count: times, examples }) => ({
          rule: id,
          severity,
          description,
          count: times,
          examples: examples.map((finding) => ({
            record: finding.record,
            place: placeOf(finding.file, finding.line),
            message: finding.message,
            row: ReportCollector.rowOfFinding(places, finding),
          })),
        })),
      },
    ],
  };
}
