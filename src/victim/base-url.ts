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
    throw invalid(`${where}: found "${beginning(trimmed)}", expected an address as http://127.0.0.1:8080/v1`);
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

/** What stands between slashes and looks like a key: twenty characters or more with digits and letters among them. */
const KEY_LIKE = /(?<=\/)(?=[^/?#]*\d)(?=[^/?#]*[a-z])[^/?#]{20,}(?=\/|$)/giu;

/** An address as messages and signatures show it: what may be a key in its path is left out. */
export function shownAddress(url: string): string {
  return url.replaceAll(KEY_LIKE, '[…]');
}

/** The beginning of what is no address: a name or password before an `@`, the path and the query may hold keys, and go. */
function beginning(text: string): string {
  const host = /^(?:[a-z][a-z+.-]*:\/*)?[^/?#]*/iu.exec(text)?.[0] ?? '';
  const shown = host.replace(/^([a-z][a-z+.-]*:\/+)?.*@/iu, '$1');
  return shown.length < text.length ? `${shown}…` : shown;
}

function invalid(message: string): UsageError {
  return new UsageError(ERROR_CODES.INVALID_OPTION, message);
}
