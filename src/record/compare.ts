import { mean } from 'simple-statistics';

import type { BootstrapSettings } from '../measure/intervals.js';
import {
  mcnemarTest,
  pairedBootstrapTest,
  type McNemarTest,
  type PairedBootstrapTest,
} from '../measure/paired-tests.js';
import { share, type Share } from '../measure/denominators.js';
import type { RunOptions } from '../run-options.js';
import type { Measured } from './measured.js';
import type { ScoredRecord } from './score-records.js';
import type { AttackRecord } from './schema.js';

/** Whose verdict decides: teapot's criterion, or what the attacking tool said. */
export type Judge = 'teapot' | 'tool';

/** The quantities whose means are compared. */
export const QUANTITIES = ['s_src', 's_tgt_attacked', 'd_tgt', 's_tgt', 'pdr'] as const;

/** One of {@link QUANTITIES}. */
export type QuantityName = (typeof QUANTITIES)[number];

/** One item of one run, as small as the comparison needs it. */
export interface ComparedOutcome {
  readonly id: string;
  /** Whether the attack succeeds; null when that is undefined. */
  readonly success: boolean | null;
  readonly quantities: Readonly<Record<QuantityName, number | null>>;
}

/**
 * What became of an item: `fixed` the attack succeeds in A alone, `broken` in B alone, `unchanged` in both or neither,
 * `undefined` where one of the runs has no verdict.
 */
export type Change = 'fixed' | 'broken' | 'unchanged' | 'undefined';

/** An item of both runs. */
export interface ComparedItem {
  /** The key by which the runs were matched. */
  readonly key: readonly (string | null)[];
  readonly change: Change;
  readonly a: ComparedOutcome;
  readonly b: ComparedOutcome;
}

/** The means of a quantity over the items that have it in both runs. */
export interface QuantityComparison {
  readonly n: number;
  readonly meanA: number | null;
  readonly meanB: number | null;
  /** Paired bootstrap of B − A; null without items. */
  readonly test: PairedBootstrapTest | null;
}

/** Two runs, compared item by item. */
export interface Comparison {
  /** The items of both runs, in the order of A. */
  readonly items: ComparedItems;
  readonly counts: Readonly<Record<Change, number>>;
  /** Items that are unchanged because the attack succeeds in both runs. */
  readonly successfulInBoth: number;
  /** Items of one run that the other one lacks. */
  readonly onlyInA: readonly string[];
  readonly onlyInB: readonly string[];
  /** Success over the items with a verdict in both runs. */
  readonly successA: Share;
  readonly successB: Share;
  /** Null when no item has a verdict in both runs. */
  readonly mcnemar: McNemarTest | null;
  readonly quantities: Readonly<Record<QuantityName, QuantityComparison>>;
}

/** Numbers of which more may come: a typed array that grows. */
class Column<T extends Float64Array | Int32Array | Int8Array> {
  #values: T;
  readonly #make: (length: number) => T;
  length = 0;

  constructor(make: (length: number) => T) {
    this.#make = make;
    this.#values = make(1024);
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = this.#make(this.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }

  at(index: number): number {
    return this.#values[index] ?? Number.NaN;
  }
}

/** How a verdict is kept. */
const VERDICT = { none: -1, failure: 0, success: 1 } as const;

/**
 * The outcomes of one run by key, in columns: as objects they took four times the memory.
 *
 * A key is JSON: that of the record, with how often it has occurred.
 */
export class Outcomes {
  readonly #places = new Map<string, number>();
  readonly #ids: string[] = [];
  readonly #verdicts = new Column((length) => new Int8Array(length));
  readonly #quantities = QUANTITIES.map(() => new Column((length) => new Float64Array(length)));

  /** How many there are. */
  get size(): number {
    return this.#ids.length;
  }

  /** Adds the outcome of a key that is not there yet. */
  add(key: string, { id, success, quantities }: ComparedOutcome): void {
    this.#places.set(key, this.size);
    this.#ids.push(id);
    this.#verdicts.push(success === null ? VERDICT.none : Number(success));
    for (const [index, name] of QUANTITIES.entries()) this.#quantities[index]?.push(quantities[name] ?? Number.NaN);
  }

  /** The keys with their places, in the order in which they were added. */
  places(): IterableIterator<[string, number]> {
    return this.#places.entries();
  }

