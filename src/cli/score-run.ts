import { ERROR_CODES, TeapotError } from '../errors.js';
import { OutputFile } from '../output-file.js';
import type { Claims, Result } from '../measure/summary.js';
import { partialDocument } from '../measure/partial.js';
import { renderJson } from '../report/json.js';
import { gatedRows, reportComparisons, reportResult, resultDocument, signaturesOf } from '../report/result.js';
import { wantsColor } from './color.js';
import { score } from './commands/score.js';
import type { ScoreArguments } from './commands/score.js';
import { checkGateNames, decideGates, enforceGates } from './gate.js';
import type { GateVerdict } from './gate.js';
import { createNote } from './notes.js';
import { madeUpResult, measureInput, partialOf, resultOf } from './score-input.js';
import { noteResult } from './score-notes.js';
import { refuseSharedFiles } from './refuse-shared-files.js';
import { planScore } from './score-plan.js';
import type { ScorePlan } from './score-plan.js';
import { printResult, shownAs } from './terminal.js';

/** Runs `teapot score`: plan, open what is written, score, sum up, report, gate. */
export async function runScore(given: ScoreArguments): Promise<void> {
  const argv = await withTableFiles(given);
  const note = createNote(argv);
  const terminal = process.stdout.isTTY === true;
  const plan = planScore(argv, note, terminal);
  if (plan.gates.length > 0) {
    checkGateNames(plan.gates, await gateNames(plan), plan.keys);
  }
  const output = plan.output === undefined ? undefined : await OutputFile.open(plan.output);
  const perLine = plan.perLine === undefined ? undefined : await OutputFile.open(plan.perLine.path);
  try {
    if (plan.input.kind !== 'records' && plan.sTgt.length > 0 && plan.references === 0) {
      note('No reference file provided. We will use the reference-less criterion.');
    }
    const measured = await measureInput(plan, argv, perLine, note);
    if (plan.shard !== undefined) {
      const text = renderJson(partialDocument(partialOf(plan, plan.shard, measured)));
      if (output === undefined) await printResult(text, { format: 'json' });
      else {
        await output.write(text);
        await output.commit();
      }
      return;
    }
    const result = await resultOf(plan, measured);
    const color = wantsColor(argv) && output === undefined;
    const verdicts = decideGates(plan.gates, gatedRows(result));
    const text = await reportOf(result, plan, verdicts, { terminal: terminal && output === undefined, color });
    await perLine?.commit();
    if (output === undefined) await printResult(text, { format: plan.format, color });
    else {
      await output.write(shownAs(text, { format: plan.format }));
      await output.commit();
    }
    if (plan.comparisons !== undefined) {
      await printResult(reportComparisons(result), { output: plan.comparisons, format: 'csv' });
    }
    noteResult(result, note);
    enforceGates(verdicts);
    refuseErrorsAlone(result);
  } finally {
    await output?.discard();
    await perLine?.discard();
  }
}

/**
 * The arguments with the files that `--data` stands for. What a shell makes of a pattern, `--data a.csv b.csv`, are tables, too.
 *
 * @throws {UsageError} as `tableFiles`; when an output is one of the files.
 */
async function withTableFiles(argv: ScoreArguments): Promise<ScoreArguments> {
  if (argv.data === undefined) return argv;
  const { tableFiles } = await import('../read/several-tables.js');
  const data = await tableFiles([...argv.data, ...(argv.records ?? [])]);
  const found = { ...argv, data, records: undefined };
  await refuseSharedFiles(score, found);
  return found;
}

/** A run in which no attack was carried out has no numbers, and must not look like one in which none succeeded. */
function refuseErrorsAlone({ all, groups }: Result): void {
  const parts = all === null ? groups : [all];
  const tools = parts.map(({ claims }) => claims?.tool);
  const count = tools.reduce((sum, tool) => sum + (tool?.error ?? 0), 0);
  const isOfErrors = tools.every((tool) => tool !== undefined && isAlone(tool));
  if (count > 0 && isOfErrors) {
    throw new TeapotError(
      ERROR_CODES.EMPTY_INPUT,
      `all attacks ended in errors (${count}): there is nothing to measure`,
    );
  }
}

/** Whether errors are all that a tool said. */
function isAlone({ error, ...others }: Claims['tool']): boolean {
  return error > 0 && Object.values(others).every((value) => value === 0);
}

export async function reportOf(
  result: Result,
  { format, scale, caption, label }: Pick<ScorePlan, 'format' | 'scale' | 'caption' | 'label'>,
  verdicts: readonly GateVerdict[],
  where: { readonly terminal: boolean; readonly color: boolean },
): Promise<string> {
  if (format === 'junit') {
    const { junitReport } = await import('./junit.js');
    return junitReport('teapot score', gatedRows(result), verdicts, signaturesOf(result).join('; '));
  }
  if (format === 'html') return (await import('./report/result-page.js')).documentPage(resultDocument(result));
  return reportResult(result, format, { scale, caption, label, ...where });
}

/** The names of the numbers that the results of a run will have. */
async function gateNames(plan: ScorePlan): Promise<readonly string[]> {
  const [row] = gatedRows(await madeUpResult(plan));
  return [...(row?.numbers ?? [])].filter(([, value]) => value !== null).map(([name]) => name);
}
