import type { RunOptions } from '../run-options.js';
import type { VictimError } from './victim-error.js';

/** Tokens that one answer cost, as the endpoint counts them. */
export interface TokenUsage {
  /** Tokens of the input. */
  readonly promptTokens: number;
  /** Tokens of the answer. */
  readonly completionTokens: number;
}

/**
 * What an answer is:
 *
 * - `answered`: an answer;
 * - `refused`: the model declined, in the endpoint's own field for it;
 * - `filtered`: a content filter took the answer away, or the question;
 * - `length`: the answer was cut at the longest length;
 * - `tool_call`: the model called a tool instead of answering;
 * - `unreadable`: there is no text in it, or none that is text (half of a surrogate pair);
 * - `error`: the question failed for good. Such an answer is never kept in a cache.
 */
export const ANSWER_STATES = ['answered', 'refused', 'filtered', 'length', 'tool_call', 'unreadable', 'error'] as const;

/** One of {@link ANSWER_STATES}. */
export type AnswerState = (typeof ANSWER_STATES)[number];

/** What a victim says to one input. */
export interface Answer {
  /** A label, or generated text, as the victim gave it: nothing is trimmed or parsed. */
  readonly output: string;
  /** What the answer is. Default `answered`. */
  readonly state?: AnswerState;
  /** Why there is no answer, where `state` is `error`. */
  readonly reason?: string;
  /** Label → probability in [0, 1], where the victim has them. Searches need them to see small steps. */
  readonly scores?: Readonly<Record<string, number>>;
  /** Where the victim counts tokens. */
  readonly usage?: TokenUsage;
}

/** Options of {@link Victim.answer}. */
export interface AnswerOptions extends RunOptions {
  /**
   * Which repetition of the same question this is, from 0 (the default). Repeats are asked anew: a cache never answers one with
   * another, and a victim that takes a seed gets `seed + repeat`.
   */
  readonly repeat?: number;
  /**
   * Called once an input, in any order, as soon as its answer is known and before `answer` returns: so that answers already paid
   * for are kept when a later one fails.
   */
  readonly onAnswer?: (index: number, answer: Answer) => void;
  /**
   * Called once for every input that fails alone, with a `VictimError` of scope `input`. With it, the other inputs are answered all the same
   * and nothing is thrown for it; its place among the answers is empty. Without it, `answer` throws.
   */
  readonly onFailure?: (index: number, error: VictimError) => void;
}

/** Requests to an endpoint, in the whole run. */
export interface RequestCounts {
  /** Requests that were made, retries included. */
  readonly requests: number;
  /** Of them, those that asked the same again. */
  readonly retries: number;
  /** Of them, those that were answered by "too many requests" (429). */
  readonly rateLimited: number;
}

/** A model under attack. */
export interface Victim {
  /** One of the kinds of `--model KIND:NAME`. */
  readonly kind: string;
  /** What records call `model`. */
  readonly name: string;
  /** Everything that can change an answer (model, base URL, sampling fields, labels …), and no secret: part of cache keys. */
  readonly signature: string;
  /** True when answers cost nothing and are always the same: then no run keeps them, since asking again is cheaper. */
  readonly isFree?: boolean;
  /**
   * Answers N inputs.
   *
   * @returns N answers, in the order of the inputs.
   * @throws {TeapotError} `ERR_TEAPOT_ENDPOINT` when an input can't be answered; answers that were there before reached `onAnswer`.
   *   When the signal aborts, its reason.
   */
  answer(inputs: readonly string[], options?: AnswerOptions): Promise<readonly Answer[]>;
  /** What was asked of an endpoint so far; only where the victim asks one. */
  readonly requests?: RequestCounts;
  /** Ends what the victim started. Safe to call twice. */
  close?(): Promise<void>;
}

/** How a model behind an endpoint is asked. What stands here is sent, and is part of the victim's signature. */
export interface SamplingOptions {
  /** `chat` (`/chat/completions`, default) or `completions` (`/completions`). */
  readonly api?: 'chat' | 'completions';
  /** A system message in front of the input; only for `chat`. */
  readonly system?: string;
  /** Default 0. `null`: the field is not sent (some models refuse it), and answers may vary from run to run. */
  readonly temperature?: number | null;
  /** Not sent by default. */
  readonly topP?: number;
  /** Default 12345. `null`: not sent. */
  readonly seed?: number | null;
  /** The longest answer, in tokens. Default 64. */
  readonly maxTokens?: number;
  /** The field that carries `maxTokens`: newer OpenAI models want `max_completion_tokens`. Default `max_tokens`. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /** Texts that end the answer. Not sent by default. */
  readonly stop?: readonly string[];
}

/** Patience and pace with an endpoint. Nothing here can change an answer. */
export interface EndpointLimits {
  /** How often a request is made anew after 429, 408, 409, 5xx, a time-out or a broken connection. Default 5; 0: never. */
  readonly retries?: number;
  /** The longest wait before one retry, in milliseconds; an endpoint that asks for more is given up at once. Default 60,000. */
  readonly maxWaitMs?: number;
  /** The first wait before a retry, in milliseconds; it doubles from retry to retry. Default 500. */
  readonly firstWaitMs?: number;
  /** How long one request may take until its answer is complete, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number;
  /** Requests at the same time. Default 4. */
  readonly concurrency?: number;
  /** Requests begun in a minute, evenly spaced, retries included. No limit by default. */
  readonly requestsPerMinute?: number;
}

/** What a victim may need to know about the run it is made for. */
export interface VictimContext {
  /** The labels of the data or task, where known: the `lexicon` victim answers with them. */
  readonly labels?: readonly string[] | undefined;
  /** Base URL of the `openai` victim. Default: the variable `OPENAI_BASE_URL`, then OpenAI's own. */
  readonly baseUrl?: string | undefined;
  /** Name of the environment variable that holds the key. Default `OPENAI_API_KEY`. */
  readonly apiKeyVariable?: string | undefined;
  /** Sampling of the `openai` victim. */
  readonly sampling?: SamplingOptions;
  /** Limits of the `openai` victim. */
  readonly limits?: EndpointLimits;
  /** How often a `command` that died is started anew, in all. Default 3. */
  readonly restarts?: number;
  /** How long a `command` may stay silent, or a `module` take, while answers are outstanding, in milliseconds. Default 300,000. */
  readonly silenceMs?: number | undefined;
  /** The environment. Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Is told, one sentence at a time, what the user should know; it belongs on stderr. */
  readonly onNote?: (note: string) => void;
}
