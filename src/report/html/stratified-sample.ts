/** Every stratum keeps at least so many, if it has them. */
const LEAST = 20;

/** Strata beyond so many are one. */
const MOST_STRATA = 500;

interface Member<T> {
  readonly value: T;
  /** In [0, 1), the same on every run: the members with the lowest ones are kept. */
  readonly priority: number;
  readonly weight: number;
  readonly order: number;
}

interface Stratum<T> {
  seen: number;
  /** What has a higher priority than this was dropped before, and is not taken later either. */
  bound: number;
  members: Member<T>[];
}

/**
 * A random sample with a share of every stratum in proportion, of a stream whose length nobody knows. It holds everything
 * until a limit is passed; memory is bounded by the limits.
 */
export class StratifiedSample<T> {
  readonly #most: number;
  readonly #heaviest: number;
  readonly #strata = new Map<string, Stratum<T>>();
  #seen = 0;
  #kept = 0;
  #weight = 0;

  /**
   * @param most the largest number of members.
   * @param heaviest the largest sum of their weights.
   */
  constructor(most: number, heaviest: number) {
    this.#most = most;
    this.#heaviest = heaviest;
  }

  /** How many were added. */
  get seen(): number {
    return this.#seen;
  }

  /**
   * Adds one.
   *
   * @param make makes what is kept; called only when it is.
   */
  add(stratum: string, weight: number, make: () => T): void {
    const order = this.#seen;
    this.#seen += 1;
    const name = this.#strata.size < MOST_STRATA || this.#strata.has(stratum) ? stratum : '';
    let group = this.#strata.get(name);
    if (group === undefined) {
      group = { seen: 0, bound: 1, members: [] };
      this.#strata.set(name, group);
    }
    group.seen += 1;
    const priority = mixed(order);
    if (priority >= group.bound) return;
    group.members.push({ value: make(), priority, weight, order });
    this.#kept += 1;
    this.#weight += weight;
    // A margin, so that not every new member sorts all.
    if (this.#kept > this.#most * 1.25 || this.#weight > this.#heaviest * 1.25) this.#shrink(1);
  }

  /**
   * The sample, in the order of the stream.
   *
   * @param share the share of the limits that may be used.
   */
  values(share = 1): T[] {
    if (share < 1 || this.#kept > this.#most || this.#weight > this.#heaviest) this.#shrink(share);
    return [...this.#strata.values()]
      .flatMap(({ members }) => members)
      .toSorted((a, b) => a.order - b.order)
      .map(({ value }) => value);
  }

  #shrink(share: number): void {
    const most = Math.min(this.#most, this.#kept, (this.#heaviest / this.#weight) * this.#kept) * share;
    const least = Math.min(LEAST, Math.ceil(most / this.#strata.size / 2));
    this.#kept = 0;
    this.#weight = 0;
    for (const stratum of this.#strata.values()) {
      const wanted = Math.max(least, Math.floor((most * stratum.seen) / this.#seen));
      if (stratum.members.length > wanted) {
        stratum.members = stratum.members.toSorted((a, b) => a.priority - b.priority).slice(0, wanted);
        stratum.bound = stratum.members.at(-1)?.priority ?? 0;
      }
      this.#kept += stratum.members.length;
      for (const { weight } of stratum.members) this.#weight += weight;
    }
  }
}

/**
 * A number in [0, 1) that looks random, the same for the same order.
 *
 * @see Appleby's MurmurHash3, the last step (`fmix32`).
 */
function mixed(order: number): number {
  let value = (order + 0x9e3779b9) | 0;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return ((value ^ (value >>> 16)) >>> 0) / 2 ** 32;
}
