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
  readonly items: readonly ComparedItem[];
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

/**
 * The outcomes of one run by key. A key that occurs again is told apart by how often it occurred: the second one of A
 * belongs to the second one of B.
 */
export class OutcomeTable {
  readonly #keyOf: (record: AttackRecord) => readonly (string | null)[];
  readonly #judge: Judge;
  readonly #occurrences = new Map<string, number>();
  /** Key (as JSON, with the occurrence) to outcome, in the order of the records. */
  readonly outcomes = new Map<string, ComparedOutcome>();
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
    const name = JSON.stringify(key);
    const occurrence = (this.#occurrences.get(name) ?? 0) + 1;
    this.#occurrences.set(name, occurrence);
    if (occurrence > 1) this.repeated += 1;
    this.outcomes.set(JSON.stringify([key, occurrence]), {
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
  const items: ComparedItem[] = [];
  const onlyInA: string[] = [];
  for (const [key, first] of a.outcomes) {
    const second = b.outcomes.get(key);
    if (second === undefined) onlyInA.push(first.id);
    else items.push({ key: keyOf(key), change: changeOf(first.success, second.success), a: first, b: second });
  }
  const onlyInB = [...b.outcomes].filter(([key]) => !a.outcomes.has(key)).map(([, { id }]) => id);
  const counts = { fixed: 0, broken: 0, unchanged: 0, undefined: 0 };
  for (const { change } of items) counts[change] += 1;
  const judged = items.filter(({ change }) => change !== 'undefined');
  const [first, second] = [
    judged.map((item) => item.a.success === true),
    judged.map((item) => item.b.success === true),
  ];
  const quantities: Partial<Record<QuantityName, QuantityComparison>> = {};
  for (const name of QUANTITIES) quantities[name] = await compareQuantity(items, name, settings, options);
  return {
    items,
    counts,
    successfulInBoth: judged.filter((item) => item.a.success === true && item.b.success === true).length,
    onlyInA,
    onlyInB,
    successA: share(count(first), judged.length),
    successB: share(count(second), judged.length),
    mcnemar: mcnemarTest(first, second),
    quantities: quantities as Record<QuantityName, QuantityComparison>,
  };
}

async function compareQuantity(
  items: readonly ComparedItem[],
  name: QuantityName,
  settings: BootstrapSettings,
  options: RunOptions,
): Promise<QuantityComparison> {
  const first: number[] = [];
  const second: number[] = [];
  for (const { a, b } of items) {
    const [left, right] = [a.quantities[name], b.quantities[name]];
    if (left === null || right === null) continue;
    first.push(left);
    second.push(right);
  }
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

function keyOf(name: string): readonly (string | null)[] {
  return (JSON.parse(name) as [(string | null)[], number])[0];
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : mean([...values]);
}

function count(values: readonly boolean[]): number {
  return values.filter(Boolean).length;
}
