import picocolors from 'picocolors';

import { diffSegments } from '../../record/diff-segments.js';
import { findEdits } from '../../record/text-edits.js';
import { formatFixed } from '../../number-format.js';
import { spelledOut } from '../../visible.js';
import { diffLine } from '../diff-line.js';
import { writeStandardError } from '../terminal.js';

/** What became of one input or prompt, as `--verbose` shows it. */
export interface ShownOutcome {
  readonly id: string;
  readonly result: string | null;
  readonly queries: number | null;
  readonly src: string | null;
  readonly advSrc: string | null;
  /** Outputs, labels or scores before and under attack. */
  readonly before: string | null;
  readonly after: string | null;
}

/** UTF-16 units of a text that are shown. */
const SHOWN = 1000;

/**
 * Prints an outcome on standard error as it comes: its result, its queries, what became of the output, and the text as a
 * difference.
 */
export async function showOutcome(outcome: ShownOutcome, color: boolean): Promise<void> {
  const { id, result, queries, src, advSrc, before, after } = outcome;
  const { bold, dim } = picocolors.createColors(color);
  const answer = [before, after].flatMap((text) => (text === null ? [] : [spelledOut(text.slice(0, 60))])).join(' -> ');
  const head = [
    `${spelledOut(id)} ${bold(result ?? 'no result')}`,
    queries === null ? '' : `${queries} queries`,
    answer,
  ].filter((part) => part !== '');
  writeStandardError(`${head.join(dim(' · '))}\n  ${await textOf(src, advSrc, color)}\n`);
}

async function textOf(src: string | null, advSrc: string | null, color: boolean): Promise<string> {
  if (src === null || advSrc === null) return spelledOut((advSrc ?? src ?? '').slice(0, SHOWN));
  const [report] = await findEdits([src], [advSrc]);
  return diffLine(diffSegments(src, advSrc, report?.edits ?? []), color, SHOWN);
}

/** A score or drop rate of a prompt, for the line of progress. */
export function shownScore(value: number | null): string {
  return value === null ? 'n/a' : formatFixed(value, 3);
}
