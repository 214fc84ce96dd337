import { performanceDropRate } from '../measure/performance-drop-rate.js';
import { isReferenceLessDefined, marginWithoutReference } from '../measure/reference-less.js';
import { isRelativeDecreaseDefined, relativeDecrease } from '../measure/relative-decrease.js';
import { successMargin } from '../measure/success.js';
import { UNDEFINED_REASON } from '../measure/undefined-reason.js';
import type { Reference, Scorer } from '../score/scorer.js';
import { recordKind } from './kind.js';
import type { Measured } from './measured.js';
import type { AttackRecord } from './schema.js';

/** What records are scored with. */
export interface RecordScoring {
  /** Metric of the source side. */
  readonly sSrc: Scorer;
  /** Metric of the target side, for records with outputs. */
  readonly sTgt: Scorer;
  /** T of the criterion. */
  readonly successThreshold: number;
  readonly signal?: AbortSignal | undefined;
}

/** A record and what was measured of it; null for clean prompts and candidates, which are no attacks. */
export interface ScoredRecord {
  readonly record: AttackRecord;
  readonly measured: Measured | null;
}

/** How many records are scored at a time. */
const BATCH = 1024;

/**
 * Measures records: s_src, the target side, the criterion and the drop rate.
 *
 * The target side of an attacked example (`unit: input`) is its outputs, against the reference where there is one, else
 * against each other (the reference-less criterion). The target side of an attacked prompt (`unit: prompt`) is the score
 * over its data set: d_tgt is the relative decrease of that score.
 *
 * Records keep their order; what the tool claimed is not touched.
 *
 * @throws {TeapotError} what the scorers throw.
 */
export async function* scoreRecords(
  records: AsyncIterable<AttackRecord> | Iterable<AttackRecord>,
  scoring: RecordScoring,
): AsyncGenerator<ScoredRecord, void, undefined> {
  let batch: AttackRecord[] = [];
  for await (const record of records) {
    batch.push(record);
    if (batch.length < BATCH) continue;
    yield* await scoreBatch(batch, scoring);
    batch = [];
  }
  if (batch.length > 0) yield* await scoreBatch(batch, scoring);
}

/**
 * Measures a batch of records at once; see {@link scoreRecords}.
 *
 * @returns as many, in the same order.
 */
export async function scoreBatch(records: readonly AttackRecord[], scoring: RecordScoring): Promise<ScoredRecord[]> {
  scoring.signal?.throwIfAborted();
  const attacks = records.filter((record) => recordKind(record) === 'attack');
  const sSrc = await scoreWhere(attacks, scoring.sSrc, sourcePair, scoring.signal);
  const base = await scoreWhere(attacks, scoring.sTgt, basePair, scoring.signal);
  const attacked = await scoreWhere(attacks, scoring.sTgt, attackedPair, scoring.signal);
  return records.map((record) => {
    if (recordKind(record) !== 'attack') return { record, measured: null };
    const scores = {
      sSrc: sSrc.get(record) ?? null,
      base: base.get(record) ?? null,
      attacked: attacked.get(record) ?? null,
    };
    return { record, measured: judge(record, scores, scoring.successThreshold) };
  });
}

type Pair = readonly [hypothesis: string, reference: Reference];

function sourcePair({ src, adv_src: advSrc }: AttackRecord): Pair | null {
  return src === null || advSrc === null ? null : [advSrc, src];
}

function basePair({ unit, out, ref }: AttackRecord): Pair | null {
  return unit !== 'input' || out === null || ref === null ? null : [out, ref];
}

function attackedPair({ unit, out, adv_out: advOut, ref }: AttackRecord): Pair | null {
  const reference = ref ?? out;
  return unit !== 'input' || advOut === null || reference === null ? null : [advOut, reference];
}

/** Scores those records that have the pair of texts. */
async function scoreWhere(
  records: readonly AttackRecord[],
  scorer: Scorer,
  pairOf: (record: AttackRecord) => Pair | null,
  signal: AbortSignal | undefined,
): Promise<Map<AttackRecord, number>> {
  const scored: AttackRecord[] = [];
  const hypotheses: string[] = [];
  const references: Reference[] = [];
  for (const record of records) {
    const pair = pairOf(record);
    if (pair === null) continue;
    scored.push(record);
    hypotheses.push(pair[0]);
    references.push(pair[1]);
  }
  if (scored.length === 0) return new Map();
  const scores = await scorer.score(hypotheses, references, signal === undefined ? {} : { signal });
  return new Map(scored.map((record, index) => [record, scores[index] ?? Number.NaN]));
}

