import { UsageError } from '../errors.js';
import type { AttackTexts, SegmentBatch, SegmentSource } from '../read/segment-source.js';
import { openTable } from '../read/table.js';
import type { TableColumns } from '../read/table-columns.js';
import { isNative, scoreSegments, scoreTableNatively } from './score-corpus.js';
import type { CorpusScorers, ScoredCorpus, ScoreFilesOptions } from './score-corpus.js';

/** Tables that the native core reads, by their names; the format of others is told by their first bytes. */
const NATIVE_TABLE = /\.(?:(?<format>csv|tsv|jsonl)|ndjson)(?:\.gz|\.zst)?$/iu;

/**
 * Scores the columns of a table.
 *
 * The native core reads and scores plain tables. What it refuses (several references in a field, a path into a value, a
 * broken row) is read here from the first row on that isn't scored yet, or explained with file and line.
 *
 * @throws {UsageError} as `openTable` does, from `batches`.
 */
export function scoreTable(
  path: string,
  columns: TableColumns,
  scorers: CorpusScorers,
  options: ScoreFilesOptions = {},
): ScoredCorpus {
  const { read } = options;
  const source = openTable(path, columns, read);
  const match = NATIVE_TABLE.exec(path);
  const isPlain =
    match !== null &&
    columns.id === undefined &&
    (columns.groups ?? []).length === 0 &&
    (read?.encoding ?? 'utf-8') === 'utf-8' &&
    isNative(scorers);
  if (!isPlain) return scoreSegments(source, scorers);
  const { src, advSrc, out, advOut, refs } = columns;
  const attack = { ...(advSrc !== undefined && { advSrc }), ...(advOut !== undefined && { advOut }) };
  const names = { ...(src !== undefined && { src }), ...(out !== undefined && { out }), refs, attacks: [attack] };
  const format = match.groups?.['format']?.toLowerCase() ?? 'jsonl';
  const native = scoreTableNatively({ path, format }, names, scorers, options);
  let isRefused = false;
  return {
    async *batches(run = {}) {
      let scored = 0;
      try {
        for await (const batch of native.batches(run)) {
          scored = batch.firstSegment + batch.count;
          yield batch;
        }
        if (refs.length > 0) scorers.references?.add([refs]);
        return;
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        isRefused = true;
      }
      yield* scoreSegments(withoutFirst(source, scored), scorers).batches(run);
    },
    inputs: () => (isRefused ? source : native).inputs(),
  };
}

/** A source without its first segments. */
function withoutFirst(source: SegmentSource, segments: number): SegmentSource {
  return {
    async *batches(count, run) {
      for await (const batch of source.batches(count, run)) {
        const first = Math.min(batch.count, Math.max(0, segments - batch.firstSegment));
        if (first < batch.count) yield first === 0 ? batch : batchFrom(batch, first);
      }
    },
    inputs: () => source.inputs(),
  };
}

function batchFrom({ firstSegment, count, place, src, out, refs, attacks }: SegmentBatch, first: number): SegmentBatch {
  const rest = ({ advSrc, advOut }: AttackTexts): AttackTexts => ({
    ...(advSrc && { advSrc: advSrc.slice(first) }),
    ...(advOut && { advOut: advOut.slice(first) }),
  });
  return {
    firstSegment: firstSegment + first,
    count: count - first,
    ...(place && { place: (index: number) => place(index + first) }),
    ...(src && { src: src.slice(first) }),
    ...(out && { out: out.slice(first) }),
    ...(refs && { refs: refs.slice(first) }),
    attacks: attacks.map(rest),
  };
}
