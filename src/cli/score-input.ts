import { reusedArrays } from '../array-room.js';
import { AttackLines } from '../measure/compare-attacks.js';
import { GroupSummariser } from '../measure/group-summariser.js';
import type { IntervalOptions } from '../measure/intervals.js';
import { partialResult, partialSettings } from '../measure/partial.js';
import type { PartialResult } from '../measure/partial.js';
import { textRules } from '../measure/signature.js';
import type { SummaryOptions } from '../measure/summariser.js';
import type { GroupResult, Result } from '../measure/summary.js';
import type { AttackComparison } from '../measure/compare-attacks.js';
import type { CorpusMetric, CorpusMetrics } from '../measure/corpus-tally.js';
import type { Measurement } from '../measure/measure.js';
import type { InputFile } from '../read/segment-source.js';
import { isInShard, shardSource } from '../read/shard.js';
import type { Shard } from '../read/shard.js';
import type { Scorer } from '../score/scorer.js';
import type { PerLineReporter } from '../report/per-line.js';
import { ReferenceCounts } from '../score/reference-counts.js';
import { corpusMetric } from '../score/corpus-counts.js';
import { metricLabels } from '../score/metric-list.js';
import { scorerDefinition } from '../score/registry.js';
import { metricPairs, scoreFiles, scoreSegments } from '../score/score-corpus.js';
import type { CorpusScorers, ScoredCorpus } from '../score/score-corpus.js';
import { version } from '../version.js';
import type { ScoreArguments } from './commands/score.js';
import { interruptSignal } from './interrupt.js';
import type { Note } from './notes.js';
import type { OutputFile } from '../output-file.js';
import type { RecordFiles } from '../record/record-files.js';
import type { Measured } from '../record/measured.js';
import type { AttackRecord } from '../record/schema.js';
import { startProgress } from './progress.js';
import { openRecordFiles } from './record-options.js';
import { noteInputs } from './score-notes.js';
import type { ScorePlan } from './score-plan.js';
import { openScorerLists } from './scorers.js';
import { AUTO, SAMPLE, targetMetricOfRecords, targetMetricOfTexts } from './target-metric.js';
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
    return withScorers(plan, sTgt, run, async (metrics) => measureCorpus(plan, metrics, run));
  }
  const files = await openRecordFiles({ records: plan.input.paths, onError: argv.onError }, note, { wellFormed: true });
  const records = new PeekedRecords(files.records());
  const sTgt = targetMetricOfRecords(plan, await records.peek(SAMPLE), note);
  return withScorers(plan, sTgt, run, async (metrics) => measureRecords(plan, { files, records }, metrics, run));
}

/** An input that was scored and summed up. */
export interface MeasuredInput {
  /** One an attack and pair of metrics, in the order of {@link metricPairs}. */
  readonly summarisers: readonly GroupSummariser[];
  readonly metrics: RunMetrics;
  readonly inputs: readonly InputFile[];
  readonly references: ReferenceCounts;
  /** The scores that paired tests need, for several attacks: one a pair of metrics. */
  readonly paired?: readonly AttackLines[] | undefined;
}

/** The metrics of a run, open, with their names in results. */
export interface RunMetrics {
  readonly sSrc: readonly NamedScorer[];
  readonly sTgt: readonly NamedScorer[];
}

interface NamedScorer {
  readonly scorer: Scorer;
  readonly label: string;
}

/** The result of an input that was measured. */
export async function resultOf(plan: ScorePlan, measured: MeasuredInput): Promise<Result> {
  const { summarisers, paired, inputs, references, metrics } = measured;
  const finish = { inputs, references, textRules: textRules(plan.read), intervals: intervalsOf(plan) };
  const results: (Result & { readonly all: GroupResult })[] = [];
  for (const summariser of summarisers) results.push(await summariser.result(finish));
  const [only] = results;
  if (only !== undefined && results.length === 1) return only;
  const { attackNames, by, keys } = plan;
  const pairs = metricPairs(metrics.sSrc, metrics.sTgt);
  const named = results.map((result, index) => ({
    result,
    attack: attackNames.length > 1 ? [attackNames[Math.floor(index / pairs.length)] ?? ''] : [],
    pair: pairLabels(metrics, pairs[index % pairs.length]),
  }));
  const whole = named.map(({ result, attack, pair }) => ({ ...result.all, values: [...attack, ...pair] }));
  const { confidence = DEFAULT_CONFIDENCE, seed } = plan;
  const comparisons: AttackComparison[] = [];
  for (const lines of paired ?? []) {
    comparisons.push(...(await lines.compare({ confidence, seed, signal: interruptSignal })));
  }
  if (by.length === 0) return { by: keys, groups: whole, all: null, comparisons };
  const groups = (only?.groups ?? []).flatMap((_, group) =>
    named.flatMap(({ result, pair }) => {
      const found = result.groups[group];
      return found === undefined ? [] : [{ ...found, values: [...found.values, ...pair] }];
    }),
  );
  return { by: keys, groups, all: null, totals: whole, comparisons };
}

