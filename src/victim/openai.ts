import type OpenAI from 'openai';
import pLimit from 'p-limit';
import type { LimitFunction } from 'p-limit';

import { ERROR_CODES, TeapotError } from '../errors.js';
import { quote } from '../score/pairs.js';
import { composeBaseUrl } from './base-url.js';
import { completionFields, fieldsOfRepeat, messageOf, readCompletion } from './completion.js';
import type { CompletionFields } from './completion.js';
import { endpointSettings } from './endpoint-settings.js';
import type { EndpointSettings } from './endpoint-settings.js';
import { Pace, RequestFailure, retryAfterMs, seconds, withRetries } from './retry.js';
import { secretFrom } from './secret.js';
import type { Secret } from './secret.js';
import { unlessAborted } from './unless-aborted.js';
import type { Answer, AnswerOptions, Victim, VictimContext } from './victim.js';

const OPENAI_BASE_URL = 'https://api.openai.com/v1';

/** Statuses that may be gone a little later: time-out, conflict, too many requests; and everything from 500. */
const RETRYABLE_STATUSES = new Set([408, 409, 429]);

/**
 * A victim behind an OpenAI-compatible endpoint.
 *
 * Every field that is sent stands in the signature: model, base URL, system message, temperature (0), seed, the longest answer …
 * Requests are repeated and paced as `EndpointLimits` says, by teapot alone: the client's own retries are off. When a request
 * fails for good, requests that are under way still end, and their answers reach `onAnswer`; nothing new begins.
 *
 * The key comes from the environment, and leaves this process only in the header of requests: it is taken out of every error
 * and answer.
 *
 * @param model The name the endpoint knows the model by.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for a base URL that is none, a limit or sampling value out of range, a key
 *   that can't be a key, and when OpenAI's own endpoint is to be asked without one.
 */
export async function createOpenaiVictim(model: string, context: VictimContext): Promise<Victim> {
  const env = context.env ?? process.env;
  const settings = endpointSettings(context.limits, context.sampling);
  const given = context.baseUrl ?? (env['OPENAI_BASE_URL'] || undefined);
  const where = context.baseUrl === undefined ? 'The environment variable OPENAI_BASE_URL' : '--base-url';
  const baseUrl = given === undefined ? OPENAI_BASE_URL : composeBaseUrl(given, where);
  const key = secretFrom(env, context.apiKeyVariable, baseUrl === OPENAI_BASE_URL);
  const { default: Client } = await import('openai');
  const client = new Client({
    baseURL: baseUrl,
    apiKey: key.value ?? 'none',
    ...(key.value === undefined && { defaultHeaders: { Authorization: null } }),
    maxRetries: 0,
    timeout: settings.timeoutMs,
    // The client would write requests to the console when OPENAI_LOG says so.
    logLevel: 'off',
  });
  return new OpenaiVictim(model, baseUrl, client, key, settings);
}

class OpenaiVictim implements Victim {
  readonly kind = 'openai';
  readonly name: string;
  readonly signature: string;
  readonly #client: OpenAI;
  readonly #key: Secret;
  readonly #settings: EndpointSettings;
  readonly #fields: CompletionFields;
  readonly #url: string;
  readonly #limit: LimitFunction;
  readonly #pace: Pace;

