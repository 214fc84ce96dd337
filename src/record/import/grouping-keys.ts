import { ERROR_CODES, UsageError } from '../../errors.js';
import { NAMED_KEYS } from '../schema.js';
import type { AttackRecord, NamedKeys } from '../schema.js';
import { fileName } from './common/values.js';

/**
 * Fills in the grouping keys that the user named: an option says what the file doesn't say. Where both speak and differ
 * the record is refused: one of them is wrong.
 *
 * A run that an importer named after its file says nothing of its own: the option takes the place of the file's name.
 *
 * @param named What the user named; empty changes nothing.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` with file, line and both values.
 */
export function nameGroupingKeys(record: AttackRecord, named: NamedKeys, file: string): void {
  const isTransferred = record.source_model !== null && record.source_model !== record.model;
  for (const key of NAMED_KEYS) {
    const wanted = named[key];
    const found = record[key];
    if (wanted === undefined || wanted === null || found === wanted) continue;
    if (found === null) Object.assign(record, { [key]: wanted });
    else if (key !== 'run') throw contradiction(record, file, key, wanted);
    else record.run = runNamed(record, file, wanted);
  }
  if (named.model !== undefined && !isTransferred) record.source_model = record.model;
}

/** Several runs of one file are numbered: `NAME#1`, `NAME#2`. */
function runNamed(record: AttackRecord, file: string, wanted: string): string {
  const run = record.run ?? '';
  const own = [fileName(file), wanted].find((name) => run === name || run.startsWith(`${name}#`));
  if (own === undefined) throw contradiction(record, file, 'run', wanted);
  return wanted + run.slice(own.length);
}

function contradiction(
  record: AttackRecord,
  file: string,
  key: (typeof NAMED_KEYS)[number],
  wanted: string,
): UsageError {
  const line = record.provenance?.line;
  const place = line === null || line === undefined ? file : `${file}:${line}`;
  return new UsageError(
    ERROR_CODES.INVALID_OPTION,
    `${place}: the ${key} is ${JSON.stringify(record[key])} in the file and ${JSON.stringify(wanted)} in the option ${key}: ` +
      `leave the option out to keep what the file says`,
  );
}
