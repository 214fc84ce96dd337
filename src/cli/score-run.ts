import { reusedArrays } from '../array-room.js';
import { perLineReporter } from '../report/per-line.js';
import { gatedRows, reportComparisons, reportResult } from '../report/result.js';
import { scoreFiles, scoreSegments } from '../score/score-corpus.js';
import type { CorpusScorers, ScoredCorpus } from '../score/score-corpus.js';
import type { IntervalOptions } from '../measure/intervals.js';
import { GroupSummariser } from '../measure/group-summariser.js';
import type { SummaryOptions } from '../measure/summariser.js';
import type { GroupResult, Result } from '../measure/summary.js';
import { AttackLines } from '../measure/compare-attacks.js';
import { version } from '../version.js';
import type { ScoreArguments } from './commands/score.js';
import { wantsColor } from './color.js';
import { checkGateNames, decideGates, enforceGates } from './gate.js';
import type { GateVerdict } from './gate.js';
import { interruptSignal } from './interrupt.js';
import { createNote } from './notes.js';
import type { Note } from './notes.js';
import { openScorers } from './scorers.js';
import { OutputFile } from '../output-file.js';
import { startProgress } from './progress.js';
import { planScore } from './score-plan.js';
import type { ScorePlan } from './score-plan.js';
import { noteInputs, noteSummary } from './score-notes.js';
import { printResult, shownAs } from './terminal.js';

/** Confidence of the intervals of paired tests when none is asked for. */
const DEFAULT_CONFIDENCE = 0.95;

/** Runs `teapot score`: plan, open what is written, score, sum up, report, gate. */
export async function runScore(argv: ScoreArguments): Promise<void> {
  const note = createNote(argv);
  const terminal = process.stdout.isTTY === true;
  const plan = planScore(argv, note, terminal);
  if (plan.gates.length > 0) {
    checkGateNames(plan.gates, await gateNames(plan), plan.attackNames.length > 1 ? ['attack'] : []);
  }
  const output = plan.output === undefined ? undefined : await OutputFile.open(plan.output);
  const perLine = plan.perLine === undefined ? undefined : await OutputFile.open(plan.perLine.path);
  try {
    if (plan.sTgt !== undefined && plan.references === 0) {
      note('No reference file provided. We will use the reference-less criterion.');
    }
    const result = await measureCorpus(plan, argv, perLine, note);
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
    for (const { values, summary } of result.all === null ? result.groups : [result.all]) {
      const which = values.length > 0 ? `${values.join(', ')}: ` : '';
      noteSummary(summary, (message) => note(message.replace(/^Note: /, `Note: ${which}`)));
    }
    enforceGates(verdicts);
  } finally {
    await output?.discard();
    await perLine?.discard();
  }
}

async function reportOf(
  result: Result,
  { format, scale, caption, label }: ScorePlan,
  verdicts: readonly GateVerdict[],
  where: { readonly terminal: boolean; readonly color: boolean },
): Promise<string> {
  if (format === 'junit') {
    const { junitReport } = await import('./junit.js');
    const { summary } = result.all ?? result.groups[0] ?? {};
    return junitReport('teapot score', gatedRows(result), verdicts, summary?.signature ?? '');
  }
  return reportResult(result, format, { scale, caption, label, ...where });
}

