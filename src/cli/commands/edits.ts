import { defineCommand } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { OUTPUT_GROUP, TABLE_OUTPUT } from '../options/output.js';
import { RECORD_SOURCE, RECORD_SOURCE_MODES, recordSourceMode } from '../options/record-source.js';
import { SOURCE_SCORER } from '../options/scorers.js';

/** `teapot edits`: what attacks did to texts. */
export const edits = defineCommand({
  usage: 'edits [records..]',
  describe: 'What attacks did to texts: edits by kind, and s_src as a reader sees it',
  options: {
    ...RECORD_SOURCE,
    by: { type: 'text', metavar: 'KEYS', default: 'attack', help: 'Group by these keys' },
    ...SOURCE_SCORER,
    ...TABLE_OUTPUT,
    perLine: {
      spellings: ['per-record'],
      type: 'file',
      writes: true,
      help: 'Write the records with every edit there (.jsonl, also .gz and .zst)',
      group: OUTPUT_GROUP,
    },
  },
  modes: RECORD_SOURCE_MODES,
  mode: recordSourceMode,
  examples: [
    ['$0 edits records.jsonl', 'Edits by kind, attack by attack'],
    [
      '$0 edits --src examples/translation/src.fr --adv-src examples/translation/adv.homoglyph.fr',
      'The same of line-aligned files',
    ],
  ],
});

/** The arguments of `teapot edits`. */
export type EditsArguments = ArgumentsOf<typeof edits>;
