import { ERROR_CODES, TeapotError } from '../errors.js';
import { newArrays } from '../array-room.js';
import type { ArraySource } from '../array-room.js';
import type { ScoreBatch } from '../score/score-batch.js';
import { isReferenceLessDefined, marginWithoutReference } from './reference-less.js';
import { isRelativeDecreaseDefined, relativeDecrease } from './relative-decrease.js';
import { successMargin } from './success.js';
import { UNDEFINED_REASON } from './undefined-reason.js';
import type { UndefinedReason } from './undefined-reason.js';

/** Scores of segments, and what counts beside them. */
export interface SegmentScores extends ScoreBatch {
  /** Segments with a blank text on a side. Default none. */
  readonly blank?: { readonly source: number; readonly target: number };
  /** Why none of the segments has a defined criterion, where a text or a score is missing. */
  readonly missing?: UndefinedReason | undefined;
  /**
   * Base and attacked score before they were made fractions, where they came on another scale: d_tgt is taken from them,
   * since (80 − 60) / 80 is exact and (0.8 − 0.6) / 0.8 is not.
   */
  readonly ownScale?: { readonly base: Float64Array; readonly attacked: Float64Array } | undefined;
  /** What a base score of 0 is called. Default `base score is 0`. */
  readonly zeroBase?: UndefinedReason | undefined;
}

/** What the criteria say of the segments of a batch. */
export interface Measurement {
  /** d_tgt, where there are references. */
  readonly dTgt?: Float64Array;
  /** How far each segment is above the threshold of success, where both sides are measured: above 0 is a success. */
  readonly margin?: Float64Array;
  /** Why a segment has no defined criterion; undefined for the others. Sparse: only such segments have an entry. */
  readonly undefinedReasons: ReadonlyMap<number, UndefinedReason>;
}

/**
 * Applies the criteria to every segment of a batch: with references d_tgt and s_src + d_tgt > T, without them
 * s_src > T · s_tgt.
 *
 * @param scores N segments.
 * @param threshold T.
 * @param arrays Where the arrays of the result come from. Default: new ones.
 * @returns N values an array, same order; an empty batch gives empty arrays.
 * @throws {TeapotError} `ERR_TEAPOT_INTERNAL` when an array has another length, `ERR_TEAPOT_INVALID_OPTION` for NaN.
 */
export function measure(scores: SegmentScores, threshold: number, arrays: ArraySource = newArrays): Measurement {
  for (const array of [scores.sSrc, scores.base, scores.attacked, scores.ownScale?.base, scores.ownScale?.attacked]) {
    if (array !== undefined && array.length !== scores.count) {
      throw new TeapotError(ERROR_CODES.INTERNAL, `A batch of ${scores.count} segments has ${array.length} scores.`);
    }
  }
  if (scores.attacked === undefined) return { undefinedReasons: new Map() };
  if (scores.base === undefined) return withoutReference(scores.attacked, scores.sSrc, threshold, arrays);
  const { base, attacked } = scores.ownScale ?? { base: scores.base, attacked: scores.attacked };
  return withReference(base, attacked, scores.sSrc, threshold, arrays, scores.zeroBase);
}

function withReference(
  base: Float64Array,
  attacked: Float64Array,
  sSrc: Float64Array | undefined,
  threshold: number,
  arrays: ArraySource,
  zeroBase: UndefinedReason = UNDEFINED_REASON.BASE_IS_ZERO,
): Measurement {
  const undefinedReasons = new Map<number, UndefinedReason>();
  const dTgt = arrays('d_tgt', base.length);
  for (let index = 0; index < base.length; index += 1) {
    const baseScore = base[index] ?? Number.NaN;
    dTgt[index] = relativeDecrease(baseScore, attacked[index] ?? Number.NaN);
    if (!isRelativeDecreaseDefined(baseScore)) undefinedReasons.set(index, zeroBase);
  }
  if (sSrc === undefined) return { dTgt, undefinedReasons };
  const margin = arrays('margin', base.length);
  for (let index = 0; index < margin.length; index += 1) {
    margin[index] = successMargin(sSrc[index] ?? Number.NaN, dTgt[index] ?? Number.NaN, threshold);
  }
  return { dTgt, margin, undefinedReasons };
}

function withoutReference(
  sTgt: Float64Array,
  sSrc: Float64Array | undefined,
  threshold: number,
  arrays: ArraySource,
): Measurement {
  const undefinedReasons = new Map<number, UndefinedReason>();
  if (sSrc === undefined) return { undefinedReasons };
  const margin = arrays('margin', sTgt.length);
  for (let index = 0; index < margin.length; index += 1) {
    const value = sTgt[index] ?? Number.NaN;
    const source = sSrc[index] ?? Number.NaN;
    if (!isReferenceLessDefined(source, value)) undefinedReasons.set(index, UNDEFINED_REASON.BOTH_ARE_ZERO);
    margin[index] = marginWithoutReference(source, value, threshold);
  }
  return { margin, undefinedReasons };
}
