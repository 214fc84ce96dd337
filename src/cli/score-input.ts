import { reusedArrays } from '../array-room.js';
import { AttackLines } from '../measure/compare-attacks.js';
import { GroupSummariser } from '../measure/group-summariser.js';
import type { IntervalOptions } from '../measure/intervals.js';
import { partialResult } from '../measure/partial.js';
import type { PartialResult } from '../measure/partial.js';
import type { SummaryOptions } from '../measure/summariser.js';
import type { GroupResult, MetricSummary, Result } from '../measure/summary.js';
import type { InputFile } from '../read/segment-source.js';
import { isInShard, shardSource } from '../read/shard.js';
import type { Shard } from '../read/shard.js';
import type { Scorer } from '../score/scorer.js';
import type { PerLineReporter } from '../report/per-line.js';
import { ReferenceCounts } from '../score/reference-counts.js';
import { scoreFiles, scoreSegments } from '../score/score-corpus.js';
import type { CorpusScorers, ScoredCorpus } from '../score/score-corpus.js';
import { version } from '../version.js';
import type { ScoreArguments } from './commands/score.js';
import { interruptSignal } from './interrupt.js';
import type { Note } from './notes.js';
import type { OutputFile } from '../output-file.js';
import type { RecordFiles } from '../record/record-files.js';
import type { AttackRecord } from '../record/schema.js';
import { startProgress } from './progress.js';
import { openRecordFiles } from './record-options.js';
import { noteInputs } from './score-notes.js';
import type { ScorePlan } from './score-plan.js';
import { openScorers } from './scorers.js';
import { SAMPLE, targetMetricOfRecords, targetMetricOfTexts } from './target-metric.js';
import { invalid } from './values.js';

/** Confidence of the intervals of paired tests when none is asked for. */
const DEFAULT_CONFIDENCE = 0.95;

/**
 * Scores and sums up the input of a run, whatever it is: line-aligned files, a table, attack records.
 *
 * @param perLine Where the numbers of every line go; opened, not yet complete.
 * @throws {UsageError} about the input; what the scorers throw.
 */
export async function measureInput(
  plan: ScorePlan,
  argv: ScoreArguments,
  perLine: OutputFile | undefined,
  note: Note,
): Promise<MeasuredInput> {
  const run = { argv, perLine, note };
  if (plan.input.kind !== 'records') {
    const sTgt = await targetMetricOfTexts(plan, note);
    return withScorers(plan, sTgt, run, async (scorers) => measureCorpus(plan, scorers, run));
  }
  const files = await openRecordFiles({ records: plan.input.paths, onError: argv.onError }, note);
  const records = new PeekedRecords(files.records());
  const sTgt = targetMetricOfRecords(plan, await records.peek(SAMPLE), note);
  return withScorers(plan, sTgt, run, async (scorers) => measureRecords(plan, { files, records }, scorers, run));
}

/** An input that was scored and summed up. */
export interface MeasuredInput {
  /** One an attack. */
  readonly summarisers: readonly GroupSummariser[];
  readonly scorers: CorpusScorers;
  readonly inputs: readonly InputFile[];
  readonly references: ReferenceCounts;
  /** The scores that paired tests need, for several attacks. */
  readonly paired?: AttackLines | undefined;
}

/** The result of an input that was measured. */
export async function resultOf(plan: ScorePlan, measured: MeasuredInput): Promise<Result> {
  const { summarisers, paired, inputs, references } = measured;
  const { attackNames } = plan;
  const finish = { inputs, references, textRules: textRules(plan), intervals: intervalsOf(plan) };
  const results: (Result & { readonly all: GroupResult })[] = [];
  for (const summariser of summarisers) results.push(await summariser.result(finish));
  const [only] = results;
  if (only !== undefined && results.length === 1) return only;
  const { confidence = DEFAULT_CONFIDENCE, seed } = plan;
  return {
    by: ['attack'],
    groups: results.map(({ all: { summary, claims } }, attack) => ({
      values: [attackNames[attack] ?? ''],
      summary,
      claims,
    })),
    all: null,
    comparisons: (await paired?.compare({ confidence, seed, signal: interruptSignal })) ?? [],
  };
}

/** The partial result of the part of an input that was measured. */
export function partialOf(plan: ScorePlan, shard: Shard, measured: MeasuredInput): PartialResult {
  const { summarisers, scorers, inputs, references } = measured;
  const [summariser] = summarisers;
  if (summariser === undefined) throw new TypeError('a part has one attack');
  const metric = (scorer: Scorer | undefined): MetricSummary | null =>
    scorer === undefined ? null : { key: scorer.key, name: scorer.name, signature: scorer.signature };
  const settings = {
    version: version(),
    s_src: metric(scorers.sSrc),
    s_tgt: metric(scorers.sTgt),
    success_threshold: plan.successThreshold,
    percentile: plan.percentileMethod,
    threshold_sweep: plan.sweep ?? null,
    by: plan.by,
    text_rules: textRules(plan),
  };
  return partialResult(settings, shard, { summariser, inputs, references });
}

