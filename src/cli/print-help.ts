import { commandName } from './command.js';
import type { Command } from './command.js';
import type { CompletionArguments } from './commands/completion.js';
import type { HelpArguments } from './commands/help.js';
import { completionScript } from './completion.js';
import { commandHelp, manPage, programHelp } from './help.js';
import { didYouMean } from '../nearest.js';
import { printResult } from './terminal.js';
import { terminalWidth } from './terminal-width.js';
import { invalid } from './values.js';

/** The widest line of help. */
const MOST_COLUMNS = 110;

/**
 * Runs `teapot help`.
 *
 * @param commands All commands; the first one is that which runs when none is named.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when there is no such command.
 */
export async function runHelp({ command: name, format }: HelpArguments, commands: readonly Command[]): Promise<void> {
  await printResult(format === 'man' ? manPage(commands) : helpText(name, commands), { format });
}

/** The help of a command by its name, or of the program. */
export function helpText(name: string | undefined, commands: readonly Command[]): string {
  const width = Math.min(MOST_COLUMNS, terminalWidth(process.stdout, 100));
  const [main] = commands;
  if (name === undefined && main !== undefined) return programHelp(commands, main, width);
  const command = commands.find((one) => commandName(one) === name);
  if (command !== undefined) return commandHelp(command, width);
  throw invalid(`Unknown command "${name}".${didYouMean(name ?? '', commands.map(commandName))} See "teapot help".`);
}

/** Runs `teapot completion`. */
export async function runCompletion({ shell }: CompletionArguments, commands: readonly Command[]): Promise<void> {
  await printResult(completionScript(shell, commands), { format: shell });
}
