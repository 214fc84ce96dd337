import { reusedArrays } from '../array-room.js';
import type { AttackSet } from '../report/attack-set.js';
import { perLineReporter } from '../report/per-line.js';
import { reportSummary } from '../report/reporter.js';
import type { ReportOptions } from '../report/reporter.js';
import { numbersOf, summaryDocument } from '../report/summary-document.js';
import { scoreFiles, scoreSegments } from '../score/score-corpus.js';
import type { CorpusScorers, ScoredCorpus } from '../score/score-corpus.js';
import type { IntervalOptions } from '../measure/intervals.js';
import { GroupSummariser } from '../measure/group-summariser.js';
import type { SummaryOptions } from '../measure/summariser.js';
import { AttackLines } from '../measure/compare-attacks.js';
import { version } from '../version.js';
import type { ScoreArguments } from './commands/score.js';
import { wantsColor } from './color.js';
import { applyGates, checkGateNames } from './gate.js';
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
  if (plan.gates.length > 0) checkGateNames(plan.gates, await numberNames(plan));
  const output = plan.output === undefined ? undefined : await OutputFile.open(plan.output);
  const perLine = plan.perLine === undefined ? undefined : await OutputFile.open(plan.perLine.path);
  try {
    if (plan.sTgt !== undefined && plan.references === 0) {
      note('No reference file provided. We will use the reference-less criterion.');
    }
    const set = await measureCorpus(plan, argv, perLine, note);
    const options = {
      scale: plan.scale,
      terminal: terminal && output === undefined,
      color: wantsColor(argv) && output === undefined,
    };
    const text = await reportOf(set, plan, options);
    await perLine?.commit();
    if (output === undefined) await printResult(text, { format: plan.format, color: options.color });
    else {
      await output.write(shownAs(text, { format: plan.format }));
      await output.commit();
    }
    for (const { name, summary } of set.attacks) {
      const which = set.attacks.length > 1 ? `${name}: ` : '';
      noteSummary(summary, (message) => note(message.replace(/^Note: /, `Note: ${which}`)));
    }
    // With several attacks a condition is looked at for each: one that fires is enough.
    for (const { summary } of set.attacks) applyGates(plan.gates, numbersOf(summaryDocument(summary, plan.scale)));
  } finally {
    await output?.discard();
    await perLine?.discard();
  }
}

/** The results in the format of the plan: a single attack as teapot-nlp has it, several ones side by side. */
async function reportOf(set: AttackSet, plan: ScorePlan, options: ReportOptions): Promise<string> {
  const [first, ...others] = set.attacks;
  if (first !== undefined && others.length === 0) return reportSummary(first.summary, plan.format, options);
  const { reportAttackSet } = await import('../report/attack-set.js');
  return reportAttackSet(set, plan.format, options);
}

async function measureCorpus(
  plan: ScorePlan,
  argv: ScoreArguments,
  perLine: OutputFile | undefined,
  note: Note,
): Promise<AttackSet> {
  const scorers = await openScorers(argv, plan, note);
  const { attackNames } = plan;
  // What is measured of a batch is written or copied before the next one comes.
  const summarisers = attackNames.map(
    () => new GroupSummariser({ ...summaryOptions(plan, scorers), arrays: reusedArrays() }),
  );
  const paired = attackNames.length > 1 ? new AttackLines(attackNames) : undefined;
  const lines = plan.perLine && (await perLineReporter(plan.perLine.format, plan.scale, attackNames));
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
  const attacks: AttackSet['attacks'][number][] = [];
  for (const [attack, summariser] of summarisers.entries()) {
    const { all } = await summariser.result(finish);
    attacks.push({ name: attackNames[attack] ?? '', summary: all.summary });
  }
  const { confidence = DEFAULT_CONFIDENCE, seed } = plan;
  const comparisons = (await paired?.compare({ confidence, seed, signal: interruptSignal })) ?? [];
  return { attacks, comparisons };
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
async function numberNames(plan: ScorePlan): Promise<readonly string[]> {
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
  const numbers = numbersOf(summaryDocument(all.summary, plan.scale));
  return [...numbers].filter(([, value]) => value !== null).map(([name]) => name);
}
