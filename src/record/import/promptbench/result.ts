import type { PythonValue } from '../common/python-literal.js';

/** What one attack of PromptBench returned. */
export type PromptBenchResult =
  | {
      /** `dict` since December 2023; `tuple` before: (score, attacked prompt, attacked score, drop). */
      readonly layout: 'dict' | 'tuple';
      /** Null in the old layout, which doesn't hold it. */
      readonly originalPrompt: string | null;
      readonly originalScore: number;
      readonly attackedPrompt: string;
      readonly attackedScore: number;
      /** The stored drop rate; null where there is none. */
      readonly storedPdr: number | null;
      /** The stored absolute drop of the old layout. */
      readonly storedDrop: number | null;
      /** Keys that PromptBench doesn't write, kept. */
      readonly others: readonly (readonly [string, unknown])[];
    }
  | {
      /** The semantic attack: every prompt with its score. */
      readonly layout: 'semantic';
      readonly scores: readonly (readonly [string, number])[];
    };

/** Why a value is no result. */
export interface ResultProblem {
  readonly problem: string;
}

const LAYOUTS =
  'expected {"original prompt", "original score", "attacked prompt", "attacked score", "PDR"}, ' +
  'the old 4-tuple [original score, attacked prompt, attacked score, drop], or {prompt: score, …} of the semantic attack';

/**
 * Recognises what `Attack(…).attack()` of PromptBench returned, in all its layouts.
 *
 * @param value a parsed JSON or Python value.
 * @returns the results in it (a list of results gives several), or why it is none.
 */
export function readPromptBenchResults(value: PythonValue): readonly PromptBenchResult[] | ResultProblem {
  if (value.type === 'dict') {
    const result = readDict(value.entries);
    return 'problem' in result ? result : [result];
  }
  if (value.type !== 'sequence') return { problem: `found ${describe(value)}, ${LAYOUTS}` };
  const tuple = readTuple(value.items);
  if (tuple !== undefined) return [tuple];
  if (value.items.length === 0) return [];
  if (!value.items.every(({ type }) => type === 'dict' || type === 'sequence')) {
    return { problem: `found a list of ${value.items.length} values, ${LAYOUTS}` };
  }
  const results: PromptBenchResult[] = [];
  for (const item of value.items) {
    const inner = readPromptBenchResults(item);
    if ('problem' in inner) return inner;
    results.push(...inner);
  }
  return results;
}

function readDict(entries: readonly (readonly [PythonValue, PythonValue])[]): PromptBenchResult | ResultProblem {
  const fields = new Map<string, PythonValue>();
  for (const [key, value] of entries) {
    if (key.type !== 'string') return { problem: `found a dict with the key ${describe(key)}, ${LAYOUTS}` };
    fields.set(key.value, value);
  }
  if (!fields.has('original prompt') && !fields.has('attacked prompt')) return readSemantic(entries);
  const originalPrompt = text(fields.get('original prompt'));
  const attackedPrompt = text(fields.get('attacked prompt'));
  const originalScore = number(fields.get('original score'));
  const attackedScore = number(fields.get('attacked score'));
  if (originalPrompt === undefined) return { problem: `"original prompt" is missing or no text, ${LAYOUTS}` };
  if (attackedPrompt === undefined) return { problem: `"attacked prompt" is missing or no text, ${LAYOUTS}` };
  if (originalScore === undefined) return { problem: `"original score" is missing or no finite number, ${LAYOUTS}` };
  if (attackedScore === undefined) return { problem: `"attacked score" is missing or no finite number, ${LAYOUTS}` };
  const known = new Set(['original prompt', 'original score', 'attacked prompt', 'attacked score', 'PDR']);
  return {
    layout: 'dict',
    originalPrompt,
    originalScore,
    attackedPrompt,
    attackedScore,
    storedPdr: number(fields.get('PDR')) ?? null,
    storedDrop: null,
    others: [...fields].filter(([key]) => !known.has(key)).map(([key, value]) => [key, plain(value)]),
  };
}

/** The semantic attack: every key is a prompt, every value a score. */
function readSemantic(entries: readonly (readonly [PythonValue, PythonValue])[]): PromptBenchResult | ResultProblem {
  const scores: (readonly [string, number])[] = [];
  for (const [key, value] of entries) {
    const score = number(value);
    if (key.type !== 'string' || score === undefined) return { problem: `found a dict of other keys, ${LAYOUTS}` };
    scores.push([key.value, score]);
  }
  return scores.length === 0 ? { problem: `found an empty dict, ${LAYOUTS}` } : { layout: 'semantic', scores };
}

/** Before December 2023: (original score, attacked prompt, attacked score, original score − attacked score). */
function readTuple(items: readonly PythonValue[]): PromptBenchResult | undefined {
  const [first, second, third, fourth] = items;
  const originalScore = number(first);
  const attackedPrompt = text(second);
  const attackedScore = number(third);
  const storedDrop = number(fourth);
  if (items.length !== 4 || originalScore === undefined || attackedPrompt === undefined) return undefined;
  if (attackedScore === undefined || storedDrop === undefined) return undefined;
  return {
    layout: 'tuple',
    originalPrompt: null,
    originalScore,
    attackedPrompt,
    attackedScore,
    storedPdr: null,
    storedDrop,
    others: [],
  };
}

function text(value: PythonValue | undefined): string | undefined {
  return value?.type === 'string' ? value.value : undefined;
}

function number(value: PythonValue | undefined): number | undefined {
  return value?.type === 'number' && Number.isFinite(value.value) ? value.value : undefined;
}

function describe(value: PythonValue): string {
  if (value.type === 'string')
    return JSON.stringify(value.value.length > 40 ? `${value.value.slice(0, 40)}…` : value.value);
  return value.type === 'number' ? String(value.value) : `a ${value.type}`;
}

/** A value as JSON holds it; a dict with a key `__proto__` keeps it as an own key. */
function plain(value: PythonValue): unknown {
  switch (value.type) {
    case 'none':
      return null;
    case 'sequence':
      return value.items.map(plain);
    case 'dict':
      return Object.fromEntries(value.entries.map(([key, item]) => [String(plain(key)), plain(item)]));
    case 'number':
      return Number.isFinite(value.value) ? value.value : null;
    default:
      return value.value;
  }
}
