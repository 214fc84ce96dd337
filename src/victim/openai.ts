import { setMaxListeners } from 'node:events';

import type OpenAI from 'openai';
import pLimit from 'p-limit';
import type { LimitFunction } from 'p-limit';

import { onAbort, unlessAborted } from '../abort.js';
import { quote } from '../score/pairs.js';
import { composeBaseUrl, shownAddress } from './base-url.js';
import { completionFields, fieldsOfRepeat, isFiltered, messageOf, readCompletion } from './completion.js';
import type { CompletionFields } from './completion.js';
import { digest } from '../digest.js';
import { endpointSettings } from './endpoint-settings.js';
import type { EndpointSettings } from './endpoint-settings.js';
import { Pace, RequestFailure, retryAfterMs, seconds, withRetries } from './retry.js';
import { secretFrom } from './secret.js';
import type { Secret } from './secret.js';
import { endsRun, VictimError } from './victim-error.js';
import type { Answer, AnswerOptions, RequestCounts, Victim, VictimContext } from './victim.js';

/** Shorter waits than this are nobody's business. */
const NOTED_WAIT_MS = 2000;

/** The largest response that is read, in bytes: no answer is that long. */
const MOST_BYTES = 16 * 1024 * 1024;

/** So many inputs in a row that fail although the endpoint is there say that it is down. */
const MOST_FAILURES_IN_A_ROW = 3;

/** Statuses by which an endpoint refuses one input: its length, its content. */
const INPUT_STATUSES = new Set([400, 413, 422]);

const OPENAI_BASE_URL = 'https://api.openai.com/v1';

/** Statuses that may be gone a little later: time-out, conflict, too many requests; and everything from 500. */
const RETRYABLE_STATUSES = new Set([408, 409, 429]);

