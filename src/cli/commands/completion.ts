import { defineCommand } from '../command.js';
import type { ArgumentsOf } from '../command.js';

/** `teapot completion`: a script for a shell. */
export const completion = defineCommand({
  usage: 'completion <shell>',
  describe: 'Print a script that completes commands and options in a shell',
  options: {
    shell: { type: 'choice', choices: ['bash', 'zsh', 'fish'], positional: true, required: true, help: 'The shell' },
  },
  examples: [
    ['eval "$($0 completion bash)"', 'In ~/.bashrc; for zsh the same in ~/.zshrc'],
    ['$0 completion fish > ~/.config/fish/completions/teapot.fish', 'For fish'],
  ],
});

/** The arguments of `teapot completion`. */
export type CompletionArguments = ArgumentsOf<typeof completion>;
