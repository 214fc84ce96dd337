import { ERROR_CODES, TeapotError } from '../errors.js';
import { reportFailure } from './failure.js';
import { watchInterrupt } from './interrupt.js';
import { printResult, surviveBrokenStreams } from './terminal.js';

/** Runs the command line: parse, run the command, turn a failure into a message and an exit code. */
export async function start(args: readonly string[]): Promise<void> {
  surviveBrokenStreams();
  watchInterrupt();
  process.once('beforeExit', leaveUnsettled);
  try {
    if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
      const { version } = await import('../version.js');
      await printResult(`${version()}\n`);
    } else {
      const { run } = await import('./parser.js');
      await run(args);
    }
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
  process.off('beforeExit', leaveUnsettled);
  leaveWhenWritten();
}

/** Nothing is left that could go on, and the run has not ended: it waits for a promise that is never settled. */
function leaveUnsettled(): void {
  const failure = new TeapotError(
    ERROR_CODES.SCORER,
    'the run waits for something that never comes: a module (a victim, a metric, a resource) returned a promise that is never settled',
  );
  process.exit(reportFailure(failure));
}

/** How long what a module of the user's left open (a timer, a connection) may hold the process up, in milliseconds. */
const HOLD_UP_MS = 500;

/** Ends the process when the work is done and everything is written, whatever a module of the user's has left open. */
function leaveWhenWritten(): void {
  // Alone it keeps nothing alive: without such leftovers the process ends before.
  setInterval(() => {
    if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
  }, HOLD_UP_MS).unref();
}