/** Runs with the scorers of a run, and ends them. */
async function withScorers(
  plan: ScorePlan,
  sTgt: string | undefined,
  { argv, note }: Run,
  measure: (scorers: CorpusScorers) => Promise<MeasuredInput>,
): Promise<MeasuredInput> {
  const scorers = await openScorers({ ...argv, sTgt }, { ...plan, sTgt }, note);
  try {
    const result = await measure(scorers);
    // A program that wrote too much, or fails at its end, gave no scores to be trusted.
    await Promise.all([scorers.sSrc?.close?.(), scorers.sTgt?.close?.()]);
    return result;
  } catch (error) {
    await Promise.allSettled([scorers.sSrc?.close?.(), scorers.sTgt?.close?.()]);
    throw error;
  }
}

/** What a run has beside its input. */
interface Run {
  readonly argv: ScoreArguments;
  readonly perLine: OutputFile | undefined;
  readonly note: Note;
}

async function measureCorpus(
  plan: ScorePlan,
  scorers: CorpusScorers,
  { argv, perLine, note }: Run,
): Promise<MeasuredInput> {
  const { attackNames, by } = plan;
  // What is measured of a batch is written or copied before the next one comes.
  const summarisers = attackNames.map(
    () => new GroupSummariser({ ...summaryOptions(plan, scorers), arrays: reusedArrays() }, by),
  );
  const paired = attackNames.length > 1 ? new AttackLines(attackNames) : undefined;
  const lines = await openLines(plan, perLine);
  const references = new ReferenceCounts();
  const corpus = await openCorpus(plan, { ...scorers, references }, note);
  const progress = startProgress({ unit: 'lines', quiet: argv.quiet === true, totalIsEstimate: true });
  try {
    for await (const segments of corpus.batches({ signal: interruptSignal, onProgress: progress.onProgress })) {
      paired?.advance(segments.count);
      for (const [attack, scores] of segments.attacks.entries()) {
        const { blank, blankSides, groups, order } = segments;
        const measured = summarisers[attack]?.add({ ...scores, ...(blank && { blank }), blankSides, groups, order });
        if (measured === undefined) continue;
        const { dTgt, margin } = measured;
        const sTgt = scores.base === undefined ? scores.attacked : undefined;
        paired?.add(attack, { s_src: scores.sSrc, d_tgt: dTgt, s_tgt: sTgt }, margin);
        if (lines !== undefined) await perLine?.write(lines.rows(segments, attack, measured));
      }
    }
  } finally {
    progress.stop();
  }
  if (lines !== undefined) await perLine?.write(lines.end());
  const inputs = await corpus.inputs();
  noteInputs(inputs, note);
  return { summarisers, scorers, inputs, references, paired };
}

async function openCorpus(plan: ScorePlan, scorers: CorpusScorers, note: Note): Promise<ScoredCorpus> {
  if (plan.input.kind === 'files') {
    return scoreFiles(plan.input.files, scorers, {
      read: plan.read,
      onNote: note,
      shard: plan.shard,
      ...(plan.threads !== undefined && { threads: plan.threads }),
    });
  }
  if (plan.input.kind === 'table') {
    // Only now: the readers of tables make a quarter of the start-up time.
    const columns = { ...plan.input.columns, groups: plan.by };
    if (plan.shard !== undefined) {
      const { openTable } = await import('../read/table.js');
      return scoreSegments(shardSource(openTable(plan.input.path, columns, plan.read), plan.shard), scorers);
    }
    const { scoreTable } = await import('../score/score-table.js');
    return scoreTable(plan.input.path, columns, scorers, {
      read: plan.read,
      ...(plan.threads !== undefined && { threads: plan.threads }),
    });
  }
  throw new TypeError('records are no corpus');
}

async function openLines(plan: ScorePlan, perLine: OutputFile | undefined): Promise<PerLineReporter | undefined> {
  if (plan.perLine === undefined) return undefined;
  const { perLineReporter } = await import('../report/per-line.js');
  const lines = await perLineReporter(plan.perLine.format, plan.attackNames);
  await perLine?.write(lines.header);
  return lines;
}

