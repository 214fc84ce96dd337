import { ERROR_CODES, TeapotError, UsageError } from '../errors.js';
import { describeEnd, startProgram } from './child-program.js';
import type { ChildProgram } from './child-program.js';
import { quote } from './pairs.js';

/** How long a program may stay silent while answers are outstanding. */
export const DEFAULT_SILENCE_MS = 300_000;

/** How long a program may take to end after its input was closed. */
const CLOSE_MS = 2000;

/** How long a program may run on after it closed its output: usually it is about to end, and its end says more. */
const OUTPUT_CLOSED_MS = 1000;

/** Size of one write to the program, in UTF-16 units. */
const CHUNK_UNITS = 65_536;

/** Output without a line end longer than this is no answer. */
const LONGEST_LINE_UNITS = 1_048_576;

/** What a {@link LineProgram} is asked at a time. */
export interface Questions {
  /** The lines to send, without line ends. */
  readonly lines: Iterable<string>;
  /** How many lines there are. */
  readonly count: number;
  /** Takes answer number `index`; returns what is wrong with it (the program is then killed), or undefined. */
  readonly take: (answer: string, index: number) => string | undefined;
  /** Names the place of question `index` in messages, for example `line 12`. */
  readonly place: (index: number) => string;
  /** Kills the program; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What went wrong with a program: it ended, it was silent for too long, or it answered wrongly. */
export type ProgramFailure = 'ended' | 'silent' | 'answer';

/** The error of a {@link LineProgram}. */
export class ProgramError extends TeapotError {
  /** What went wrong: a program that ended may be started anew, the others would do it again. */
  readonly reason: ProgramFailure;

  constructor(reason: ProgramFailure, message: string) {
    super(ERROR_CODES.SCORER, message);
    this.reason = reason;
  }
}

/** What is wrong, for the one place that makes an error of it. */
interface Complaint {
  readonly reason: ProgramFailure;
  readonly what: string;
}

/** Parameters of {@link LineProgram}. */
export interface LineProgramOptions {
  /** The subject of messages, for example `Scorer exec:python3 my_scorer.py`. */
  readonly who: string;
  /** Program and arguments. */
  readonly words: readonly [program: string, ...args: string[]];
  /** How long the program may stay silent while answers are outstanding, in milliseconds. Default 300,000. */
  readonly silenceMs?: number | undefined;
}

/**
 * A program that answers every line it reads by one line, in order. It is started at the first question, asked many times,
 * and ended by {@link LineProgram.close}.
 *
 * Input is written no faster than the program reads it. Whatever goes wrong (it can't be started, ends early, is silent, answers
 * before it is asked, says more than it is asked) becomes one `TeapotError` with `ERR_TEAPOT_SCORER`, which names the place
 * and quotes the program's last words on stderr; the program is then dead, and every later question fails with the
 * same error. While nothing is outstanding the program doesn't keep Node.js alive.
 */
export class LineProgram {
  readonly #options: LineProgramOptions;
  #program: ChildProgram | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #partial = '';
  #onLine: ((line: string) => void) | undefined;
  #surplus: string | undefined;
  #busy = false;
  #failure: { readonly error: unknown } | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: LineProgramOptions) {
    this.#options = options;
  }

  /** Asks, one call after the other: answers carry no name. */
  async ask(questions: Questions): Promise<void> {
    const turn = this.#queue.then(() => this.#converse(questions));
    this.#queue = turn.catch(() => {});
    return turn;
  }

  /**
   * Closes the program's input and waits for its end; after two seconds the program is killed. A conversation that is still going
   * on is broken off. Safe to call twice.
   *
   * @throws {TeapotError} `ERR_TEAPOT_SCORER` when every question was answered, but the program then wrote further lines
   *   or ended with an exit code other than 0: its answers can't be trusted.
   */
  async close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    const program = this.#program;
    if (program === undefined || this.#failure !== undefined) return;
    if (this.#busy) {
      program.kill();
      await program.ended.catch(() => {});
      return;
    }
    program.hold(true);
    program.child.stdin.end();
    let killed = false;
    const timer = setTimeout(() => {
      killed = true;
      program.kill();
    }, CLOSE_MS);
    const end = await program.ended.finally(() => clearTimeout(timer));
    const surplus = this.#surplus ?? (this.#partial.trim() === '' ? undefined : this.#partial);
    if (surplus !== undefined) {
      throw this.#error(program, answered(`wrote more lines than it was asked for: ${quote(surplus)}`));
    }
    if (!killed && end.code !== 0) {
      throw this.#error(program, { reason: 'ended', what: `failed at its end (${describeEnd(end)})` });
    }
  }

  async #converse(questions: Questions): Promise<void> {
    questions.signal?.throwIfAborted();
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#closed !== undefined) throw new TeapotError(ERROR_CODES.INTERNAL, `${this.#options.who} was closed`);
    if (questions.count === 0) return;
    const program = (this.#program ??= this.#start());
    this.#busy = true;
    program.hold(true);
    try {
      const complaint = await this.#answers(program, questions);
      if (complaint !== undefined) {
        program.kill();
        await program.ended;
        throw this.#error(program, complaint);
      }
    } catch (error) {
      this.#failure = { error };
      program.kill();
      await program.ended.catch(() => {});
      throw error;
    } finally {
      this.#onLine = undefined;
      this.#busy = false;
      program.hold(false);
    }
  }

