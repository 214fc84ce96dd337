/**
 * Reads a path into a JSON value: `doc.text`, `resps[0][0]`, `vars["odd key"]`; a `$.` in front is allowed.
 *
 * @returns The keys and indexes from the root, or undefined when the text is no path.
 */
export function parseJsonPath(text: string): readonly (string | number)[] | undefined {
  const keys: (string | number)[] = [];
  const step = /(?:^|\.)([^.[\]"]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/uy;
  step.lastIndex = text.startsWith('$.') || text.startsWith('$[') ? 1 : 0;
  while (step.lastIndex < text.length) {
    const match = step.exec(text);
    if (match === null) return undefined;
    const [, name, index, quoted] = match;
    keys.push(name ?? (index === undefined ? (JSON.parse(quoted ?? '""') as string) : Number(index)));
  }
  return keys.length > 0 ? keys : undefined;
}

/**
 * Writes a path as JSONPath does: `$.measured.s_src`, `$.ref[0]`, `$["odd name"]`.
 *
 * @param path Keys and indexes from the root.
 */
export function jsonPath(path: readonly PropertyKey[]): string {
  const steps = path.map((key) => {
    if (typeof key === 'number') return `[${key}]`;
    const name = String(key);
    return /^[A-Za-z_]\w*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  });
  return `$${steps.join('')}`;
}

/**
 * The value at a path.
 *
 * @returns undefined where the value has no such key or index.
 */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value;
  for (const key of path) {
    const isThere = typeof found === 'object' && found !== null && Object.hasOwn(found, key);
    found = isThere ? (found as Record<string | number, unknown>)[key] : undefined;
  }
  return found;
}