async function measureRecords(
  plan: ScorePlan,
  { files, records }: { readonly files: RecordFiles; readonly records: PeekedRecords },
  scorers: CorpusScorers,
  { argv, perLine }: Run,
): Promise<MeasuredInput> {
  const { measuredRecords, scoreBlocks } = await import('../record/score-records.js');
  const { groupingValue } = await import('../record/grouping.js');
  const { formatRecord } = await import('../record/write.js');
  const references = new ReferenceCounts();
  const summariser = new GroupSummariser({ ...summaryOptions(plan, scorers), arrays: reusedArrays() }, plan.by);
  const progress = startProgress({ unit: 'records', quiet: argv.quiet === true });
  const { keepTrailingWhitespace } = plan.read;
  const scoring = { ...scorers, references, keepTrailingWhitespace, signal: interruptSignal };
  // Blocks are scored while the next ones are read: where their records stand is remembered until then.
  const places: number[] = [];
  let done = 0;
  try {
    for await (const block of scoreBlocks(partOf(records, plan.shard, places), scoring)) {
      const ofBlock = places.splice(0, block.records.length);
      const scored = measuredRecords(block, ({ records: members, positions, scores }) =>
        summariser.add({
          ...scores,
          groups: plan.by.map((key) => members.map((record) => groupingValue(record, key))),
          order: positions.map((position) => ofBlock[position] ?? 0),
        }),
      );
      for (const { record, measured } of perLine === undefined ? [] : scored) {
        const shown = measured === null ? record : { ...record, measured: { ...record.measured, ...measured } };
        await perLine?.write(`${formatRecord(shown)}\n`);
      }
      done = (ofBlock.at(-1) ?? done) + 1;
      progress.onProgress(done, undefined);
    }
  } finally {
    progress.stop();
  }
  if (summariser.segments === 0 && plan.shard === undefined)
    throw invalid(`${argv.records?.join(', ')}: there is no attack to score.`);
  const inputs = files.inputs.map(({ name, records, sha256 }): InputFile => ({
    role: 'data',
    name,
    lines: records,
    sha256,
    loneCarriageReturns: 0,
    tokenizedLines: 0,
  }));
  return { summarisers: [summariser], scorers, inputs, references };
}

/** The records of one part, and where each stands among all. */
async function* partOf(
  records: AsyncIterable<AttackRecord>,
  shard: Shard | undefined,
  places: number[],
): AsyncGenerator<AttackRecord> {
  let place = 0;
  for await (const record of records) {
    if (shard === undefined || isInShard(shard, place)) {
      places.push(place);
      yield record;
    }
    place += 1;
  }
}

/** Records of which the first ones can be looked at before they are read. */
class PeekedRecords implements AsyncIterable<AttackRecord> {
  readonly #records: AsyncIterator<AttackRecord>;
  #peeked: AttackRecord[] = [];

  constructor(records: AsyncIterable<AttackRecord>) {
    this.#records = records[Symbol.asyncIterator]();
  }

  /** The first records, at most `count`. */
  async peek(count: number): Promise<readonly AttackRecord[]> {
    while (this.#peeked.length < count) {
      const next = await this.#records.next();
      if (next.done === true) break;
      this.#peeked.push(next.value);
    }
    return this.#peeked;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<AttackRecord> {
    const peeked = this.#peeked;
    this.#peeked = [];
    yield* peeked;
    for (let next = await this.#records.next(); next.done !== true; next = await this.#records.next()) yield next.value;
  }
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

/**
 * A result as the run will have it, of two made-up segments: for the names of its numbers.
 *
 * Records may have every number, files those of the sides that are measured.
 */
export async function madeUpResult(plan: ScorePlan): Promise<Result & { readonly all: GroupResult }> {
  const metric = { key: '', name: '', signature: '' };
  const [sSrc, sTgt] = [plan.sSrc, plan.sTgt].map((spec) => (spec === undefined ? undefined : metric));
  const summariser = new GroupSummariser({
    version: '',
    sSrc,
    sTgt,
    successThreshold: plan.successThreshold,
    percentileMethod: plan.percentileMethod,
    sweep: plan.sweep,
  });
  const scores = Float64Array.of(1, 1);
  const isRecords = plan.input.kind === 'records';
  const both = { count: scores.length, ...(sSrc && { sSrc: scores }), ...(sTgt && { attacked: scores }) };
  if (isRecords || plan.references === 0) summariser.add(both);
  if (isRecords || plan.references > 0) summariser.add({ ...both, ...(sTgt && { base: scores }) });
  if (isRecords) {
    const results = ['successful', 'failed'] as const;
    summariser.add({ ...both, base: scores, claimed: { results, withOriginals: true } });
  }
  return summariser.result({ intervals: intervalsOf(plan) });
}
