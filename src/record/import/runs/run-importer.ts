import { parseJsonPath, valueAt } from '../../../read/json-path.js';
import { labelText } from '../../../read/label.js';
import { ERROR_CODES, UsageError } from '../../../errors.js';
import type { SourceFile } from '../../../read/source-file.js';
import type { AttackRecord } from '../../schema.js';
import { defineImporter } from '../importer.js';
import type { Importer, ImportOptions } from '../importer.js';
import { cleanRecord } from './pair-records.js';
import { pairWithin } from './pair-within.js';
import type { EvaluatedItem, EvaluatedRun, RunClaim } from './run.js';

/** A format whose files are runs of an evaluation: clean, attacked, or both in one. */
export interface RunFormat extends Pick<Importer, 'name' | 'description' | 'inFolder' | 'detect'> {
  /**
   * Reads all runs of a file (one a task, or a prompt and model).
   *
   * @returns None for a file that only sums runs up.
   */
  readRuns(source: SourceFile, options: ImportOptions): Promise<readonly EvaluatedRun[]>;
}

/** An importer of runs: it pairs what one log holds, and its runs can be paired with each other. */
export type RunImporter = Importer & Pick<RunFormat, 'readRuns'>;

/**
 * Makes an importer of a format of runs. Of a log that names attacks itself each attacked item becomes a record, paired
 * with the item that it was made of; items without a partner are records of the kind `clean`.
 */
export function defineRunImporter(format: RunFormat): RunImporter {
  const readRuns = async (source: SourceFile, options: ImportOptions): Promise<readonly EvaluatedRun[]> => {
    const runs = await format.readRuns(source, options);
    return runs.map((run) => withKeys(run, options.pairBy));
  };
  return {
    ...defineImporter({
      ...format,
      async *import(source, options): AsyncGenerator<AttackRecord> {
        for (const run of await format.readRuns(source, options)) {
          const claims = logClaims(run);
          let isFirst = true;
          for (const record of logRecords(run, options)) {
            if (isFirst && claims.length > 0) record.extra['claims'] = claims;
            isFirst = false;
            yield record;
          }
        }
      },
    }),
    readRuns,
  };
}

function* logRecords(run: EvaluatedRun, options: ImportOptions): Generator<AttackRecord> {
  const { records, clean } = pairWithin(run, options);
  yield* records;
  for (const item of clean) yield cleanRecord(run, item);
}

/** The mean that a tool reports of a log without attacks is that of its items. */
function logClaims({ claims = [], reported, items }: EvaluatedRun): readonly RunClaim[] {
  const isClean = items.every(({ attack }) => attack === undefined || attack === null);
  if (reported === null || !isClean) return claims;
  return [...claims, { quantity: 'mean_original', ...reported }];
}

/** Whether an importer reads runs. */
export function isRunImporter(importer: Importer): importer is RunImporter {
  return 'readRuns' in importer;
}

/** Takes the keys of items from a path, where the user names one. */
function withKeys(run: EvaluatedRun, pairBy: string | undefined): EvaluatedRun {
  if (pairBy === undefined) return run;
  const path = parseJsonPath(pairBy);
  if (path === undefined) {
    throw new UsageError(ERROR_CODES.INVALID_OPTION, `the option pair-by is "${pairBy}", expected a path like doc.id`);
  }
  const items = run.items.map((item): EvaluatedItem => {
    const key = labelText(valueAt(item.raw, path));
    if (key !== null) return { ...item, key };
    const place = item.line === null ? item.file : `${item.file}:${item.line}`;
    throw new UsageError(ERROR_CODES.FORMAT, `${place}: there is nothing at ${pairBy}`);
  });
  return { ...run, items };
}
