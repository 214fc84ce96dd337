import { normalizeLabel } from '../../../read/label.js';
import type { ScoredRecord } from '../../score-records.js';
import type { AttackRecord } from '../../schema.js';
import { isUnchanged } from './texts.js';
import { findingAt, quote, type AuditCheck, type AuditRule, type Finding } from '../rule.js';

const SUCCESS_UNCHANGED: AuditRule = {
  id: 'success_without_change',
  severity: 'warning',
  description: 'The tool says successful, but the output did not change (input reduction aside)',
};

const FAILURE_CHANGED: AuditRule = {
  id: 'failure_with_change',
  severity: 'warning',
  description: 'The tool says failed, but the output was right before and is wrong under attack',
};

const SKIPPED_CORRECT: AuditRule = {
  id: 'skipped_though_correct',
  severity: 'warning',
  description: 'The tool skipped an input whose output was right',
};

const NEAR_TIE: AuditRule = {
  id: 'near_tie',
  severity: 'note',
  description: 'The criterion is so close to its threshold that the last digits of a score decide',
};

/** Labels are one or two words; for longer outputs "changed" is not the tool's criterion. */
const LONGEST_LABEL = 40;

/** Compares what the tool said with the outputs that it wrote. */
export function resultCheck(): AuditCheck {
  return { rules: [SUCCESS_UNCHANGED, FAILURE_CHANGED, SKIPPED_CORRECT], add: checkResult };
}

function* checkResult({ record, measured }: ScoredRecord): Generator<Finding> {
  const { out, adv_out: advOut, ref, result } = record;
  if (measured === null || out === null || result === null) return;
  if (result === 'successful' && advOut !== null && same(out, advOut)) {
    yield findingAt(SUCCESS_UNCHANGED, record, `output ${quote(out)} before and under attack`);
  }
  if (typeof ref !== 'string' || !isLabel(out) || !isLabel(ref)) return;
  if (result === 'failed' && advOut !== null && same(out, ref) && !same(advOut, ref)) {
    yield findingAt(FAILURE_CHANGED, record, `output ${quote(out)} became ${quote(advOut)}, right is ${quote(ref)}`);
  }
  if (result === 'skipped' && same(out, ref)) {
    yield findingAt(SKIPPED_CORRECT, record, `output ${quote(out)}, right is ${quote(ref)}`);
  }
}

/**
 * Looks for attacks whose margin is next to nothing. An unchanged text is exactly at the threshold 1 and no tie.
 *
 * @param tolerance the largest margin that counts as a tie.
 */
export function nearTieCheck(tolerance: number): AuditCheck {
  return {
    rules: [NEAR_TIE],
    *add({ record, measured }: ScoredRecord): Generator<Finding> {
      if (measured === null || measured.margin === null) return;
      // An unchanged text is exactly at the threshold 1.
      const { src, adv_src: advSrc } = record;
      if (src !== null && advSrc !== null && isUnchanged(src, advSrc)) return;
      if (Math.abs(measured.margin) <= tolerance) {
        yield findingAt(
          NEAR_TIE,
          record,
          `margin ${measured.margin}: ${measured.success === true ? 'a success' : 'no success'}`,
        );
      }
    },
  };
}

function isLabel(text: string): boolean {
  return text.length <= LONGEST_LABEL && !text.includes('\n');
}

function same(left: AttackRecord['out'], right: AttackRecord['out']): boolean {
  return normalizeLabel(left ?? '') === normalizeLabel(right ?? '');
}