  constructor(model: string, baseUrl: string, client: OpenAI, key: Secret, settings: EndpointSettings) {
    const { api, system, sampling } = settings;
    this.name = model;
    this.#client = client;
    this.#key = key;
    this.#settings = settings;
    this.#fields = completionFields(model, sampling);
    this.#url = `${baseUrl}/${api === 'chat' ? 'chat/completions' : 'completions'}`;
    this.#limit = pLimit(settings.concurrency);
    this.#pace = new Pace(settings.requestsPerMinute);
    this.signature = JSON.stringify(['openai', this.#url, system ?? null, this.#fields]);
  }

  async answer(inputs: readonly string[], options: AnswerOptions = {}): Promise<readonly Answer[]> {
    options.signal?.throwIfAborted();
    const answers: Answer[] = [];
    const stop = new AbortController();
    const halt = (): void => stop.abort(options.signal?.reason);
    options.signal?.addEventListener('abort', halt, { once: true });
    const fields = fieldsOfRepeat(this.#fields, options.repeat ?? 0);
    let done = 0;
    const one = async (input: string, index: number): Promise<void> => {
      if (stop.signal.aborted) return;
      try {
        const answer = await this.#ask(input, fields, stop.signal, options.signal);
        answers[index] = answer;
        done += 1;
        options.onAnswer?.(index, answer);
        options.onProgress?.(done, inputs.length);
      } catch (error) {
        stop.abort(error);
      }
    };
    try {
      const all = Promise.all(inputs.map((input, index) => this.#limit(() => one(input, index))));
      await unlessAborted(all, options.signal);
      stop.signal.throwIfAborted();
      return answers;
    } finally {
      options.signal?.removeEventListener('abort', halt);
    }
  }

  /** One answer. `waiting` ends waits between requests, `signal` requests too. */
  async #ask(
    input: string,
    fields: CompletionFields,
    waiting: AbortSignal,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const attempt = async (): Promise<Answer> => {
      await this.#pace.turn(waiting);
      return this.#request(input, fields, signal);
    };
    const { retries, maxWaitMs, firstWaitMs } = this.#settings;
    const onRetryAfter = (ms: number): void => this.#pace.pause(ms);
    try {
      return await withRetries(attempt, { retries, maxWaitMs, firstWaitMs, signal: waiting, onRetryAfter });
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      throw new TeapotError(ERROR_CODES.ENDPOINT, `Victim openai:${this.name}: ${this.#url} ${error.message}`);
    }
  }

  /** One request, with a time limit for all of it: the client's own ends with the headers. */
  async #request(input: string, fields: CompletionFields, signal: AbortSignal | undefined): Promise<Answer> {
    const { timeoutMs } = this.#settings;
    const controller = new AbortController();
    let isTimeout = false;
    const timer = setTimeout(() => {
      isTimeout = true;
      controller.abort();
    }, timeoutMs);
    const abort = (): void => controller.abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const response = await this.#send(input, fields, controller.signal);
      return this.#read(await response.text());
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof RequestFailure) throw error;
      if (isTimeout) throw new RequestFailure(`gave no complete answer within ${seconds(timeoutMs)}`, true);
      throw this.#asFailure(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  async #send(input: string, fields: CompletionFields, signal: AbortSignal): Promise<Response> {
    const { api, system } = this.#settings;
    if (api === 'completions') {
      const body = { ...fields, prompt: input } as unknown as OpenAI.CompletionCreateParamsNonStreaming;
      return this.#client.completions.create(body, { signal }).asResponse();
    }
    const messages = [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      { role: 'user', content: input },
    ];
    const body = { ...fields, messages } as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming;
    return this.#client.chat.completions.create(body, { signal }).asResponse();
  }

  #read(text: string): Answer {
    const safe = this.#key.hide(text);
    let body: unknown;
    try {
      body = JSON.parse(safe);
    } catch {
      // What begins as JSON was cut off on its way; a page in HTML will be the same the next time.
      throw new RequestFailure(`answered with what is no JSON: ${quote(safe)}`, safe.trimStart().startsWith('{'));
    }
    const completion = readCompletion(body);
    if ('output' in completion) return completion;
    throw new RequestFailure(completion.problem, isRetryableStatus(completion.status));
  }

  #asFailure(error: unknown): RequestFailure {
    const { status, headers, code, error: body } = Object(error) as ClientError;
    if (typeof status !== 'number') {
      return new RequestFailure(`can't be reached: ${this.#key.hide(deepestMessage(error))}`, true);
    }
    const said = body === undefined || body === null ? (Object(error) as Error).message : messageOf(body);
    const hint = status === 404 ? '; is the base URL right, and is there such a model?' : '';
    return new RequestFailure(
      `answered with status ${status}: ${this.#key.hide(said)}${hint}`,
      // A quota that is used up doesn't come back by waiting.
      isRetryableStatus(status) && code !== 'insufficient_quota',
      retryAfterMs(headers, Date.now()),
    );
  }
}

/** What the client's errors hold. */
interface ClientError {
  readonly status?: unknown;
  readonly headers?: Headers;
  readonly code?: unknown;
  readonly error?: unknown;
}

function isRetryableStatus(status: number | undefined): boolean {
  return status !== undefined && (RETRYABLE_STATUSES.has(status) || status >= 500);
}

/** The message of the innermost cause: `fetch failed` says nothing, `connect ECONNREFUSED 127.0.0.1:1` does. */
function deepestMessage(error: unknown): string {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause;
  if (deepest instanceof AggregateError && deepest.errors.length > 0) return deepestMessage(deepest.errors[0]);
  return deepest instanceof Error ? deepest.message : String(deepest);
}
