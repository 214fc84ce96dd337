import { isObject } from '../../import/common/json-lines.js';
import type { RunClaim } from '../../import/runs/run.js';
import { recordKind } from '../../kind.js';
import type { ScoredRecord } from '../../score-records.js';
import type { AttackRecord } from '../../schema.js';
import { findingAt, type AuditCheck, type AuditRule, type Finding } from '../rule.js';

const CLAIM_DIFFERS: AuditRule = {
  id: 'claim_differs',
  severity: 'warning',
  description: 'A number that the tool reports of a run (accuracy, successes) is not the one that its records give',
};

const CLAIM_UNCHECKED: AuditRule = {
  id: 'claim_unchecked',
  severity: 'note',
  description: 'A number that the tool reports is over another number of items than the records hold',
};

/** Tools print four decimals of a fraction, or two of a percentage. */
const TOLERANCE = 5.1e-5;

/** The sums of the records that a claim is about. */
class Sums {
  readonly original = { sum: 0, n: 0 };
  readonly attacked = { sum: 0, n: 0 };
  successful = 0;
  failed = 0;
  judged = 0;

  add(record: AttackRecord): void {
    const { original_score: original, attacked_score: attacked, result } = record;
    if (original !== null) {
      this.original.sum += original;
      this.original.n += 1;
    }
    if (attacked !== null) {
      this.attacked.sum += attacked;
      this.attacked.n += 1;
    }
    if (result !== null) this.judged += 1;
    if (result === 'successful') this.successful += 1;
    if (result === 'failed') this.failed += 1;
  }

  /** The claimed quantity as the records give it, and over how many of them. */
  of(quantity: RunClaim['quantity']): { readonly value: number; readonly over: number } {
    const mean = ({ sum, n }: { readonly sum: number; readonly n: number }) => ({
      value: n === 0 ? 0 : sum / n,
      over: n,
    });
    switch (quantity) {
      case 'mean_original':
        return mean(this.original);
      case 'mean_attacked':
        return mean(this.attacked);
      case 'success_rate':
        return mean({ sum: this.successful, n: this.judged });
      case 'successful':
      case 'failed':
        return { value: this[quantity], over: this.judged };
    }
  }
}

/** Recomputes the numbers that tools report of their runs (`extra.claims`) from the records of the same file. */
export function claimCheck(): AuditCheck {
  const sums = new Map<string, Sums>();
  const claims: { readonly record: AttackRecord; readonly claim: RunClaim }[] = [];
  const add = (key: string, record: AttackRecord): void => {
    let found = sums.get(key);
    if (found === undefined) {
      found = new Sums();
      sums.set(key, found);
    }
    found.add(record);
  };
  return {
    rules: [CLAIM_DIFFERS, CLAIM_UNCHECKED],
    add({ record }: ScoredRecord) {
      if (recordKind(record) === 'aggregate') return [];
      add(keyOf(record), record);
      if (record.attack !== null) add(keyOf(record, record.attack), record);
      for (const claim of claimsOf(record)) claims.push({ record, claim });
      return [];
    },
    *end(): Generator<Finding> {
      for (const { record, claim } of claims) yield* compare(record, claim, sums.get(keyOf(record, claim.attack)));
    },
  };
}

function* compare(record: AttackRecord, claim: RunClaim, sums: Sums | undefined): Generator<Finding> {
  const found = (sums ?? new Sums()).of(claim.quantity);
  const about = claim.attack === undefined ? claim.name : `${claim.name} of ${claim.attack}`;
  if (claim.over !== null && claim.over !== found.over) {
    const message = `${about}: the tool says ${claim.value} over ${claim.over} items, the records hold ${found.over}`;
    yield findingAt(CLAIM_UNCHECKED, record, message);
  } else if (Math.abs(claim.value - found.value) > TOLERANCE) {
    const message = `${about}: the tool says ${claim.value}, its ${found.over} records give ${found.value} (${claim.quantity})`;
    yield findingAt(CLAIM_DIFFERS, record, message);
  }
}

function claimsOf({ extra }: AttackRecord): RunClaim[] {
  const claims = extra['claims'];
  if (!Array.isArray(claims)) return [];
  return (claims as unknown[]).filter(
    (claim): claim is object & RunClaim =>
      isObject(claim) && typeof claim['quantity'] === 'string' && typeof claim['value'] === 'number',
  );
}

/** The records of one file and run, or those of one attack in it. */
function keyOf({ run, model, provenance }: AttackRecord, attack?: string): string {
  return JSON.stringify([run, model, provenance?.file ?? null, attack ?? null]);
}
