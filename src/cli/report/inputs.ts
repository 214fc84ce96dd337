import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { ERROR_CODES, UsageError } from '../../errors.js';
import { parseJson } from '../../read/json.js';
import { openSource, readText, STDIN } from '../../read/source-file.js';
import { FileImport } from '../../record/import/import-files.js';
import type { RecordInput } from '../../record/record-files.js';
import { interruptSignal } from '../interrupt.js';
import type { Note } from '../notes.js';
import { openRecordFiles } from '../record-options.js';
import type { ReportArguments } from '../commands/report.js';
import { openRecordSource } from '../record-source.js';
import { documentReport, DOCUMENT_SCHEMAS, type DocumentReport } from './documents-report.js';
import type { ReportInput } from './gather.js';

/** The largest JSON document that is read. */
const DOCUMENT_BYTES = 64 * 1024 * 1024;

/** Everything that a report is made of. */
export interface ReportInputs {
  readonly records: readonly ReportInput[];
  readonly documents: readonly DocumentReport[];
  /** What is known of the files of records after they were read. */
  files(): readonly RecordInput[];
}

/**
 * Opens the inputs of a report: files of records, logs of other tools, folders that `attack` worked in, JSON documents of
 * other commands; or line-aligned files.
 *
 * @throws {UsageError} when there is none, or one is nothing of all that.
 */
export async function openInputs(argv: ReportArguments, note: Note): Promise<ReportInputs> {
  const paths = argv.inputs ?? [];
  if (paths.length === 0) {
    const source = await openRecordSource({ ...argv, records: [] }, note);
    const name = basename(argv.advSrc ?? argv.advOut ?? 'files');
    return { records: [{ name, records: source.records }], documents: [], files: source.inputs };
  }
  const records: ReportInput[] = [];
  const documents: DocumentReport[] = [];
  const read: { readonly inputs: readonly RecordInput[] }[] = [];
  for (const given of paths) {
    const path = await inFolder(given);
    const kind = path === STDIN ? 'records' : await kindOf(path);
    if (kind === 'document') {
      const parsed = parseJson(await readText(openSource(path), DOCUMENT_BYTES));
      if ('problem' in parsed) throw new UsageError(ERROR_CODES.FORMAT, `${path}: ${parsed.problem}`);
      documents.push(documentReport(parsed.value, path));
    } else if (kind === 'records') {
      const files = await openRecordFiles({ records: [path], onError: argv.onError }, note, { wellFormed: true });
      read.push(files);
      records.push({ name: runName(given), records: files.records() });
    } else {
      const log = new FileImport('auto', [path], { onError: argv.onError, signal: interruptSignal });
      records.push({ name: runName(given), records: log.records() });
      read.push({
        get inputs(): readonly RecordInput[] {
          return log.report.files.map((file) => ({ name: file.file, records: file.records, skipped: 0, sha256: '' }));
        },
      });
    }
  }
  return { records, documents, files: () => read.flatMap(({ inputs }) => inputs) };
}

/** The records of a folder that `attack` worked in; any other path as it is. */
async function inFolder(path: string): Promise<string> {
  if (path === STDIN) return path;
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) return path;
  const records = join(path, 'records.jsonl');
  if ((await stat(records).catch(() => undefined))?.isFile() === true) return records;
  throw new UsageError(
    ERROR_CODES.READ,
    `${path}: is a folder without records.jsonl: give the --work-dir of a complete run of teapot attack, or files.`,
  );
}

/** How a page calls the run of an input. */
function runName(path: string): string {
  return path === STDIN ? 'stdin' : basename(path);
}

/** What a file holds, by its first schema; files without one are logs of other tools. */
async function kindOf(path: string): Promise<'records' | 'document' | 'log'> {
  const source = openSource(path);
  const head = await source.head();
  for await (const _chunk of source.chunks()) break;
  const schema = /"schema"\s*:\s*"(teapot\.[\w-]+)\/\d/u.exec(head)?.[1];
  if (schema === 'teapot.record') return 'records';
  if (schema === undefined) return 'log';
  if (/^\s*\{/u.test(head)) return 'document';
  throw new UsageError(ERROR_CODES.FORMAT, `${path}: a report takes records and ${DOCUMENT_SCHEMAS.join(', ')}.`);
}
