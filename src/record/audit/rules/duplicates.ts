import { createHash } from 'node:crypto';

import type { ScoredRecord } from '../../score-records.js';
import type { AttackRecord } from '../../schema.js';
import { findingAt, quote, type AuditCheck, type AuditRule, type Finding } from '../rule.js';

const DUPLICATE_RECORD: AuditRule = {
  id: 'duplicate_record',
  severity: 'warning',
  description: 'A record repeats an earlier one: same keys, texts, outputs and scores; it counts twice',
};

const DUPLICATE_ID: AuditRule = {
  id: 'duplicate_id',
  severity: 'warning',
  description: 'Two records of one run have the same id: runs can not be compared item by item',
};

const DUPLICATE_SOURCE: AuditRule = {
  id: 'duplicate_source',
  severity: 'note',
  description: 'An original text occurs more than once under one attack, with different attacked texts',
};

/** Looks for repetitions. Memory grows by a hash of 12 bytes and a name for each record. */
export function duplicateCheck(): AuditCheck {
  const records = new Map<string, string>();
  const ids = new Set<string>();
  const sources = new Set<string>();
  return {
    rules: [DUPLICATE_RECORD, DUPLICATE_ID, DUPLICATE_SOURCE],
    *add({ record, measured }: ScoredRecord): Generator<Finding> {
      const id = hash([record.run, record.id]);
      if (ids.has(id)) yield findingAt(DUPLICATE_ID, record, `the id ${quote(record.id)} is taken`);
      ids.add(id);
      const whole = hash(identity(record));
      const first = records.get(whole);
      if (first === undefined) records.set(whole, record.id);
      else yield findingAt(DUPLICATE_RECORD, record, `repeats ${quote(first)}`);
      const { src } = record;
      if (src === null || src === '' || measured === null || record.attack === 'semantic') return;
      const source = hash([...keys(record), src]);
      if (sources.has(source) && first === undefined) {
        yield findingAt(DUPLICATE_SOURCE, record, `${quote(src)} occurs again`);
      }
      sources.add(source);
    },
  };
}

function identity(record: AttackRecord): unknown[] {
  return [
    ...keys(record),
    record.src,
    record.adv_src,
    record.out,
    record.adv_out,
    record.ref,
    record.original_score,
    record.attacked_score,
    record.result,
    record.extra['language'] ?? null,
  ];
}

function keys({
  run,
  attack,
  model,
  source_model: sourceModel,
  dataset,
  prompt_type: promptType,
}: AttackRecord): unknown[] {
  return [run, attack, model, sourceModel, dataset, promptType];
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64').slice(0, 16);
}
