import { ERROR_CODES, UsageError } from '../errors.js';

/** Paths that users copy from documentation together with the base. */
const ENDPOINT_PATH = /\/(?:chat\/)?completions$/u;

/**
 * Makes the base of all request paths out of what the user wrote, so that one spelling of an address gives one path.
 *
 * 1. Slashes at the end and doubled ones are taken away.
 * 2. An address without a path gets `/v1`: `http://h:1` and `http://h:1/` → `http://h:1/v1`.
 * 3. A path is kept as it is: `http://h:1/v1`, `http://h:1/api/openai/v1`, `http://h:1/api`.
 * 4. A path that ends in `/chat/completions` or `/completions` loses that end, and gets no `/v1`.
 *
 * The request then goes to base + `/chat/completions` or base + `/completions`.
 *
 * @param text What the user wrote.
 * @param where Names the option at the start of messages, for example `--base-url`.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when it is no http(s) address, holds a name or password (they would end up in
 *   records and caches; the message doesn't repeat them), or a query.
 */
export function composeBaseUrl(text: string, where: string): string {
  const trimmed = text.trim();
  if (!/^https?:\/\//iu.test(trimmed) || !URL.canParse(trimmed)) {
    throw invalid(`${where}: found "${withoutUser(trimmed)}", expected an address as http://127.0.0.1:8080/v1`);
  }
  const url = new URL(trimmed);
  if (url.username !== '' || url.password !== '') {
    throw invalid(`${where}: the address holds a name or password; keys are taken from the environment only`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw invalid(`${where}: the address of ${url.origin} has a query ("?") or fragment ("#"), expected a path alone`);
  }
  const path = url.pathname.replaceAll(/\/{2,}/gu, '/').replace(/\/$/u, '');
  if (path === '') return `${url.origin}/v1`;
  return `${url.origin}${path.replace(ENDPOINT_PATH, '')}`;
}

/** An address without what stands before its `@`. */
function withoutUser(text: string): string {
  return text.replace(/^([a-z]*:?\/*)[^/]*@/iu, '$1');
}

function invalid(message: string): UsageError {
  return new UsageError(ERROR_CODES.INVALID_OPTION, message);
}
