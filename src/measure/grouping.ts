/** The value of each key of a group; null where its segments have none. */
export type GroupValues = readonly (string | null)[];

/** Values of grouping keys: one array a key, with the value of every segment. */
export type GroupColumns = readonly (readonly (string | null)[])[];

/** One thing for each combination of the values of some keys, in the order in which it first came. */
export class Grouping<G> {
  readonly #make: (values: GroupValues) => G;
  readonly #groups = new Map<string | null, G>();

  /** @param make Makes the thing of a new group. */
  constructor(make: (values: GroupValues) => G) {
    this.#make = make;
  }

  /** The group of a combination of values. */
  of(values: GroupValues): G {
    // One value needs no text that tells it apart from others.
    const name = values.length === 1 ? (values[0] ?? null) : JSON.stringify(values);
    let group = this.#groups.get(name);
    if (group === undefined) {
      group = this.#make(values);
      this.#groups.set(name, group);
    }
    return group;
  }

  /** All groups. */
  all(): G[] {
    return [...this.#groups.values()];
  }
}

/**
 * Splits segments by group.
 *
 * @param columns At least one key.
 * @param count How many segments there are.
 * @returns The indexes of the segments of each group, rising, in the order in which the groups first came.
 */
export function splitByGroup(
  columns: GroupColumns,
  count: number,
): readonly { readonly values: GroupValues; readonly indexes: readonly number[] }[] {
  const parts = new Grouping((values) => ({ values, indexes: [] as number[] }));
  for (let index = 0; index < count; index += 1) {
    parts.of(columns.map((column) => column[index] ?? null)).indexes.push(index);
  }
  return parts.all();
}
