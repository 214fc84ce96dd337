import { nameGroupingKeys } from './grouping-keys.js';
import type { AttackRecord, NamedKeys } from '../schema.js';
import type { SourceFile } from '../../read/source-file.js';

/** Something odd in a file that was read all the same: nothing is dropped silently. */
export interface ImportWarning {
  /** The file, as the user named it. */
  readonly file: string;
  /** The 1-based line, or null where it concerns the whole file. */
  readonly line: number | null;
  /** A stable name in kebab-case, for example `unequal-columns`. */
  readonly code: string;
  /** One sentence: what was found, and what was done about it. */
  readonly message: string;
}

/** The summary that the attacking tool itself printed or wrote. */
export interface ToolSummary {
  /** The file, as the user named it. */
  readonly file: string;
  /** The 1-based line at which it starts. */
  readonly line: number | null;
  /** Name to value, as the tool names them; null for a value that the tool could not compute (NaN). */
  readonly values: Readonly<Record<string, number | string | null>>;
}

/** What every importer takes. */
export interface ImportOptions extends RunOptions {
  /** Called for each oddity, in the order of the file. */
  readonly onWarning?: ((warning: ImportWarning) => void) | undefined;
  /** Called for each summary of the tool's own. */
  readonly onSummary?: ((summary: ToolSummary) => void) | undefined;
  /** Stops the work. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Values for grouping keys that the file itself doesn't say. Importers pass them over: they are filled in afterwards, in
   * one place; a value that the file contradicts is refused there.
   */
  readonly defaults?: NamedKeys | undefined;
  /**
   * What to do with a row that can't be read: `stop` throws (default), `skip` warns (code `bad-row`) and goes on.
   */
  readonly onError?: 'stop' | 'skip' | undefined;
  /** `table` alone: which column is what, `src=original,adv_src=perturbed` (a name, or `#3`). Default: by their names. */
  readonly columns?: string | undefined;
  /** `textattack` alone: how changed words are marked. Default: told from the file. */
  readonly markers?: 'file' | 'html' | 'plain' | undefined;
}

/** How the runs of evaluation tools are read; what a format doesn't have is passed over. */
export interface RunOptions {
  /** Path of the attacked text in an item (`doc.text`), or `prompt`. Default: what differs between the two runs. */
  readonly text?: string | undefined;
  /** Which of several metrics the scores are. Default: the tool's first one. */
  readonly metric?: string | undefined;
  /** Which of several filters of an answer counts. Default: the one that finds most answers. */
  readonly filter?: string | undefined;
  /** Path of what an item and its attacked form have in common (`metadata.group`). Default: the tool's own ids. */
  readonly pairBy?: string | undefined;
}

/** Reads one kind of file into attack records. */
export interface Importer {
  /** The name on the command line. */
  readonly name: string;
  /** One line for the help text. */
  readonly description: string;
  /** Which files of a folder are read, where a run is a folder of files; paths in it, with `/`. */
  readonly inFolder?: RegExp | undefined;
  /**
   * Whether a file looks like this format.
   *
   * @param head The first part of the decompressed text (at most 64 KiB; the last line may be cut off).
   * @param file The file's name.
   * @returns How sure it is, 0 (no) to 1 (a heading that only this format has).
   */
  detect(head: string, file: string): number;
  /**
   * Reads one file as a stream.
   *
   * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line when the file is not of this format or is cut off.
   */
  import(source: SourceFile, options: ImportOptions): AsyncIterable<AttackRecord>;
}

/**
 * Makes an importer of one that passes the options of the grouping keys over: they are filled in here, for all formats.
 *
 * @param importer Gives what the file says.
 */
export function defineImporter(importer: Importer): Importer {
  return {
    ...importer,
    async *import(source, options) {
      for await (const record of importer.import(source, options)) {
        nameGroupingKeys(record, options.defaults ?? {}, source.name);
        yield record;
      }
    },
  };
}
