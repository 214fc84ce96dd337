import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';

import { onProcessExit } from '../at-exit.js';
import { ERROR_CODES, UsageError } from '../errors.js';

/** How a program ended. */
export interface ProgramEnd {
  /** Exit code, or null when a signal ended it. */
  readonly code: number | null;
  /** The signal that ended it, or null. */
  readonly signal: NodeJS.Signals | null;
}

/** A running program: its pipes, its last words, its end. */
export interface ChildProgram {
  /** The process; its output streams are decoded as UTF-8. */
  readonly child: ChildProcessWithoutNullStreams;
  /**
   * Resolved when the program has ended and everything it wrote has been read; rejected with a `UsageError` when it can't
   * be started.
   */
  readonly ended: Promise<ProgramEnd>;
  /** The last lines the program wrote to stderr, at most `count`; empty when it said nothing. */
  lastWords(count: number): string;
  /** Kills the program and everything it started. Safe to call at any time. */
  kill(): void;
  /** Lets Node.js end although the program still runs (idle), or not (work is outstanding). */
  hold(busy: boolean): void;
}

/** How much of stderr is kept: last words, not a log. */
const KEPT_STDERR_UNITS = 16_384;

/** How long output may still come after the exit (from a process that the program left behind). */
const DRAIN_MS = 1000;

/**
 * Starts a program with pipes for its three streams.
 *
 * On POSIX it leads a process group of its own, so that killing it ends what it started too, and a Ctrl-C in the
 * terminal reaches it through teapot alone.
 *
 * @param words Program and arguments.
 * @param env Variables on top of the environment.
 */
export function startProgram(
  words: readonly [program: string, ...args: string[]],
  env: Readonly<Record<string, string>> = {},
): ChildProgram {
  const [program, ...args] = words;
  const grouped = process.platform !== 'win32';
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    detached: grouped,
    windowsHide: true,
  });
  child.stdout.setEncoding('utf8');
  child.stderr.setEncoding('utf8');
  let stderr = '';
  child.stderr.on('data', (text: string) => {
    stderr = (stderr + text).slice(-KEPT_STDERR_UNITS);
  });
  // A write after the program closed its input fails with EPIPE; the end of the program tells the reason.
  child.stdin.on('error', () => {});
  const kill = (): void => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      if (grouped) process.kill(-child.pid, 'SIGKILL');
      else child.kill('SIGKILL');
    } catch {
      child.kill('SIGKILL');
    }
  };
  const forget = onProcessExit(kill);
  const ended = new Promise<ProgramEnd>((resolve, reject) => {
    child.once('error', (cause: NodeJS.ErrnoException) => {
      forget();
      reject(startError(program, cause));
    });
    child.once('exit', (code, signal) => {
      forget();
      const drained = setTimeout(() => resolve({ code, signal }), DRAIN_MS);
      child.once('close', () => {
        clearTimeout(drained);
        resolve({ code, signal });
      });
    });
  });
  // The caller may look at it late or never.
  ended.catch(() => {});
  const parts = [child, child.stdin, child.stdout, child.stderr] as unknown as readonly Partial<RefCounted>[];
  return {
    child,
    ended,
    kill,
    lastWords: (count) => lastLines(stderr, count),
    hold: (busy) => {
      for (const part of parts) {
        if (busy) part.ref?.();
        else part.unref?.();
      }
    },
  };
}

interface RefCounted {
  ref(): void;
  unref(): void;
}

function startError(program: string, cause: NodeJS.ErrnoException): UsageError {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such program (is it installed, and on the PATH?)',
    EACCES: 'it is not executable (chmod +x, or name its interpreter first)',
  };
  const reason = reasons[cause.code ?? ''] ?? cause.message;
  return new UsageError(ERROR_CODES.SCORER, `can't start "${program}": ${reason}`, { cause });
}

/** The last non-empty lines of a text, at most `count`. */
export function lastLines(text: string, count: number): string {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .slice(-count)
    .join('\n');
}

/** Says how a program ended: `exit code 3`, `killed by SIGSEGV`. */
export function describeEnd(end: ProgramEnd): string {
  return end.signal === null ? `exit code ${end.code}` : `killed by ${end.signal}`;
}
