import type { AttackRecord } from './schema.js';

/**
 * What a record stands for:
 *
 * - `attack`: one attack on one item (what a record is unless it says otherwise);
 * - `clean`: a prompt that was scored but not attacked (PromptBench's clean list, OpenCompass's ranking);
 * - `aggregate`: what sums other records of the same file up (the attacked prompt of a run whose items are records too);
 * - `candidate`: a form that an attack tried and did not choose (all but the worst translations of the semantic attack).
 */
export type RecordKind = 'attack' | 'clean' | 'candidate' | 'aggregate';

/**
 * Reads what a record stands for from `extra.kind`, where importers write it.
 *
 * @param record any record; one without `extra.kind`, or with an unknown one, is an attack.
 */
export function recordKind(record: Pick<AttackRecord, 'extra'>): RecordKind {
  const kind = record.extra['kind'];
  return kind === 'clean' || kind === 'candidate' || kind === 'aggregate' ? kind : 'attack';
}
