import { ERROR_CODES, UsageError } from '../errors.js';
import type { AttackTexts, SegmentBatch, SegmentSource } from './segment-source.js';

/** Aligned texts in memory: entry n of each array belongs to segment n. */
export interface Corpus {
  /** Original inputs. */
  readonly src?: readonly string[] | undefined;
  /** Attacked inputs. */
  readonly advSrc?: readonly string[] | undefined;
  /** Outputs for the original inputs. */
  readonly out?: readonly string[] | undefined;
  /** Outputs for the attacked inputs. */
  readonly advOut?: readonly string[] | undefined;
  /** Reference outputs: one text a segment, or several. */
  readonly ref?: readonly (string | readonly string[])[] | undefined;
}

/**
 * Gives texts in memory to those who read segments. The texts are taken as they are: nothing is stripped.
 *
 * @param corpus Arrays of equal lengths.
 * @throws {UsageError} `ERR_TEAPOT_LENGTH_MISMATCH` naming every array with its length; `ERR_TEAPOT_EMPTY_INPUT` when
 *   there is no segment; `ERR_TEAPOT_INVALID_OPTION` when something is no array.
 */
export function openMemoryCorpus(corpus: Corpus): SegmentSource {
  const columns = Object.entries(corpus).filter(([, column]) => column !== undefined) as [string, readonly unknown[]][];
  for (const [name, column] of columns) {
    if (!Array.isArray(column)) {
      throw new UsageError(ERROR_CODES.INVALID_OPTION, `${name} must be an array with a text for each segment.`);
    }
  }
  const count = columns[0]?.[1].length ?? 0;
  if (columns.some(([, column]) => column.length !== count)) {
    const lengths = columns.map(([name, column]) => `${name} has ${column.length}`).join(', ');
    throw new UsageError(ERROR_CODES.LENGTH_MISMATCH, `Aligned texts must be equally many: ${lengths}.`);
  }
  if (count === 0) throw new UsageError(ERROR_CODES.EMPTY_INPUT, 'No samples: the corpus has no segment.');
  return {
    async *batches(segments, options = {}) {
      for (let start = 0; start < count; start += segments) {
        options.signal?.throwIfAborted();
        yield slice(corpus, start, Math.min(count, start + segments));
      }
    },
    inputs: async () => [],
  };
}

function slice({ src, advSrc, out, advOut, ref }: Corpus, start: number, end: number): SegmentBatch {
  const attack: AttackTexts = {
    ...(advSrc && { advSrc: advSrc.slice(start, end) }),
    ...(advOut && { advOut: advOut.slice(start, end) }),
  };
  return {
    firstSegment: start,
    count: end - start,
    ...(src && { src: src.slice(start, end) }),
    ...(out && { out: out.slice(start, end) }),
    ...(ref && { refs: ref.slice(start, end) }),
    attacks: [attack],
  };
}
