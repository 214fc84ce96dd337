#!/usr/bin/env node
import { reportFailure } from './failure.js';
import { watchInterrupt } from './interrupt.js';

/** Runs the command line: parse, run the command, turn a failure into a message and an exit code. */
async function main(args: readonly string[]): Promise<void> {
  leaveQuietlyOnClosedPipe();
  watchInterrupt();
  try {
    if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
      const { version } = await import('../version.js');
      process.stdout.write(`${version()}\n`);
      return;
    }
    const { run } = await import('./parser.js');
    await run(args);
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
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

/** `teapot … | head` closes our output early: that is the reader's wish, not a failure. */
function leaveQuietlyOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

await main(process.argv.slice(2));
leaveWhenWritten();
