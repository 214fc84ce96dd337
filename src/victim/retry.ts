import { setTimeout as sleep } from 'node:timers/promises';

import type { FailureScope } from './victim-error.js';

/** Why one request failed, and whether another one may help. */
export class RequestFailure extends Error {
  /** Whether the same request may go well a little later. */
  readonly isRetryable: boolean;
  /** Whether it is about this input alone. */
  readonly scope: FailureScope;
  /** Whether an endpoint that is there failed at it: it may be due to one input, or the endpoint is down. */
  readonly isOfEndpoint: boolean;
  /** How long the endpoint asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    details: {
      readonly isRetryable: boolean;
      readonly scope: FailureScope;
      readonly isOfEndpoint?: boolean;
      readonly retryAfterMs?: number | undefined;
    },
  ) {
    super(message);
    this.name = 'RequestFailure';
    this.isRetryable = details.isRetryable;
    this.scope = details.scope;
    this.isOfEndpoint = details.isOfEndpoint === true;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** The same failure, after which no further request is made. */
  asLast(why: string): RequestFailure {
    return new RequestFailure(`${this.message}${why}`, {
      isRetryable: false,
      scope: this.scope,
      isOfEndpoint: this.isOfEndpoint,
    });
  }
}

/** When {@link withRetries} gives up, and how long it waits. */
export interface RetryOptions {
  /** Requests after the first one. */
  readonly retries: number;
  /** The longest wait before one request, in milliseconds. */
  readonly maxWaitMs: number;
  /** The first wait, in milliseconds; it doubles. */
  readonly firstWaitMs: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** Is told how long the endpoint asks everybody to wait. */
  readonly onRetryAfter?: (ms: number) => void;
  /** Is told of every wait before a retry. */
  readonly onWait?: (failure: RequestFailure, ms: number) => void;
}

/**
 * Makes a request until it goes well, or another one makes no sense.
 *
 * The wait before retry `n` (from 0) is `firstWaitMs · 2^n`, at most `maxWaitMs`, times a random share from 0.5 to 1, so that
 * requests that failed together don't come back together; and never less than the endpoint asks for. When it asks for
 * more than `maxWaitMs`, it is given up at once: nobody wants to wait for tomorrow's quota.
 *
 * @throws {RequestFailure} the last failure; its message then says how often and why no more.
 */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { retries, maxWaitMs, firstWaitMs, signal } = options;
  for (let made = 1; ; made += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof RequestFailure) || !error.isRetryable) throw error;
      const asked = error.retryAfterMs ?? 0;
      if (asked > maxWaitMs) {
        throw error.asLast(
          `; it asks to wait ${seconds(asked)}, longer than the longest wait of ${seconds(maxWaitMs)}`,
        );
      }
      if (made > retries) {
        throw error.asLast(made === 1 ? '' : `; given up after ${made} requests`);
      }
      if (asked > 0) options.onRetryAfter?.(asked);
      const backOff = Math.min(maxWaitMs, firstWaitMs * 2 ** (made - 1)) * (0.5 + Math.random() / 2);
      const waitMs = Math.max(asked, backOff);
      options.onWait?.(error, waitMs);
      await abortableSleep(waitMs, signal);
    }
  }
}

/**
 * How long an endpoint asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as an HTTP date.
 *
 * @param nowMs The time, for dates.
 * @returns Milliseconds from 0, or undefined when it doesn't say, or nothing that can be read.
 */
export function retryAfterMs(headers: Headers | undefined, nowMs: number): number | undefined {
  const precise = readNumber(headers?.get('retry-after-ms'));
  if (precise !== undefined) return precise;
  const value = headers?.get('retry-after');
  const asked = readNumber(value);
  if (asked !== undefined) return asked * 1000;
  const date = value === null || value === undefined ? Number.NaN : Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

function readNumber(text: string | null | undefined): number | undefined {
  return text !== null && text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/u.test(text) ? Number(text) : undefined;
}

/** Lets requests begin one after the other, and all of them wait when the endpoint asks for it. */
export class Pace {
  readonly #intervalMs: number;
  #next = 0;

  /** @param requestsPerMinute The most requests that begin in a minute, evenly spaced; undefined: no limit. */
  constructor(requestsPerMinute: number | undefined) {
    this.#intervalMs = requestsPerMinute === undefined ? 0 : 60_000 / requestsPerMinute;
  }

  /** Waits for the next turn. */
  async turn(signal: AbortSignal | undefined): Promise<void> {
    const now = performance.now();
    const start = Math.max(now, this.#next);
    this.#next = start + this.#intervalMs;
    await abortableSleep(start - now, signal);
  }

  /** No turn begins before this much time has passed. */
  pause(ms: number): void {
    this.#next = Math.max(this.#next, performance.now() + ms);
  }
}

/** Waits, unless the signal aborts: then it throws its reason. Node.js's own throws an error of its own. */
async function abortableSleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (ms <= 0) return;
  try {
    // A timer may fire a moment too early, and nobody may come back before the time that was asked for.
    await sleep(Math.ceil(ms) + 1, undefined, signal && { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** A time for messages: `86400 s`, `0.25 s`. */
export function seconds(ms: number): string {
  return `${Math.round(ms) / 1000} s`;
}
