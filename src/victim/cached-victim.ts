import { unlessAborted } from '../abort.js';
import { digest } from '../digest.js';
import type { AnswerStore } from './response-cache.js';
import { endsRun, VictimError } from './victim-error.js';
import type { Answer, AnswerOptions, AnswerState, RequestCounts, Victim } from './victim.js';

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
  /** Different questions of this run whose answer is none, by state, those that failed for good included. */
  readonly nonAnswers: Record<NonAnswer, number>;
}

/** The states of answers that are none. */
export type NonAnswer = Exclude<AnswerState, 'answered'>;

/** Counters at zero. */
export function newCounters(): VictimCounters {
  return {
    calls: 0,
    cached: 0,
    promptTokens: 0,
    completionTokens: 0,
    nonAnswers: { refused: 0, filtered: 0, length: 0, tool_call: 0, unreadable: 0, error: 0 },
  };
}

/** The key of a question: a hash of the victim's signature, the input and the number of the repeat. */
export function answerKey(signature: string, input: string, repeat: number): string {
  return digest([signature, input, repeat]);
}

/**
 * Puts a store of answers in front of a victim: a question is asked once, and its answer is kept before anybody uses it.
 *
 * The same input twice in a batch, or in two batches at the same time, is one call. What is returned is what the store
 * holds, so a run that is killed and goes on sees the same answers as before. An error is never kept in the store: a later run asks
 * again. In this run, a question that failed alone fails again without a call; the other questions of its batch are answered.
 *
 * A victim whose answers cost nothing (`isFree`) is asked each time: its answers are counted and not kept.
 *
 * @param store A `ResponseCache`, or `memoryStore()`. It is not closed with the victim.
 * @param counters Counted up: calls and answers from the store apart, so that `calls + cached` = questions answered.
 */
export function cachedVictim(victim: Victim, store: AnswerStore, counters: VictimCounters): Victim {
  return victim.isFree === true ? countedVictim(victim, counters) : keptVictim(victim, store, counters);
}

/** A victim whose answers are worth no store: they are counted. */
function countedVictim(victim: Victim, counters: VictimCounters): Victim {
  return {
    kind: victim.kind,
    name: victim.name,
    signature: victim.signature,
    isFree: true,
    get requests() {
      return victim.requests ?? NO_REQUESTS;
    },
    async answer(inputs, options = {}) {
      const { onFailure } = options;
      const taken: AnswerOptions = {
        ...options,
        ...(onFailure && {
          onFailure(index: number, error: VictimError) {
            counters.nonAnswers.error += 1;
            onFailure(index, error);
          },
        }),
      };
      const answers: readonly (Answer | undefined)[] = await victim.answer(inputs, taken);
      for (const answer of answers) {
        if (answer === undefined) continue;
        const { state = 'answered', usage } = answer;
        counters.calls += 1;
        if (state !== 'answered') counters.nonAnswers[state] += 1;
        counters.promptTokens += usage?.promptTokens ?? 0;
        counters.completionTokens += usage?.completionTokens ?? 0;
      }
      return answers as readonly Answer[];
    },
    async close() {
      await victim.close?.();
    },
  };
}

