/**
 * The only module that loads the native addon, and the only one that knows how its errors look.
 *
 * The addon is loaded by the first call, not by the import: `teapot --help` never needs it.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

import type * as Binding from '../crates/teapot-napi/binding.cjs';
import { ERROR_CODES, TeapotError, UsageError, type ErrorCode } from './errors.js';
import type { RunOptions } from './run-options.js';

export type {
  AnswerFile,
  AttackEdit,
  AttackedText as NativeAttackedText,
  AttackEntry,
  CorpusPlan,
  InputReport,
  MetricOptions,
  PerturbOptions,
  PerturbedBlock,
  ReadOptions,
  RowColumn,
  RowDialect,
  ScoredBlock,
  ScoreKind,
  TablePlan,
  TextColumn,
  TextEdit,
  TextEdits,
  TextWord,
} from '../crates/teapot-napi/binding.cjs';

/** The exports of the addon, as generated from the Rust sources. */
export type NativeBinding = typeof Binding;

let loaded: NativeBinding | undefined;

/**
 * The addon.
 *
 * @throws {TeapotError} `ERR_TEAPOT_NATIVE_MISSING` when it can't be loaded, naming the platform and how to build it.
 */
export function native(): NativeBinding {
  loaded ??= load();
  return loaded;
}

function load(): NativeBinding {
  try {
    return createRequire(import.meta.url)('../crates/teapot-napi/binding.cjs') as NativeBinding;
  } catch (error) {
    throw new TeapotError(
      ERROR_CODES.NATIVE_MISSING,
      `the native core can't be loaded for ${process.platform}-${process.arch}${libc()}. ${remedy()} Reasons: ` +
        reasons(error).join(' <- '),
      { cause: error },
    );
  }
}

/** What makes the addon available: a build in a checkout, the platform's package in an installation. */
function remedy(): string {
  if (existsSync(new URL('../crates/teapot-napi/Cargo.toml', import.meta.url))) {
    return 'With Rust 1.95 or newer installed, build it by: npm run build:native (in the package folder).';
  }
  return (
    `It comes in the optional package @teapot-nlp/teapot-${process.platform}-${process.arch}…: install teapot-nlp again without ` +
    '--omit=optional and without a lock file of another platform. There are builds for Linux (glibc 2.17 or newer, musl), macOS and ' +
    'Windows, each on x64 and arm64; elsewhere build from a checkout of the sources.'
  );
}

/** The C library on Linux, since a build for one does not load on the other. */
function libc(): string {
  if (process.platform !== 'linux') return '';
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined ? ' (musl)' : ` (glibc ${header.glibcVersionRuntime})`;
}

function reasons(error: unknown): string[] {
  const list: string[] = [];
  for (let current = error; current instanceof Error; current = current.cause) {
    list.push(current.message.split('\n', 1)[0] ?? '');
  }
  return list;
}

const CODES: ReadonlySet<string> = new Set(Object.values(ERROR_CODES));

/** Faults that lie in what the user gave, not in the machine. */
const USER_CODES: ReadonlySet<ErrorCode> = new Set([
  ERROR_CODES.LENGTH_MISMATCH,
  ERROR_CODES.EMPTY_INPUT,
  ERROR_CODES.INVALID_OPTION,
  ERROR_CODES.READ,
  ERROR_CODES.FORMAT,
]);

/** An error of the addon as an error of teapot; what is no error of the addon is given back as it is. */
export function fromNative(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code !== 'string' || !CODES.has(code)) return error;
  const known = code as ErrorCode;
  return USER_CODES.has(known)
    ? new UsageError(known, error.message, { cause: error })
    : new TeapotError(known, error.message, { cause: error });
}

/**
 * Calls a synchronous export of the addon.
 *
 * @throws {TeapotError} with the addon's code and message.
 */
export function callNative<T>(call: (binding: NativeBinding) => T): T {
  const binding = native();
  try {
    return call(binding);
  } catch (error) {
    throw fromNative(error);
  }
}

/**
 * Calls an asynchronous export of the addon with a flag that the signal sets.
 *
 * @param call - Gets the addon and the flag to hand to it.
 * @returns what the addon gives.
 * @throws the signal's reason when it is or becomes aborted; {@link TeapotError} with the addon's code and message.
 */
export async function runNative<T>(
  call: (binding: NativeBinding, cancellation: Binding.Cancellation) => Promise<T>,
  { signal }: Pick<RunOptions, 'signal'> = {},
): Promise<T> {
  signal?.throwIfAborted();
  const binding = native();
  const cancellation = new binding.Cancellation();
  const cancel = (): void => cancellation.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  if (running.size === 0) process.once('exit', cancelAll);
  running.add(cancellation);
  try {
    const result = await call(binding, cancellation);
    signal?.throwIfAborted();
    return result;
  } catch (error) {
    signal?.throwIfAborted();
    throw fromNative(error);
  } finally {
    signal?.removeEventListener('abort', cancel);
    running.delete(cancellation);
    if (running.size === 0) process.off('exit', cancelAll);
  }
}

/**
 * What runs on the thread pool. Node waits for it when the process or a worker ends by `process.exit()`, so it is cancelled
 * then. Nothing tells a worker that it is ended by `worker.terminate()`: its native work runs to its end.
 */
const running = new Set<Binding.Cancellation>();

function cancelAll(): void {
  for (const cancellation of running) cancellation.cancel();
}
