import { stat } from 'node:fs/promises';

import { reusedArrays } from '../array-room.js';
import type { ArraySource } from '../array-room.js';
import { ERROR_CODES, TeapotError } from '../errors.js';
import { callNative, native, runNative } from '../native.js';
import type { MetricOptions, ReadOptions, ScoredBlock, ScoreKind, TablePlan } from '../native.js';
import { inputFiles, openParallelCorpus } from '../read/parallel-corpus.js';
import type { CorpusFiles } from '../read/parallel-corpus.js';
import type { InputFile, SegmentBatch, SegmentSource } from '../read/segment-source.js';
import { shardSource } from '../read/shard.js';
import type { Shard } from '../read/shard.js';
import { isBlank } from '../read/whitespace.js';
import type { ReferenceCounts } from './reference-counts.js';
import { corpusCounts } from './corpus-counts.js';
import type { CountSums, ScoreBatch } from './score-batch.js';
import type { Reference, RunOptions, Scorer } from './scorer.js';
import { unspacedScriptNote } from './unspaced-script.js';

/** Segments the native core scores between two looks at JavaScript: enough work to make the border free. */
const NATIVE_SEGMENTS = 32_768;

/** Segments that are held as strings: METEOR starts a Java process for each such batch, so it must not be small. */
const TEXT_SEGMENTS = 50_000;

/** The metrics of a run: at least one. */
export interface CorpusScorers {
  /** More metrics of both sides: every metric of the source side is measured with every one of the target side. */
  readonly more?: { readonly sSrc: readonly Scorer[]; readonly sTgt: readonly Scorer[] } | undefined;
  /** Whether metrics count for their corpus level as well. Default: no. */
  readonly corpusLevel?: boolean | undefined;
  /** Metric of the source side; undefined leaves that side out. */
  readonly sSrc?: Scorer | undefined;
  /** Metric of the target side; undefined leaves that side out. */
  readonly sTgt?: Scorer | undefined;
  /** Counts the references of texts that come to JavaScript, for the signature. */
  readonly references?: ReferenceCounts | undefined;
}

/** The scores of consecutive segments. */
export interface ScoredSegments {
  /** Segments before these. */
  readonly firstSegment: number;
  readonly count: number;
  /** Names of the segments, where the input has them. */
  readonly ids?: readonly string[];
  /** Where each segment stands in the whole input, where these are a part of it. */
  readonly order?: SegmentBatch['order'];
  /** Values of the grouping keys, one array a key, where segments are grouped. */
  readonly groups?: SegmentBatch['groups'];
  /** One an attack; with several metrics one an attack and pair of metrics, in the order of {@link metricPairs}. */
  readonly attacks: readonly ScoreBatch[];
  /** Segments with a blank text on a side. */
  readonly blank?: { readonly source: number; readonly target: number };
  /** A byte a segment instead of `blank`: 1 where a text of the source side is blank, plus 2 for the target side. */
  readonly blankSides?: Uint8Array;
}

/** All metrics of a run by side. */
export function scorersBySide({ sSrc, sTgt, more }: CorpusScorers): {
  readonly sSrc: readonly Scorer[];
  readonly sTgt: readonly Scorer[];
} {
  const all = (first: Scorer | undefined, others: readonly Scorer[] = []): readonly Scorer[] =>
    first === undefined ? [] : [first, ...others];
  return { sSrc: all(sSrc, more?.sSrc), sTgt: all(sTgt, more?.sTgt) };
}

/** Every metric of the source side with every one of the target side, the latter changing first; a side may have none. */
export function metricPairs<S, T>(
  source: readonly S[],
  target: readonly T[],
): readonly { readonly sSrc: S | undefined; readonly sTgt: T | undefined }[] {
  const orNone = <U>(side: readonly U[]): readonly (U | undefined)[] => (side.length === 0 ? [undefined] : side);
  return orNone(source).flatMap((sSrc) => orNone(target).map((sTgt) => ({ sSrc, sTgt })));
}

/** A corpus being scored, in order and in flat memory. */
export interface ScoredCorpus {
  /**
   * Scores the corpus; can be called once. The arrays of a batch are used again for the next one: copy what is kept.
   */
  batches(options?: RunOptions): AsyncIterable<ScoredSegments>;
  /** What was read; complete after the last batch. */
  inputs(): Promise<readonly InputFile[]>;
}

