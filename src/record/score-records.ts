import { setTimeout as wait } from 'node:timers/promises';

import { measure } from '../measure/measure.js';
import type { Measurement } from '../measure/measure.js';
import type { GroupedScores } from '../measure/group-summariser.js';
import { performanceDropRate } from '../measure/performance-drop-rate.js';
import { UNDEFINED_REASON } from '../measure/undefined-reason.js';
import type { UndefinedReason } from '../measure/undefined-reason.js';
import type { SegmentBatch } from '../read/segment-source.js';
import { stripEnd } from '../read/whitespace.js';
import { isNative, scoreTexts } from '../score/score-corpus.js';
import type { CorpusScorers } from '../score/score-corpus.js';
import type { Reference } from '../score/scorer.js';
import { recordKind } from './kind.js';
import type { Measured } from './measured.js';
import { fractionOf, promptScores, PromptScales } from './prompt-scales.js';
import { hasReference } from './schema.js';
import type { AttackRecord } from './schema.js';

/** What the texts of records are scored with. */
export interface RecordScorers extends CorpusScorers {
  /** Leave whitespace at the end of a text where it is. Default: it is stripped, as in files. */
  readonly keepTrailingWhitespace?: boolean | undefined;
  /** The most records scored at a time. Default: many. */
  readonly blockSize?: number | undefined;
  /** Score what there is whenever the next record is still being made, instead of full blocks only. Default false. */
  readonly asTheyCome?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What records are measured with. */
export interface RecordScoring extends RecordScorers {
  /** T of the criterion. */
  readonly successThreshold: number;
}

/** A record and what was measured of it; null for clean prompts and candidates, which are no attacks. */
export interface ScoredRecord {
  readonly record: AttackRecord;
  readonly measured: Measured | null;
}

/** Attacks that hold the same fields, so that they are scored and measured as one batch, with their scores. */
export interface ScoredShape {
  /** Where each record stands in its block. */
  readonly positions: readonly number[];
  readonly records: readonly AttackRecord[];
  /** What a summary counts: both target scores or none; by the first metric of each side. */
  readonly scores: GroupedScores;
  /** All scores that there are, also a target score without the other one. */
  readonly known: Pick<GroupedScores, 'base' | 'attacked'>;
  /** The same by each pair of metrics, in the order of `metricPairs`. */
  readonly pairs: readonly Pick<ScoredShape, 'scores' | 'known'>[];
  readonly shape: Shape;
}

/** Consecutive records, those that are attacks with their scores. */
export interface ScoredBlock {
  readonly records: readonly AttackRecord[];
  readonly shapes: readonly ScoredShape[];
}

/** Which sides of a record can be scored, and why others can't. */
interface Shape {
  readonly target: 'scores' | 'references' | 'outputs' | null;
  readonly targetReason: UndefinedReason | undefined;
  readonly sourceReason: UndefinedReason | undefined;
  /** Which of the texts `out`, `adv_out` and `ref` are there. */
  readonly texts: { readonly out: boolean; readonly advOut: boolean; readonly ref: boolean };
  readonly withOriginals: boolean;
}

/** How many records are scored at a time by the native core, and by programs, which take their time to start. */
const NATIVE_BLOCK = 4096;
const PROGRAM_BLOCK = 50_000;

/**
 * Scores records block by block: the texts of both sides where they are there; for attacked prompts (`unit: prompt`) the
 * scores over their data set stand in the place of the target side's.
 *
 * The target side of an attacked example (`unit: input`) is its outputs, against the references where there are some, else
 * against each other (the reference-less criterion).
 *
 * @yields Blocks of records in order; clean prompts and candidates have no scores.
 * @throws {UsageError} `ERR_TEAPOT_FORMAT` naming file, line, id and field of a text that is no text, or two records of
 *   one run whose scores are on different scales; what the scorers throw.
 */
export async function* scoreBlocks(
  records: AsyncIterable<AttackRecord> | Iterable<AttackRecord>,
  scorers: RecordScorers,
): AsyncGenerator<ScoredBlock, void, undefined> {
  const scales = new PromptScales();
  const limit = scorers.blockSize ?? (isNative(scorers) ? NATIVE_BLOCK : PROGRAM_BLOCK);
  if (scorers.asTheyCome === true) {
    for await (const block of blocksAsTheyCome(records, limit)) yield await scoreBlock(block, scorers, scales);
    return;
  }
  let block: AttackRecord[] = [];
  // A block is scored on the core's threads while the next one is read.
  let pending: Promise<ScoredBlock> | undefined;
  const start = (): Promise<ScoredBlock> => {
    const scored = scoreBlock(block, scorers, scales);
    // It is awaited a block later: until then a failure is not unhandled.
    scored.catch(() => {});
    block = [];
    return scored;
  };
  for await (const record of records) {
    block.push(record);
    if (block.length < limit) continue;
    const scored = pending;
    pending = start();
    if (scored !== undefined) yield await scored;
  }
  if (pending !== undefined) yield await pending;
  if (block.length > 0) yield await start();
}

/** Blocks of records that come fast are this long, in milliseconds: one for each record would cost more than the records. */
const LIVE_MS = 20;

/** Groups records into blocks of at most `limit`; a block ends early when the next record is still being made. */
async function* blocksAsTheyCome(
  records: AsyncIterable<AttackRecord> | Iterable<AttackRecord>,
  limit: number,
): AsyncGenerator<AttackRecord[]> {
  const iterator = (async function* () {
    yield* records;
  })();
  let block: AttackRecord[] = [];
  let begun = 0;
  try {
    for (;;) {
      const next = iterator.next();
      const settled = next.then(
        () => true,
        () => true,
      );
      if (block.length > 0 && !(await Promise.race([settled, wait(LIVE_MS - (performance.now() - begun), false)]))) {
        yield block;
        block = [];
        begun = performance.now();
      }
      const { done, value } = await next;
      if (done === true) break;
      block.push(value);
      if (block.length < limit) continue;
      yield block;
      block = [];
      begun = performance.now();
    }
    if (block.length > 0) yield block;
  } finally {
    await iterator.return();
  }
}

/**
 * Measures records one by one: s_src, the target side, the criterion and the drop rate.
 *
 * Records keep their order; what the tool claimed is not touched.
 *
 * @throws As {@link scoreBlocks}.
 */
export async function* scoreRecords(
  records: AsyncIterable<AttackRecord> | Iterable<AttackRecord>,
  scoring: RecordScoring,
): AsyncGenerator<ScoredRecord, void, undefined> {
  for await (const block of scoreBlocks(records, scoring)) {
    yield* measuredRecords(block, ({ scores }) => measure(scores, scoring.successThreshold));
  }
}

/**
 * Puts what was measured of the attacks of a block beside its records, in their order.
 *
 * @param measurementOf What the criteria say of the attacks of one shape.
 * @param pair Which pair of metrics, by its place in `pairs`. Default: the first.
 */
export function measuredRecords(
  { records, shapes }: ScoredBlock,
  measurementOf: (shape: ScoredShape) => Measurement,
  pair = 0,
): ScoredRecord[] {
  const measured: (Measured | null)[] = records.map(() => null);
  for (const shape of shapes) {
    const measurement = measurementOf(shape);
    const ofPair = { ...shape, ...shape.pairs[pair] };
    for (const [index, position] of shape.positions.entries())
      measured[position] = measuredAt(ofPair, measurement, index);
  }
  return records.map((record, index) => ({ record, measured: measured[index] ?? null }));
}

async function scoreBlock(
  records: readonly AttackRecord[],
  scorers: RecordScorers,
  scales: PromptScales,
): Promise<ScoredBlock> {
  const byShape = new Map<number, { readonly shape: Shape; readonly positions: number[] }>();
  for (const [position, record] of records.entries()) {
    if (recordKind(record) !== 'attack') continue;
    const scoreReason = record.unit === 'prompt' ? scales.reason(record) : undefined;
    const fields = fieldsOf(record, scoreReason);
    const same = byShape.get(fields);
    if (same === undefined) byShape.set(fields, { shape: shapeOf(record, scoreReason), positions: [position] });
    else same.positions.push(position);
  }
  const shapes: ScoredShape[] = [];
  for (const { shape, positions } of byShape.values()) {
    const members = positions.flatMap((position) => records[position] ?? []);
    shapes.push(await scoreShape(shape, positions, members, scorers));
  }
  return { records, shapes };
}

/** Which of the fields that decide about a record's shape are there, one bit a field: equal numbers, equal shapes. */
function fieldsOf(record: AttackRecord, scoreReason: UndefinedReason | undefined): number {
  const { unit, src, adv_src: advSrc, out, adv_out: advOut, original_score: original } = record;
  return (
    (unit === 'prompt' ? 1 : 0) |
    (src === null ? 2 : 0) |
    (advSrc === null ? 4 : 0) |
    (out === null ? 8 : 0) |
    (advOut === null ? 16 : 0) |
    (hasReference(record) ? 0 : 32) |
    (original === null ? 64 : 0) |
    (scoreReason === undefined ? 0 : 128) |
    (scoreReason === UNDEFINED_REASON.OUT_OF_SCALE ? 256 : 0)
  );
}

function shapeOf(record: AttackRecord, scoreReason: UndefinedReason | undefined): Shape {
  const { src, adv_src: advSrc, out, adv_out: advOut, original_score: original } = record;
  const withReference = hasReference(record);
  const isPrompt = record.unit === 'prompt';
  const targetReason = isPrompt ? scoreReason : outputReason(record);
  const reference = withReference ? 'references' : 'outputs';
  return {
    target: targetReason !== undefined ? null : isPrompt ? 'scores' : reference,
    targetReason,
    sourceReason:
      src === null
        ? UNDEFINED_REASON.NO_ORIGINAL_TEXT
        : advSrc === null
          ? UNDEFINED_REASON.NO_ATTACKED_TEXT
          : undefined,
    texts: isPrompt
      ? { out: false, advOut: false, ref: false }
      : { out: out !== null, advOut: advOut !== null, ref: withReference },
    withOriginals: src !== null || out !== null || original !== null,
  };
}

/** Why the outputs of an attacked example can't be measured. */
function outputReason(record: AttackRecord): UndefinedReason | undefined {
  const { out, adv_out: advOut } = record;
  if (hasReference(record) && out === null) return UNDEFINED_REASON.NO_ORIGINAL_OUTPUT;
  if (out === null) return UNDEFINED_REASON.NO_OUTPUTS;
  return advOut === null ? UNDEFINED_REASON.NO_ATTACKED_OUTPUT : undefined;
}

async function scoreShape(
  shape: Shape,
  positions: readonly number[],
  records: readonly AttackRecord[],
  scorers: RecordScorers,
): Promise<ScoredShape> {
  const { signal } = scorers;
  signal?.throwIfAborted();
  const segments = segmentsOf(shape, records, scorers);
  const scored = await scoreTexts(segments, scorers, signal === undefined ? {} : { signal });
  const prompts = shape.target === 'scores' ? promptScores(records) : undefined;
  const isPrompt = records[0]?.unit === 'prompt';
  const pairs = scored.attacks.map((texts) => {
    const known = {
      ...(texts.base && { base: texts.base }),
      ...(texts.attacked && { attacked: texts.attacked }),
      ...prompts?.fractions,
    };
    return {
      known,
      scores: {
        count: records.length,
        ...(texts.sSrc && { sSrc: texts.sSrc }),
        ...(shape.target !== null && known),
        // The scores of a prompt are those of its data set, of which there are no texts.
        ...(texts.counts && { counts: texts.counts }),
        ...(scored.blankSides && { blankSides: scored.blankSides }),
        missing: shape.targetReason ?? shape.sourceReason,
        ownScale: prompts?.ownScale,
        zeroBase: isPrompt ? UNDEFINED_REASON.ORIGINAL_IS_ZERO : undefined,
        claimed: {
          results: records.map(({ result }) => result),
          withOriginals: shape.withOriginals,
          ...(records.some(({ human }) => (human ?? null) !== null) && {
            human: records.map(({ human }) => human?.meaning ?? null),
          }),
        },
      },
    };
  });
  const [first] = pairs;
  if (first === undefined) throw new TypeError('records are scored by at least one pair of metrics');
  return { positions, records, shape, ...first, pairs };
}

function segmentsOf(
  { sourceReason, texts }: Shape,
  records: readonly AttackRecord[],
  { keepTrailingWhitespace }: RecordScorers,
): SegmentBatch {
  const strip = keepTrailingWhitespace === true ? (text: string) => text : stripEnd;
  const column = (field: 'src' | 'adv_src' | 'out' | 'adv_out'): string[] =>
    records.map((record) => strip(record[field] ?? ''));
  const references = (): Reference[] =>
    records.map(({ ref }) => (Array.isArray(ref) ? ref.map(strip) : strip(ref ?? '')));
  const hasSource = sourceReason === undefined;
  return {
    firstSegment: 0,
    count: records.length,
    place: (index) => placeOf(records[index]),
    ...(hasSource && { src: column('src') }),
    ...(texts.out && { out: column('out') }),
    ...(texts.ref && { refs: references() }),
    attacks: [{ ...(hasSource && { advSrc: column('adv_src') }), ...(texts.advOut && { advOut: column('adv_out') }) }],
  };
}

/** `run.jsonl:17 (id "a")`: where a record comes from. */
function placeOf(record: AttackRecord | undefined): string {
  if (record === undefined) return 'a record';
  return `record ${JSON.stringify(record.id)}`;
}

/** What is known of one record of a shape. */
function measuredAt({ records, shape, scores, known }: ScoredShape, measurement: Measurement, index: number): Measured {
  const { target, targetReason, sourceReason } = shape;
  const record = records[index];
  const [sSrc, base, attacked] = [
    valueAt(scores.sSrc, index),
    valueAt(known.base, index),
    valueAt(known.attacked, index),
  ];
  const margin = valueAt(measurement.margin, index);
  const reasons: Record<string, string> = {};
  const undefinedReason = measurement.undefinedReasons.get(index);
  if (targetReason !== undefined)
    Object.assign(reasons, { d_tgt: targetReason, pdr: targetReason, success: targetReason });
  if (target === 'outputs') {
    Object.assign(reasons, { d_tgt: UNDEFINED_REASON.NO_REFERENCE, pdr: UNDEFINED_REASON.NO_REFERENCE });
    if (undefinedReason !== undefined) reasons['success'] = undefinedReason;
  } else if (undefinedReason !== undefined) {
    Object.assign(reasons, { d_tgt: undefinedReason, pdr: undefinedReason });
  }
  if (sourceReason !== undefined) {
    reasons['s_src'] = sourceReason;
    if (target !== null) reasons['success'] = sourceReason;
  }
  const isPrompt = record?.unit === 'prompt';
  const isReferenceLess = !isPrompt && !shape.texts.ref;
  const dropRate = isPrompt
    ? performanceDropRate(record.original_score ?? 0, record.attacked_score ?? 0)
    : performanceDropRate(base ?? 0, attacked ?? 0);
  return {
    s_src: sSrc,
    s_tgt_base: isPrompt ? (base ?? fractionOf(record, 'original_score')) : base,
    s_tgt_attacked: isPrompt ? (attacked ?? fractionOf(record, 'attacked_score')) : isReferenceLess ? null : attacked,
    s_tgt: isReferenceLess ? attacked : null,
    d_tgt: valueAt(measurement.dTgt, index),
    success: margin === null ? null : margin > 0,
    margin,
    pdr: target === 'scores' || target === 'references' ? dropRate : null,
    criterion: target === null ? null : target === 'outputs' ? 'reference_less' : 'relative_decrease',
    reasons,
  };
}

function valueAt(values: Float64Array | undefined, index: number): number | null {
  return values?.[index] ?? null;
}