/** The names of a pair of metrics: of those sides that have several. */
function pairLabels(
  { sSrc, sTgt }: RunMetrics,
  pair: { readonly sSrc: NamedScorer | undefined; readonly sTgt: NamedScorer | undefined } | undefined,
): readonly string[] {
  return [...(sSrc.length > 1 ? [pair?.sSrc?.label ?? ''] : []), ...(sTgt.length > 1 ? [pair?.sTgt?.label ?? ''] : [])];
}

/** The partial result of the part of an input that was measured. */
export function partialOf(plan: ScorePlan, shard: Shard, measured: MeasuredInput): PartialResult {
  const { summarisers, metrics, inputs, references } = measured;
  const [summariser] = summarisers;
  if (summariser === undefined) throw new TypeError('a part has one attack');
  const [sSrc, sTgt] = [metrics.sSrc[0]?.scorer, metrics.sTgt[0]?.scorer];
  const settings = partialSettings(summaryOptions(plan, sSrc, sTgt), plan.by, textRules(plan.read));
  return partialResult(settings, shard, { summariser, inputs, references });
}

/** Runs with the scorers of a run, and ends them. */
async function withScorers(
  plan: ScorePlan,
  sTgt: readonly string[],
  { argv, note }: Run,
  measure: (metrics: RunMetrics) => Promise<MeasuredInput>,
): Promise<MeasuredInput> {
  const scorers = await openScorerLists(argv, { ...plan, sTgt }, note);
  const all = [...scorers.sSrc, ...scorers.sTgt];
  const named = (specs: readonly string[], side: readonly Scorer[]): readonly NamedScorer[] => {
    const keys = side.map(({ key }) => key);
    const labels = metricLabels(specs, keys);
    return side.map((scorer, index) => ({ scorer, label: labels[index] ?? scorer.key }));
  };
  try {
    if (plan.corpusLevel) requireCorpusLevel(all);
    const result = await measure({ sSrc: named(plan.sSrc, scorers.sSrc), sTgt: named(sTgt, scorers.sTgt) });
    // A program that wrote too much, or fails at its end, gave no scores to be trusted.
    await Promise.all(all.map(async (scorer) => scorer.close?.()));
    return result;
  } catch (error) {
    await Promise.allSettled(all.map(async (scorer) => scorer.close?.()));
    throw error;
  }
}

function requireCorpusLevel(scorers: readonly Scorer[]): void {
  if (scorers.some((scorer) => corpusMetric(scorer) !== undefined)) return;
  const keys = [...new Set(scorers.map(({ key }) => key))].join(', ');
  throw invalid(`--corpus-level does nothing here: chrF, BLEU and TER have a corpus level, and ${keys} has none.`);
}

/** What the engine takes of the metrics of a run. */
function scorersOf(plan: ScorePlan, { sSrc, sTgt }: RunMetrics): CorpusScorers {
  const [firstSource, ...source] = sSrc.map(({ scorer }) => scorer);
  const [firstTarget, ...target] = sTgt.map(({ scorer }) => scorer);
  return {
    sSrc: firstSource,
    sTgt: firstTarget,
    more: { sSrc: source, sTgt: target },
    corpusLevel: plan.corpusLevel,
  };
}

function corpusMetrics(
  { corpusLevel }: ScorePlan,
  sSrc: Scorer | undefined,
  sTgt: Scorer | undefined,
): CorpusMetrics | undefined {
  if (!corpusLevel) return undefined;
  const of = (scorer: Scorer | undefined): CorpusMetric | null => {
    const metric = corpusMetric(scorer);
    return metric === undefined || scorer === undefined ? null : { metric, signature: scorer.signature };
  };
  return { s_src: of(sSrc), s_tgt: of(sTgt) };
}

/** One summariser for each pair of metrics. */
function newSummarisers(plan: ScorePlan, metrics: RunMetrics): readonly GroupSummariser[] {
  return metricPairs(metrics.sSrc, metrics.sTgt).map(
    // What is measured of a batch is written or copied before the next one comes.
    ({ sSrc, sTgt }) =>
      new GroupSummariser({ ...summaryOptions(plan, sSrc?.scorer, sTgt?.scorer), arrays: reusedArrays() }, plan.by),
  );
}

/** What a run has beside its input. */
interface Run {
  readonly argv: ScoreArguments;
  readonly perLine: OutputFile | undefined;
  readonly note: Note;
}

