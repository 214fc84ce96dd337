import { ERROR_CODES, TeapotError, UsageError } from '../errors.js';
import { inGroups, splitBatchedCommand } from '../score/command-words.js';
import { LineProgram, ProgramError } from '../score/line-program.js';
import { quote } from '../score/pairs.js';
import { fileDigest } from '../digest.js';
import { isReportedError, readAnswer } from './read-answer.js';
import { VictimError } from './victim-error.js';
import type { FailureScope } from './victim-error.js';
import type { Answer, AnswerOptions, Victim } from './victim.js';

/** How often a program that died is started anew, in the whole run. */
const DEFAULT_RESTARTS = 3;

/** Parameters of {@link createCommandVictim}. */
export interface CommandVictimOptions {
  /** How often the program is started anew when it dies, in all. Default 3. */
  readonly restarts?: number;
  /** How long it may stay silent while answers are outstanding, in milliseconds. Default 300,000. */
  readonly silenceMs?: number | undefined;
  /** Is told when the program died and was started anew. */
  readonly onNote?: (note: string) => void;
}

/**
 * A victim that is a program, in any language.
 *
 * The program is started once, at the first question. It reads one JSON object a line, `{"input": "…"}` (and `"repeat": 1` … for
 * repeated questions), and writes one line of JSON for each, in the same order, at once (flushed): `{"output": "…"}`, if
 * it has them with `"scores": {"label": 0.9}`, or just a JSON string or number. Anything else is an error: text that is no JSON would be
 * taken for a label. For Python programs teapot sets `PYTHONUNBUFFERED=1` and `PYTHONIOENCODING=utf-8`.
 *
 * With `batch=N` in front, questions come in groups of at most N, each followed by an empty line, and the program may answer a group as a
 * whole.
 *
 * A program that dies is started anew and asked again what it has not answered, unless the same input kills it twice. One that is silent
 * for too long or answers garbage is killed, its question fails, and the next question gets a new one. All new starts together are
 * limited. `{"error": "…"}` fails the question alone; the program goes on.
 *
 * The signature covers the command and the content of the files it names, so that a cache doesn't answer for an edited program.
 *
 * @param command Program and arguments, split without a shell.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the command can't be split.
 */
export async function createCommandVictim(command: string, options: CommandVictimOptions = {}): Promise<Victim> {
  const { words, batch } = splitBatchedCommand(command, 'command:');
  const files = await Promise.all(words.map((word) => fileDigest(word)));
  return new CommandVictim(command, words, JSON.stringify(['command', words, files]), { ...options, batch });
}

/** What a {@link CommandVictim} needs. */
interface BatchedOptions extends CommandVictimOptions {
  /** Questions of a group; see `splitBatchedCommand`. */
  readonly batch: number | undefined;
}

