import { openSource } from '../../../src/read/source-file.js';
import type { Importer, ImportOptions, ImportWarning } from '../../../src/record/importer.js';
import type { AttackRecord } from '../../../src/record/schema.js';

/** Everything that an importer gives for one text or file. */
export interface Imported {
  readonly records: AttackRecord[];
  readonly warnings: ImportWarning[];
}

/** Imports a file (or, as `text`, standard input). */
export async function collect(
  importer: Importer,
  input: { readonly path: string } | { readonly text: string },
  options: ImportOptions = {},
): Promise<Imported> {
  const records: AttackRecord[] = [];
  const warnings: ImportWarning[] = [];
  const source = 'path' in input ? openSource(input.path) : openSource('-', { stdin: bytesOf(input.text) });
  for await (const record of importer.import(source, { onWarning: (warning) => warnings.push(warning), ...options })) {
    records.push(record);
  }
  return { records, warnings };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text, 'utf8');
}

/** How many warnings there are of each code. */
export function countCodes(warnings: readonly ImportWarning[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of warnings) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
