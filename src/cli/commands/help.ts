import { defineCommand } from '../command.js';
import type { ArgumentsOf } from '../command.js';

/** `teapot help`: the help of a command, or all of it as a man page. */
export const help = defineCommand({
  usage: 'help [command]',
  describe: 'Help of teapot, or of a command',
  options: {
    command: { type: 'text', positional: true, modes: ['text'], help: 'The command' },
    format: {
      type: 'choice',
      choices: ['text', 'man'],
      default: 'text',
      help: 'Text, or the man page of all commands',
    },
  },
  modes: { text: 'text', man: '--format man' },
  mode: ({ format }) => format,
  examples: [
    ['$0 help score', 'The options of a command'],
    ['$0 help --format man | man -l -', 'The man page'],
  ],
});

/** The arguments of `teapot help`. */
export type HelpArguments = ArgumentsOf<typeof help>;
