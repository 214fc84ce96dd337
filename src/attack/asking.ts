import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { RunOptions } from '../run-options.js';
import type { AnswerState } from '../victim/victim.js';
import { QueryBudget } from './query-budget.js';

/** What the victim's answer to a text means for the attack. */
export interface Verdict {
  /** How close the attack is to its goal: larger is better. What the range is, the goal function says. */
  readonly score: number;
  /** Whether the goal is reached. */
  readonly reached: boolean;
  /** What the victim said, where a single answer stands behind the verdict. */
  readonly output?: string;
  /** What the answer is, where it is none: see `ANSWER_STATES`. */
  readonly state?: AnswerState;
  /** Only of the original: why no text could serve the goal, so that a search need not begin. */
  readonly pointless?: string;
}

/** What a search sees of the victim: texts in, verdicts out, within a budget. */
export interface Asking {
  /** How many queries the search may make, and has made. */
  readonly budget: QueryBudget;
  /**
   * Asks about texts, in order. A text that was asked before in this search costs nothing.
   *
   * @returns Verdicts in the order of the texts; fewer than asked when the budget ended: those of the first texts.
   */
  ask(texts: readonly string[]): Promise<readonly Verdict[]>;
}

/** The longest time without a look at the outside world, in milliseconds. */
const TURN_MS = 50;

/** Longer texts (in UTF-16 code units) are remembered by their hash. */
const LONG_TEXT = 2048;

/** Judges texts that have not been asked yet in this search, in order. */
export type Judge = (texts: readonly string[], options: Pick<RunOptions, 'signal'>) => Promise<readonly Verdict[]>;

/**
 * Puts a budget and a memory in front of a judge.
 *
 * @param limit The query budget; Infinity for none. Texts beyond it are not asked: the judge never sees one more.
 * @param onQuery Called after each round of queries.
 */
export function askWithin(
  judge: Judge,
  limit: number,
  { signal, onQuery }: Pick<RunOptions, 'signal'> & { readonly onQuery?: (budget: QueryBudget) => void } = {},
): Asking {
  const budget = new QueryBudget(limit);
  const options = signal === undefined ? {} : { signal };
  /** Undefined while the victim is asked. */
  const known = new Map<string, Verdict | undefined>();
  let turned = performance.now();
  return {
    budget,
    async ask(texts) {
      // A victim that answers at once leaves no room for a Ctrl-C between two questions.
      if (performance.now() - turned > TURN_MS) {
        await nextTurn();
        turned = performance.now();
      }
      signal?.throwIfAborted();
      const keys = texts.map(keyOf);
      const asked: string[] = [];
      const askedKeys: string[] = [];
      for (const [index, key] of keys.entries()) {
        if (known.has(key)) continue;
        if (budget.take(1) === 0) break;
        known.set(key, undefined);
        asked.push(texts[index] ?? '');
        askedKeys.push(key);
      }
      if (asked.length > 0) {
        const verdicts = await judge(asked, options);
        for (const [index, key] of askedKeys.entries()) known.set(key, verdicts[index]);
        onQuery?.(budget);
      }
      const verdicts: Verdict[] = [];
      for (const key of keys) {
        const verdict = known.get(key);
        if (verdict === undefined) break;
        verdicts.push(verdict);
      }
      return verdicts;
    },
  };
}

/** What a text is remembered by: a long one by its hash, so that memory does not grow with the square of its length. */
function keyOf(text: string): string {
  return text.length > LONG_TEXT ? createHash('sha256').update(text, 'utf16le').digest('base64') : text;
}
