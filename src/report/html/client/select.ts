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
    if (word !== '') tests.push((_row, index) => store.haystack(index).includes(word));
  }
  return tests;
}

const ranks = new WeakMap<Store, Map<string, Float64Array>>();

/** Sorts by one column; rows without a value stand last in either order, equal ones keep the order of the files. */
function sorted(store: Store, selected: Uint32Array, sort: string): Uint32Array {
  const falling = sort.startsWith('-');
  const keys = sortKeys(store, falling ? sort.slice(1) : sort);
  const direction = falling ? -1 : 1;
  return selected.toSorted((a, b) => {
    const left = keys[a] ?? Number.NaN;
    const right = keys[b] ?? Number.NaN;
    if (left === right) return a - b;
    if (Number.isNaN(left)) return Number.isNaN(right) ? a - b : 1;
    if (Number.isNaN(right)) return -1;
    return (left - right) * direction;
  });
}

/** A number a row that sorts as the column does; of texts, their rank. Kept for the next time. */
export function sortKeys(store: Store, column: string): Float64Array {
  const kept = ranks.get(store) ?? new Map<string, Float64Array>();
  ranks.set(store, kept);
  const known = kept.get(column);
  if (known !== undefined) return known;
  const keys = Float64Array.from(store.rows, (row) => numberOf(row[column as keyof RecordRow]));
  const texts = store.rows.map((row) => row[column as keyof RecordRow]);
  if (texts.some((text) => typeof text === 'string')) {
    const collator = new Intl.Collator('en', { numeric: true });
    const distinct = [...new Set(texts.filter((text) => typeof text === 'string'))].toSorted(collator.compare);
    const rankOf = new Map(distinct.map((text, rank) => [text, rank]));
    for (const [index, text] of texts.entries()) if (typeof text === 'string') keys[index] = rankOf.get(text) ?? 0;
  }
  kept.set(column, keys);
  return keys;
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return Number.NaN;
}
