import { normalizeLabel } from '../../../read/label.js';
import type { ScoredRecord } from '../../score-records.js';
import type { AttackRecord } from '../../schema.js';
import { findingAt, quote, type AuditCheck, type AuditRule, type Finding } from '../rule.js';

const MIXED_LABELS: AuditRule = {
  id: 'mixed_label_spellings',
  severity: 'warning',
  description:
    'One number stands among the outputs and references in two spellings, such as 1 and 1.0: they count as different',
};

/** Longer texts are no labels. */
const LONGEST_LABEL = 20;

/** The first and the last record that holds a spelling. */
interface Place {
  readonly first: AttackRecord;
  last: AttackRecord;
}

/** Looks for labels that are one number in two spellings: a data frame writes 1.0 once a value is missing. */
export function spellingCheck(): AuditCheck {
  const spellings = new Map<string, Map<string, Place>>();
  return {
    rules: [MIXED_LABELS],
    add({ record }: ScoredRecord) {
      for (const label of [record.out, record.adv_out, record.ref].flat()) {
        if (label === null || label.length > LONGEST_LABEL || !/^[+-]?\d+(?:\.0*)?$/u.test(label)) continue;
        const number = normalizeLabel(label);
        const known = spellings.get(number) ?? new Map<string, Place>();
        spellings.set(number, known);
        const place = known.get(label);
        if (place === undefined) known.set(label, { first: record, last: record });
        else place.last = record;
      }
      return [];
    },
    *end(): Generator<Finding> {
      for (const known of spellings.values()) {
        const [one, other] = [...known];
        if (one === undefined || other === undefined) continue;
        const [[first, { first: record }], [second, { last }]] = [one, other];
        // One record that has both says nothing of a column.
        if (last !== record)
          yield findingAt(MIXED_LABELS, last, `${quote(second)} here, ${quote(first)} in record ${quote(record.id)}`);
      }
    },
  };
}
