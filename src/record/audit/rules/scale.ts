import type { ScoredRecord } from '../../score-records.js';
import type { AttackRecord } from '../../schema.js';
import { findingAt, type AuditCheck, type AuditRule, type Finding } from '../rule.js';

const SCALE_MIX_UP: AuditRule = {
  id: 'scale_mix_up',
  severity: 'warning',
  description: 'Scores that should be percentages look like fractions, alone or among percentages (0–1 against 0–100)',
};

/** A percentage this low is rare; a fraction always is. */
const FRACTION = 1;

/** Fewer scores than this say nothing about a scale. */
const LEAST_SCORES = 3;

interface ScaleGroup {
  readonly small: AttackRecord[];
  large: number;
}

/**
 * Looks for fractions among percentages: original scores in (0, 1] of one model and data set whose scale is 100.
 *
 * A tool that divides by 100 "if the score is above 1" (OpenCompass) leaves exactly this trace.
 */
export function scaleCheck(): AuditCheck {
  const groups = new Map<string, ScaleGroup>();
  return {
    rules: [SCALE_MIX_UP],
    add({ record }: ScoredRecord) {
      const { original_score: score, scale, unit } = record;
      if (unit !== 'prompt' || scale !== 100 || score === null || score <= 0) return [];
      const key = JSON.stringify([record.run, record.model, record.dataset, record.metric]);
      const group = groups.get(key) ?? { small: [], large: 0 };
      if (score <= FRACTION) group.small.push(record);
      else group.large += 1;
      groups.set(key, group);
      return [];
    },
    *end(): Generator<Finding> {
      for (const { small, large } of groups.values()) {
        if (small.length === 0 || small.length + large < LEAST_SCORES) continue;
        const others =
          large === 0 ? 'so are all others of its data set' : `${large} others of its data set are above 1`;
        for (const record of small) {
          const message = `original score ${record.original_score} on a scale of 100 looks like a fraction; ${others}`;
          yield findingAt(SCALE_MIX_UP, record, message);
        }
      }
    },
  };
}
