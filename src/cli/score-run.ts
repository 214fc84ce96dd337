import { openTable } from '../read/table.js';
import { perLineReporter } from '../report/per-line.js';
import { loadReporter } from '../report/reporter.js';
import { numbersOf, summaryDocument } from '../report/summary-document.js';
import { createScorer, refuseUnusedFlags } from '../score/registry.js';
import type { ScorerContext } from '../score/registry.js';
import { scoreFiles, scoreSegments } from '../score/score-corpus.js';
import type { CorpusScorers, ScoredCorpus } from '../score/score-corpus.js';
import type { IntervalOptions } from '../summarise/interval.js';
import { Summariser } from '../summarise/summariser.js';
import type { Summary } from '../summarise/summary.js';
import { version } from '../version.js';
import { wantsColor } from './color.js';
import { applyGates, checkGateNames } from './gate.js';
import { interruptSignal } from './interrupt.js';
import { createNote } from './notes.js';
import type { Note } from './notes.js';
import type { GeneralArguments, ScoreArguments } from './options.js';
import { OutputFile } from '../output-file.js';
import { startProgress } from './progress.js';
import { planScore } from './score-plan.js';
import type { ScorePlan } from './score-plan.js';
import { noteInputs, noteSummary } from './score-notes.js';

/** The parsed arguments: those of the command, the general ones, and the flags of scorers. */
type ScoreRunArguments = ScoreArguments & GeneralArguments & Readonly<Record<string, unknown>>;

/** Runs `teapot score`: plan, open what is written, score, sum up, report, gate. */
export async function runScore(argv: ScoreRunArguments): Promise<void> {
  const note = createNote(argv);
  const terminal = process.stdout.isTTY === true;
  const plan = planScore(argv, note, terminal);
  checkGateNames(plan.gates, await numberNames(plan));
  const output = plan.output === undefined ? undefined : await OutputFile.open(plan.output);
  const perLine = plan.perLine === undefined ? undefined : await OutputFile.open(plan.perLine.path);
  try {
    if (plan.sTgt !== undefined && plan.references === 0) {
      note('No reference file provided. We will use the reference-less criterion.');
    }
    const summary = await measureCorpus(plan, argv, perLine, note);
    const report = await loadReporter(plan.format);
    const color = wantsColor(argv) && output === undefined;
    const text = report(summary, { scale: plan.scale, terminal: terminal && output === undefined, color });
    await perLine?.commit();
    if (output === undefined) process.stdout.write(text);
    else {
      await output.write(text);
      await output.commit();
    }
    noteSummary(summary, note);
    applyGates(plan.gates, numbersOf(summaryDocument(summary, plan.scale)));
  } finally {
    await output?.discard();
    await perLine?.discard();
  }
}

async function measureCorpus(
  plan: ScorePlan,
  argv: ScoreRunArguments,
  perLine: OutputFile | undefined,
  note: Note,
): Promise<Summary> {
  const scorers = await makeScorers(plan, argv, note);
  const summariser = new Summariser(summaryOptions(plan, scorers));
  const lines = plan.perLine && perLineReporter(plan.perLine.format, plan.scale);
  if (lines !== undefined) await perLine?.write(lines.header);
  const corpus = openCorpus(plan, scorers, note);
  const progress = startProgress({ unit: 'lines', quiet: argv.quiet === true });
  try {
    for await (const segments of corpus.batches({ signal: interruptSignal, onProgress: progress.onProgress })) {
      const [scores] = segments.attacks;
      if (scores === undefined) continue;
      const measured = summariser.add(scores, segments.blank);
      if (lines !== undefined) await perLine?.write(lines.rows(segments, 0, measured));
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
  return summariser.summary({ inputs, textRules: textRules(plan), intervals: intervalsOf(plan) });
}

async function makeScorers(
  plan: ScorePlan,
  argv: Readonly<Record<string, unknown>>,
  note: Note,
): Promise<CorpusScorers> {
  const specs = {
    ...(plan.sSrc !== undefined && { 's-src': plan.sSrc }),
    ...(plan.sTgt !== undefined && { 's-tgt': plan.sTgt }),
  };
  refuseUnusedFlags(argv, specs);
  const context = (side: 'source' | 'target', language: unknown, referenceCount: number): ScorerContext => ({
    side,
    language: typeof language === 'string' ? language : undefined,
    referenceCount,
    flags: argv,
    onNote: note,
  });
  return {
    sSrc: plan.sSrc === undefined ? undefined : await createScorer(plan.sSrc, context('source', argv['src-lang'], 1)),
    sTgt:
      plan.sTgt === undefined
        ? undefined
        : await createScorer(plan.sTgt, context('target', argv['tgt-lang'], Math.max(1, plan.references))),
  };
}

function openCorpus(plan: ScorePlan, scorers: CorpusScorers, note: Note): ScoredCorpus {
  if (plan.input.kind === 'table')
    return scoreSegments(openTable(plan.input.path, plan.input.columns, plan.read), scorers);
  return scoreFiles(plan.input.files, scorers, {
    read: plan.read,
    onNote: note,
    ...(plan.threads !== undefined && { threads: plan.threads }),
  });
}

function summaryOptions(plan: ScorePlan, scorers: CorpusScorers): ConstructorParameters<typeof Summariser>[0] {
  return {
    version: version(),
    sSrc: scorers.sSrc,
    sTgt: scorers.sTgt,
    withReferences: plan.references > 0,
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
  const summariser = new Summariser(summaryOptions(plan, { sSrc, sTgt }));
  const scores = Float64Array.of(1, 1);
  summariser.add({
    count: scores.length,
    ...(sSrc && { sSrc: scores }),
    ...(sTgt && plan.references > 0 && { base: scores }),
    ...(sTgt && { attacked: scores }),
  });
  const numbers = numbersOf(summaryDocument(await summariser.summary({ intervals: intervalsOf(plan) }), plan.scale));
  return [...numbers].filter(([, value]) => value !== null).map(([name]) => name);
}
