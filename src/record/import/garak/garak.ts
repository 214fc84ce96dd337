import type { SourceFile } from '../../../read/source-file.js';
import { defineImporter } from '../importer.js';
import type { ImportOptions } from '../importer.js';
import type { AttackRecord } from '../../schema.js';
import { badRow } from '../common/bad-row.js';
import { Evaluations } from './evaluations.js';
import { attemptRecords, hitRecord, readRunInfo, UNKNOWN_RUN } from './report.js';
import type { RunInfo } from './report.js';
import { readJsonLines } from '../common/json-lines.js';
import type { JsonObject } from '../common/json-lines.js';

/** An attempt whose outputs have been scored; one that has not is written with a lower status before. */
const COMPLETE = 2;

/**
 * Reads garak's report (`*.report.jsonl`) or hit log (`*.hitlog.jsonl`).
 *
 * A report gives one record an output; the rows that are no attempts (set-up, evaluations, digest) go into
 * `extra.run_rows` of the record after them (of the last one at the end). A hit log gives one record a hit.
 */
export const garak = defineImporter({
  name: 'garak',
  description: 'garak: report.jsonl and hitlog.jsonl',
  detect: (head) => (/^\s*\{\s*"entry_type"\s*:/u.test(head) || isHit(head) ? 1 : 0),
  import: readGarak,
});

async function* readGarak(source: SourceFile, options: ImportOptions): AsyncGenerator<AttackRecord> {
  const report = new ReportReader(source.name, options);
  for await (const { value, line } of readJsonLines(source, options)) {
    if (typeof value['entry_type'] === 'string') yield* report.read(value, line);
    else if ('attempt_id' in value && 'detector' in value) yield hitRecord(value, { file: source.name, line });
    else {
      const message = 'no row of garak: expected entry_type (a report) or attempt_id and detector (a hit log)';
      badRow(options, source.name, line, message);
    }
  }
  yield* report.end();
}

/** Follows a report: each attempt stands there twice, with status 1 (asked) and 2 (scored). */
class ReportReader {
  readonly #file: string;
  readonly #options: ImportOptions;
  readonly #evaluations = new Evaluations();
  #run: RunInfo = UNKNOWN_RUN;
  /** Attempts that were asked and not yet scored: at most those of one probe. */
  readonly #asked = new Map<string, { readonly row: JsonObject; readonly line: number }>();
  #rows: JsonObject[] = [];
  /** What the report says of its own attempts, to be compared at its end. */
  readonly #claims: { readonly row: JsonObject; readonly line: number }[] = [];
  /** The last record is held back, so that the rows at the end of the report have a place. */
  #last: AttackRecord | undefined;

  constructor(file: string, options: ImportOptions) {
    this.#file = file;
    this.#options = options;
  }

  *read(row: JsonObject, line: number): Generator<AttackRecord> {
    if (row['entry_type'] !== 'attempt') {
      this.#readRunRow(row, line);
      return;
    }
    const uuid = String(row['uuid']);
    if (row['status'] === COMPLETE) {
      this.#asked.delete(uuid);
      yield* this.#emit(row, line);
    } else this.#asked.set(uuid, { row, line });
  }

  *end(): Generator<AttackRecord> {
    if (this.#asked.size > 0) {
      const message = `${this.#asked.size} attempts were not scored, the run was interrupted: their result is null`;
      this.#warn(null, 'incomplete-attempts', message);
    }
    for (const { row, line } of this.#asked.values()) yield* this.#emit(row, line);
    for (const { row, line } of this.#claims) {
      const difference = this.#evaluations.difference(row);
      if (difference !== undefined) this.#warn(line, 'summary-differs', difference);
    }
    if (this.#last === undefined) {
      if (this.#rows.length > 0) this.#warn(null, 'no-attempts', 'the report holds no attempts');
      return;
    }
    if (this.#rows.length > 0) this.#last.extra['run_rows'] = [...runRows(this.#last), ...this.#rows];
    yield this.#last;
  }

  *#emit(row: JsonObject, line: number): Generator<AttackRecord> {
    const onOddity = (code: string, message: string): void => this.#warn(line, code, message);
    for (const record of attemptRecords(row, this.#run, { file: this.#file, line }, onOddity)) {
      this.#evaluations.count(String(row['probe_classname']), record, this.#run.threshold);
      if (this.#rows.length > 0) record.extra['run_rows'] = this.#rows;
      this.#rows = [];
      if (this.#last !== undefined) yield this.#last;
      this.#last = record;
    }
  }

  #readRunRow(row: JsonObject, line: number): void {
    this.#rows.push(row);
    const type = row['entry_type'];
    if (type === 'start_run setup' || type === 'init') this.#run = readRunInfo(row, this.#run);
    if (type !== 'eval') return;
    this.#options.onSummary?.(this.#evaluations.summary(row, this.#file, line));
    // The row may stand before the attempts that it counts.
    this.#claims.push({ row, line });
  }

  #warn(line: number | null, code: string, message: string): void {
    this.#options.onWarning?.({ file: this.#file, line, code, message });
  }
}

function runRows(record: AttackRecord): readonly JsonObject[] {
  return (record.extra['run_rows'] as JsonObject[] | undefined) ?? [];
}

function isHit(head: string): boolean {
  return ['"goal"', '"prompt"', '"output"', '"attempt_id"', '"detector"'].every((key) => head.includes(key));
}
