import { describe, expect, it } from 'vitest';

import { answerAll } from '../../src/victim/answer-all.js';
import { VictimError } from '../../src/victim/victim-error.js';
import { cachedVictim, newCounters } from '../../src/victim/cached-victim.js';
import { memoryStore } from '../../src/victim/response-cache.js';
import type { Answer, Victim } from '../../src/victim/victim.js';
import { CountingVictim } from './counting-victim.js';

function outputs(answers: readonly Answer[]): string[] {
  return answers.map(({ output }) => output);
}

describe('a cached victim', () => {
  it('asks each question once and counts calls, cached answers and tokens apart', async () => {
    const inner = new CountingVictim();
    const counters = newCounters();
    const victim = cachedVictim(inner, memoryStore(), counters);
    const progress: [number, number | undefined][] = [];
    const first = await victim.answer(['a', 'b', 'a'], { onProgress: (done, total) => progress.push([done, total]) });
    expect(outputs(first)).toEqual(['call 1', 'call 2', 'call 1']);
    expect(counters).toMatchObject({ calls: 2, cached: 1, promptTokens: 4, completionTokens: 2 });
    expect(progress).toEqual([
      [2, 3],
      [3, 3],
    ]);
    expect(outputs(await victim.answer(['b', 'c']))).toEqual(['call 2', 'call 3']);
    expect(counters).toMatchObject({ calls: 3, cached: 2, promptTokens: 6, completionTokens: 3 });
    expect(await victim.answer([])).toEqual([]);
    expect(inner.asked).toEqual(['a', 'b', 'c']);
  });

  it('B61: keeps repeats apart, and answers them from the store the next time', async () => {
    const store = memoryStore();
    const ask = async (inner: CountingVictim): Promise<string[]> => {
      const victim = cachedVictim(inner, store, newCounters());
      const answers: string[] = [];
      for (const repeat of [0, 1, 2]) answers.push(...outputs(await victim.answer(['a'], { repeat })));
      return answers;
    };
    const inner = new CountingVictim();
    expect(await ask(inner)).toEqual(['call 1', 'call 2', 'call 3']);
    const again = new CountingVictim();
    expect(await ask(again)).toEqual(['call 1', 'call 2', 'call 3']);
    expect(again.asked).toEqual([]);
    // Another signature: other settings.
    expect(await ask(new CountingVictim('counting, other settings'))).toEqual(['call 1', 'call 2', 'call 3']);
  });

  it('B61: keeps no error, but the answers before it', async () => {
    const inner = new CountingVictim();
    inner.failAt = 'b';
    const counters = newCounters();
    const victim = cachedVictim(inner, memoryStore(), counters);
    await expect(victim.answer(['a', 'b', 'c'])).rejects.toThrow('no answer to b');
    expect(counters).toMatchObject({ calls: 1, cached: 0 });
    inner.failAt = undefined;
    expect(outputs(await victim.answer(['a', 'b', 'c']))).toEqual(['call 1', 'call 3', 'call 4']);
    expect(counters).toMatchObject({ calls: 3, cached: 1 });
  });

  it('asks once for batches at the same time', async () => {
    const inner = new CountingVictim();
    inner.delayMs = 5;
    const counters = newCounters();
    const victim = cachedVictim(inner, memoryStore(), counters);
    const [first, second] = await Promise.all([victim.answer(['a', 'b']), victim.answer(['b', 'a', 'c'])]);
    // The second batch asks "c" between the two questions of the first one.
    expect(outputs(first ?? [])).toEqual(['call 1', 'call 3']);
    expect(outputs(second ?? [])).toEqual(['call 3', 'call 1', 'call 2']);
    expect(inner.asked.toSorted()).toEqual(['a', 'b', 'c']);
    expect(counters).toMatchObject({ calls: 3, cached: 2 });
  });

  it('asks itself when the batch it waited for failed or was aborted', async () => {
    const inner = new CountingVictim();
    inner.delayMs = 20;
    const victim = cachedVictim(inner, memoryStore(), newCounters());
    const abort = new AbortController();
    const aborted = victim.answer(['a'], { signal: abort.signal });
    const waiting = victim.answer(['a']);
    abort.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    expect(outputs(await waiting)).toEqual(['call 2']);
  });

  it('ends its wait for another batch when it is aborted', async () => {
    const inner = new CountingVictim();
    inner.delayMs = 2000;
    const victim = cachedVictim(inner, memoryStore(), newCounters());
    let isDone = false;
    const other = victim.answer(['a']).finally(() => {
      isDone = true;
    });
    await expect(victim.answer(['a'], { signal: AbortSignal.timeout(20) })).rejects.toThrow(/timeout/u);
    expect(isDone).toBe(false);
    await other;
  });

  it('tells lone surrogates, and texts that only look alike, apart', async () => {
    const inner = new CountingVictim();
    const victim = cachedVictim(inner, memoryStore(), newCounters());
    await victim.answer(['\ud800', '\ud801', '\ufffd', '', ' ', 'é', 'e\u0301']);
    expect(inner.asked).toHaveLength(7);
  });

  it('takes answers of a victim that doesn’t tell them one by one, and refuses too few', async () => {
    const silent: Victim = {
      kind: 'module',
      name: 'silent',
      signature: 's',
      answer: async (inputs) => inputs.slice(0, 2).map((input) => ({ output: input })),
    };
    const victim = cachedVictim(silent, memoryStore(), newCounters());
    expect(outputs(await victim.answer(['a', 'b']))).toEqual(['a', 'b']);
    await expect(victim.answer(['c', 'd', 'e'])).rejects.toThrow('module:silent gave 2 answers to 3 inputs');
  });
});

describe('inputs that fail alone', () => {
  /** A victim that refuses some inputs, in the way that a victim of one's own may: it throws for the whole batch. */
  function failing(bad: ReadonlySet<string>): Victim & { readonly asked: string[][] } {
    const asked: string[][] = [];
    return {
      kind: 'module',
      name: 'failing',
      signature: 'failing',
      asked,
      async answer(inputs) {
        asked.push([...inputs]);
        if (inputs.some((input) => bad.has(input))) throw new VictimError('input', 'not this one');
        return inputs.map((input) => ({
          output: input.toUpperCase(),
          ...(input === 'r' && { state: 'refused' as const }),
        }));
      },
    };
  }

  it('F37: are found among the others of their batch, are not asked again in the run, and are not kept', async () => {
    const store = memoryStore();
    const inner = failing(new Set(['b']));
    const counters = newCounters();
    const victim = cachedVictim(inner, store, counters);
    expect(await answerAll(victim, ['a', 'b', 'r', 'b'])).toEqual([
      { output: 'A' },
      { output: '', state: 'error', reason: 'not this one' },
      { output: 'R', state: 'refused' },
      { output: '', state: 'error', reason: 'not this one' },
    ]);
    expect(inner.asked).toEqual([['a', 'b', 'r'], ['a'], ['b'], ['r']]);
    expect(await answerAll(victim, ['b', 'r'])).toMatchObject([{ state: 'error' }, { state: 'refused' }]);
    await expect(victim.answer(['a', 'b'])).rejects.toThrow('not this one');
    expect(inner.asked).toHaveLength(4);
    expect(counters).toMatchObject({ calls: 2, nonAnswers: { error: 1, refused: 1, filtered: 0 } });
    // A later run asks again.
    expect(await answerAll(cachedVictim(failing(new Set()), store, newCounters()), ['b'])).toEqual([{ output: 'B' }]);
  });
});
