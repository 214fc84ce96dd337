import { defineCommand, inGroup, inModes } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { CONSTRAINTS } from '../options/constraints.js';
import { TEXT_READING, THREADS } from '../options/input.js';
import { invalid } from '../values.js';

const ATTACK = 'Attack:';
const FILES = 'Input and output:';

/** Attacks that leave the words of a line as they are. */
const WHOLE_TEXT_ATTACKS = new Set(['append', 'checklist', 'stresstest']);

/** `teapot perturb`: edits every line of a text by an attack that asks no victim. */
export const perturb = defineCommand({
  usage: 'perturb [input]',
  describe: 'Edit every line of a text by an attack that asks no victim',
  options: {
    ...inModes(['text'], {
      input: {
        type: 'file',
        positional: true,
        preset: 'stdin',
        help: 'A text, one segment a line (.gz and .zst are unpacked)',
      },
      attack: {
        type: 'text',
        list: true,
        metavar: 'ATTACK',
        preset: 'charswap',
        help: 'NAME or NAME:param=value,…; of several, one is drawn for each edit',
        group: ATTACK,
      },
      rate: {
        type: 'number',
        minimum: 0,
        maximum: 1,
        preset: '0.1; viper 0.3',
        help: 'Share of the words (or what the attack counts) that is edited',
        group: ATTACK,
      },
      maxEdits: { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1, help: 'Most edits a line', group: ATTACK },
      variants: {
        type: 'integer',
        minimum: 1,
        maximum: 1_000_000,
        alias: 'n',
        default: 1,
        help: 'Different perturbed lines for each line (fewer where a line has fewer)',
        group: ATTACK,
      },
      seed: { type: 'integer', minimum: 0, default: 12_345, help: 'Seed of all draws', group: ATTACK },
      suffix: {
        type: 'text',
        list: true,
        read: oneLine,
        help: 'A text for the attack "append"; repeat it for several',
        group: ATTACK,
      },
      replacements: {
        type: 'file',
        help: 'A table for the attack "replace": word, TAB, replacement, TAB, …',
        group: ATTACK,
      },
      vocabulary: { type: 'file', help: 'Known words, one a line: "charswap" makes none of them', group: ATTACK },
      sSrc: {
        type: 'text',
        metavar: 'METRIC',
        preset: 'chrf',
        needs: ['minSSrc'],
        help: 'The metric of --min-s-src',
        group: CONSTRAINTS.minSSrc.group,
      },
      ...CONSTRAINTS,
      output: {
        type: 'file',
        writes: true,
        alias: 'o',
        preset: 'stdout',
        help: 'Write the text there (.gz and .zst are packed)',
        group: FILES,
      },
      perLine: {
        spellings: ['edits'],
        type: 'file',
        writes: true,
        help: 'Write the edits of each line there, as JSON lines',
        group: FILES,
      },
      encoding: { ...TEXT_READING.encoding, help: 'How the input is encoded; the output is UTF-8', group: FILES },
      ...inGroup(FILES, THREADS),
    }),
    list: { type: 'flag', help: 'List the attacks with their parameters', group: ATTACK },
    format: {
      type: 'choice',
      choices: ['text', 'json'],
      default: 'text',
      modes: ['list'],
      help: 'Format of --list',
      group: FILES,
    },
  },
  modes: { text: 'a text that is edited', list: '--list' },
  mode: ({ list }) => (list === true ? 'list' : 'text'),
  idle: ({ attack = ['charswap'] }) => {
    const names = attack.map((one) => one.split(':')[0] ?? '');
    const only = (name: string): string | false =>
      !names.includes(name) && `it is for the attack ${name}, found ${names.join(', ')}`;
    const wholeTexts =
      names.every((name) => WHOLE_TEXT_ATTACKS.has(name)) &&
      `${names.join(', ')} makes one edit a line, after the last word`;
    return {
      vocabulary: only('charswap'),
      suffix: only('append'),
      replacements: only('replace'),
      rate: wholeTexts,
      stopWords: wholeTexts,
      minWordLength: wholeTexts,
    };
  },
  examples: [
    ['$0 perturb --attack charswap --rate 0.1 --seed 7 < src.txt > adv.txt', 'A tenth of the words'],
    ['$0 perturb prompts.txt --attack typo --protect good --protect bad --protect-placeholders', 'Prompts'],
  ],
});

/** The arguments of `teapot perturb`. */
export type PerturbArguments = ArgumentsOf<typeof perturb>;

/** A line must stay one line. */
function oneLine(text: string, flag: string): string {
  if (/[\n\r]/u.test(text)) throw invalid(`${flag} must be one line, found ${JSON.stringify(text)}.`);
  return text;
}
