import type { SegmentBatch, SegmentSource } from './segment-source.js';

/** One of several parts of an input, which are scored apart. */
export interface Shard {
  /** Which part, from 0. */
  readonly index: number;
  /** The number of parts, at least 1. */
  readonly count: number;
}

/** Segments that go to one part together: as in the native core. */
const BLOCK = 256;

/** Whether a segment belongs to a part: every `count`-th block of segments does. */
export function isInShard({ index, count }: Shard, segment: number): boolean {
  return Math.floor(segment / BLOCK) % count === index;
}

/**
 * The segments of one part. The whole input is read, so that every part has its length and hash.
 *
 * @returns Batches whose `order` says where each segment stands in the whole input.
 */
export function shardSource(source: SegmentSource, shard: Shard): SegmentSource {
  return {
    async *batches(segments, options) {
      for await (const batch of source.batches(segments, options)) {
        const part = partOf(batch, shard);
        if (part.count > 0) yield part;
      }
    },
    inputs: () => source.inputs(),
  };
}

function partOf(batch: SegmentBatch, shard: Shard): SegmentBatch {
  const kept: number[] = [];
  for (let index = 0; index < batch.count; index += 1) {
    if (isInShard(shard, batch.firstSegment + index)) kept.push(index);
  }
  const pick = <T>(column: readonly T[]): readonly T[] => kept.map((index) => column[index] as T);
  const { ids, groups, src, out, refs, attacks, place, firstSegment } = batch;
  const at = (index: number): number => kept[index] ?? 0;
  return {
    firstSegment,
    count: kept.length,
    order: kept.map((index) => firstSegment + index),
    place: (index) => place?.(at(index)) ?? `line ${firstSegment + at(index) + 1}`,
    ...(ids && { ids: pick(ids) }),
    ...(groups && { groups: groups.map(pick) }),
    ...(src && { src: pick(src) }),
    ...(out && { out: pick(out) }),
    ...(refs && { refs: pick(refs) }),
    attacks: attacks.map(({ advSrc, advOut }) =>
      Object.assign({}, advSrc && { advSrc: pick(advSrc) }, advOut && { advOut: pick(advOut) }),
    ),
  };
}