/** How files are scored. */
export interface ScoreFilesOptions {
  /** How bytes become lines. */
  readonly read?: ReadOptions;
  /** Threads of the native core; one a core unless given. */
  readonly threads?: number;
  /** Which part of the segments is scored. Default: all. */
  readonly shard?: Shard | undefined;
  /** Is told what the user should know; it belongs on stderr. */
  readonly onNote?: (note: string) => void;
}

/**
 * Scores line-aligned files: s_src(x, x′), s(y(x), y*) and s(y(x′), y*), or s(y(x′), y(x)) without references.
 *
 * When all metrics are native, reading, pairing and scoring stay in Rust on several threads; otherwise texts come to
 * JavaScript in batches. Both give the same scores.
 *
 * @param files The files of the sides that have a metric.
 */
export function scoreFiles(files: CorpusFiles, scorers: CorpusScorers, options: ScoreFilesOptions = {}): ScoredCorpus {
  if (isNative(scorers)) return scoreNatively(files, scorers, options);
  const source = openParallelCorpus(files, options.read);
  return scoreSegments(options.shard === undefined ? source : shardSource(source, options.shard), scorers);
}

/** Whether all metrics are of the native core. */
export function isNative(scorers: CorpusScorers): boolean {
  const { sSrc, sTgt } = scorersBySide(scorers);
  return [...sSrc, ...sTgt].every((scorer) => scorer.native !== undefined);
}

/**
 * Scores the columns of a CSV, TSV or JSONL table in the native core. What is no plain table of texts is refused with a
 * `UsageError`, without a word of help: `scoreTable` explains it.
 *
 * @param columns Names of columns in place of paths.
 */
export function scoreTableNatively(
  table: TablePlan,
  columns: CorpusFiles,
  scorers: CorpusScorers,
  options: ScoreFilesOptions = {},
): ScoredCorpus {
  return scoreNatively(columns, scorers, options, table);
}

function scoreNatively(
  files: CorpusFiles,
  scorers: CorpusScorers,
  options: ScoreFilesOptions,
  table?: TablePlan,
): ScoredCorpus {
  const { src, out } = files;
  const { sSrc, sTgt } = scorersBySide(scorers);
  const natives = (side: readonly Scorer[]): MetricOptions[] => side.flatMap(({ native: metric }) => metric ?? []);
  const scorer = new (native().CorpusScorer)({
    ...(table && { table }),
    ...(src !== undefined && { src, advSrc: files.attacks.flatMap(({ advSrc }) => advSrc ?? []) }),
    ...(out !== undefined && { out, advOut: files.attacks.flatMap(({ advOut }) => advOut ?? []) }),
    refs: [...files.refs],
    sSrc: natives(sSrc),
    sTgt: natives(sTgt),
    corpusLevel: scorers.corpusLevel === true,
    ...(options.threads !== undefined && { threads: options.threads }),
    ...(options.read !== undefined && { read: options.read }),
    ...(options.shard !== undefined && { shard: { ...options.shard } }),
  });
  return {
    async *batches(run = {}) {
      if (table === undefined) await warnOfUnspacedScript(files, scorers, options);
      const next = (): Promise<ScoredBlock | null> =>
        runNative((_, cancellation) => scorer.next(NATIVE_SEGMENTS, cancellation), run);
      const arrays = reusedArrays();
      let pending = next();
      for (;;) {
        const block = await pending;
        if (block === null) return;
        // The core works on the next block while this one is summed up. If nobody comes back for it, its failure is moot.
        pending = next();
        pending.catch(() => {});
        run.onProgress?.(block.firstSegment + block.segments, block.estimatedSegments ?? undefined);
        yield segmentsOf(block, files, scorers, arrays);
      }
    },
    inputs: async () => {
      const reports = await runNative(() => scorer.inputs());
      return inputFiles(table === undefined ? files : { refs: [], attacks: [] }, reports);
    },
  };
}