async function measureCorpus(
  plan: ScorePlan,
  metrics: RunMetrics,
  { argv, perLine, note }: Run,
): Promise<MeasuredInput> {
  const { attackNames } = plan;
  const pairs = metricPairs(metrics.sSrc, metrics.sTgt);
  const summarisers = attackNames.flatMap(() => newSummarisers(plan, metrics));
  const paired =
    attackNames.length > 1
      ? pairs.map((pair) => {
          const labels = pairLabels(metrics, pair);
          return new AttackLines(attackNames.map((name) => [name, ...labels].join(', ')));
        })
      : undefined;
  const lines = await openLines(plan, metrics, perLine);
  const references = new ReferenceCounts();
  const corpus = await openCorpus(plan, { ...scorersOf(plan, metrics), references }, note);
  const progress = startProgress({ unit: 'lines', quiet: argv.quiet === true, totalIsEstimate: true });
  try {
    for await (const segments of corpus.batches({ signal: interruptSignal, onProgress: progress.onProgress })) {
      for (const ofPair of paired ?? []) ofPair.advance(segments.count);
      const { blank, blankSides, groups, order } = segments;
      const measured: Measurement[] = [];
      for (const [row, scores] of segments.attacks.entries()) {
        const summariser = summarisers[row];
        if (summariser === undefined) continue;
        const measurement = summariser.add({ ...scores, ...(blank && { blank }), blankSides, groups, order });
        measured.push(measurement);
        const { dTgt, margin } = measurement;
        const sTgt = scores.base === undefined ? scores.attacked : undefined;
        const attack = Math.floor(row / pairs.length);
        paired?.[row % pairs.length]?.add(attack, { s_src: scores.sSrc, d_tgt: dTgt, s_tgt: sTgt }, margin);
      }
      if (lines !== undefined) {
        for (const attack of attackNames.keys()) {
          await perLine?.write(
            lines.rows(segments, attack, measured.slice(attack * pairs.length, (attack + 1) * pairs.length)),
          );
        }
      }
    }
  } finally {
    progress.stop();
  }
  if (lines !== undefined) await perLine?.write(lines.end());
  const inputs = await corpus.inputs();
  noteInputs(inputs, note);
  return { summarisers, metrics, inputs, references, paired };
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
      const { concatenatedSource } = await import('../read/several-tables.js');
      const sources = plan.input.paths.map((name) => ({ name, source: openTable(name, columns, plan.read) }));
      const [only] = sources;
      const source = only !== undefined && sources.length === 1 ? only.source : concatenatedSource(sources);
      return scoreSegments(shardSource(source, plan.shard), scorers);
    }
    const { scoreTables } = await import('../score/score-table.js');
    return scoreTables(plan.input.paths, columns, scorers, {
      read: plan.read,
      ...(plan.threads !== undefined && { threads: plan.threads }),
    });
  }
  throw new TypeError('records are no corpus');
}

async function openLines(
  plan: ScorePlan,
  { sSrc, sTgt }: RunMetrics,
  perLine: OutputFile | undefined,
): Promise<PerLineReporter | undefined> {
  if (plan.perLine === undefined) return undefined;
  const { perLineReporter } = await import('../report/per-line.js');
  const labels = (side: readonly NamedScorer[]): readonly string[] => side.map(({ label }) => label);
  const metrics = { sSrc: labels(sSrc), sTgt: labels(sTgt) };
  const lines = await perLineReporter(plan.perLine.format, plan.attackNames, metrics);
  await perLine?.write(lines.header);
  return lines;
}

async function measureRecords(
  plan: ScorePlan,
  { files, records }: { readonly files: RecordFiles; readonly records: PeekedRecords },
  metrics: RunMetrics,
  { argv, perLine }: Run,
): Promise<MeasuredInput> {
  const { measuredRecords, scoreBlocks } = await import('../record/score-records.js');
  const { groupingValue } = await import('../record/grouping.js');
  const { formatRecord } = await import('../record/write.js');
  const references = new ReferenceCounts();
  const pairs = metricPairs(metrics.sSrc, metrics.sTgt);
  const summarisers = newSummarisers(plan, metrics);
  const progress = startProgress({ unit: 'records', quiet: argv.quiet === true });
  const { keepTrailingWhitespace } = plan.read;
  const scoring = { ...scorersOf(plan, metrics), references, keepTrailingWhitespace, signal: interruptSignal };
  // Blocks are scored while the next ones are read: where their records stand is remembered until then.
  const places: number[] = [];
  let done = 0;
  try {
    for await (const block of scoreBlocks(partOf(records, plan.shard, places), scoring)) {
      const ofBlock = places.splice(0, block.records.length);
      const scored = summarisers.map((summariser, pair) =>
        measuredRecords(
          block,
          ({ records: members, positions, pairs: scores }) =>
            summariser.add({
              ...(scores[pair]?.scores ?? { count: members.length }),
              groups: plan.by.map((key) => members.map((record) => groupingValue(record, key))),
              order: positions.map((position) => ofBlock[position] ?? 0),
            }),
          pair,
        ),
      );
      for (const [place, record] of perLine === undefined ? [] : block.records.entries()) {
        const ofPairs = scored.map((records) => records[place]?.measured ?? null);
        const measured = pairs.length === 1 ? ofPairs[0] : underEachMetric(metrics, ofPairs);
        const shown =
          (measured ?? null) === null ? record : { ...record, measured: { ...record.measured, ...measured } };
        await perLine?.write(`${formatRecord(shown)}\n`);
      }
      done = (ofBlock.at(-1) ?? done) + 1;
      progress.onProgress(done, undefined);
    }
  } finally {
    progress.stop();
  }
  if (summarisers.every(({ segments }) => segments === 0) && plan.shard === undefined)
    throw invalid(`${argv.records?.join(', ')}: there is no attack to score.`);
  const inputs = files.inputs.map(({ name, records, sha256 }): InputFile => ({
    role: 'data',
    name,
    lines: records,
    sha256,
    loneCarriageReturns: 0,
    tokenizedLines: 0,
  }));
  return { summarisers, metrics, inputs, references };
}

