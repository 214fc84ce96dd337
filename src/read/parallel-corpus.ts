import { native, runNative } from '../native.js';
import type { ReadOptions } from '../native.js';
import type { AttackTexts, InputFile, InputRole, SegmentBatch, SegmentSource } from './segment-source.js';

/** Line-aligned files: line n of each belongs to segment n. Paths; `-` is standard input; `.gz` and `.zst` are unpacked. */
export interface CorpusFiles {
  /** Original inputs. */
  readonly src?: string | undefined;
  /** Outputs for the original inputs. */
  readonly out?: string | undefined;
  /** Reference outputs, any number of files. */
  readonly refs: readonly string[];
  /** The files of each attack. */
  readonly attacks: readonly AttackFiles[];
}

/** The files that one attack made. */
export interface AttackFiles {
  /** Attacked inputs. */
  readonly advSrc?: string | undefined;
  /** Outputs for the attacked inputs. */
  readonly advOut?: string | undefined;
}

/** A file and the part it plays. */
export interface RoleFile {
  readonly role: InputRole;
  readonly path: string;
}

/** All files of a corpus in the order in which the native core reads them: src, adv_src, out, adv_out, ref. */
export function roleFiles(files: CorpusFiles): readonly RoleFile[] {
  const list: RoleFile[] = [];
  const push = (role: InputRole, path: string | undefined): void => {
    if (path !== undefined) list.push({ role, path });
  };
  push('src', files.src);
  for (const attack of files.attacks) push('adv_src', attack.advSrc);
  push('out', files.out);
  for (const attack of files.attacks) push('adv_out', attack.advOut);
  for (const path of files.refs) push('ref', path);
  return list;
}

/** Gives each report of the native core the part its file plays. */
export function inputFiles(files: CorpusFiles, reports: readonly Omit<InputFile, 'role'>[]): readonly InputFile[] {
  const roles = roleFiles(files);
  return reports.map(({ controlCharacters = 0, ...report }, index) => ({
    role: roles[index]?.role ?? 'data',
    ...report,
    ...(controlCharacters > 0 && { controlCharacters }),
  }));
}

/**
 * Reads line-aligned files as texts, in flat memory.
 *
 * @param files At least one.
 * @param read How bytes become lines.
 * @returns A source whose `batches` throws `UsageError` for a file that can't be read or is no text in the encoding, for
 *   files of different lengths (all counts are named) and for empty ones.
 */
export function openParallelCorpus(files: CorpusFiles, read: ReadOptions = {}): SegmentSource {
  const roles = roleFiles(files);
  const lines = new (native().CorpusLines)(
    roles.map(({ path }) => path),
    read,
  );
  return {
    async *batches(segments, options = {}) {
      let firstSegment = 0;
      for (;;) {
        const signal = options.signal === undefined ? {} : { signal: options.signal };
        const columns = await runNative((_, cancellation) => lines.next(segments, cancellation), signal);
        if (columns === null) return;
        const batch = batchOf(files, columns, firstSegment);
        firstSegment += batch.count;
        yield batch;
      }
    },
    inputs: async () => inputFiles(files, await runNative(() => lines.inputs())),
  };
}

function batchOf(files: CorpusFiles, columns: readonly (readonly string[])[], firstSegment: number): SegmentBatch {
  const queue = [...columns];
  const take = (path: string | undefined): readonly string[] | undefined =>
    path === undefined ? undefined : queue.shift();
  const src = take(files.src);
  const advSrc = files.attacks.map((attack) => take(attack.advSrc));
  const out = take(files.out);
  const advOut = files.attacks.map((attack) => take(attack.advOut));
  const attacks = files.attacks.map((_, index): AttackTexts => {
    const [source, output] = [advSrc[index], advOut[index]];
    return { ...(source && { advSrc: source }), ...(output && { advOut: output }) };
  });
  return {
    firstSegment,
    count: columns[0]?.length ?? 0,
    ...(src && { src }),
    ...(out && { out }),
    ...(queue.length > 0 && { refs: referencesBySegment(queue) }),
    attacks,
  };
}

/** Turns one column a reference file into the reference, or the references, of each segment. */
export function referencesBySegment(columns: readonly (readonly string[])[]): readonly (string | readonly string[])[] {
  const [first = []] = columns;
  if (columns.length === 1) return first;
  return first.map((_, segment) => columns.map((column) => column[segment] ?? ''));
}