function segmentsOf(
  block: ScoredBlock,
  files: CorpusFiles,
  scorers: CorpusScorers,
  arrays: ArraySource,
): ScoredSegments {
  const { sSrc, sTgt } = scorersBySide(scorers);
  const take = (kind: ScoreKind, metric: number, attack: number): Scored => {
    const scores = arrays(`${kind} ${metric} ${attack}`, block.segments);
    callNative(() => block.take(kind, metric, attack, scores));
    const sums = scorers.corpusLevel === true ? callNative(() => block.sums(kind, metric, attack)) : [];
    // The core sums up all segments of a block: it is not used where they are grouped.
    return { scores, ...(sums.length > 0 && { counts: () => sums }) };
  };
  const bases = files.refs.length === 0 ? [] : sTgt.map((_, metric) => take('base', metric, 0));
  const attacks = files.attacks.flatMap((_, attack) => {
    const source = sSrc.map((__, metric) => take('sSrc', metric, attack));
    const target = sTgt.map((__, metric) => ({ base: bases[metric], attacked: take('attacked', metric, attack) }));
    return metricPairs(source, target).map((pair) => scoreBatch(block.segments, pair));
  });
  const blank = { source: block.blankSource, target: block.blankTarget };
  return { firstSegment: block.firstSegment, count: block.segments, attacks, blank };
}

/** What one metric says of the segments of a batch. */
interface Scored {
  readonly scores: Float64Array;
  readonly counts?: CountSums;
}

/** The scores of an attack under a pair of metrics. */
function scoreBatch(
  count: number,
  {
    sSrc,
    sTgt,
  }: {
    readonly sSrc: Scored | undefined;
    readonly sTgt: { readonly base: Scored | undefined; readonly attacked: Scored | undefined } | undefined;
  },
): ScoreBatch {
  const parts = { sSrc, base: sTgt?.base, attacked: sTgt?.attacked };
  const counts = {
    ...(parts.sSrc?.counts && { sSrc: parts.sSrc.counts }),
    ...(parts.base?.counts && { base: parts.base.counts }),
    ...(parts.attacked?.counts && { attacked: parts.attacked.counts }),
  };
  return {
    count,
    ...(parts.sSrc && { sSrc: parts.sSrc.scores }),
    ...(parts.base && { base: parts.base.scores }),
    ...(parts.attacked && { attacked: parts.attacked.scores }),
    ...(Object.keys(counts).length > 0 && { counts }),
  };
}

/** The native path never shows JavaScript a text, so the first lines are looked at apart. A pipe can't be read twice. */
async function warnOfUnspacedScript(
  { src, out }: CorpusFiles,
  scorers: CorpusScorers,
  { read, onNote }: ScoreFilesOptions,
): Promise<void> {
  const { sSrc, sTgt } = scorersBySide(scorers);
  for (const [metric, path] of [
    ...sSrc.map((scorer) => [scorer.native, src] as const),
    ...sTgt.map((scorer) => [scorer.native, out] as const),
  ]) {
    if (metric?.kind === 'bleu' && path !== undefined && onNote !== undefined) {
      const note = unspacedScriptNote(metric, await firstLines(path, read));
      if (note !== undefined) {
        onNote(note);
        return;
      }
    }
  }
}

/** Some first lines of a regular file; none when it can't be read, which the run itself will tell better. */
async function firstLines(path: string, read: ReadOptions | undefined): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isFile()) return [];
    for await (const batch of openParallelCorpus({ out: path, refs: [], attacks: [] }, read).batches(500)) {
      return batch.out ?? [];
    }
  } catch {
    return [];
  }
  return [];
}

/**
 * Scores texts that any source gives, by any scorers.
 *
 * @param source Texts of the sides that have a metric.
 */
export function scoreSegments(source: SegmentSource, scorers: CorpusScorers): ScoredCorpus {
  return {
    async *batches(run = {}) {
      for await (const batch of source.batches(TEXT_SEGMENTS, run)) {
        yield await scoreTexts(batch, scorers, run);
        run.onProgress?.(batch.firstSegment + batch.count, undefined);
      }
    },
    inputs: () => source.inputs(),
  };
}

/**
 * Scores texts that are there: s_src where a batch has both sources, the base score where it has outputs and references,
 * the score under attack where it has attacked outputs and something to compare them with.
 *
 * @param batch Texts of consecutive segments.
 */
