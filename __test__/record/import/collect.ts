import { openSource } from '../../../src/read/source-file.js';
import type { Importer, ImportOptions, ImportWarning, ToolSummary } from '../../../src/record/import/importer.js';
import type { AttackRecord } from '../../../src/record/schema.js';

/** Everything that an importer gives for one text or file. */
export interface Imported {
  readonly records: AttackRecord[];
  readonly warnings: ImportWarning[];
  readonly summaries: ToolSummary[];
}

/** Imports a file (or, as `text`, standard input). */
export async function collect(
  importer: Importer,
  input: { readonly path: string } | { readonly text: string | Uint8Array },
  options: ImportOptions = {},
): Promise<Imported> {
  const records: AttackRecord[] = [];
  const warnings: ImportWarning[] = [];
  const source = 'path' in input ? openSource(input.path) : openSource('-', { stdin: bytesOf(input.text) });
  const summaries: ToolSummary[] = [];
  const all: ImportOptions = {
    onWarning: (warning) => warnings.push(warning),
    onSummary: (summary) => summaries.push(summary),
    ...options,
  };
  for await (const record of importer.import(source, all)) records.push(record);
  return { records, warnings, summaries };
}

async function* bytesOf(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield typeof text === 'string' ? Buffer.from(text, 'utf8') : text;
}

/** How many warnings there are of each code. */
export function countCodes(warnings: readonly ImportWarning[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of warnings) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
