import { isObject } from './json-lines.js';

/**
 * The texts of a JSON value by their paths: `doc.text`, `doc.choices[0]`.
 *
 * @param prefix The path of the value itself.
 * @returns Texts alone, in order; numbers and booleans are none.
 */
export function textsOf(value: unknown, prefix: string): Map<string, string> {
  const texts = new Map<string, string>();
  const visit = (found: unknown, path: string): void => {
    if (typeof found === 'string') texts.set(path, found);
    else if (Array.isArray(found)) for (const [index, item] of found.entries()) visit(item, `${path}[${index}]`);
    else if (isObject(found)) for (const [key, item] of Object.entries(found)) visit(item, step(path, key));
  };
  visit(value, prefix);
  return texts;
}

function step(path: string, key: string): string {
  return /^[^.[\]"]+$/u.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}
