import { stripEnd } from '../read/whitespace.js';
import { importParallel, type ParallelOptions, type ParallelPaths } from './import/parallel/import-parallel.js';
import type { AttackRecord } from './schema.js';

/**
 * Reads line-aligned files as records for measuring: as `teapot score` does, whitespace at line ends is stripped.
 *
 * @param keepTrailingWhitespace leaves it.
 * @throws {UsageError} as `importParallel` does.
 */
export async function* parallelRecords(
  paths: ParallelPaths,
  options: ParallelOptions,
  keepTrailingWhitespace: boolean,
): AsyncGenerator<AttackRecord, void, undefined> {
  const strip = (text: string | null): string | null => (text === null ? null : stripEnd(text));
  for await (const record of importParallel(paths, options)) {
    if (keepTrailingWhitespace) {
      yield record;
      continue;
    }
    const ref = Array.isArray(record.ref) ? record.ref.map(stripEnd) : strip(record.ref);
    const { src, adv_src: advSrc, out, adv_out: advOut } = record;
    yield {
      ...record,
      src: strip(src),
      adv_src: strip(advSrc),
      out: strip(out),
      adv_out: strip(advOut),
      ref,
    };
  }
}
