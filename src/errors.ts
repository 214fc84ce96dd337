/**
 * Every error code of teapot. The same strings stand in `crates/teapot-napi/src/error.rs`; a test compares them.
 *
 * A code names the kind, the message says file, line, what was found, what was expected and what to do.
 */
export const ERROR_CODES = {
  /** Aligned inputs have different lengths. */
  LENGTH_MISMATCH: 'ERR_TEAPOT_LENGTH_MISMATCH',
  /** An input that must hold something is empty. */
  EMPTY_INPUT: 'ERR_TEAPOT_EMPTY_INPUT',
  /** An option is unknown, missing, in conflict with another one or out of range. */
  INVALID_OPTION: 'ERR_TEAPOT_INVALID_OPTION',
  /** No scorer has this key. */
  UNKNOWN_SCORER: 'ERR_TEAPOT_UNKNOWN_SCORER',
  /** A scorer (module, program, METEOR) failed or answered something that is no score. */
  SCORER: 'ERR_TEAPOT_SCORER',
  /** A file can't be opened or read. */
  READ: 'ERR_TEAPOT_READ',
  /** A file is not what it should be: encoding, columns, JSON, compressed data that is cut off. */
  FORMAT: 'ERR_TEAPOT_FORMAT',
  /** A file can't be written. */
  WRITE: 'ERR_TEAPOT_WRITE',
  /** A model endpoint or victim failed. */
  ENDPOINT: 'ERR_TEAPOT_ENDPOINT',
  /** A resource (model file, word list, database) that an attack needs is missing. */
  RESOURCE: 'ERR_TEAPOT_RESOURCE',
  /** The native addon can't be loaded. */
  NATIVE_MISSING: 'ERR_TEAPOT_NATIVE_MISSING',
  /** The native side was cancelled: `src/native.ts` turns it into the signal's own reason. */
  CANCELLED: 'ERR_TEAPOT_CANCELLED',
  /** A bug in teapot. */
  INTERNAL: 'ERR_TEAPOT_INTERNAL',
} as const;

/** One of {@link ERROR_CODES}. */
export type ErrorCode = (typeof ERROR_CODES)[keyof typeof ERROR_CODES];

/** An error of teapot with a stable `code`. Its cause, if there is one, is kept. */
export class TeapotError extends Error {
  /** The kind of failure: stable, for programs. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TeapotError';
    this.code = code;
  }
}

/** A mistake of the user (flag, file, format): printed as one message without a stack; exit code 2. */
export class UsageError extends TeapotError {
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.name = 'UsageError';
  }
}