interface SideScores {
  readonly sSrc: number | null;
  readonly base: number | null;
  readonly attacked: number | null;
}

function judge(record: AttackRecord, scores: SideScores, threshold: number): Measured {
  const target = record.unit === 'prompt' ? promptTarget(record) : outputTarget(record, scores);
  const reasons: Record<string, string> = { ...target.reasons };
  if (scores.sSrc === null) {
    const reason = record.src === null ? 'no original text' : 'no attacked text';
    reasons['s_src'] = reason;
    if (target.criterion !== null) reasons['success'] = reason;
  }
  if (scores.sSrc === null || target.criterion === null) {
    return { s_src: scores.sSrc, ...target, success: null, margin: null, reasons };
  }
  const margin = marginOf(scores.sSrc, target, threshold);
  if (target.criterion === 'reference_less' && !isReferenceLessDefined(scores.sSrc, target.s_tgt ?? 0)) {
    reasons['success'] = UNDEFINED_REASON.BOTH_ARE_ZERO;
  }
  return { s_src: scores.sSrc, ...target, success: margin > 0, margin, reasons };
}

type Target = Pick<Measured, 's_tgt_base' | 's_tgt' | 'd_tgt' | 'pdr' | 'criterion' | 'reasons'>;

function marginOf(sSrc: number, target: Target, threshold: number): number {
  return target.criterion === 'relative_decrease'
    ? successMargin(sSrc, target.d_tgt ?? 0, threshold)
    : marginWithoutReference(sSrc, target.s_tgt ?? 0, threshold);
}

/** The scores of an attacked prompt over its data set. */
function promptTarget({ original_score: original, attacked_score: attacked, scale }: AttackRecord): Target {
  const reason = original === null ? UNDEFINED_REASON.NO_ORIGINAL_SCORE : UNDEFINED_REASON.NO_ATTACKED_SCORE;
  const whole = scale ?? 1;
  const parts = {
    s_tgt_base: original === null ? null : original / whole,
    s_tgt: attacked === null ? null : attacked / whole,
  };
  if (original === null || attacked === null) {
    return {
      ...parts,
      d_tgt: null,
      pdr: null,
      criterion: null,
      reasons: { d_tgt: reason, pdr: reason, success: reason },
    };
  }
  const pdr = performanceDropRate(original, attacked);
  return {
    ...parts,
    d_tgt: relativeDecrease(original, attacked),
    pdr,
    criterion: 'relative_decrease',
    reasons: pdr === null ? { d_tgt: UNDEFINED_REASON.ORIGINAL_IS_ZERO, pdr: UNDEFINED_REASON.ORIGINAL_IS_ZERO } : {},
  };
}

/** The scores of the outputs of an attacked example. */
function outputTarget(record: AttackRecord, { base, attacked }: SideScores): Target {
  if (attacked === null || (record.ref !== null && base === null)) {
    const reason = record.out === null && record.ref === null ? 'no outputs' : 'no output under attack';
    const why = record.ref !== null && record.out === null ? 'no output before the attack' : reason;
    return {
      s_tgt_base: base,
      s_tgt: attacked,
      d_tgt: null,
      pdr: null,
      criterion: null,
      reasons: { d_tgt: why, pdr: why, success: why },
    };
  }
  if (base === null) {
    return {
      s_tgt_base: null,
      s_tgt: attacked,
      d_tgt: null,
      pdr: null,
      criterion: 'reference_less',
      reasons: { d_tgt: 'no reference', pdr: 'no reference' },
    };
  }
  return {
    s_tgt_base: base,
    s_tgt: attacked,
    d_tgt: relativeDecrease(base, attacked),
    pdr: performanceDropRate(base, attacked),
    criterion: 'relative_decrease',
    reasons: isRelativeDecreaseDefined(base)
      ? {}
      : { d_tgt: UNDEFINED_REASON.BASE_IS_ZERO, pdr: UNDEFINED_REASON.BASE_IS_ZERO },
  };
}
