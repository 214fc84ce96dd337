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

/**
 * Looks for repetitions. Memory grows by about 60 bytes a record: three hashes of 8 bytes in tables that are half full at
 * least, and the id of the record.
 */
export function duplicateCheck(): AuditCheck {
  const records = new HashTable();
  const ids = new HashTable();
  const sources = new HashTable();
  const names = new Texts();
  return {
    rules: [DUPLICATE_RECORD, DUPLICATE_ID, DUPLICATE_SOURCE],
    *add({ record, measured }: ScoredRecord): Generator<Finding> {
      if (ids.add([record.run, record.id]) !== undefined) {
        yield findingAt(DUPLICATE_ID, record, `the id ${quote(record.id)} is taken`);
      }
      const first = records.add(identity(record));
      if (first === undefined) names.push(record.id);
      else yield findingAt(DUPLICATE_RECORD, record, `repeats ${quote(names.at(first))}`);
      const { src } = record;
      if (src === null || src === '' || measured === null || record.attack === 'semantic') return;
      if (sources.add([...keys(record), src]) !== undefined && first === undefined) {
        yield findingAt(DUPLICATE_SOURCE, record, `${quote(src)} occurs again`);
      }
    },
  };
}

/**
 * Which values occurred before, by 64 bits of their hash: open addressing, at most two thirds full. Two of ten million values
 * have one hash with a probability of three in a million.
 */
class HashTable {
  #slots = new BigUint64Array(1024);
  /** The number of the value in each slot, from 1; 0 in free ones. */
  #numbers = new Uint32Array(1024);
  #size = 0;

  /**
   * Adds a value.
   *
   * @returns The number, from 0, of the equal value that is there already; undefined for a new one, which gets the next number.
   */
  add(value: unknown): number | undefined {
    const hash = createHash('sha256').update(JSON.stringify(value)).digest().readBigUInt64LE();
    const slot = this.#slotOf(hash);
    const number = this.#numbers[slot] ?? 0;
    if (number > 0) return number - 1;
    this.#put(slot, hash, this.#size + 1);
    this.#size += 1;
    if (this.#size * 3 > this.#slots.length * 2) this.#grow();
    return undefined;
  }

  /** The slot of a hash, or the free one that it would take. */
  #slotOf(hash: bigint): number {
    const mask = this.#slots.length - 1;
    let slot = Number(hash & BigInt(mask));
    while ((this.#numbers[slot] ?? 0) > 0 && this.#slots[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #put(slot: number, hash: bigint, number: number): void {
    this.#slots[slot] = hash;
    this.#numbers[slot] = number;
  }

  #grow(): void {
    const [slots, numbers] = [this.#slots, this.#numbers];
    this.#slots = new BigUint64Array(slots.length * 2);
    this.#numbers = new Uint32Array(slots.length * 2);
    for (const [slot, number] of numbers.entries()) {
      const hash = slots[slot];
      if (number > 0 && hash !== undefined) this.#put(this.#slotOf(hash), hash, number);
    }
  }
}

/** Many short texts as bytes: as strings they took four times the memory. */
class Texts {
  #bytes = Buffer.alloc(4096);
  #ends = new Float64Array(1024);
  #length = 0;

  push(text: string): void {
    const bytes = Buffer.from(text, 'utf8');
    const start = this.#length === 0 ? 0 : (this.#ends[this.#length - 1] ?? 0);
    if (start + bytes.length > this.#bytes.length) {
      const larger = Buffer.alloc(2 * (start + bytes.length));
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, start);
    if (this.#length === this.#ends.length) {
      const larger = new Float64Array(2 * this.#length);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    this.#ends[this.#length] = start + bytes.length;
    this.#length += 1;
  }

  at(index: number): string {
    return this.#bytes.toString('utf8', index === 0 ? 0 : this.#ends[index - 1], this.#ends[index]);
  }
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