  /** The place of a key among all, from 0; undefined where it is not there. */
  placeOf(key: string): number | undefined {
    return this.#places.get(key);
  }

  /** The id of the record at a place. */
  idAt(place: number): string {
    return this.#ids[place] ?? '';
  }

  /** The verdict at a place. */
  successAt(place: number): boolean | null {
    const verdict = this.#verdicts.at(place);
    return verdict === VERDICT.none ? null : verdict === VERDICT.success;
  }

  /** A quantity at a place; NaN where there is none. */
  quantityAt(name: QuantityName, place: number): number {
    return this.#quantities[QUANTITIES.indexOf(name)]?.at(place) ?? Number.NaN;
  }

  /** All that is known at a place. */
  at(place: number): ComparedOutcome {
    const quantities: Partial<Record<QuantityName, number | null>> = {};
    for (const name of QUANTITIES) {
      const value = this.quantityAt(name, place);
      quantities[name] = Number.isNaN(value) ? null : value;
    }
    return {
      id: this.idAt(place),
      success: this.successAt(place),
      quantities: quantities as ComparedOutcome['quantities'],
    };
  }
}

/** The items of two runs: each is put together when it is asked for. */
export class ComparedItems implements Iterable<ComparedItem> {
  readonly #a: Outcomes;
  readonly #b: Outcomes;
  readonly #places: { readonly a: Column<Int32Array>; readonly b: Column<Int32Array> };
  readonly #keys: readonly string[];

  constructor(
    a: Outcomes,
    b: Outcomes,
    places: { readonly a: Column<Int32Array>; readonly b: Column<Int32Array> },
    keys: readonly string[],
  ) {
    this.#a = a;
    this.#b = b;
    this.#places = places;
    this.#keys = keys;
  }

  /** How many there are. */
  get length(): number {
    return this.#keys.length;
  }

