import { openSource } from '../../src/read/source-file.js';
import type { Importer, ImportOptions, ImportWarning, ToolSummary } from '../../src/record/importer.js';
import type { AttackRecord } from '../../src/record/schema.js';

/** All that an importer gives for one file. */
export interface Imported {
  readonly records: AttackRecord[];
  readonly warnings: ImportWarning[];
  readonly summaries: ToolSummary[];
}

/** Imports a file whole. */
export async function importFile(importer: Importer, path: string, options: ImportOptions = {}): Promise<Imported> {
  return importBytes(importer, path, undefined, options);
}

/** Imports a text as if it stood in a file. */
export async function importText(
  importer: Importer,
  text: string | Uint8Array,
  options: ImportOptions = {},
): Promise<Imported> {
  return importBytes(importer, '-', text, options);
}

async function importBytes(
  importer: Importer,
  path: string,
  text: string | Uint8Array | undefined,
  options: ImportOptions,
): Promise<Imported> {
  async function* stdin(): AsyncGenerator<Uint8Array> {
    if (text !== undefined) yield Buffer.from(text as string);
    await Promise.resolve();
  }
  const imported: Imported = { records: [], warnings: [], summaries: [] };
  const source = openSource(path, { stdin: stdin() });
  const all: ImportOptions = {
    onWarning: (warning) => imported.warnings.push(warning),
    onSummary: (summary) => imported.summaries.push(summary),
    ...options,
  };
  for await (const record of importer.import(source, all)) imported.records.push(record);
  return imported;
}
