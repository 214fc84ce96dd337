/**
 * Reads a number as other tools write it.
 *
 * @returns undefined for anything that isn't one number; NaN and the infinities count as none.
 */
export function parseNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/u.test(trimmed)) return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : undefined;
}

/**
 * Reads a count, which data frames also write as `22.0`.
 *
 * @returns undefined for anything but a non-negative whole number.
 */
export function parseCount(text: string): number | undefined {
  const value = parseNumber(text);
  return value !== undefined && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** Whether a cell is what data frames write for a number that is none. */
export function isNotANumber(text: string): boolean {
  return /^\s*[+-]?(?:nan|inf|infinity)\s*$/iu.test(text);
}

/**
 * Turns JSON as Python's `json` writes it into JSON: NaN and the infinities become null.
 *
 * @returns The same text when there are none outside of strings.
 */
export function pythonJsonToJson(text: string): string {
  if (!/NaN|Infinity/u.test(text)) return text;
  // Strings are matched so that a word inside of one stays.
  return text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity|NaN/gsu, (found) =>
    found.startsWith('"') ? found : 'null',
  );
}

/** Names of which those that occur again get a number: `note`, `note (2)`, `note (3)`. */
export function numberRepeated(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    let count = counts.get(name) ?? 0;
    let numbered = name;
    do {
      count += 1;
      numbered = count === 1 ? name : `${name} (${count})`;
    } while (count > 1 && names.includes(numbered));
    counts.set(name, count);
    return numbered;
  });
}

/** The last part of a path, without folders. */
export function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
