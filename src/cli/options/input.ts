import { ON_ERROR as ON_ERROR_CHOICES } from '../../record/vocabulary.js';
import { checkEncoding, ENCODINGS } from '../../read/transcode.js';
import type { OptionTable } from '../command.js';

const GROUP = 'Input (- is stdin; .gz and .zst are unpacked):';

/** Line-aligned files of one attack. */
export const PARALLEL_FILES = {
  src: { type: 'file', help: 'The original inputs, one segment a line', group: GROUP },
  advSrc: { type: 'file', help: 'The attacked inputs', group: GROUP },
  out: { type: 'file', help: 'The outputs for the original inputs', group: GROUP },
  advOut: { type: 'file', help: 'The outputs for the attacked inputs', group: GROUP },
  ref: { type: 'file', list: true, help: 'The reference outputs; repeat it for several references', group: GROUP },
} as const satisfies OptionTable;

/** The encoding of what is read. */
export const ENCODING = {
  type: 'text',
  preset: 'utf-8',
  read: (label: string) => checkEncoding(label),
  help: `How the files are encoded: ${ENCODINGS.join(', ')}, or another label of the Encoding Standard (gbk, …)`,
} as const satisfies OptionTable[string];

/** How texts are decoded, line by line. */
export const TEXT_READING = {
  encoding: { ...ENCODING, group: GROUP },
  keepTrailingWhitespace: { type: 'flag', help: "Don't strip whitespace at line ends", group: GROUP },
} as const satisfies OptionTable;

/** Files of attack records. */
export const RECORD_FILES = {
  records: {
    type: 'file',
    list: true,
    positional: true,
    help: 'Files of attack records (JSONL, also .gz and .zst); - is stdin',
  },
} as const satisfies OptionTable;

/** What happens at a line that is no record. */
export const ON_ERROR = {
  onError: {
    type: 'choice',
    choices: ON_ERROR_CHOICES,
    default: 'stop',
    help: 'At a line that is no record: stop, skip it, or read on and report all of them',
    group: GROUP,
  },
} as const satisfies OptionTable;

/** Files of attack records that a command can't do without. */
export const REQUIRED_RECORDS = {
  records: { ...RECORD_FILES.records, required: true },
  ...ON_ERROR,
} as const satisfies OptionTable;

/** Threads of the native core. */
export const THREADS = {
  threads: {
    type: 'integer',
    minimum: 1,
    maximum: 1024,
    preset: 'one a core',
    help: 'Threads of the native core',
    group: GROUP,
  },
} as const satisfies OptionTable;