class CommandVictim implements Victim {
  readonly kind = 'command';
  readonly name: string;
  readonly signature: string;
  readonly #words: readonly [string, ...string[]];
  readonly #options: BatchedOptions;
  #program: LineProgram | undefined;
  /** Why the last program is gone; undefined before the first one, and after an abort. */
  #failure: unknown;
  #restarts = 0;
  #closed = false;
  /** One batch after the other: a restart must not hit the questions of another batch. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(command: string, words: readonly [string, ...string[]], signature: string, options: BatchedOptions) {
    this.name = command;
    this.signature = signature;
    this.#words = words;
    this.#options = options;
  }

  async answer(inputs: readonly string[], options: AnswerOptions = {}): Promise<readonly Answer[]> {
    const turn = this.#queue.then(() => this.#answerAll(inputs, options));
    this.#queue = turn.catch(() => {});
    return turn;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#program?.close().catch((error: unknown) => {
      throw this.#asEndpointError(error, 'victim');
    });
  }

  async #answerAll(inputs: readonly string[], options: AnswerOptions): Promise<readonly Answer[]> {
    const batch: Batch = { inputs, answers: [], done: 0, problem: undefined };
    let diedAt = -1;
    while (batch.done < inputs.length) {
      options.signal?.throwIfAborted();
      const program = this.#running();
      try {
        await this.#askRest(program, batch, options);
      } catch (error) {
        this.#program = undefined;
        options.signal?.throwIfAborted();
        this.#failure = error;
        // Who can't be started will not be startable a moment later.
        if (error instanceof UsageError) this.#restarts = this.#limit;
        const isDead = error instanceof ProgramError && error.reason === 'ended' && !this.#closed;
        if (!isDead || diedAt === batch.done) throw this.#asEndpointError(error, 'input');
        diedAt = batch.done;
      }
    }
    if (batch.problem !== undefined) throw new VictimError('input', batch.problem);
    return batch.answers;
  }

  /** The program that runs, or a new one. */
  #running(): LineProgram {
    if (this.#program === undefined && this.#failure !== undefined) {
      if (this.#restarts >= this.#limit) throw this.#asEndpointError(this.#failure, 'victim');
      this.#restarts += 1;
      this.#options.onNote?.(`${this.#who} is started anew (${this.#restarts} of ${this.#limit}).`);
    }
    this.#program ??= new LineProgram({ who: this.#who, words: this.#words, silenceMs: this.#options.silenceMs });
    return this.#program;
  }

  async #askRest(program: LineProgram, batch: Batch, options: AnswerOptions): Promise<void> {
    const start = batch.done;
    const rest = batch.inputs.slice(start);
    const place = (index: number): string => `input ${start + index + 1} (${quote(rest[index] ?? '')})`;
    let unkept: { readonly cause: unknown } | undefined;
    const { signal, repeat = 0 } = options;
    const take = (line: string, index: number): string | undefined => {
      const value = parseLine(line);
      const answer = value === undefined ? notJson(line) : readAnswer(value);
      if (typeof answer === 'string' && !isReportedError(value)) return answer;
      batch.done += 1;
      if (typeof answer === 'string') {
        const problem = `${this.#who} ${answer}, at ${place(index)}.`;
        if (options.onFailure === undefined) batch.problem ??= problem;
        else options.onFailure(start + index, new VictimError('input', problem));
        return undefined;
      }
      batch.answers[start + index] = answer;
      try {
        options.onAnswer?.(start + index, answer);
        options.onProgress?.(batch.done, batch.inputs.length);
      } catch (cause) {
        // Out of a stream's event it would be nobody's error.
        unkept = { cause };
        return 'answered, but the answer could not be kept';
      }
      return undefined;
    };
    const lines = rest.map((input) => JSON.stringify(repeat > 0 ? { input, repeat } : { input }));
    try {
      await program.ask({ lines: inGroups(lines, this.#options.batch), count: rest.length, place, take, signal });
    } catch (error) {
      throw unkept === undefined ? error : unkept.cause;
    }
  }

  get #limit(): number {
    return this.#options.restarts ?? DEFAULT_RESTARTS;
  }

  get #who(): string {
    return `Victim command:${this.name}`;
  }

  #asEndpointError(error: unknown, scope: FailureScope): unknown {
    if (!(error instanceof TeapotError) || error.code !== ERROR_CODES.SCORER) return error;
    const restarted = this.#restarts === 0 ? '' : `\nIt was started anew ${this.#restarts} times before.`;
    const message = `${error.message}${restarted}`;
    if (error instanceof UsageError) return new UsageError(ERROR_CODES.ENDPOINT, message, { cause: error });
    return new VictimError(scope, message, { cause: error });
  }
}

/** The inputs of one call and what is known of them. */
interface Batch {
  readonly inputs: readonly string[];
  readonly answers: Answer[];
  /** How many lines the program answered, errors that it reported included. */
  done: number;
  /** The first error that it reported. */
  problem: string | undefined;
}

/** The value of a line of JSON, or undefined: JSON has no such value. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function notJson(line: string): string {
  return `answered ${quote(line)}, expected one line of JSON, for example {"output": "label"}`;
}
