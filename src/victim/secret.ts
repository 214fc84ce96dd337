import { ERROR_CODES, UsageError } from '../errors.js';

/** Keys of endpoints that want none: they are no secrets, and hiding them would damage texts. */
const PLACEHOLDERS = /^(?:none|null|empty|test|dummy|fake|local|ollama|lm-?studio|no-?key|not-?needed|x+|-+|0+)$/iu;

/** A shorter key is hidden only where it stands alone. */
const SHORTEST_PLAIN = 8;

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
  if (PLACEHOLDERS.test(value)) return { value, hide: (text) => text, hideIn: (body) => body };
  const forms = derivedForms(value);
  const hide = (text: string): string => forms.reduce((shown, form) => shown.replaceAll(form, '[key]'), text);
  return { value, hide, hideIn: (body) => hideInTexts(body, hide) };
}

/**
 * Every form of a key that can be derived from it and is worth looking for: as it is, escaped in JSON, percent-encoded, in
 * base64 (of either alphabet, wherever it stands in what was encoded) and in hexadecimal digits.
 */
function derivedForms(value: string): RegExp[] {
  const bytes = Buffer.from(value, 'utf8');
  const forms = new Set<string>([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
  const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  if (value.length >= SHORTEST_PLAIN) {
    for (const form of [percent, percent.toUpperCase(), bytes.toString('hex'), bytes.toString('hex').toUpperCase()]) {
      forms.add(form);
    }
    for (const form of base64Forms(bytes)) forms.add(form);
  }
  // The longest first: one form may be a part of another. A short key is hidden where it stands alone: it may be a part of words.
  return [...forms]
    .toSorted((a, b) => b.length - a.length)
    .map((form) => {
      const exact = form.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
      return new RegExp(form.length >= SHORTEST_PLAIN ? exact : `(?<![\\p{L}\\p{N}])${exact}(?![\\p{L}\\p{N}])`, 'gu');
    });
}

/** The digits of base64 that the bytes alone decide, with 0, 1 or 2 bytes in front of them. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    const form = digits.slice(Math.ceil((before * 8) / 6), end);
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** A JSON value with every text in it, keys of objects too, changed by a function. */
function hideInTexts(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((one) => hideInTexts(one, hide));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [hide(key), hideInTexts(one, hide)]));
}
