import { ERROR_CODES, UsageError } from '../errors.js';

/** Shorter values ("none", "EMPTY", "test") are no secrets, and hiding them would damage texts. */
const SHORTEST_SECRET = 8;

/** The key of an endpoint. */
export interface Secret {
  /** The key, or undefined when there is none. For headers of requests alone. */
  readonly value: string | undefined;
  /** A text without the key: `[key]` stands in its place. */
  hide(text: string): string;
  /** A JSON value without the key in any of its texts, however they were escaped on their way. */
  hideIn(value: unknown): unknown;
}

/**
 * Takes the key of an endpoint from the environment.
 *
 * @param variable The variable the user named; default `OPENAI_API_KEY`.
 * @param isNeeded Whether the endpoint is known to want one.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the named variable is not set, none is set although one is needed, or
 *   the value holds blanks or other characters that no header may hold. No message shows the value.
 */
export function secretFrom(
  env: Readonly<Record<string, string | undefined>>,
  variable: string | undefined,
  isNeeded: boolean,
): Secret {
  const name = variable ?? 'OPENAI_API_KEY';
  const value = (env[name] ?? '').trim();
  if (value === '') {
    if (variable === undefined && !isNeeded) return { value: undefined, hide: (text) => text, hideIn: (body) => body };
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `The environment variable ${name} is not set: it must hold the key of the endpoint (export ${name}=…)`,
    );
  }
  if (!/^[\x21-\x7e]+$/u.test(value)) {
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `The environment variable ${name} holds no key: blanks or characters beyond ASCII are in it`,
    );
  }
  const isSecret = value.length >= SHORTEST_SECRET;
  // In JSON a quote or backslash of the key is escaped.
  const escaped = JSON.stringify(value).slice(1, -1);
  const hide = (text: string): string =>
    isSecret ? text.replaceAll(value, '[key]').replaceAll(escaped, '[key]') : text;
  return { value, hide, hideIn: (body) => (isSecret ? JSON.parse(hide(JSON.stringify(body))) : body) };
}
