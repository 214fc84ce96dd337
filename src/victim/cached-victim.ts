import { unlessAborted } from '../abort.js';
import { digest } from './digest.js';
import type { AnswerStore } from './response-cache.js';
import { VictimError } from './victim-error.js';
import type { Answer, AnswerOptions, Victim } from './victim.js';

/** What a run asked of its victim; counted up as it goes. */
export interface VictimCounters {
  /** Inputs that the victim answered. */
  calls: number;
  /** Questions answered from the cache, those answered a moment ago in the same batch included. */
  cached: number;
  /** Tokens of the inputs of `calls`, where the victim counts them. */
  promptTokens: number;
  /** Tokens of the answers of `calls`, where the victim counts them. */
  completionTokens: number;
}

/** Counters at zero. */
export function newCounters(): VictimCounters {
  return { calls: 0, cached: 0, promptTokens: 0, completionTokens: 0 };
}

/** The key of a question: a hash of the victim's signature, the input and the number of the repeat. */
export function answerKey(signature: string, input: string, repeat: number): string {
  return digest([signature, input, repeat]);
}

/**
 * Puts a store of answers in front of a victim: a question is asked once, and its answer is kept before anybody uses it.
 *
 * The same input twice in a batch, or in two batches at the same time, is one call. What is returned is what the store
 * holds, so a run that is killed and goes on sees the same answers as before. An error is never kept: the question is asked again the
 * next time; answers that came before it are kept.
 *
 * @param store A `ResponseCache`, or `memoryStore()`. It is not closed with the victim.
 * @param counters Counted up: calls and answers from the store apart, so that `calls + cached` = questions answered.
 */
export function cachedVictim(victim: Victim, store: AnswerStore, counters: VictimCounters): Victim {
  /** Questions that are being asked now, by key; their promises are never rejected. */
  const inFlight = new Map<string, Promise<void>>();

  const ask = async (asked: ReadonlyMap<string, string>, options: AnswerOptions, got: Got): Promise<void> => {
    const keys = [...asked.keys()];
    const kept = new Set<number>();
    const onAnswer = (index: number, answer: Answer): void => {
      const key = keys[index];
      if (key === undefined || kept.has(index)) return;
      kept.add(index);
      counters.calls += 1;
      counters.promptTokens += answer.usage?.promptTokens ?? 0;
      counters.completionTokens += answer.usage?.completionTokens ?? 0;
      got(key, store.put(key, answer), true);
    };
    const { signal, repeat } = options;
    const answering = victim.answer([...asked.values()], {
      ...(signal && { signal }),
      ...(repeat !== undefined && { repeat }),
      onAnswer,
    });
    const settled = answering.then(
      () => {},
      () => {},
    );
    for (const key of keys) inFlight.set(key, settled);
    try {
      // A victim of one's own may forget to tell the answers one by one.
      for (const [index, answer] of (await answering).entries()) onAnswer(index, answer);
    } finally {
      for (const key of keys) inFlight.delete(key);
    }
    if (kept.size < keys.length) {
      throw new VictimError(
        'victim',
        `${victim.kind}:${victim.name} gave ${kept.size} answers to ${keys.length} inputs`,
      );
    }
  };

  return {
    kind: victim.kind,
    name: victim.name,
    signature: victim.signature,
    async answer(inputs: readonly string[], options: AnswerOptions = {}): Promise<readonly Answer[]> {
      const keys = inputs.map((input) => answerKey(victim.signature, input, options.repeat ?? 0));
      const places = new Map<string, number[]>();
      for (const [index, key] of keys.entries()) {
        const known = places.get(key);
        if (known === undefined) places.set(key, [index]);
        else known.push(index);
      }
      const answers: Answer[] = [];
      let done = 0;
      const got: Got = (key, answer, isCall) => {
        const indexes = places.get(key) ?? [];
        places.delete(key);
        counters.cached += indexes.length - (isCall ? 1 : 0);
        for (const index of indexes) {
          answers[index] = answer;
          options.onAnswer?.(index, answer);
        }
        done += indexes.length;
        options.onProgress?.(done, inputs.length);
      };
      while (places.size > 0) {
        options.signal?.throwIfAborted();
        for (const key of places.keys()) {
          const answer = store.get(key);
          if (answer !== undefined) got(key, answer, false);
        }
        const waiting = [...places.keys()].flatMap((key) => inFlight.get(key) ?? []);
        const mine = new Map<string, string>();
        for (const [key, [index = 0]] of places) if (!inFlight.has(key)) mine.set(key, inputs[index] ?? '');
        if (mine.size > 0) await ask(mine, options, got);
        // When the other batch failed or was aborted, its questions become ours in the next round.
        else if (waiting.length > 0) await unlessAborted(Promise.all(waiting), options.signal);
      }
      return answers;
    },
    async close(): Promise<void> {
      await victim.close?.();
    },
  };
}

/** Takes an answer: from the victim just now (`isCall`), or from the store. */
type Got = (key: string, answer: Answer, isCall: boolean) => void;
