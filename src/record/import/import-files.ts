import { ERROR_CODES, UsageError } from '../../errors.js';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { openSource, STDIN } from '../../read/source-file.js';
import type { SourceFile, SourceOptions } from '../../read/source-file.js';
import { BadLines } from '../bad-lines.js';
import type { OnError } from '../bad-lines.js';
import { advglue } from './advglue/advglue.js';
import { agentdojo } from './agentdojo/agentdojo.js';
import { garak } from './garak/garak.js';
import { helm } from './helm/helm.js';
import { inspect } from './inspect/inspect.js';
import { jailbreakbench } from './jailbreakbench/jailbreakbench.js';
import { lmEval } from './lm-eval/lm-eval.js';
import { openattack } from './openattack/openattack.js';
import { opencompass } from './opencompass/opencompass.js';
import { opencompassResults } from './opencompass/results.js';
import { promptfoo } from './promptfoo/promptfoo.js';
import { pyrit } from './pyrit/pyrit.js';
import { wmtMqm } from './wmt-mqm/wmt-mqm.js';
import { promptbench } from './promptbench/promptbench.js';
import { proposeColumns, table } from './table/table.js';
import { textattack } from './textattack/textattack.js';
import { badRow } from './common/bad-row.js';
import { summaryCounts } from './textattack/summary.js';
import type { Importer, ImportOptions, ImportWarning, ToolSummary } from './importer.js';
import { checkRecord } from '../schema.js';
import type { AttackRecord, AttackResult } from '../schema.js';

/** Every importer of files that tell their own format; parallel files are several files that make one. */
export const IMPORTERS: readonly Importer[] = [
  textattack,
  openattack,
  promptbench,
  opencompass,
  garak,
  lmEval,
  promptfoo,
  inspect,
  helm,
  opencompassResults,
  jailbreakbench,
  pyrit,
  agentdojo,
  advglue,
  wmtMqm,
  table,
];

/** The code of the warning about a file that is well read and holds no attack: it is not nothing. */
const NO_ATTACK = 'no-attack';

/** The name that stands for "look at the file". */
export const AUTO = 'auto';

/** What an import did, known when its records have been read. */
export interface ImportReport {
  /** One entry a file, in order. */
  readonly files: readonly ImportedFile[];
  /** Summaries of the tools themselves, in order. */
  readonly summaries: readonly ToolSummary[];
}

/** What was read from one file. */
export interface ImportedFile {
  readonly file: string;
  readonly format: string;
  readonly records: number;
  /** How many records have each result; `none` counts those whose tool said nothing. */
  readonly results: Readonly<Record<AttackResult | 'none', number>>;
  readonly warnings: number;
  /** Rows that could not be read and were left out. */
  readonly badRows: number;
}

/** Options of {@link FileImport}. */
export interface FileImportOptions extends Omit<ImportOptions, 'onError'>, SourceOptions {
  /** `stop` (default), `skip`, or `collect`: read on and throw one error about all bad rows of a file at its end. */
  readonly onError?: OnError | undefined;
}

/** Imports files one after another as one stream, and keeps count. */
export class FileImport {
  readonly #format: string;
  readonly #paths: readonly string[];
  readonly #options: FileImportOptions;
  readonly #files: ImportedFile[] = [];
  readonly #summaries: ToolSummary[] = [];
  /** The file in which each run was seen last. */
  readonly #runs = new Map<string, string>();

  /**
   * @param format The name of an importer, or `auto`.
   * @param paths Files, plain or compressed; `-` is standard input.
   * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when there is no such importer.
   */
  constructor(format: string, paths: readonly string[], options: FileImportOptions = {}) {
    if (format !== AUTO) importerNamed(format);
    this.#format = format;
    this.#paths = paths;
    this.#options = options;
  }