  /** Where an item stands in both runs. */
  placesAt(index: number): readonly [a: number, b: number] {
    return [this.#places.a.at(index), this.#places.b.at(index)];
  }

  /** One item, by its place from 0. */
  at(index: number): ComparedItem {
    const [a, b] = this.placesAt(index);
    return {
      key: keyOf(this.#keys[index] ?? '[[],1]'),
      change: this.changeAt(index),
      a: this.#a.at(a),
      b: this.#b.at(b),
    };
  }

  /** What became of an item. */
  changeAt(index: number): Change {
    const [a, b] = this.placesAt(index);
    return changeOf(this.#a.successAt(a), this.#b.successAt(b));
  }

  /** The items of one change, in order. */
  *of(change: Change): Generator<ComparedItem, void, undefined> {
    for (let index = 0; index < this.length; index += 1) if (this.changeAt(index) === change) yield this.at(index);
  }

  /** The first items of one change. */
  first(change: Change, count: number): readonly ComparedItem[] {
    const items: ComparedItem[] = [];
    if (count <= 0) return items;
    for (const item of this.of(change)) {
      items.push(item);
      if (items.length === count) break;
    }
    return items;
  }

  *[Symbol.iterator](): Generator<ComparedItem, void, undefined> {
    for (let index = 0; index < this.length; index += 1) yield this.at(index);
  }
}

/**
 * The outcomes of one run by key. A key that occurs again is told apart by how often it occurred: the second one of A
 * belongs to the second one of B.
 */
export class OutcomeTable {
  readonly #keyOf: (record: AttackRecord) => readonly (string | null)[];
  readonly #judge: Judge;
  /** How often a key has occurred, for those that have more than once. */
  readonly #occurrences = new Map<string, number>();
  /** By key, in the order of the records. */
  readonly outcomes = new Outcomes();
  /** How many records had a key that was taken. */
  repeated = 0;

  constructor(keyOf: (record: AttackRecord) => readonly (string | null)[], judge: Judge) {
    this.#keyOf = keyOf;
    this.#judge = judge;
  }

  /** Adds one record; clean prompts and candidates are left out. */
  add({ record, measured }: ScoredRecord): void {
    if (measured === null) return;
    const key = this.#keyOf(record);
    let name = JSON.stringify([key, 1]);
    if (this.outcomes.placeOf(name) !== undefined) {
      const occurrence = (this.#occurrences.get(name) ?? 1) + 1;
      this.#occurrences.set(name, occurrence);
      this.repeated += 1;
      name = JSON.stringify([key, occurrence]);
    }
    this.outcomes.add(name, {
      id: record.id,
      success: this.#judge === 'teapot' ? measured.success : toolSuccess(record),
      quantities: quantitiesOf(measured),
    });
  }
}

/** What the tool said: skipped counts as no success; an error, or nothing, as no verdict. */
function toolSuccess({ result }: AttackRecord): boolean | null {
  if (result === null || result === 'error') return null;
  return result === 'successful';
}

function quantitiesOf({ s_src, s_tgt_attacked, d_tgt, s_tgt, pdr }: Measured): Record<QuantityName, number | null> {
  return { s_src, s_tgt_attacked, d_tgt, s_tgt, pdr };
}

/**
 * Compares two runs item by item.
 *
 * @param a the run before (the baseline).
 * @param b the run after.
 */
export async function compareRuns(
  a: OutcomeTable,
  b: OutcomeTable,
  settings: BootstrapSettings,
  options: RunOptions = {},
): Promise<Comparison> {
  const [first, second] = [a.outcomes, b.outcomes];
  const places = { a: int32Column(), b: int32Column() };
  const keys: string[] = [];
  const onlyInA: string[] = [];
  for (const [key, place] of first.places()) {
    const other = second.placeOf(key);
    if (other === undefined) onlyInA.push(first.idAt(place));
    else {
      keys.push(key);
      places.a.push(place);
      places.b.push(other);
    }
  }
  const onlyInB: string[] = [];
  for (const [key, place] of second.places()) if (first.placeOf(key) === undefined) onlyInB.push(second.idAt(place));
  const items = new ComparedItems(first, second, places, keys);
  const counts = { fixed: 0, broken: 0, unchanged: 0, undefined: 0 };
  const verdicts: { readonly a: boolean[]; readonly b: boolean[] } = { a: [], b: [] };
  let successfulInBoth = 0;
  for (let index = 0; index < items.length; index += 1) {
    const change = items.changeAt(index);
    counts[change] += 1;
    if (change === 'undefined') continue;
    const [inA, inB] = items.placesAt(index);
    const [before, after] = [first.successAt(inA) === true, second.successAt(inB) === true];
    verdicts.a.push(before);
    verdicts.b.push(after);
    if (before && after) successfulInBoth += 1;
  }
  const quantities: Partial<Record<QuantityName, QuantityComparison>> = {};
  for (const name of QUANTITIES) {
    quantities[name] = await compareQuantity(pairsOf(name, first, second, items), settings, options);
  }
  return {
    items,
    counts,
    successfulInBoth,
    onlyInA,
    onlyInB,
    successA: share(count(verdicts.a), verdicts.a.length),
    successB: share(count(verdicts.b), verdicts.b.length),
    mcnemar: mcnemarTest(verdicts.a, verdicts.b),
    quantities: quantities as Record<QuantityName, QuantityComparison>,
  };
}

/** A quantity of the items that have it in both runs. */
function pairsOf(
  name: QuantityName,
  a: Outcomes,
  b: Outcomes,
  items: ComparedItems,
): { readonly first: number[]; readonly second: number[] } {
  const pairs: { readonly first: number[]; readonly second: number[] } = { first: [], second: [] };
  for (let index = 0; index < items.length; index += 1) {
    const [inA, inB] = items.placesAt(index);
    const [left, right] = [a.quantityAt(name, inA), b.quantityAt(name, inB)];
    if (Number.isNaN(left) || Number.isNaN(right)) continue;
    pairs.first.push(left);
    pairs.second.push(right);
  }
  return pairs;
}

async function compareQuantity(
  { first, second }: { readonly first: readonly number[]; readonly second: readonly number[] },
  settings: BootstrapSettings,
  options: RunOptions,
): Promise<QuantityComparison> {
  return {
    n: first.length,
    meanA: meanOf(first),
    meanB: meanOf(second),
    test: await pairedBootstrapTest(first, second, settings, options),
  };
}

function changeOf(before: boolean | null, after: boolean | null): Change {
  if (before === null || after === null) return 'undefined';
  if (before === after) return 'unchanged';
  return before ? 'fixed' : 'broken';
}

function int32Column(): Column<Int32Array> {
  return new Column((length) => new Int32Array(length));
}

function keyOf(name: string): readonly (string | null)[] {
  return (JSON.parse(name) as [(string | null)[], number])[0];
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : mean(values as number[]);
}

function count(values: readonly boolean[]): number {
  return values.filter(Boolean).length;
}
