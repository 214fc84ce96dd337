import { ERROR_CODES, UsageError } from '../../../errors.js';
import { readText } from '../../../read/source-file.js';
import type { SourceFile } from '../../../read/source-file.js';
import type { ToolSummary } from '../importer.js';
import { parseNumber, pythonJsonToJson } from '../common/values.js';

/** The one key of the summary that `--log-summary-to-json` writes. */
const RESULTS_KEY = 'Attack Results';

/** No summary is longer. */
const MAX_BYTES = 1024 * 1024;

/** The row that every summary starts with. */
const FIRST_ROW = 'Number of successful attacks';

type Values = Record<string, number | string | null>;

/** Whether a file looks like the summary JSON. */
export function isSummaryJson(head: string): boolean {
  return /^\s*\{\s*"Attack Results"\s*:/u.test(head);
}

/**
 * Reads the summary that `--log-summary-to-json` writes.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` when it is none.
 */
export async function readSummaryJson(source: SourceFile): Promise<ToolSummary> {
  let document: unknown;
  try {
    document = JSON.parse(pythonJsonToJson(await readText(source, MAX_BYTES)));
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(ERROR_CODES.FORMAT, `${source.name}: not JSON: ${(cause as Error).message}`, { cause });
  }
  const rows = (document as Record<string, unknown>)[RESULTS_KEY];
  if (typeof rows !== 'object' || rows === null) {
    throw new UsageError(ERROR_CODES.FORMAT, `${source.name}: no summary of TextAttack: no object "${RESULTS_KEY}"`);
  }
  return { file: source.name, line: 1, values: summaryValues(Object.entries(rows)) };
}

/**
 * Cuts the summary off the end of a text log, where it stands in lines (`Attack success rate: 66.67%`) or as a table.
 *
 * @param lines The lines of the last result and all that follows it.
 * @returns How many of the lines come before the summary, and its values; undefined when there is none.
 */
export function findSummary(
  lines: readonly string[],
): { readonly before: number; readonly values: Values } | undefined {
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const isTable = lines[index]?.startsWith(`| ${FIRST_ROW}:`) === true;
    if (!isTable && lines[index]?.startsWith(`${FIRST_ROW}: `) !== true) continue;
    const rows = lines.slice(index).flatMap((line): (readonly [string, string])[] => {
      const row = isTable ? /^\| (.*?):? +\| (.*?) *\|$/u.exec(line) : /^([A-Z][^:]*): (.*)$/u.exec(line);
      return row?.[1] === undefined || row[2] === undefined ? [] : [[row[1], row[2]]];
    });
    let before = index;
    while (isTable && /^(?:\+[-+]+\+|\| .*\|)$/u.test(lines[before - 1] ?? '')) before -= 1;
    return { before, values: summaryValues(rows) };
  }
  return undefined;
}

/** How many results of each kind a summary counts; undefined where it doesn't say. */
export function summaryCounts({
  values,
}: ToolSummary): Readonly<Record<'successful' | 'failed' | 'skipped', number | undefined>> {
  const count = (kind: string): number | undefined => {
    const value = values[`Number of ${kind} attacks`];
    return typeof value === 'number' ? value : undefined;
  };
  return { successful: count('successful'), failed: count('failed'), skipped: count('skipped') };
}

/** Names without the colon that TextAttack ends them with; `93.75%` is 93.75, NaN is null. */
function summaryValues(rows: readonly (readonly [string, unknown])[]): Values {
  return Object.fromEntries(
    rows.map(([name, value]) => {
      const key = name.replace(/:$/u, '');
      if (typeof value === 'number' || value === null) return [key, value];
      const text = String(value).replace(/%$/u, '');
      return [key, parseNumber(text) ?? (/^nan$/iu.test(text) ? null : String(value))];
    }),
  );
}
