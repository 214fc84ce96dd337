import { ERROR_CODES } from '../errors.js';
import { ClosedOutputError, STDOUT, writeFileSafely, writeError, writeStandardOutput } from '../output-file.js';
import { flagName } from './command.js';
import { visible, visibleMessage } from '../visible.js';
import { interruptSignal } from './interrupt.js';

/** How a result is shown. */
export interface PrintOptions {
  /** Where it goes: a path; standard output (`-`) by default. */
  readonly output?: string | undefined;
  /** `text` is for people, and what a terminal would obey is written out in it; every other format is exact. */
  readonly format?: string | undefined;
  /** Whether teapot's own colours may pass. Data in the text must then be visible already. */
  readonly color?: boolean | undefined;
}

/**
 * Prints the result of a command, or writes it safely to a file. The one place of the command line that prints results.
 *
 * A reader that closes our output early (`| head`) is no failure: the run goes on, and its exit code says how the work ended.
 *
 * @throws {TeapotError} `ERR_TEAPOT_WRITE` when it can't be written.
 */
export async function printResult(text: string, options: PrintOptions = {}): Promise<void> {
  const { output = STDOUT, color = false } = options;
  const result = shownAs(text, options);
  if (output !== STDOUT) {
    await writeFileSafely(output, [result], interruptSignal);
    return;
  }
  try {
    await writeStandardOutput(result, { styles: color });
  } catch (error) {
    if (!(error instanceof ClosedOutputError)) throw error;
  }
}

/** A result as {@link printResult} writes it, for a file that was opened before the work. */
export function shownAs(text: string, { format = 'text', color = false }: PrintOptions): string {
  return format === 'text' ? visible(text, { styles: color }) : text;
}

/**
 * Prints a message on standard error: visible, long lines cut. The one place of the command line that prints messages.
 *
 * A standard error that is full or closed loses messages and nothing else.
 */
export function printMessage(message: string): void {
  writeStandardError(`${visibleMessage(withFlags(message))}\n`);
}

/** A message of the library, which names "the option `maskedLm`", with the flag that sets it: `--masked-lm`. */
export function withFlags(message: string): string {
  return message.replaceAll(/\bthe option `(?<name>[a-z][a-zA-Z]*)`/gu, (_, name: string) => `--${flagName(name)}`);
}

/** Writes to standard error as it is: for the line of progress, which moves the cursor. */
export function writeStandardError(text: string): void {
  try {
    process.stderr.write(text);
  } catch {
    // There is no place left to say it.
  }
}

/**
 * Lets the work go on when standard output or standard error breaks. {@link printResult} reports its own failures; those of
 * pages of help, which the parser prints, are reported here.
 */
export function surviveBrokenStreams(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.exitCode = 1;
    printMessage(`teapot: error: ${writeError(STDOUT, error).message} [${ERROR_CODES.WRITE}]`);
  });
}
