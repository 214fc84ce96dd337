import { ERROR_CODES, UsageError } from '../../../errors.js';
import type { SourceFile } from '../../../read/source-file.js';
import { firstLine } from '../../../read/table-rows.js';
import { defineImporter } from '../importer.js';
import type { ImportOptions } from '../importer.js';
import type { AttackRecord } from '../../schema.js';
import { isTextAttackHeader, readCsvLog } from './csv.js';
import { isSummaryJson, readSummaryJson } from './summary.js';
import { isTextLog, readTextLog } from './text-log.js';

/** Reads TextAttack's CSV log, text log or printed output; its summary JSON gives no records, but is handed on. */
export const textattack = defineImporter({
  name: 'textattack',
  description: 'TextAttack: --log-to-csv (all colouring styles), --log-to-txt, its output, --log-summary-to-json',
  detect: (head) => (kindOf(head) === undefined ? 0 : 1),
  import: readTextAttack,
});

async function* readTextAttack(source: SourceFile, options: ImportOptions): AsyncGenerator<AttackRecord> {
  const head = await source.head();
  switch (kindOf(head)) {
    case 'csv':
      yield* readCsvLog(source, options);
      return;
    case 'text':
      yield* readTextLog(source, options);
      return;
    case 'summary':
      options.onSummary?.(await readSummaryJson(source));
      return;
    default:
      throw new UsageError(
        ERROR_CODES.FORMAT,
        `${source.name}:1: no log of TextAttack: expected a CSV header with original_text and perturbed_text, ` +
          `a line "--- Result 1 ---" or {"Attack Results": …}, found ${JSON.stringify(shown(firstLine(head)))}`,
      );
  }
}

function kindOf(head: string): 'csv' | 'text' | 'summary' | undefined {
  if (isTextAttackHeader(firstLine(head))) return 'csv';
  if (isSummaryJson(head)) return 'summary';
  return isTextLog(head) ? 'text' : undefined;
}

function shown(line: string): string {
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}
