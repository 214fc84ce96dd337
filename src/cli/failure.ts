import { ERROR_CODES, TeapotError, UsageError } from '../errors.js';
import { ClosedOutputError, SYSTEM_REASONS } from '../output-file.js';
import { interruptSignal } from './interrupt.js';
import { printMessage } from './terminal.js';

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

/** What a failure means: the exit code, and what is said. */
interface Failure {
  readonly code: (typeof EXIT)[keyof typeof EXIT];
  readonly message?: string;
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
  const { code, message } = describeFailure(error);
  if (message !== undefined) printMessage(`teapot: ${message}`);
  return code;
}

function describeFailure(error: unknown): Failure {
  if (error instanceof ClosedOutputError) return { code: EXIT.OK };
  if (isAbort(error)) return { code: EXIT.INTERRUPTED, message: 'interrupted' };
  if (error instanceof GateError) return { code: EXIT.GATE, message: error.message };
  if (error instanceof TeapotError && error.code !== ERROR_CODES.INTERNAL) {
    const code = error instanceof UsageError ? EXIT.USAGE : EXIT.FAILURE;
    return { code, message: `error: ${error.message} [${error.code}]` };
  }
  const system = systemFailure(error);
  if (system !== undefined) return { code: EXIT.FAILURE, message: `error: ${system}` };
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : undefined;
  const causedBy = cause === undefined ? '' : `\nCaused by: ${cause instanceof Error ? cause.stack : String(cause)}`;
  return {
    code: EXIT.FAILURE,
    message: `this is a bug, please report it with the lines below.\n${details}${causedBy}`,
  };
}

/** One sentence for a failure of the operating system that no command gave a name; undefined for anything else. */
function systemFailure(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd') return `the working folder is gone: change into one that exists [${ERROR_CODES.READ}]`;
  const reason = SYSTEM_REASONS[code ?? ''];
  if (reason === undefined) return undefined;
  const kind = syscall === 'write' ? ERROR_CODES.WRITE : ERROR_CODES.READ;
  return `${path === undefined ? '' : `${path}: `}${reason} [${kind}]`;
}

function isAbort(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || (interruptSignal.aborted && error === interruptSignal.reason);
}
