import type { OptionTable } from '../command.js';

const GROUP = 'Constraints:';

/** What edits must leave alone, and how much of a text they may change. */
export const CONSTRAINTS = {
  minSSrc: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    help: 'Smallest s_src of a text against its original',
    group: GROUP,
  },
  protect: {
    type: 'text',
    list: true,
    metavar: 'WORDS',
    help: 'A word or phrase that no edit touches, in any case; repeat it for several',
    group: GROUP,
  },
  protectPlaceholders: { type: 'flag', help: 'No edit touches a {placeholder}', group: GROUP },
  protectQuoted: { type: 'flag', help: 'No edit touches quoted text', group: GROUP },
  protectPattern: {
    type: 'text',
    list: true,
    metavar: 'REGEX',
    help: 'No edit touches a match of this regular expression; repeat it for several',
    group: GROUP,
  },
  maxWordsChanged: {
    type: 'integer',
    minimum: 0,
    maximum: 2 ** 31 - 1,
    help: 'Most words changed, by alignment',
    group: GROUP,
  },
  maxShareChanged: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    help: 'Most words changed, as a share of the words',
    group: GROUP,
  },
  maxEditDistance: {
    type: 'integer',
    minimum: 0,
    maximum: 2 ** 31 - 1,
    help: 'Largest Levenshtein distance from the original, in characters',
    group: GROUP,
  },
  stopWords: {
    type: 'text',
    metavar: 'WORDS',
    preset: "the attack's own",
    help: 'Words to be left alone: english, none, or a file',
    group: GROUP,
  },
  minWordLength: {
    type: 'integer',
    minimum: 0,
    maximum: 2 ** 31 - 1,
    preset: 'set by the attack',
    help: 'Leave shorter words alone',
    group: GROUP,
  },
} as const satisfies OptionTable;
