import { inModes } from '../command.js';
import type { OptionTable } from '../command.js';
import { ON_ERROR, PARALLEL_FILES, RECORD_FILES, TEXT_READING } from './input.js';

/** Both ways to give texts: files of records, or line-aligned files. */
export const RECORD_SOURCE = {
  ...RECORD_FILES,
  ...inModes(['records'], ON_ERROR),
  ...inModes(['files'], PARALLEL_FILES),
  ...inModes(['files'], TEXT_READING),
} as const satisfies OptionTable;

/** The modes of commands that take {@link RECORD_SOURCE}. */
export const RECORD_SOURCE_MODES = {
  records: 'files of records',
  files: 'line-aligned files (--src, --adv-src, …)',
} as const;

/** Which way the texts are given; files of records first. */
export function recordSourceMode(args: {
  readonly records?: readonly string[] | undefined;
}): keyof typeof RECORD_SOURCE_MODES {
  return (args.records ?? []).length > 0 ? 'records' : 'files';
}
