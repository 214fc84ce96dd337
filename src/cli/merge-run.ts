import { readFile } from 'node:fs/promises';

import { ERROR_CODES, UsageError } from '../errors.js';
import { mergePartials, readPartial } from '../measure/partial.js';
import type { NamedPartial } from '../measure/partial.js';
import { chooseFormat, SCORE_FORMATS } from '../report/formats.js';
import { gatedRows } from '../report/result.js';
import { wantsColor } from './color.js';
import type { MergeArguments } from './commands/merge.js';
import { checkGateNames, decideGates, enforceGates } from './gate.js';
import { interruptSignal } from './interrupt.js';
import { createNote } from './notes.js';
import { noteInputs, noteResult } from './score-notes.js';
import { reportOf } from './score-run.js';
import { printResult } from './terminal.js';

/**
 * Merges the partial results of the parts of a run and prints the result.
 *
 * @throws {UsageError} when a file is no partial result, or a part is missing, there twice or of another run.
 * @throws {GateError} when a condition of `--fail-if` holds.
 */
export async function runMerge(argv: MergeArguments): Promise<void> {
  const note = createNote(argv);
  const { confidence, seed, failIf: gates = [], output, scale, caption, label } = argv;
  const format = chooseFormat({ formats: SCORE_FORMATS, format: argv.format, output, option: '--output' });
  const partials: NamedPartial[] = [];
  for (const path of argv.partials) partials.push(readPartial(await readText(path), path));
  const { summariser, known } = mergePartials(partials);
  const result = await summariser.result({
    ...known,
    ...(confidence !== undefined && { intervals: { confidence, seed, signal: interruptSignal } }),
  });
  const rows = gatedRows(result);
  checkGateNames(gates, [...(rows[0]?.numbers.keys() ?? [])], result.by);
  const verdicts = decideGates(gates, rows);
  const color = wantsColor(argv) && output === undefined;
  const text = await reportOf(result, { format, scale, caption, label }, verdicts, { terminal: false, color });
  await printResult(text, { output, format, color });
  noteInputs(known.inputs ?? [], note);
  noteResult(result, note);
  enforceGates(verdicts);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(ERROR_CODES.READ, `${path} can't be read: ${reason}`, { cause });
  }
}
