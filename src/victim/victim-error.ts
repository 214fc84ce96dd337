import { ERROR_CODES, TeapotError } from '../errors.js';

/** Whether another question may fare better: `input` when it was about this one, `victim` when none will be answered. */
export type FailureScope = 'input' | 'victim';

/**
 * A victim failed to answer. So that a run over many items knows whether to count an error and go on, or to stop: a
 * prompt that is too long fails alone, a key that is refused fails every time.
 */
export class VictimError extends TeapotError {
  /** What the failure is about. */
  readonly scope: FailureScope;

  constructor(scope: FailureScope, message: string, options?: ErrorOptions) {
    super(ERROR_CODES.ENDPOINT, message, options);
    this.scope = scope;
  }
}

/**
 * Whether an error says that the victim will answer nothing more, so that going on to the next item makes no sense.
 *
 * True for a {@link VictimError} of scope `victim` and for everything that is no error of a victim at all: an abort, a full disk, a
 * mistake of the user, a bug.
 */
export function endsRun(error: unknown): boolean {
  return !(error instanceof VictimError) || error.scope === 'victim';
}
