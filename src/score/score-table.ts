import { UsageError } from '../errors.js';
import type { AttackTexts, SegmentBatch, SegmentSource } from '../read/segment-source.js';
import { concatenatedSource, isEmptyInput, noRows } from '../read/several-tables.js';
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
 * @param isOneOfSeveral Whether messages about a pair name the file.
 * @throws {UsageError} as `openTable` does, from `batches`.
 */
export function scoreTable(
  path: string,
  columns: TableColumns,
  scorers: CorpusScorers,
  options: ScoreFilesOptions = {},
  isOneOfSeveral = false,
): ScoredCorpus {
  const { read } = options;
  const table = openTable(path, columns, read);
  const source = isOneOfSeveral ? concatenatedSource([{ name: path, source: table }]) : table;
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

/**
 * Scores the columns of several tables, one after the other, as one corpus: {@link scoreTable} of each.
 *
 * @param paths At least one. A table without a row is passed over where there are several.
 * @throws {UsageError} as {@link scoreTable}, naming the file; `ERR_TEAPOT_EMPTY_INPUT` when none has a row.
 */
export function scoreTables(
  paths: readonly string[],
  columns: TableColumns,
  scorers: CorpusScorers,
  options: ScoreFilesOptions = {},
): ScoredCorpus {
  const tables = paths.map((path) => scoreTable(path, columns, scorers, options, paths.length > 1));
  const [only] = tables;
  if (only !== undefined && tables.length === 1) return only;
  return {
    async *batches(run = {}) {
      let before = 0;
      const { onProgress } = run;
      for (const table of tables) {
        let read = 0;
        const start = before;
        const inTable = {
          ...run,
          ...(onProgress && { onProgress: (done: number) => onProgress(start + done, undefined) }),
        };
        try {
          for await (const batch of table.batches(inTable)) {
            read = batch.firstSegment + batch.count;
            yield { ...batch, firstSegment: before + batch.firstSegment };
          }
        } catch (error) {
          if (!isEmptyInput(error)) throw error;
        }
        before += read;
      }
      if (before === 0) throw noRows(paths);
    },
    inputs: async () => (await Promise.all(tables.map(async (table) => table.inputs()))).flat(),
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
