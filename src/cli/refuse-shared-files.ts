import { fileIdentity, STDOUT } from '../output-file.js';
import { GENERAL_OPTIONS, spell } from './command.js';
import type { OptionTable } from './command.js';
import { invalid } from './values.js';

/** A file that the arguments name. */
interface NamedFile {
  /** The option and the file, as messages name them: `--output x.json`. */
  readonly name: string;
  readonly path: string;
}

/** Victims and wordings that are read from a file. */
const FILE_OF_MODEL = /^(?:replay|module):(?<path>.+)$/su;

/**
 * Refuses, before any work, outputs that are inputs or each other, under whatever name: links, `./a` for `a`, standard output that
 * was redirected to a file.
 *
 * @param args The arguments as `readArguments` gives them.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` naming both.
 */
export async function refuseSharedFiles(
  command: { readonly options: OptionTable },
  args: Readonly<Record<string, unknown>>,
): Promise<void> {
  const table: OptionTable = { ...GENERAL_OPTIONS, ...command.options };
  const inputs: NamedFile[] = [];
  const outputs: NamedFile[] = [];
  for (const [name, option] of Object.entries(table)) {
    for (const value of [args[name] ?? []].flat()) {
      if (typeof value !== 'string') continue;
      const path = option.type === 'file' ? value : FILE_OF_MODEL.exec(value)?.groups?.['path'];
      if (path === undefined) continue;
      const writes = option.type === 'file' && option.writes === true;
      (writes ? outputs : inputs).push({ name: `${spell(name, option)} ${value}`, path });
    }
  }
  if (!outputs.some(({ path }) => path === STDOUT) && args['output'] === undefined) {
    outputs.push({ name: 'standard output', path: STDOUT });
  }
  const seen = new Map<string, string>();
  for (const { name, path } of inputs) {
    const identity = path === STDOUT ? await fileIdentity('/dev/stdin') : await fileIdentity(path);
    if (identity !== undefined && !seen.has(identity)) seen.set(identity, name);
  }
  for (const { name, path } of outputs) {
    // Twice to one terminal or pipe would mix two outputs.
    const identity = (await fileIdentity(path)) ?? (path === STDOUT ? STDOUT : undefined);
    if (identity === undefined) continue;
    const other = seen.get(identity);
    if (other !== undefined) {
      throw invalid(`${name} is the same file as ${other}: what is written needs a file of its own.`);
    }
    seen.set(identity, name);
  }
}
