import { TeapotError, UsageError } from '../errors.js';
import { interruptSignal } from './interrupt.js';

/** The exit codes of teapot. */
export const EXIT = {
  /** Fine. */
  OK: 0,
  /** A failure at work: an endpoint, a disk, a bug. */
  FAILURE: 1,
  /** The user's mistake: a flag, a file, a format. */
  USAGE: 2,
  /** A `--fail-if` gate fired. */
  GATE: 3,
  /** Interrupted. */
  INTERRUPTED: 130,
} as const;

/** A condition of `--fail-if` holds: printed like an error, exit code 3. The results were printed before. */
export class GateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'GateError';
  }
}

/**
 * Says on stderr what went wrong and picks the exit code.
 *
 * A mistake of the user and a failure at work are one message without a stack; a bug keeps its stack, since that is
 * what a report needs.
 *
 * @returns One of {@link EXIT}.
 */
export function reportFailure(error: unknown): number {
  if (isClosedPipe(error)) return EXIT.OK;
  if (isAbort(error)) {
    process.stderr.write('teapot: interrupted\n');
    return EXIT.INTERRUPTED;
  }
  if (error instanceof GateError) {
    process.stderr.write(`teapot: ${error.message}\n`);
    return EXIT.GATE;
  }
  if (error instanceof TeapotError && error.code !== 'ERR_TEAPOT_INTERNAL') {
    process.stderr.write(`teapot: error: ${error.message} [${error.code}]\n`);
    return error instanceof UsageError ? EXIT.USAGE : EXIT.FAILURE;
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`teapot: this is a bug, please report it with the lines below.\n${details}\n`);
  if (error instanceof Error && error.cause !== undefined) {
    process.stderr.write(`Caused by: ${error.cause instanceof Error ? error.cause.stack : String(error.cause)}\n`);
  }
  return EXIT.FAILURE;
}

function isAbort(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || (interruptSignal.aborted && error === interruptSignal.reason);
}

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE' && 'syscall' in error;
}
