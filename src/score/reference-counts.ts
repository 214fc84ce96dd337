import { referencesOf } from './pairs.js';
import type { Reference } from './scorer.js';

/** How many references the segments of a run have, for signatures: known only after reading where they differ. */
export class ReferenceCounts {
  readonly #counts = new Set<number>();

  /** Counts the references of segments. */
  add(references: readonly Reference[]): void {
    for (const reference of references) this.#counts.add(referencesOf(reference).length);
  }

  /** The different numbers of references, rising. */
  toJSON(): readonly number[] {
    return [...this.#counts].toSorted((a, b) => a - b);
  }

  /** Adds numbers that {@link ReferenceCounts.toJSON} gave. */
  addState(counts: readonly number[]): void {
    for (const count of counts) this.#counts.add(count);
  }

  /** The signature of a metric with the number of references that were seen: `nrefs:2`, or `nrefs:var` as in sacreBLEU. */
  sign(signature: string): string {
    const [count] = this.#counts;
    if (count === undefined) return signature;
    return signature.replace(/\bnrefs:\w+/u, `nrefs:${this.#counts.size > 1 ? 'var' : count}`);
  }
}
