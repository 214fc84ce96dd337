import { defineCommand, inModes } from '../command.js';
import type { ArgumentsOf } from '../command.js';
import { SCORER_MODULES } from '../options/scorers.js';

const LISTS = ['scorers', 'attacks', 'transformations', 'constraints', 'searches', 'victims', 'datasets'] as const;

/** `teapot list`: what `--s-src` and `--s-tgt`, `--attack`, `--model` and `--dataset` may be. */
export const list = defineCommand({
  usage: 'list <what>',
  describe: 'List the scorers, attacks and their parts, victims or data sets',
  options: {
    what: { type: 'choice', choices: LISTS, positional: true, required: true, help: 'What to list' },
    format: { type: 'choice', choices: ['text', 'json'], default: 'text', help: 'Format of the list' },
    ...inModes(['scorers'], SCORER_MODULES),
  },
  modes: Object.fromEntries(LISTS.map((what) => [what, `list ${what}`])),
  mode: ({ what }) => what,
  examples: [
    ['$0 list scorers', 'Keys and parameters of the scorers'],
    ['$0 list attacks', 'Sources, differences, parts and resources of the attacks'],
    ['$0 list transformations', 'What attacks can be put together of'],
  ],
});

/** The arguments of `teapot list`. */
export type ListArguments = ArgumentsOf<typeof list>;
