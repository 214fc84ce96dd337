import { describe, quote } from '../score/pairs.js';
import { readUsage, wellFormed } from './read-answer.js';
import type { FailureScope } from './victim-error.js';
import type { Answer, AnswerState, SamplingOptions } from './victim.js';

/** The body of a request without its input: every field that is sent, so that it can stand in a signature as it is. */
export type CompletionFields = Readonly<Record<string, string | number | readonly string[]>>;

/** The seed that is sent when the user names none; the same as everywhere in teapot. */
const DEFAULT_SEED = 12_345;

/** Enough for a label with a sentence around it; generating tasks set their own. */
const DEFAULT_MAX_TOKENS = 64;

/** The fields of a request for the first answer; see {@link SamplingOptions}. */
export function completionFields(model: string, sampling: SamplingOptions): CompletionFields {
  const { temperature = 0, topP, seed = DEFAULT_SEED, maxTokens = DEFAULT_MAX_TOKENS, stop } = sampling;
  return {
    model,
    ...(temperature !== null && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(seed !== null && { seed }),
    [sampling.maxTokensField ?? 'max_tokens']: maxTokens,
    ...(stop !== undefined && stop.length > 0 && { stop }),
  };
}

/** The fields of the request for a repeat: another seed, so that it is another sample. */
export function fieldsOfRepeat(fields: CompletionFields, repeat: number): CompletionFields {
  const seed = fields['seed'];
  return typeof seed === 'number' ? { ...fields, seed: seed + repeat } : fields;
}

/** What is wrong with a completion. */
export interface CompletionProblem {
  /** The end of a sentence that begins with the address. */
  readonly problem: string;
  /** Whether it is about this input alone: what is no completion at all, isn't. */
  readonly scope: FailureScope;
  /** The HTTP status that the body names, when it is an error in a response of status 200. */
  readonly status?: number;
  /** Whether it may be gone the next time: a gateway that lost the answer on its way. */
  readonly mayPass?: boolean;
}

interface CompletionShape {
  readonly choices?: unknown;
  readonly usage?: unknown;
}

/**
 * Reads the body of a completion (`/chat/completions` or `/completions`), whatever its status claims.
 *
 * Of several choices the first counts. A chat message may be a text, or parts of which the texts count; a refusal is the output. What is
 * no answer (refused, filtered, cut, a tool call, no text) says so in its state.
 *
 * @param body The parsed body.
 */
export function readCompletion(body: unknown): Answer | CompletionProblem {
  const { choices, usage } = Object(body) as CompletionShape;
  const failure = readBodyError(body);
  if (failure !== undefined) return failure;
  if (!Array.isArray(choices)) {
    return {
      problem: `answered without choices (${quote(JSON.stringify(body) ?? '')}), expected {"choices": [ … ]}`,
      scope: 'victim',
      mayPass: true,
    };
  }
  if (choices.length === 0) {
    return { problem: 'answered with an empty list of choices', scope: 'input', mayPass: true };
  }
  const choice = readChoice(choices[0]);
  if (choice === undefined) {
    return {
      problem: `answered with a choice that holds no text (${quote(JSON.stringify(choices[0]) ?? '')})`,
      scope: 'input',
      mayPass: true,
    };
  }
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = Object(usage) as {
    readonly prompt_tokens?: unknown;
    readonly completion_tokens?: unknown;
  };
  const tokens = readUsage({ promptTokens, completionTokens });
  return wellFormed({ ...choice, ...(tokens && { usage: tokens }) });
}

interface ChoiceShape {
  readonly text?: unknown;
  readonly message?: unknown;
  readonly finish_reason?: unknown;
}

interface MessageShape {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly tool_calls?: unknown;
  readonly function_call?: unknown;
}

function readChoice(choice: unknown): Answer | undefined {
  const { text, message, finish_reason: finish } = Object(choice) as ChoiceShape;
  const ended = FINISH_STATES.get(String(finish));
  if (typeof text === 'string') return { output: text, ...(ended && { state: ended }) };
  if (typeof message !== 'object' || message === null) return undefined;
  const { content, refusal, tool_calls: calls, function_call: call } = message as MessageShape;
  const said = contentText(content);
  if (said === undefined) return undefined;
  if (typeof refusal === 'string' && refusal !== '') return { output: said === '' ? refusal : said, state: 'refused' };
  const isCall = (Array.isArray(calls) && calls.length > 0) || Object(call) === call;
  const state =
    ended ?? (said === '' && isCall ? 'tool_call' : said === '' && !isText(content) ? 'unreadable' : undefined);
  return { output: said, ...(state && { state }) };
}

/** Why an answer ended, where it isn't its own end. */
const FINISH_STATES: ReadonlyMap<string, AnswerState> = new Map([
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['content_filter', 'filtered'],
  ['safety', 'filtered'],
  ['refusal', 'refused'],
  ['tool_calls', 'tool_call'],
  ['function_call', 'tool_call'],
]);

/** The text of a message: '' without one; undefined when it is something else. */
function contentText(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (!Array.isArray(content)) return undefined;
  return content
    .map((part) => (Object(part) as { readonly text?: unknown }).text)
    .filter(isText)
    .join('');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The error in a body: `{"error": {"message", "code"}}`, `{"error": "…"}`. */
function readBodyError(body: unknown): CompletionProblem | undefined {
  const { error, choices } = Object(body) as { readonly error?: unknown; readonly choices?: unknown };
  if (error === undefined || error === null || (Array.isArray(choices) && choices.length > 0)) return undefined;
  const problem = `answered with an error: ${messageOf(error)}`;
  const { code, status } = Object(error) as { readonly code?: unknown; readonly status?: unknown };
  const number = [code, status].find((one) => Number.isSafeInteger(one));
  return typeof number === 'number' ? { problem, scope: 'victim', status: number } : { problem, scope: 'victim' };
}

/** Whether an error that an endpoint wrote says that its content filter refused the question. */
export function isFiltered(error: unknown): boolean {
  const { code, type, innererror } = Object(error) as { code?: unknown; type?: unknown; innererror?: unknown };
  const inner = (Object(innererror) as { code?: unknown }).code;
  return [code, type, inner].some((one) => isText(one) && /content_?(?:filter|policy)|responsibleaipolicy/iu.test(one));
}

/** The message of an error that an endpoint wrote, in quotes. */
export function messageOf(error: unknown): string {
  if (typeof error === 'string') return quote(error);
  const { message, detail } = Object(error) as { readonly message?: unknown; readonly detail?: unknown };
  const text = [message, detail].find(isText);
  return text === undefined ? describe(error) : quote(text);
}
