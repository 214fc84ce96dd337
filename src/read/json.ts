/** Deeper objects could be read, but not written again: `JSON.stringify` calls itself. */
const MAX_DEPTH = 1000;

/**
 * Parses one line of JSON.
 *
 * @returns The value, or why there is none: the parser's reason, or a nesting of more than 1,000 levels.
 */
export function parseJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  if (nestingDepth(text) > MAX_DEPTH) {
    return { problem: `nested more than ${MAX_DEPTH} levels deep` };
  }
  try {
    return { value: JSON.parse(withExactIntegers(text)) as unknown };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { problem: `not JSON, one object a line was expected: ${shorten(reason)}` };
  }
}

/**
 * Puts integers beyond 2^53 in quotes: as numbers of JavaScript, unlike ones would become equal. Their digits stay as they
 * are written, as a text.
 */
function withExactIntegers(text: string): string {
  if (!/\d{16}/u.test(text)) return text;
  // Strings are matched so that digits inside of one stay as they are.
  return text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gsu, (found) =>
    /^-?\d+$/u.test(found) && !Number.isSafeInteger(Number(found)) ? `"${found}"` : found,
  );
}

/** The deepest nesting of brackets outside of strings; exact for JSON, harmless for anything else. */
function nestingDepth(text: string): number {
  // Few lines come near the limit: without that many brackets there is nothing to count.
  if (!hasMany(text, '[') && !hasMany(text, '{')) return 0;
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return deepest;
}

function hasMany(text: string, bracket: string): boolean {
  let count = 0;
  for (let index = text.indexOf(bracket); index !== -1; index = text.indexOf(bracket, index + 1)) {
    count += 1;
    if (count > MAX_DEPTH / 2) return true;
  }
  return false;
}

function shorten(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}
