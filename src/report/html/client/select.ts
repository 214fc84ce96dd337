import type { RecordRow } from '../report-data.js';
import { NONE, type State } from './state.js';
import type { Store } from './store.js';

type Test = (row: RecordRow, index: number) => boolean;

/** The rows that a state shows, as places in the store, in the order it asks for. */
export function select(store: Store, state: State): Uint32Array {
  const tests = testsOf(store, state);
  const { rows } = store;
  const found = new Uint32Array(rows.length);
  let count = 0;
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index];
    if (row !== undefined && tests.every((test) => test(row, index))) {
      found[count] = index;
      count += 1;
    }
  }
  const selected = found.slice(0, count);
  return state.sort === '' ? selected : sorted(store, selected, state.sort);
}

function testsOf(store: Store, state: State): Test[] {
  const tests: Test[] = [];
  for (const field of ['attack', 'model', 'dataset', 'run', 'result'] as const) {
    const wanted = state[field];
    if (wanted !== '') tests.push((row) => (row[field] ?? NONE) === wanted);
  }
  if (state.success !== '') {
    const wanted = { yes: true, no: false, undefined: null }[state.success];
    if (wanted !== undefined) tests.push((row) => row.success === wanted);
  }
  if (state.edit !== '') tests.push(({ kinds }) => kinds.includes(state.edit));
  if (state.rule !== '') tests.push(({ rules }) => rules.includes(state.rule));
  // Last, since it costs the most.
  for (const word of state.q.toLowerCase().split(' ')) {
    if (word !== '') tests.push((_row, index) => store.searched[index]?.includes(word) === true);
  }
  return tests;
}

const ranks = new WeakMap<Store, Map<string, Float64Array>>();

/** Sorts by one column; rows without a value stand last in either order, equal ones keep the order of the files. */
function sorted(store: Store, selected: Uint32Array, sort: string): Uint32Array {
  const falling = sort.startsWith('-');
  const rankOf = ranksOf(store, falling ? sort.slice(1) : sort);
  const count = store.rows.length;
  // One number a row, rank and place: typed arrays of numbers are sorted ten times as fast without a comparison function.
  const keys = new Float64Array(selected.length);
  for (let at = 0; at < selected.length; at += 1) {
    const index = selected[at] ?? 0;
    const rank = rankOf[index] ?? count;
    keys[at] = (falling && rank < count ? count - 1 - rank : rank) * count + index;
  }
  keys.sort();
  const order = new Uint32Array(keys.length);
  for (let at = 0; at < keys.length; at += 1) order[at] = (keys[at] ?? 0) % count;
  return order;
}

/** The rank of each row among the distinct values of a column; the number of rows where it has none. Kept for the next time. */
function ranksOf(store: Store, column: string): Float64Array {
  const kept = ranks.get(store) ?? new Map<string, Float64Array>();
  ranks.set(store, kept);
  const known = kept.get(column);
  if (known !== undefined) return known;
  const values = store.rows.map((row) => sortValue(row[column as keyof RecordRow]));
  const distinct = [...new Set(values)].filter((value) => value !== undefined).toSorted(compare);
  const rankOf = new Map(distinct.map((value, rank) => [value, rank]));
  const made = new Float64Array(values.length).fill(values.length);
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (value !== undefined) made[index] = rankOf.get(value) ?? values.length;
  }
  kept.set(column, made);
  return made;
}

/** What a value sorts by; undefined where there is none. */
function sortValue(value: unknown): number | string | undefined {
  if (typeof value === 'string') return sortText(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
}

function compare(left: number | string, right: number | string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** A text whose code units sort as people count and spell: without case, numbers by their value. */
function sortText(text: string): string {
  return text.toLowerCase().replaceAll(/\d+/gu, (digits) => digits.padStart(16, '0'));
}
