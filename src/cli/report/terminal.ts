import picocolors from 'picocolors';

import { formatFixed } from '../../number-format.js';
import type { HeatmapData } from '../../report/figures/figure-data.js';
import { renderGrids } from '../../report/render-grids.js';
import { diffPieces } from '../../report/html/diff-pieces.js';
import type { ReadingItem, ReportData } from '../../report/html/report-data.js';
import { shortLabel } from '../../report/html/visible-text.js';
import { spelledOut } from '../../visible.js';
import { diffLine } from '../diff-line.js';

/** How a report is shown as text. */
export interface TerminalOptions {
  readonly color: boolean;
  readonly isOfRecords: boolean;
}

/** UTF-16 units of a text that the list of records to read shows. */
const SHOWN = 600;

/** The longest bar. */
const BAR = 24;

/**
 * The story of a page as text: the headline, the rates with their denominators, drop rates as bars, the records to read.
 */
export function terminalReport(data: ReportData, { color, isOfRecords }: TerminalOptions): string {
  const { bold, dim } = picocolors.createColors(color);
  const [lead, ...story] = data.story.map((sentence) => spelledOut(sentence));
  const parts = [
    `${bold(spelledOut(data.title))}\n\n${lead ?? ''}\n${story.map((sentence) => `${sentence}\n`).join('')}`,
  ];
  for (const { id, title, intro, blocks } of data.sections) {
    if (id === 'figures' || id === 'audit' || id === 'inputs') continue;
    const grids = blocks.flatMap((block) => (block.kind === 'grid' && block.folded === undefined ? [block.grid] : []));
    const heatmap = blocks.flatMap((block) =>
      block.kind === 'figure' && block.data.kind === 'pdr-heatmap' ? [block.data] : [],
    )[0];
    const reading = blocks.flatMap((block) => (block.kind === 'reading' ? block.items : []));
    if (id === 'pdr' && isOfRecords) {
      const bars = heatmap === undefined ? '' : barsOf(heatmap, color);
      if (bars !== '') parts.push(`${bold(title)}${intro === undefined ? '' : `  ${dim(intro)}`}\n${bars}`);
      else if (grids.length > 0) parts.push(renderGrids(grids, 'text'));
    } else if (reading.length > 0) {
      parts.push(
        `${bold(title)}\n\n${reading.map((item) => readingText(item, data.records?.kinds ?? [], color)).join('\n')}`,
      );
    } else if (grids.length > 0) {
      parts.push(renderGrids(grids, 'text'));
    }
  }
  const audit = data.sections.find(({ id }) => id === 'audit');
  const rules = audit?.blocks.flatMap((block) => (block.kind === 'findings' ? block.rules : [])) ?? [];
  if (audit?.intro !== undefined) {
    const lines = rules
      .slice(0, 8)
      .map(({ severity, rule, count }) => `  ${severity.padEnd(8)}${String(count).padStart(6)}  ${rule}\n`);
    parts.push(`${bold(audit.title)}  ${dim(audit.intro)}\n${lines.join('')}`);
  }
  if (isOfRecords) parts.push(dim('The whole report, with charts and every record: add --output report.html\n'));
  return parts.join('\n');
}

/** A bar a cell: attack by model, or data set by attack. */
function barsOf({ cells, rows, columns }: HeatmapData, color: boolean): string {
  const { dim, blue } = picocolors.createColors(color);
  const [row, column] = [rows, columns].map((names) =>
    Math.min(24, Math.max(1, ...names.map((name) => shortLabel(name, 24).length))),
  );
  return cells
    .map(({ row: rowName, column: columnName, mean, n }) => {
      const names = `  ${shortLabel(rowName, 24).padEnd(row ?? 0)}  ${shortLabel(columnName, 24).padEnd(column ?? 0)}`;
      if (mean === null) return `${names}  ${'-'.padStart(6)}\n`;
      const length = Math.round(Math.min(1, Math.max(0, mean)) * BAR);
      const bar = `${'█'.repeat(length)}${dim('░'.repeat(BAR - length))}`;
      return `${names}  ${formatFixed(mean, 2).padStart(6)} ${blue(bar)} ${dim(`n = ${n}`)}\n`;
    })
    .join('');
}

/** A record to read: why, its diff, how its verdict follows. */
function readingText({ why, sentences, row }: ReadingItem, kinds: readonly string[], color: boolean): string {
  const { bold, dim } = picocolors.createColors(color);
  const where = [row.attack, row.model, row.dataset]
    .flatMap((name) => (name === null ? [] : [shortLabel(name, 40)]))
    .join(' · ');
  const texts =
    row.diff.length > 0
      ? [diffLine(diffPieces(row.src ?? '', row.advSrc ?? '', row.diff, kinds), color, SHOWN)]
      : [row.advSrc ?? row.src].flatMap((text) => (text === null ? [] : [spelledOut(text.slice(0, SHOWN))]));
  const outputs = [
    ['before', row.out],
    ['attacked', row.advOut],
    ['reference', row.ref],
  ] as const;
  const lines = outputs.flatMap(([name, text]) =>
    text === null ? [] : [`  ${dim(name.padEnd(9))} ${spelledOut(text.slice(0, SHOWN))}`],
  );
  return [
    `${bold(why)} ${dim('·')} ${shortLabel(row.id, 60)}${where === '' ? '' : ` ${dim(`(${where})`)}`}`,
    ...texts.map((text) => `  ${text}`),
    ...lines,
    ...sentences.map((sentence) => `  ${dim(spelledOut(sentence))}`),
    '',
  ].join('\n');
}
