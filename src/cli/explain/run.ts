import { chooseFormat, EXPLAIN_FORMATS } from '../../report/formats.js';
import { renderJson } from '../../report/json.js';
import { explainRecord, type Explanation } from '../../record/explain.js';
import type { AttackRecord } from '../../record/schema.js';
import { wantsColor } from '../color.js';
import { createNote } from '../notes.js';
import type { ExplainArguments } from '../commands/explain.js';
import { openRecordSource, type RecordSource } from '../record-source.js';
import { BOTH_CHRF, openScorers } from '../scorers.js';
import { invalid } from '../values.js';
import { explanationDocument } from './document.js';
import { explanationText } from './text.js';
import { printResult } from '../terminal.js';

/**
 * Explains one record, or one line of line-aligned files.
 *
 * @throws {UsageError} when an option is wrong, or there is no such record.
 */
export async function runExplain(argv: ExplainArguments): Promise<void> {
  const note = createNote(argv);
  const { format: asked, output } = argv;
  const format = chooseFormat({ formats: EXPLAIN_FORMATS, format: asked, output, option: '--output' });
  const { successThreshold } = argv;
  const wanted = readWanted(argv);
  const { sSrc, sTgt } = await openScorers(argv, BOTH_CHRF, note);
  try {
    const source = await openRecordSource(argv, note);
    const record = await findRecord(source, wanted);
    const options = { sSrc, sTgt, successThreshold };
    const explanation = await explainRecord(record, options);
    if (explanation === null)
      throw invalid(`${describe(wanted)} is a clean prompt or a candidate: nothing was attacked.`);
    const color = wantsColor(argv) && argv.output === undefined;
    const text =
      format === 'html'
        ? await (await import('../report/result-page.js')).explanationPage(explanation)
        : render(explanation, format, color);
    await printResult(text, { output: argv.output, format, color });
  } finally {
    await sSrc.close?.();
    await sTgt.close?.();
  }
}

function render(explanation: Explanation, format: 'text' | 'json', color: boolean): string {
  if (format === 'json') return renderJson(explanationDocument(explanation));
  return explanationText(explanation, color);
}

/** Which record is wanted: by its id, or by its 1-based place. */
type Wanted = { readonly id: string } | { readonly line: number };

function readWanted({ id, line }: ExplainArguments): Wanted {
  if (id !== undefined && line !== undefined) throw invalid('--id and --line both name a record: give one of them.');
  if (id !== undefined) return { id };
  if (line !== undefined) return { line };
  throw invalid('Say which record: --line N (its place in the files, from 1) or --id ID.');
}

async function findRecord(source: RecordSource, wanted: Wanted): Promise<AttackRecord> {
  let count = 0;
  let found: AttackRecord | undefined;
  // The files are read to their end: a record of a damaged file is not explained in silence.
  for await (const record of source.records) {
    count += 1;
    if (found === undefined && ('id' in wanted ? record.id === wanted.id : count === wanted.line)) found = record;
  }
  if (found !== undefined) return found;
  throw invalid(`There is no ${describe(wanted)}: the files hold ${count} records.`);
}

function describe(wanted: Wanted): string {
  return 'id' in wanted ? `record with the id ${JSON.stringify(wanted.id)}` : `record ${wanted.line}`;
}
