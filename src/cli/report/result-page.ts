import type { Grid } from '../../report/grid.js';
import { reportPage } from '../../report/html/page.js';
import type { ReportData, ReportSection } from '../../report/html/report-data.js';
import { version } from '../../version.js';
import type { AuditReport } from '../../record/audit/audit.js';
import type { Comparison } from '../../record/compare.js';
import type { EditGroups } from '../../record/edit-groups.js';
import type { Explanation } from '../../record/explain.js';
import { EDIT_KINDS } from '../../record/text-edits.js';
import { formatFixed } from '../../number-format.js';
import { overlapGrid, scoresOf } from '../explain/text.js';
import { rowOf } from './collect.js';
import { documentReport } from './documents-report.js';
import { auditSection, comparisonSection, editsSection } from './sections.js';

/**
 * The page of a result that has a JSON document: what `--format html` prints.
 *
 * @param document What `--format json` would print.
 * @param title In place of the one that follows from the document.
 */
export async function documentPage(document: unknown, title?: string): Promise<string> {
  const report = documentReport(document, 'the result');
  return written({ ...report, title: title ?? report.title, records: null, version: version() });
}

/**
 * The page of a result that consists of one part.
 *
 * @param signature Everything that can change the numbers; none for an empty text.
 */
export async function sectionPage(title: string, section: ReportSection, signature = ''): Promise<string> {
  const { intro, ...rest } = section;
  return written({
    title,
    story: intro === undefined ? [] : [intro],
    keyNumbers: [],
    sections: [rest],
    records: null,
    signatures: signature === '' ? [] : [signature],
    version: version(),
  });
}

/** The page of one table. */
export async function gridPage(title: string, grid: Grid): Promise<string> {
  return gridsPage(title, [grid]);
}

/** The page of some tables, with sentences above them. */
export async function gridsPage(
  title: string,
  grids: readonly Grid[],
  sentences: readonly string[] = [],
): Promise<string> {
  const blocks = [
    ...sentences.map((text) => ({ kind: 'text', text }) as const),
    ...grids.map((grid) => ({ kind: 'grid', grid }) as const),
  ];
  return sectionPage(title, { id: 'summary', title: 'Summary', blocks });
}

/** The page of an audit. */
export async function auditPage(report: AuditReport): Promise<string> {
  return sectionPage('Audit', auditSection(report, []));
}

/** The page of two runs, compared item by item. */
export async function comparisonPage(comparison: Comparison, signature: string): Promise<string> {
  return sectionPage('Comparison of two runs', comparisonSection(comparison), signature);
}

/** The page of what attacks changed. */
export async function editsPage(groups: EditGroups, signature: string): Promise<string> {
  return sectionPage('Edits', editsSection(groups), signature);
}

/** The page of one record: its texts, how its verdict follows, its scores, what its n-grams share. */
export async function explanationPage(explanation: Explanation): Promise<string> {
  const { record, measured, verdict, edits, overlaps, signatures, successThreshold } = explanation;
  const row = rowOf(record, measured, { edits }, record.run);
  const scores = scoresOf(explanation).map(([name, value]) => [name, formatFixed(value, 4)]);
  const why = measured.success === null ? 'no verdict' : measured.success ? 'successful' : 'not successful';
  return written({
    title: `Record ${record.id}`,
    story: [],
    keyNumbers: [],
    sections: [
      {
        id: 'read',
        title: 'The record',
        blocks: [
          { kind: 'reading', kinds: EDIT_KINDS, items: [{ why, sentences: verdict, row }] },
          { kind: 'grid', grid: { columns: [{ name: 'score' }, { name: 'value', align: 'right' }], rows: scores } },
          ...overlaps.map((side) => ({ kind: 'grid' as const, grid: overlapGrid(side) })),
        ],
      },
    ],
    records: null,
    signatures: [`s_src:[${signatures.sSrc}]|s_tgt:[${signatures.sTgt}]|threshold:${successThreshold}`],
    version: version(),
  });
}

async function written(data: ReportData): Promise<string> {
  const parts: string[] = [];
  for await (const part of reportPage(data)) parts.push(part);
  return parts.join('');
}
