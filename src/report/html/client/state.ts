/** What the table shows: all of it is in the URL, so that a link leads to the same view. */
export interface State {
  readonly q: string;
  readonly attack: string;
  readonly model: string;
  readonly dataset: string;
  readonly run: string;
  /** What the tool said. */
  readonly result: string;
  /** What teapot says: `yes`, `no` or `undefined`. */
  readonly success: string;
  readonly edit: string;
  readonly rule: string;
  /** A column, with `-` in front for falling order; empty for the order of the files. */
  readonly sort: string;
  /** The 1-based place of the record that is open. */
  readonly record: string;
}

/** A filter that is set to nothing. */
export const EMPTY: State = {
  q: '',
  attack: '',
  model: '',
  dataset: '',
  run: '',
  result: '',
  success: '',
  edit: '',
  rule: '',
  sort: '',
  record: '',
};

const NAMES = Object.keys(EMPTY) as (keyof State)[];

/** How a missing value is written in the URL and in lists. */
export const NONE = '(none)';

/** Reads the state of the URL; undefined when its fragment leads to a part of the page. */
export function readState(fragment: string): State | undefined {
  if (!fragment.startsWith('#?')) return undefined;
  const parameters = new URLSearchParams(fragment.slice(2));
  const state: Record<string, string> = { ...EMPTY };
  for (const name of NAMES) state[name] = parameters.get(name) ?? '';
  return state as unknown as State;
}

/** The fragment of a state; what is not set is left out. */
export function fragmentOf(state: State): string {
  const parameters = new URLSearchParams();
  for (const name of NAMES) if (state[name] !== '') parameters.set(name, state[name]);
  return `#?${parameters.toString()}`;
}