/** What several metrics say of a record: `metrics` holds one entry a pair, with the names of those that differ. */
function underEachMetric(
  metrics: RunMetrics,
  measured: readonly (Measured | null)[],
): { readonly metrics: readonly Readonly<Record<string, unknown>>[] } | null {
  const pairs = metricPairs(metrics.sSrc, metrics.sTgt);
  const entries = measured.flatMap((one, index) => {
    if (one === null) return [];
    const { sSrc, sTgt } = pairs[index] ?? {};
    return [{ metrics: { s_src: sSrc?.label ?? null, s_tgt: sTgt?.label ?? null }, ...one }];
  });
  return entries.length === 0 ? null : { metrics: entries };
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

function summaryOptions(plan: ScorePlan, sSrc: Scorer | undefined, sTgt: Scorer | undefined): SummaryOptions {
  return {
    version: version(),
    sSrc,
    sTgt,
    corpusLevel: corpusMetrics(plan, sSrc, sTgt),
    successThreshold: plan.successThreshold,
    percentileMethod: plan.percentileMethod,
    sweep: plan.sweep,
  };
}

function intervalsOf({ confidence, seed }: ScorePlan): IntervalOptions | undefined {
  return confidence === undefined ? undefined : { confidence, seed, signal: interruptSignal };
}

/**
 * A result as the run will have it, of two made-up segments: for the names of its numbers.
 *
 * Records may have every number, files those of the sides that are measured.
 */
export async function madeUpResult(plan: ScorePlan): Promise<Result & { readonly all: GroupResult }> {
  const metric = { key: '', name: '', signature: '' };
  const [sSrc, sTgt] = [plan.sSrc, plan.sTgt].map((specs) => (specs.length === 0 ? undefined : metric));
  const [source, target] = [plan.sSrc, plan.sTgt].map(
    (specs) => specs.flatMap((spec) => madeUpCorpus(spec))[0] ?? null,
  );
  const summariser = new GroupSummariser({
    version: '',
    sSrc,
    sTgt,
    successThreshold: plan.successThreshold,
    percentileMethod: plan.percentileMethod,
    sweep: plan.sweep,
    ...(plan.corpusLevel && { corpusLevel: { s_src: source ?? null, s_tgt: target ?? null } }),
  });
  const scores = Float64Array.of(1, 1);
  const isRecords = plan.input.kind === 'records';
  const both = {
    count: scores.length,
    ...(sSrc && { sSrc: scores }),
    ...(sTgt && { attacked: scores }),
    counts: MADE_UP_COUNTS,
  };
  if (isRecords || plan.references === 0) summariser.add(both);
  if (isRecords || plan.references > 0) summariser.add({ ...both, ...(sTgt && { base: scores }) });
  if (isRecords) {
    const results = ['successful', 'failed'] as const;
    summariser.add({ ...both, base: scores, claimed: { results, withOriginals: true } });
  }
  return summariser.result({ intervals: intervalsOf(plan) });
}

/** One match of one n-gram or word, whatever the metric counts: the numbers of the corpus level are then defined. */
const MADE_UP_COUNTS = { sSrc: () => [1], base: () => [1], attacked: () => [1] };

/** A metric with a corpus level in the place of the one that is named, before scorers are opened. */
function madeUpCorpus(spec: string): CorpusMetric[] {
  const key = scorerDefinition(spec)?.key ?? '';
  return spec === AUTO || ['chrf', 'chrf++', 'bleu', 'ter'].includes(key)
    ? [{ metric: { kind: 'ter' }, signature: '' }]
    : [];
}
