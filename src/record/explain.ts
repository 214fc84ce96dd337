import { formatFixed } from '../number-format.js';
import { referencesOf } from '../score/pairs.js';
import { ReferenceCounts } from '../score/reference-counts.js';
import type { Reference, Scorer } from '../score/scorer.js';
import { diffSegments, type DiffSegment } from './diff-segments.js';
import { recordKind } from './kind.js';
import type { Measured } from './measured.js';
import { ngramOverlaps, type NgramOverlap } from './ngram-overlap.js';
import { scoreRecords } from './score-records.js';
import { hasReference } from './schema.js';
import type { AttackRecord } from './schema.js';
import { findEdits, foldTexts, type TextEdit } from './text-edits.js';

/** What a record is explained with. */
export interface ExplainOptions {
  readonly sSrc: Scorer;
  readonly sTgt: Scorer;
  readonly successThreshold: number;
}

/** The n-grams that two texts share, on one side of the attack. */
export interface SideOverlaps {
  /** What is compared, for example `adv_src against src`. */
  readonly pair: string;
  readonly overlaps: readonly NgramOverlap[];
}

/** Everything that decided about one record. */
export interface Explanation {
  readonly record: AttackRecord;
  readonly measured: Measured;
  readonly successThreshold: number;
  readonly names: { readonly sSrc: string; readonly sTgt: string };
  readonly signatures: { readonly sSrc: string; readonly sTgt: string };
  /** The edits from src to adv_src; empty without both texts. */
  readonly edits: readonly TextEdit[];
  /** The aligned texts; empty without both. */
  readonly diff: readonly DiffSegment[];
  /** s_src of the texts as a reader sees them (look-alikes, case and spaces folded); null without both texts. */
  readonly sSrcFolded: number | null;
  readonly overlaps: readonly SideOverlaps[];
  /** How the verdict follows from the numbers, one sentence a line. */
  readonly verdict: readonly string[];
}

/**
 * Explains one record: its scores, what they are made of, and how the verdict follows.
 *
 * @param record an attack; clean prompts and candidates have no verdict.
 * @returns null for a record that is no attack.
 */
export async function explainRecord(record: AttackRecord, options: ExplainOptions): Promise<Explanation | null> {
  if (recordKind(record) !== 'attack') return null;
  const references = new ReferenceCounts();
  let measured: Measured | null | undefined;
  for await (const scored of scoreRecords([record], { ...options, references })) measured = scored.measured;
  if (measured === undefined || measured === null) return null;
  const { src, adv_src: advSrc } = record;
  const [report] = src === null || advSrc === null ? [] : await findEdits([src], [advSrc]);
  const explanation = {
    record,
    measured,
    successThreshold: options.successThreshold,
    names: { sSrc: options.sSrc.name, sTgt: options.sTgt.name },
    signatures: { sSrc: options.sSrc.signature, sTgt: references.sign(options.sTgt.signature) },
    edits: report?.edits ?? [],
    diff: report === undefined ? [] : diffSegments(src ?? '', advSrc ?? '', report.edits),
    sSrcFolded: src === null || advSrc === null ? null : await foldedScore(src, advSrc, options.sSrc),
    overlaps: overlapsOf(record, options),
  };
  return { ...explanation, verdict: verdictOf(measured, options.successThreshold) };
}

async function foldedScore(src: string, advSrc: string, scorer: Scorer): Promise<number> {
  const [folded, attacked] = await foldTexts([src, advSrc], { confusables: true, case: true, whitespace: true });
  const [score] = await scorer.score([attacked ?? ''], [folded ?? '']);
  return score ?? Number.NaN;
}

function overlapsOf(record: AttackRecord, { sSrc, sTgt }: ExplainOptions): SideOverlaps[] {
  const { src, adv_src: advSrc, out, adv_out: advOut, ref } = record;
  const sides: SideOverlaps[] = [];
  const add = (pair: string, hypothesis: string | null, other: Reference | null, scorer: Scorer): void => {
    if (hypothesis === null || other === null) return;
    sides.push({ pair, overlaps: ngramOverlaps(hypothesis, referencesOf(other), scorer.native) });
  };
  add('adv_src against src', advSrc, src, sSrc);
  if (!hasReference(record)) add('adv_out against out', advOut, out, sTgt);
  else {
    add('out against ref', out, ref, sTgt);
    add('adv_out against ref', advOut, ref, sTgt);
  }
  return sides;
}

/**
 * Says how the verdict follows, from the numbers that decided and nothing else: the comparison sign that is printed is the
 * one that was used.
 */
export function verdictOf(measured: Measured, threshold: number): string[] {
  const lines: string[] = [];
  const { s_src: sSrc, s_tgt_base: base, d_tgt: dTgt, margin, success, criterion, reasons } = measured;
  const sTgt = criterion === 'reference_less' ? measured.s_tgt : measured.s_tgt_attacked;
  if (criterion === 'relative_decrease' && dTgt !== null && base !== null && sTgt !== null) {
    const [shownBase, shownTarget] = showApart(base, sTgt);
    if (base <= 0) lines.push(`d_tgt = 0: the base score is 0, nothing can decrease.`);
    else if (sTgt > base)
      lines.push(`d_tgt = 0: the score under attack (${shownTarget}) is above the base score (${shownBase}).`);
    else lines.push(`d_tgt = (${shownBase} - ${shownTarget}) / ${shownBase} = ${show(dTgt)}.`);
  }
  if (success === null || margin === null || sSrc === null) {
    lines.push(`No verdict: ${reasons['success'] ?? 'the record has one side only'}.`);
    return lines;
  }
  const word = success ? 'successful' : 'not successful';
  if (criterion === 'relative_decrease') {
    const sum = sSrc + (dTgt ?? 0);
    const [shownSum, shownThreshold] = showApart(sum, threshold);
    lines.push(
      `s_src + d_tgt = ${show(sSrc)} + ${show(dTgt ?? 0)} = ${shownSum} ${sign(sum, threshold)} ${shownThreshold}: ${word}.`,
    );
  } else {
    const product = threshold * (sTgt ?? 0);
    const [shownSource, shownProduct] = showApart(sSrc, product);
    lines.push(
      `s_src = ${shownSource} ${sign(sSrc, product)} ${threshold} * s_tgt = ${shownProduct}: ${word} (reference-less).`,
    );
  }
  if (reasons['success'] !== undefined) lines.push(`This says little: ${reasons['success']}.`);
  return lines;
}

function sign(left: number, right: number): string {
  if (left > right) return '>';
  return left < right ? '<' : '=';
}

function show(value: number): string {
  return formatFixed(value, 4);
}

/** Two numbers with as many decimals as it takes to tell them apart, four at least; equal numbers look equal. */
function showApart(left: number, right: number): [string, string] {
  for (let decimals = 4; decimals <= 17; decimals += 1) {
    const [first, second] = [formatFixed(left, decimals), formatFixed(right, decimals)];
    if (left === right || first !== second) return [first, second];
  }
  return [String(left), String(right)];
}