  /** What was done so far. */
  get report(): ImportReport {
    return { files: this.#files, summaries: this.#summaries };
  }

  /**
   * Reads all records, file by file, as a stream.
   *
   * A summary of the tool's own, in the log or in a file beside it, goes into `extra.tool_summary` of the last record
   * before it (of the first one behind it if there is none).
   *
   * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line when a file is not of the format.
   */
  async *records(): AsyncGenerator<AttackRecord, void, undefined> {
    // The last record is held back until it is known that no summary follows.
    let last: AttackRecord | undefined;
    let attached = 0;
    const attach = (record: AttackRecord): void => {
      const values = this.#summaries.slice(attached).map((summary) => summary.values);
      attached = this.#summaries.length;
      if (values.length > 0) record.extra['tool_summary'] = values.length === 1 ? values[0] : values;
    };
    for (const path of await expandFolders(this.#format, this.#paths)) {
      const source = openSource(path, {
        ...this.#options,
        onControlBytes: (count) => this.#warnOfControls(path, count),
      });
      for await (const record of this.#fileRecords(source)) {
        if (last !== undefined) {
          attach(last);
          yield last;
        }
        last = record;
      }
    }
    if (last !== undefined) {
      attach(last);
      yield last;
    }
  }

  async *#fileRecords(source: SourceFile): AsyncGenerator<AttackRecord, void, undefined> {
    const importer = this.#format === AUTO ? await detectImporter(source) : importerNamed(this.#format);
    const results = { successful: 0, failed: 0, skipped: 0, error: 0, none: 0 };
    let records = 0;
    let warnings = 0;
    let badRows = 0;
    let hasOthers = false;
    const bad = new BadLines(source.name, this.#options.onError);
    const onWarning = (warning: ImportWarning): void => {
      if (warning.code === 'bad-row') badRows += 1;
      if (warning.code === NO_ATTACK) hasOthers = true;
      if (warning.code === 'bad-row' && this.#options.onError === 'collect') {
        bad.add(new UsageError(ERROR_CODES.FORMAT, `${warning.file}:${warning.line ?? '?'}: ${warning.message}`));
        return;
      }
      warnings += 1;
      this.#options.onWarning?.(warning);
    };
    const onSummary = (summary: ToolSummary): void => {
      this.#summaries.push(summary);
      this.#options.onSummary?.(summary);
      const difference = records === 0 ? this.#differenceFromLast(summary) : undefined;
      if (difference !== undefined) {
        onWarning({ file: summary.file, line: summary.line, code: 'summary-differs', message: difference });
      }
    };
    const onError = this.#options.onError === 'stop' || this.#options.onError === undefined ? 'stop' : 'skip';
    const options: ImportOptions = { ...this.#options, onError, onWarning: (warning) => onWarning(warning), onSummary };
    const summariesBefore = this.#summaries.length;
    for await (const record of importer.import(source, options)) {
      // What is written is valid: a table can hold anything, also in columns that are named like fields.
      const checked = checkRecord(record);
      if ('problem' in checked) {
        const { path, message } = checked.problem;
        badRow(options, source.name, record.provenance?.line ?? records + 1, `${path}: ${message}`);
        continue;
      }
      records += 1;
      const earlier = this.#fileOfRun(record, source.name);
      if (earlier !== undefined) {
        const message = `the run ${record.run} was imported from ${earlier} already: its attacks may be counted twice`;
        onWarning({ file: source.name, line: null, code: 'repeated-run', message });
      }
      results[record.result ?? 'none'] += 1;
      yield record;
    }
    bad.end();
    if (records === 0 && !hasOthers && this.#summaries.length === summariesBefore)
      throw nothingImported(source.name, importer.name, badRows);
    this.#files.push({ file: source.name, format: importer.name, records, results, warnings, badRows });
  }

  #warnOfControls(path: string, count: number): void {
    const message = `${count} bytes from 0x80 to 0x9F, which are control characters in latin-1: is the file windows-1252?`;
    this.#options.onWarning?.({ file: path, line: null, code: 'control-characters', message });
  }

  /** The earlier file of which a record repeats the run, said once a file: garak's hit log repeats its report. */
  #fileOfRun({ run, provenance }: AttackRecord, file: string): string | undefined {
    // Only garak gives every run a name of its own.
    if (run === null || provenance?.tool !== 'garak' || this.#options.defaults?.run === run) return undefined;
    const earlier = this.#runs.get(run);
    this.#runs.set(run, file);
    return earlier === undefined || earlier === file ? undefined : earlier;
  }

  /** How a summary in a file of its own contradicts the log given before it. */
  #differenceFromLast(summary: ToolSummary): string | undefined {
    const log = this.#files.findLast((file) => file.records > 0);
    if (log === undefined) return undefined;
    const differences = Object.entries(summaryCounts(summary)).flatMap(([kind, told]) => {
      const found = log.results[kind as 'successful' | 'failed' | 'skipped'];
      return told === undefined || told === found ? [] : [`${told} ${kind} attacks, ${log.file} holds ${found}`];
    });
    return differences.length === 0 ? undefined : `the summary counts ${differences.join('; ')}`;
  }
}

/**
 * The files of the folders among some paths.
 *
 * @throws {UsageError} `ERR_TEAPOT_READ` when the format reads no folders, or a folder holds none of its files.
 */
async function expandFolders(format: string, paths: readonly string[]): Promise<readonly string[]> {
  const importers = IMPORTERS.filter(
    ({ name, inFolder }) => inFolder !== undefined && (format === AUTO || name === format),
  );
  const files = await Promise.all(
    paths.map(async (path) => {
      const isFolder = path !== STDIN && ((await stat(path).catch(() => undefined))?.isDirectory() ?? false);
      if (!isFolder || importers.length === 0) return [path];
      const names = (await readdir(path, { recursive: true })).map((name) => name.replaceAll('\\', '/')).toSorted();
      for (const { inFolder } of importers) {
        const found = names.filter((name) => inFolder?.test(name) === true);
        if (found.length > 0) return found.map((name) => join(path, name));
      }
      const known = importers.map(({ name }) => name).join(', ');
      throw new UsageError(ERROR_CODES.READ, `${path}: no files of ${known} in this folder`);
    }),
  );
  return files.flat();
}

function nothingImported(file: string, format: string, badRows: number): UsageError {
  const rows = badRows === 0 ? 'it holds none' : `none of its rows can be read (${badRows} were left out)`;
  return new UsageError(ERROR_CODES.EMPTY_INPUT, `${file} (${format}): no records: ${rows}`);
}

/**
 * Finds the importer of a file by its content.
 *
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` when none knows it, or several are as sure.
 */
export async function detectImporter(source: SourceFile): Promise<Importer> {
  const head = await source.head();
  if (head === '') throw new UsageError(ERROR_CODES.FORMAT, `${source.name}: empty: nothing to import`);
  const sure = IMPORTERS.map((importer) => ({ importer, certainty: importer.detect(head, source.name) }))
    .filter(({ certainty }) => certainty > 0)
    .toSorted((a, b) => b.certainty - a.certainty);
  const [best, next] = sure;
  if (best === undefined) {
    const columns = proposeColumns(head, source.name);
    const proposal =
      columns === undefined
        ? ''
        : `; it looks like a table: import it as table with the columns ${columns} (guessed by their names: check them)`;
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${source.name}: no format that teapot knows; name one of ${importerNames().join(', ')} instead of ${AUTO}${proposal}`,
    );
  }
  if (next !== undefined && next.certainty === best.certainty) {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${source.name}: may be ${best.importer.name} or ${next.importer.name}: name the format instead of ${AUTO}`,
    );
  }
  return best.importer;
}

/** The names of all importers, in order. */
export function importerNames(): string[] {
  return IMPORTERS.map((importer) => importer.name);
}

/** The importer of that name. @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when there is none. */
export function importerNamed(name: string): Importer {
  const found = IMPORTERS.find((importer) => importer.name === name);
  if (found !== undefined) return found;
  const message = `there is no format "${name}": it is one of ${AUTO}, ${importerNames().join(', ')}`;
  throw new UsageError(ERROR_CODES.INVALID_OPTION, message);
}
