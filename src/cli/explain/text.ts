import picocolors from 'picocolors';

import type { Explanation, SideOverlaps } from '../../record/explain.js';
import { codePoints, type TextEdit } from '../../record/text-edits.js';
import { formatFixed } from '../../number-format.js';
import type { Grid } from '../../report/grid.js';
import { renderTextGrid } from '../../report/text-grid.js';
import { spelledOut } from '../../visible.js';
import { diffLine } from '../diff-line.js';

/**
 * An explanation for a person. Text from the data is shown with its invisible characters written out, so that nothing in
 * it steers the terminal.
 */
export function explanationText(explanation: Explanation, color: boolean): string {
  const { bold } = picocolors.createColors(color);
  const parts = [
    `${bold('Record')} ${heading(explanation)}\n`,
    texts(explanation),
    diff(explanation, color),
    scores(explanation),
    ...explanation.overlaps.map((side) => renderTextGrid(overlapGrid(side))),
    `${bold('Verdict')}\n${explanation.verdict.map((line) => `${line}\n`).join('')}`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function heading({ record }: Explanation): string {
  const { provenance, attack, model, dataset, result } = record;
  const place =
    provenance?.file === null || provenance?.file === undefined
      ? ''
      : ` (${provenance.file}:${provenance.line ?? '?'})`;
  const keys = Object.entries({ attack, model, dataset, 'the tool said': result })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${value}`);
  return spelledOut(`${record.id}${place}${keys.length > 0 ? `: ${keys.join(', ')}` : ''}`);
}

function texts({ record }: Explanation): string {
  const references = Array.isArray(record.ref) ? record.ref : [record.ref];
  const rows: (readonly [string, string | null])[] = [
    ['src', record.src],
    ['adv_src', record.adv_src],
    ['out', record.out],
    ['adv_out', record.adv_out],
    ...references.map((text) => ['ref', text] as const),
  ];
  const known = rows.filter((row): row is readonly [string, string] => row[1] !== null);
  return known.map(([name, text]) => `${name.padEnd(8)} ${spelledOut(text)}\n`).join('');
}

function diff({ edits, diff: segments }: Explanation, color: boolean): string {
  if (segments.length === 0) return '';
  if (edits.length === 0) return 'diff     the texts are equal\n';
  const { dim } = picocolors.createColors(color);
  const list = edits.map((edit) => `  ${describeEdit(edit)}\n`).join('');
  return `diff     ${diffLine(segments, color)}\n${dim(`${edits.length} edits:`)}\n${list}`;
}

/** `homoglyph "a" -> "а" (U+0430) at character 1`. */
function describeEdit({ kind, original, edited, originalPosition }: TextEdit): string {
  const change = [original, edited]
    .filter((text) => text !== '')
    .map((text) => `"${spelledOut(text)}"`)
    .join(' -> ');
  const named = kind === 'homoglyph' || kind === 'invisible' ? ` (${codePoints(edited || original)})` : '';
  return `${kind.replace('_', ' ')} ${change}${named} at character ${originalPosition + 1}`;
}

/** The scores that an explanation shows, each with its name. */
export function scoresOf({ measured, names, record, sSrcFolded }: Explanation): (readonly [string, number])[] {
  const target = record.unit === 'prompt' ? (record.metric ?? 'score over the data set') : names.sTgt;
  const rows: (readonly [string, number | null])[] = [
    [`s_src (${names.sSrc})`, measured.s_src],
    ['s_src as a reader sees it', sSrcFolded],
    [`s_tgt before (${target})`, measured.s_tgt_base],
    [`s_tgt under attack (${target})`, measured.s_tgt_attacked],
    [`s_tgt adv_out against out (${target})`, measured.s_tgt],
    ['d_tgt', measured.d_tgt],
    ['PDR', measured.pdr],
    ['margin', measured.margin],
  ];
  return rows.filter((row): row is readonly [string, number] => row[1] !== null);
}

function scores(explanation: Explanation): string {
  const rows = scoresOf(explanation);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${formatFixed(value, 4)}\n`).join('');
}

/** The n-grams that two texts share, as a table. */
export function overlapGrid({ pair, overlaps }: SideOverlaps): Grid {
  const share = (value: number | null): string => (value === null ? '-' : formatFixed(value, 4));
  return {
    title: `n-grams, ${pair}`,
    columns: [
      { name: 'order' },
      ...['matches', 'hypothesis', 'reference', 'precision', 'recall'].map((name) => ({
        name,
        align: 'right' as const,
      })),
    ],
    rows: overlaps.map((row) => [
      `${row.unit} ${row.order}${row.counted ? '' : ' (not counted)'}`,
      String(row.matches),
      String(row.hypothesis),
      String(row.reference),
      share(row.precision),
      share(row.recall),
    ]),
  };
}