export async function scoreTexts(
  batch: SegmentBatch,
  scorers: CorpusScorers,
  run: RunOptions = {},
): Promise<ScoredSegments> {
  const { count, src, out, refs, attacks } = batch;
  const { sSrc, sTgt } = scorersBySide(scorers);
  if (refs !== undefined) scorers.references?.add(refs);
  const score = async (
    scorer: Scorer,
    hypotheses: Column | undefined,
    references: Column | undefined,
  ): Promise<Scored | undefined> => {
    if (hypotheses === undefined || references === undefined) return undefined;
    const scores = await scorer.score(hypotheses.texts as readonly string[], references.texts, {
      ...(run.signal && { signal: run.signal }),
      firstLine: batch.firstSegment + 1,
      place: (index, text) => {
        const line = batch.place?.(index) ?? `line ${batch.firstSegment + index + 1}`;
        if (text === undefined) return line;
        return `${line}, ${text === 'hypothesis' ? hypotheses.field : references.field}`;
      },
    });
    const counts =
      scorers.corpusLevel === true
        ? await corpusCounts(scorer, hypotheses.texts as readonly string[], references.texts, run)
        : undefined;
    return { scores: checkedScores(scorer, scores, count), ...(counts && { counts }) };
  };
  const column = (field: string, texts: readonly Reference[] | undefined): Column | undefined =>
    texts && { field, texts };
  const [source, output, references] = [column('src', src), column('out', out), column('ref', refs)];
  const bases: (Scored | undefined)[] = [];
  for (const scorer of sTgt) bases.push(await score(scorer, output, references));
  const scored: ScoreBatch[] = [];
  for (const { advSrc, advOut } of attacks) {
    const sSrcScores: (Scored | undefined)[] = [];
    for (const scorer of sSrc) sSrcScores.push(await score(scorer, column('adv_src', advSrc), source));
    const targets: { readonly base: Scored | undefined; readonly attacked: Scored | undefined }[] = [];
    for (const [metric, scorer] of sTgt.entries()) {
      const attacked = await score(scorer, column('adv_out', advOut), references ?? output);
      targets.push({ base: bases[metric], attacked });
    }
    scored.push(...metricPairs(sSrcScores, targets).map((pair) => scoreBatch(count, pair)));
  }
  return {
    firstSegment: batch.firstSegment,
    count,
    ...(batch.ids && { ids: batch.ids }),
    ...(batch.groups && { groups: batch.groups }),
    ...(batch.order && { order: batch.order }),
    attacks: scored,
    blankSides: blankSides(batch, scorers),
  };
}

/** A column of texts and what it is called. */
interface Column {
  readonly field: string;
  readonly texts: readonly Reference[];
}

/**
 * Keeps the answers of a scorer that is not ours out of the statistics unless they are one score a pair.
 *
 * @throws {TeapotError} `ERR_TEAPOT_SCORER` naming the scorer.
 */
export function checkedScores(scorer: Scorer, scores: Float64Array, count: number): Float64Array {
  if (scorer.native !== undefined) return scores;
  if (scores.length !== count) {
    throw new TeapotError(ERROR_CODES.SCORER, `${scorer.name} gave ${scores.length} scores for ${count} pairs.`);
  }
  const wrong = scores.findIndex((score) => !(score >= 0 && score <= 1));
  if (wrong >= 0) {
    throw new TeapotError(
      ERROR_CODES.SCORER,
      `${scorer.name} gave ${scores[wrong]} for pair ${wrong + 1}, expected a number from 0 to 1.`,
    );
  }
  return scores;
}

function blankSides({ count, src, out, refs, attacks }: SegmentBatch, { sSrc, sTgt }: CorpusScorers): Uint8Array {
  const sides = new Uint8Array(count);
  const mark = (side: number, column: readonly Reference[] | undefined): void => {
    for (const [segment, texts] of column?.entries() ?? []) {
      if (hasBlank(texts)) sides[segment] = (sides[segment] ?? 0) | side;
    }
  };
  if (sSrc !== undefined) for (const column of [src, ...attacks.map(({ advSrc }) => advSrc)]) mark(1, column);
  if (sTgt !== undefined) for (const column of [out, refs, ...attacks.map(({ advOut }) => advOut)]) mark(2, column);
  return sides;
}

function hasBlank(texts: Reference): boolean {
  return typeof texts === 'string' ? isBlank(texts) : texts.some(isBlank);
}