  /** Sends the questions and takes the answers, both at once; resolves to what went wrong, if anything. */
  async #answers(program: ChildProgram, questions: Questions): Promise<Complaint | undefined> {
    const { count, signal } = questions;
    const silenceMs = this.#options.silenceMs ?? DEFAULT_SILENCE_MS;
    const progress = { asked: 0, open: true };
    let received = 0;
    let silence: NodeJS.Timeout | undefined;
    let abort: (() => void) | undefined;
    let closed: NodeJS.Timeout | undefined;
    let onClosed: (() => void) | undefined;
    const { stdout } = program.child;
    try {
      return await new Promise<Complaint | undefined>((resolve, reject) => {
        const where = (): string =>
          `at ${questions.place(Math.min(received, count - 1))}, after ${received} of ${count} answers`;
        silence = setTimeout(
          () =>
            resolve({
              reason: 'silent',
              what: `was silent for ${silenceMs / 1000} s ${where()}; does it write every answer out at once (flush its output)?`,
            }),
          silenceMs,
        );
        abort = () => reject(signal?.reason);
        signal?.addEventListener('abort', abort, { once: true });
        this.#onLine = (line) => {
          silence?.refresh();
          const complaint =
            lineComplaint(line) ??
            (received < progress.asked ? questions.take(line, received) : `wrote ${quote(line)} before it was asked`);
          if (complaint !== undefined) resolve(answered(`${complaint}, at ${questions.place(received)}`));
          received += 1;
          if (complaint === undefined && received < count) return;
          // What comes now was not asked for.
          this.#onLine = undefined;
          resolve(undefined);
        };
        if (this.#surplus !== undefined) {
          resolve(answered(`wrote more lines than it was asked for: ${quote(this.#surplus)}`));
        }
        program.ended.then(
          (end) => resolve({ reason: 'ended', what: `ended too early (${describeEnd(end)}) ${where()}` }),
          (cause) => reject(this.#startError(cause)),
        );
        onClosed = () => {
          const what = (): string => `closed its output and runs on, ${where()}`;
          closed = setTimeout(() => resolve({ reason: 'ended', what: what() }), OUTPUT_CLOSED_MS);
        };
        if (stdout.readableEnded) onClosed();
        else stdout.once('end', onClosed);
        write(program, questions.lines, progress).catch((cause) => reject(this.#startError(cause)));
      });
    } finally {
      progress.open = false;
      clearTimeout(silence);
      clearTimeout(closed);
      if (onClosed !== undefined) stdout.off('end', onClosed);
      if (abort !== undefined) signal?.removeEventListener('abort', abort);
    }
  }

  #start(): ChildProgram {
    // Python would otherwise keep its answers in a buffer until its input ends.
    const program = startProgram(this.#options.words, { PYTHONUNBUFFERED: '1', PYTHONIOENCODING: 'utf-8' });
    program.child.stdout.on('data', (text: string) => {
      const lines = (this.#partial + text).split('\n');
      this.#partial = lines.pop() ?? '';
      if (this.#partial.length > LONGEST_LINE_UNITS) {
        lines.push(this.#partial);
        this.#partial = '';
      }
      for (const line of lines) {
        const answer = line.endsWith('\r') ? line.slice(0, -1) : line;
        if (this.#onLine === undefined) this.#surplus ??= answer;
        else this.#onLine(answer);
      }
    });
    return program;
  }

  #startError(cause: unknown): unknown {
    if (!(cause instanceof UsageError)) return cause;
    return new UsageError(cause.code, `${this.#options.who}: ${cause.message}`, { cause });
  }

  #error(program: ChildProgram, { reason, what }: Complaint): ProgramError {
    const words = program.lastWords(5);
    const quoted = words === '' ? 'It wrote nothing to stderr.' : `Its last words on stderr:\n${words}`;
    return new ProgramError(reason, `${this.#options.who} ${what}. ${quoted}`);
  }
}

function answered(what: string): Complaint {
  return { reason: 'answer', what };
}

function lineComplaint(line: string): string | undefined {
  return line.length > LONGEST_LINE_UNITS ? `wrote ${line.length} characters without a line end` : undefined;
}

/** Writes the lines no faster than the program reads; stops when the conversation is over or the input is closed. */
async function write(
  program: ChildProgram,
  lines: Iterable<string>,
  progress: { asked: number; readonly open: boolean },
): Promise<void> {
  const { stdin } = program.child;
  let chunk = '';
  let waiting = 0;
  const send = async (): Promise<void> => {
    progress.asked += waiting;
    const text = chunk;
    chunk = '';
    waiting = 0;
    if (!stdin.write(text)) await Promise.race([drained(stdin), program.ended]);
  };
  for (const line of lines) {
    if (!progress.open || stdin.destroyed) return;
    chunk += `${line}\n`;
    waiting += 1;
    if (chunk.length >= CHUNK_UNITS) await send();
  }
  if (progress.open && waiting > 0 && !stdin.destroyed) await send();
}

async function drained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
  });
}