/**
 * A victim behind an OpenAI-compatible endpoint.
 *
 * Every field that is sent stands in the signature: model, base URL, system message, temperature (0), seed, the longest answer …
 * Requests are repeated and paced as `EndpointLimits` says, by teapot alone: the client's own retries are off. When a request
 * fails for good, requests that are under way still end, and their answers reach `onAnswer`; nothing new begins. An input that fails
 * alone (refused as too long, 5xx or no answer after all retries while others are answered) goes to `onFailure`, and the others go on;
 * three such inputs in a row end the run, as a key that is refused does at once.
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
  const where = context.baseUrl === undefined ? 'The environment variable OPENAI_BASE_URL' : 'the option `baseUrl`';
  const baseUrl = given === undefined ? OPENAI_BASE_URL : composeBaseUrl(given, where);
  const key = secretFrom(env, context.apiKeyVariable, baseUrl === OPENAI_BASE_URL);
  const { OpenAI: Client } = await import('./openai-client.js');
  const client = new Client({
    baseURL: baseUrl,
    apiKey: key.value ?? 'none',
    ...(key.value === undefined && { defaultHeaders: { Authorization: null } }),
    maxRetries: 0,
    timeout: settings.timeoutMs,
    // The client would write requests to the console when OPENAI_LOG says so.
    logLevel: 'off',
  });
  return new OpenaiVictim(model, baseUrl, client, key, settings, context.onNote);
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
  readonly #onNote: VictimContext['onNote'];
  readonly #counts = { requests: 0, retries: 0, rateLimited: 0 };
  #failuresInARow = 0;
  #hasAnswered = false;

  constructor(
    model: string,
    baseUrl: string,
    client: OpenAI,
    key: Secret,
    settings: EndpointSettings,
    onNote: VictimContext['onNote'],
  ) {
    const { api, system, sampling } = settings;
    this.name = model;
    this.#onNote = onNote;
    this.#client = client;
    this.#key = key;
    this.#settings = settings;
    this.#fields = completionFields(model, sampling);
    const url = `${baseUrl}/${api === 'chat' ? 'chat/completions' : 'completions'}`;
    this.#url = key.hide(shownAddress(url));
    // Two addresses that are shown alike are still two victims.
    const whole = this.#url === url ? [] : [digest(url)];
    this.#limit = pLimit(settings.concurrency);
    this.#pace = new Pace(settings.requestsPerMinute);
    this.signature = JSON.stringify(['openai', this.#url, ...whole, system ?? null, this.#fields]);
  }

  get requests(): RequestCounts {
    return { ...this.#counts };
  }

  async answer(inputs: readonly string[], options: AnswerOptions = {}): Promise<readonly Answer[]> {
    options.signal?.throwIfAborted();
    const answers: Answer[] = [];
    // An abort ends waits and requests; a failure ends waits alone: what was asked for is paid for.
    const cancel = new AbortController();
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const forget = onAbort(options.signal, () => {
      cancel.abort(options.signal?.reason);
      stop.abort(options.signal?.reason);
    });
    const fields = fieldsOfRepeat(this.#fields, options.repeat ?? 0);
    let done = 0;
    const one = async (input: string, index: number): Promise<void> => {
      if (stop.signal.aborted) return;
      try {
        const answer = await this.#ask(input, fields, stop.signal, cancel.signal);
        answers[index] = answer;
        done += 1;
        options.onAnswer?.(index, answer);
        options.onProgress?.(done, inputs.length);
      } catch (error) {
        if (options.onFailure === undefined || endsRun(error)) stop.abort(error);
        else options.onFailure(index, error as VictimError);
      }
    };
    try {
      const all = Promise.all(inputs.map((input, index) => this.#limit(() => one(input, index))));
      await unlessAborted(all, cancel.signal);
      stop.signal.throwIfAborted();
      return answers;
    } finally {
      forget();
    }
  }

  /** One answer. `waiting` ends waits between requests, `signal` requests too. */
  async #ask(input: string, fields: CompletionFields, waiting: AbortSignal, signal: AbortSignal): Promise<Answer> {
    let made = 0;
    const attempt = async (): Promise<Answer> => {
      await this.#pace.turn(waiting);
      this.#counts.requests += 1;
      if (made > 0) this.#counts.retries += 1;
      made += 1;
      return this.#request(input, fields, signal);
    };
    const { retries, maxWaitMs, firstWaitMs } = this.#settings;
    const who = `Victim openai:${this.name}: ${this.#url}`;
    const onRetryAfter = (ms: number): void => this.#pace.pause(ms);
    const onWait = (failure: RequestFailure, ms: number): void => {
      if (ms >= NOTED_WAIT_MS) this.#onNote?.(`${who} ${failure.message}; the next request comes in ${seconds(ms)}.`);
    };
    try {
      const answer = await withRetries(attempt, {
        retries,
        maxWaitMs,
        firstWaitMs,
        signal: waiting,
        onRetryAfter,
        onWait,
      });
      this.#failuresInARow = 0;
      this.#hasAnswered = true;
      return answer;
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      throw this.#asVictimError(who, error);
    }
  }

  /** Whether a failure is that of one input: what an endpoint that answers others does to it, a few times in a row at most. */
  #asVictimError(who: string, { scope, isOfEndpoint, message }: RequestFailure): VictimError {
    if (scope === 'input' || !isOfEndpoint) return new VictimError(scope, `${who} ${message}`);
    this.#failuresInARow += 1;
    const row = this.#failuresInARow;
    if (row < MOST_FAILURES_IN_A_ROW) return new VictimError('input', `${who} ${message}`);
    return new VictimError('victim', `${who} ${message}${row > 1 ? `; ${row} inputs in a row failed` : ''}`);
  }

  /** One request, with a time limit for all of it: the client's own ends with the headers. */
  async #request(input: string, fields: CompletionFields, signal: AbortSignal): Promise<Answer> {
    const { timeoutMs } = this.#settings;
    const controller = new AbortController();
    let isTimeout = false;
    const timer = setTimeout(() => {
      isTimeout = true;
      controller.abort();
    }, timeoutMs);
    const forget = onAbort(signal, () => controller.abort());
    try {
      const response = await this.#send(input, fields, controller.signal);
      return this.#read(await limitedText(response));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RequestFailure) throw error;
      if (isTimeout) throw requestFailure(`gave no complete answer within ${seconds(timeoutMs)}`, true, true);
      if (isFilterError(error)) return { output: '', state: 'filtered' };
      throw this.#asFailure(error);
    } finally {
      clearTimeout(timer);
      forget();
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
    let body: unknown;
    try {
      body = this.#key.hideIn(JSON.parse(text));
    } catch {
      // A message cuts what it quotes, so the key goes first: half of it would not be found.
      const safe = this.#key.hide(text);
      // What begins as JSON was cut off on its way; a page in HTML will be the same the next time.
      throw requestFailure(`answered with what is no JSON: ${quote(safe)}`, safe.trimStart().startsWith('{'), true);
    }
    const completion = readCompletion(body);
    if ('output' in completion) return completion;
    throw new RequestFailure(completion.problem, {
      isRetryable: completion.mayPass === true || isRetryableStatus(completion.status),
      scope: completion.scope,
      isOfEndpoint: completion.status === undefined || completion.status >= 500,
    });
  }

  #asFailure(error: unknown): RequestFailure {
    const { status, headers, code, error: body } = Object(error) as ClientError;
    if (typeof status !== 'number') {
      // Where nothing was answered yet, the address is wrong or nothing runs there.
      return requestFailure(`can't be reached: ${this.#key.hide(deepestMessage(error))}`, true, this.#hasAnswered);
    }
    if (status === 429) this.#counts.rateLimited += 1;
    const said =
      body === undefined || body === null
        ? quote(this.#key.hide((Object(error) as Error).message))
        : messageOf(this.#key.hideIn(body));
    const hint = status === 404 ? '; is the base URL right, and is there such a model?' : '';
    return new RequestFailure(`answered with status ${status}: ${said}${hint}`, {
      // A quota that is used up doesn't come back by waiting.
      isRetryable: isRetryableStatus(status) && code !== 'insufficient_quota',
      scope: INPUT_STATUSES.has(status) ? 'input' : 'victim',
      isOfEndpoint: status >= 500 || status === 408 || status === 409,
      retryAfterMs: retryAfterMs(headers, Date.now()),
    });
  }
}

/** What the client's errors hold. */
interface ClientError {
  readonly status?: unknown;
  readonly headers?: Headers;
  readonly code?: unknown;
  readonly error?: unknown;
}

/** A failure of the endpoint, whatever it was asked; `isOfEndpoint` where it may be due to one input all the same. */
function requestFailure(message: string, isRetryable: boolean, isOfEndpoint = false): RequestFailure {
  return new RequestFailure(message, { isRetryable, scope: 'victim', isOfEndpoint });
}

/** Whether an endpoint refused a question by its content filter, with a status instead of an answer. */
function isFilterError(error: unknown): boolean {
  const { status, error: body } = Object(error) as ClientError;
  return typeof status === 'number' && INPUT_STATUSES.has(status) && isFiltered(body);
}

/** The text of a response, unless it is larger than any answer. */
async function limitedText(response: Response): Promise<string> {
  const { body } = response;
  if (body === null) return response.text();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) {
      throw new RequestFailure(`answered with more than ${MOST_BYTES / 1024 / 1024} MiB, and was broken off`, {
        isRetryable: false,
        scope: 'input',
      });
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
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