async function measureCorpus(
  plan: ScorePlan,
  argv: ScoreArguments,
  perLine: OutputFile | undefined,
  note: Note,
): Promise<Result> {
  const scorers = await openScorers(argv, plan, note);
  const { attackNames } = plan;
  // What is measured of a batch is written or copied before the next one comes.
  const summarisers = attackNames.map(
    () => new GroupSummariser({ ...summaryOptions(plan, scorers), arrays: reusedArrays() }),
  );
  const paired = attackNames.length > 1 ? new AttackLines(attackNames) : undefined;
  const lines = plan.perLine && (await perLineReporter(plan.perLine.format, attackNames));
  if (lines !== undefined) await perLine?.write(lines.header);
  const corpus = await openCorpus(plan, scorers, note);
  const progress = startProgress({ unit: 'lines', quiet: argv.quiet === true, totalIsEstimate: true });
  try {
    for await (const segments of corpus.batches({ signal: interruptSignal, onProgress: progress.onProgress })) {
      paired?.advance(segments.count);
      for (const [attack, scores] of segments.attacks.entries()) {
        const { blank, blankSides, groups } = segments;
        const measured = summarisers[attack]?.add({ ...scores, ...(blank && { blank }), blankSides, groups });
        if (measured === undefined) continue;
        const { dTgt, margin } = measured;
        const sTgt = scores.base === undefined ? scores.attacked : undefined;
        paired?.add(attack, { s_src: scores.sSrc, d_tgt: dTgt, s_tgt: sTgt }, margin);
        if (lines !== undefined) await perLine?.write(lines.rows(segments, attack, measured));
      }
    }
    await Promise.all([scorers.sSrc?.close?.(), scorers.sTgt?.close?.()]);
  } catch (error) {
    await Promise.allSettled([scorers.sSrc?.close?.(), scorers.sTgt?.close?.()]);
    throw error;
  } finally {
    progress.stop();
  }
  if (lines !== undefined) await perLine?.write(lines.end());
  const inputs = await corpus.inputs();
  noteInputs(inputs, note);
  const finish = { inputs, textRules: textRules(plan), intervals: intervalsOf(plan) };
  const groups: GroupResult[] = [];
  for (const [attack, summariser] of summarisers.entries()) {
    const { all } = await summariser.result(finish);
    groups.push({ ...all, values: attackNames.length > 1 ? [attackNames[attack] ?? ''] : [] });
  }
  const [only] = groups;
  if (only !== undefined && groups.length === 1) return { by: [], groups: [], all: only, comparisons: [] };
  const { confidence = DEFAULT_CONFIDENCE, seed } = plan;
  const comparisons = (await paired?.compare({ confidence, seed, signal: interruptSignal })) ?? [];
  return { by: ['attack'], groups, all: null, comparisons };
}

async function openCorpus(plan: ScorePlan, scorers: CorpusScorers, note: Note): Promise<ScoredCorpus> {
  if (plan.input.kind === 'table') {
    // Only now: the readers of tables make a quarter of the start-up time.
    const { openTable } = await import('../read/table.js');
    return scoreSegments(openTable(plan.input.path, plan.input.columns, plan.read), scorers);
  }
  return scoreFiles(plan.input.files, scorers, {
    read: plan.read,
    onNote: note,
    ...(plan.threads !== undefined && { threads: plan.threads }),
  });
}

function summaryOptions(plan: ScorePlan, scorers: CorpusScorers): SummaryOptions {
  return {
    version: version(),
    sSrc: scorers.sSrc,
    sTgt: scorers.sTgt,
    successThreshold: plan.successThreshold,
    percentileMethod: plan.percentileMethod,
    sweep: plan.sweep,
  };
}

function intervalsOf({ confidence, seed }: ScorePlan): IntervalOptions | undefined {
  return confidence === undefined ? undefined : { confidence, seed, signal: interruptSignal };
}

function textRules(plan: ScorePlan): readonly string[] {
  const rules = [`strip:${plan.read.keepTrailingWhitespace === true ? 'no' : 'end'}`];
  if (plan.read.encoding !== undefined && plan.read.encoding !== 'utf-8') rules.push(`encoding:${plan.read.encoding}`);
  return rules;
}

/** The names of the numbers that the results of a run will have: those of two made-up lines. */
async function gateNames(plan: ScorePlan): Promise<readonly string[]> {
  const scorer = { key: '', name: '', signature: '', score: async () => new Float64Array() };
  const [sSrc, sTgt] = [plan.sSrc, plan.sTgt].map((spec) => (spec === undefined ? undefined : scorer));
  const summariser = new GroupSummariser(summaryOptions(plan, { sSrc, sTgt }));
  const scores = Float64Array.of(1, 1);
  summariser.add({
    count: scores.length,
    ...(sSrc && { sSrc: scores }),
    ...(sTgt && plan.references > 0 && { base: scores }),
    ...(sTgt && { attacked: scores }),
  });
  const { all } = await summariser.result({ intervals: intervalsOf(plan) });
  const [row] = gatedRows({ by: [], groups: [], all, comparisons: [] });
  return [...(row?.numbers ?? [])].filter(([, value]) => value !== null).map(([name]) => name);
}