function keptVictim(victim: Victim, store: AnswerStore, counters: VictimCounters): Victim {
  /** Questions that are being asked now, by key; their promises are never rejected. */
  const inFlight = new Map<string, Promise<void>>();
  /** Questions of this run that failed alone. */
  const failed = new Map<string, VictimError>();
  /** Questions of this run whose answer is none: each counts once. */
  const counted = new Set<string>();

  const countState = (key: string, state: AnswerState = 'answered'): void => {
    if (state === 'answered' || counted.has(key)) return;
    counted.add(key);
    counters.nonAnswers[state] += 1;
  };

  const ask = async (asked: ReadonlyMap<string, string>, options: AnswerOptions, got: Got): Promise<void> => {
    const keys = [...asked.keys()];
    const done = new Set<string>();
    const onAnswer = (key: string | undefined, answer: Answer): void => {
      if (key === undefined || done.has(key)) return;
      done.add(key);
      counters.calls += 1;
      counters.promptTokens += answer.usage?.promptTokens ?? 0;
      counters.completionTokens += answer.usage?.completionTokens ?? 0;
      const kept = answer.state === 'error' ? answer : store.put(key, answer);
      countState(key, kept.state);
      got(key, kept, true);
    };
    const onFailure = (key: string | undefined, error: VictimError): void => {
      if (key === undefined || done.has(key)) return;
      done.add(key);
      failed.set(key, error);
      countState(key, 'error');
    };
    const askSome = async (some: readonly string[]): Promise<void> => {
      const { signal, repeat } = options;
      const answers = await victim.answer(
        some.map((key) => asked.get(key) ?? ''),
        {
          ...(signal && { signal }),
          ...(repeat !== undefined && { repeat }),
          onAnswer: (index, answer) => onAnswer(some[index], answer),
          onFailure: (index, error) => onFailure(some[index], error),
        },
      );
      // A victim of one's own may forget to tell the answers one by one.
      for (const [index, key] of some.entries()) {
        const answer = answers[index];
        if (answer !== undefined) onAnswer(key, answer);
      }
      const missing = some.filter((key) => !done.has(key)).length;
      if (missing > 0) {
        const who = `${victim.kind}:${victim.name}`;
        throw new VictimError('victim', `${who} gave ${some.length - missing} answers to ${some.length} inputs`);
      }
    };
    const askAll = async (): Promise<void> => {
      try {
        await askSome(keys);
      } catch (error) {
        if (endsRun(error)) throw error;
        // One input failed, and the victim doesn't say which: those without an answer are asked alone.
        for (const key of keys) {
          if (done.has(key)) continue;
          try {
            await askSome([key]);
          } catch (reason) {
            if (endsRun(reason)) throw reason;
            onFailure(key, reason as VictimError);
          }
        }
      }
    };
    const answering = askAll();
    const settled = answering.then(
      () => {},
      () => {},
    );
    for (const key of keys) inFlight.set(key, settled);
    try {
      await answering;
    } finally {
      for (const key of keys) inFlight.delete(key);
    }
  };

  return {
    kind: victim.kind,
    name: victim.name,
    signature: victim.signature,
    get requests() {
      return victim.requests ?? NO_REQUESTS;
    },
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
      let failure: VictimError | undefined;
      const fail = (key: string, error: VictimError): void => {
        const indexes = places.get(key) ?? [];
        places.delete(key);
        failure ??= error;
        for (const index of indexes) options.onFailure?.(index, error);
      };
      while (places.size > 0) {
        options.signal?.throwIfAborted();
        for (const key of places.keys()) {
          const answer = store.get(key);
          if (answer !== undefined) {
            countState(key, answer.state);
            got(key, answer, false);
          }
          const error = failed.get(key);
          if (error !== undefined) fail(key, error);
        }
        if (places.size === 0) break;
        const waiting = [...places.keys()].flatMap((key) => inFlight.get(key) ?? []);
        const mine = new Map<string, string>();
        for (const [key, [index = 0]] of places) if (!inFlight.has(key)) mine.set(key, inputs[index] ?? '');
        if (mine.size > 0) await ask(mine, options, got);
        // When the other batch failed or was aborted, its questions become ours in the next round.
        else if (waiting.length > 0) await unlessAborted(Promise.all(waiting), options.signal);
      }
      // Where nobody takes the failures one by one, the first one is that of the batch; the answers are kept.
      if (failure !== undefined && options.onFailure === undefined) throw failure;
      return answers;
    },
    async close(): Promise<void> {
      await victim.close?.();
    },
  };
}

const NO_REQUESTS: RequestCounts = { requests: 0, retries: 0, rateLimited: 0 };

/** Takes an answer: from the victim just now (`isCall`), or from the store. */
type Got = (key: string, answer: Answer, isCall: boolean) => void;
