import type { RunOptions } from '../run-options.js';

/** Tokens that one answer cost, as the endpoint counts them. */
export interface TokenUsage {
  /** Tokens of the input. */
  readonly promptTokens: number;
  /** Tokens of the answer. */
  readonly completionTokens: number;
}

/** What a victim says to one input. */
export interface Answer {
  /** A label, or generated text, as the victim gave it: nothing is trimmed or parsed. */
  readonly output: string;
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
}

/** A model under attack. */
export interface Victim {
  /** One of the kinds of `--model KIND:NAME`. */
  readonly kind: string;
  /** What records call `model`. */
  readonly name: string;
  /** Everything that can change an answer (model, base URL, sampling fields, labels …), and no secret: part of cache keys. */
  readonly signature: string;
  /**
   * Answers N inputs.
   *
   * @returns N answers, in the order of the inputs.
   * @throws {TeapotError} `ERR_TEAPOT_ENDPOINT` when an input can't be answered; answers that were there before reached `onAnswer`.
   *   When the signal aborts, its reason.
   */
  answer(inputs: readonly string[], options?: AnswerOptions): Promise<readonly Answer[]>;
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
  /** How long a `command` may stay silent while answers are outstanding, in milliseconds. Default 300,000. */
  readonly silenceMs?: number | undefined;
  /** The environment. Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Is told, one sentence at a time, what the user should know; it belongs on stderr. */
  readonly onNote?: (note: string) => void;
}
