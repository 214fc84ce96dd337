import { ERROR_CODES, UsageError } from '../errors.js';
import { UNDEFINED_REASON } from '../measure/undefined-reason.js';
import type { UndefinedReason } from '../measure/undefined-reason.js';
import type { AttackRecord } from './schema.js';

/** The scores of an attacked prompt. */
type ScoreField = 'original_score' | 'attacked_score';

/**
 * Brings the scores of attacked prompts to fractions, and sees to it that no run mixes scales.
 *
 * A record that says no `scale` counts as percent where one of its scores is above 1. Two such records of one run and file
 * that would count differently can't both be right: then the scales must be told.
 */
export class PromptScales {
  readonly #seen = new Map<string, { readonly record: AttackRecord; readonly scale: number }>();

  /**
   * Why a record has no pair of scores; undefined when it has one.
   *
   * @throws {UsageError} `ERR_TEAPOT_FORMAT` naming both records when one run has scores on different scales.
   */
  reason(record: AttackRecord): UndefinedReason | undefined {
    const { original_score: original, attacked_score: attacked } = record;
    if (original === null) return UNDEFINED_REASON.NO_ORIGINAL_SCORE;
    if (attacked === null) return UNDEFINED_REASON.NO_ATTACKED_SCORE;
    const scale = scaleOf(record);
    if (record.scale === null) this.#compare(record, scale, Math.max(original, attacked));
    const inside = [original, attacked].every((score) => score >= 0 && score <= scale);
    return inside ? undefined : UNDEFINED_REASON.OUT_OF_SCALE;
  }

  #compare(record: AttackRecord, scale: number, highest: number): void {
    // Scores of 0 fit both scales.
    if (highest <= 0) return;
    const source = JSON.stringify([record.run, record.provenance?.file ?? null]);
    const first = this.#seen.get(source);
    if (first === undefined) this.#seen.set(source, { record, scale });
    else if (first.scale !== scale) {
      throw new UsageError(
        ERROR_CODES.FORMAT,
        `records ${describe(first.record)} and ${describe(record)} say no scale: one looks like fractions, the other one like percent, so they have no mean. Set "scale" to 1 or 100 in both.`,
      );
    }
  }
}

/** The scores of attacked prompts that have a pair of them: as fractions, and as they stand in the records. */
export function promptScores(records: readonly AttackRecord[]): {
  readonly fractions: { readonly base: Float64Array; readonly attacked: Float64Array };
  readonly ownScale: { readonly base: Float64Array; readonly attacked: Float64Array };
} {
  const column = (valueOf: (record: AttackRecord) => number | null): Float64Array =>
    Float64Array.from(records, (record) => valueOf(record) ?? Number.NaN);
  return {
    fractions: {
      base: column((record) => fractionOf(record, 'original_score')),
      attacked: column((record) => fractionOf(record, 'attacked_score')),
    },
    ownScale: { base: column((record) => record.original_score), attacked: column((record) => record.attacked_score) },
  };
}

/** One score of an attacked prompt as a fraction; null when it has none. */
export function fractionOf(record: AttackRecord, field: ScoreField): number | null {
  const score = record[field];
  return score === null ? null : score / scaleOf(record);
}

function scaleOf({ scale, original_score: original, attacked_score: attacked }: AttackRecord): number {
  return scale ?? (Math.max(original ?? 0, attacked ?? 0) > 1 ? 100 : 1);
}

function describe({ id, original_score: original, attacked_score: attacked }: AttackRecord): string {
  return `${JSON.stringify(id)} (${original} and ${attacked})`;
}
