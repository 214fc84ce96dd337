import { ERROR_CODES, UsageError } from '../errors.js';

/** Words that only a shell understands; passed on as arguments they would do nothing, silently. */
const SHELL_WORDS = new Set(['|', '||', '&', '&&', ';', '<', '>', '>>', '2>', '2>&1', '|&']);

/**
 * Splits a command into program and arguments, without a shell, alike on every platform.
 *
 * Blanks (space, tab, line end) separate words. `'…'` and `"…"` keep everything between them, blanks too; `""` is an
 * empty word. A backslash before a blank, a quote or a backslash makes that character an ordinary one (inside `'…'` it
 * has no meaning); before anything else it stays, so `C:\tools\java.exe` needs no care. Nothing is
 * expanded: no variables, wildcards, pipes or redirections. Who wants those writes `sh -c '…'`.
 *
 * @param command For example `python3 "my scorer.py" --model x`.
 * @param where Names the option at the start of messages, for example `exec:` or `--java-command`.
 * @returns At least one word.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the command is empty, a quote is not closed, or an unquoted
 *   word is one that only a shell understands.
 */
export function splitCommand(command: string, where: string): [program: string, ...args: string[]] {
  const words: string[] = [];
  let word: string | undefined;
  let quoted = false;
  let quoteMark = '';
  const finish = (): void => {
    if (word === undefined) return;
    if (!quoted && SHELL_WORDS.has(word)) {
      throw invalid(`${where}: "${word}" needs a shell, and the command runs without one: write sh -c '…'`);
    }
    words.push(word);
    word = undefined;
    quoted = false;
  };
  for (let index = 0; index < command.length; index += 1) {
    const mark = command.charAt(index);
    const next = command.charAt(index + 1);
    if (mark === '\\' && quoteMark !== "'" && next !== '' && /[\s'"\\]/.test(next)) {
      word = (word ?? '') + next;
      quoted = true;
      index += 1;
    } else if (mark === quoteMark) {
      quoteMark = '';
    } else if (quoteMark !== '') {
      word = (word ?? '') + mark;
    } else if (mark === '"' || mark === "'") {
      quoteMark = mark;
      word ??= '';
      quoted = true;
    } else if (/\s/.test(mark)) {
      finish();
    } else {
      word = (word ?? '') + mark;
    }
  }
  if (quoteMark !== '') throw invalid(`${where}: the quote ${quoteMark} in \`${command}\` is not closed`);
  finish();
  const [program, ...args] = words;
  if (program === undefined || program === '') {
    throw invalid(`${where}: found no program, expected for example exec:python3 my_scorer.py`);
  }
  return [program, ...args];
}

/** A command, and how many questions it takes at a time. */
export interface BatchedCommand {
  readonly words: [program: string, ...args: string[]];
  /** Questions of a group; undefined: one at a time. */
  readonly batch: number | undefined;
}

/**
 * Splits a command that may begin with `batch=N`: the program then gets its questions in groups of at most N, each followed by an
 * empty line, and may answer a group as a whole when it reads that line.
 *
 * @param command For example `batch=32 python3 scorer.py`.
 * @throws {UsageError} As {@link splitCommand}; for an N that is no count from 1.
 */
export function splitBatchedCommand(command: string, where: string): BatchedCommand {
  const [first, ...rest] = splitCommand(command, where);
  const size = /^batch=(?<size>.*)$/su.exec(first)?.groups?.['size'];
  if (size === undefined) return { words: [first, ...rest], batch: undefined };
  const [program, ...args] = rest;
  if (program === undefined) throw invalid(`${where}: found no program after ${first}`);
  if (!/^[1-9]\d{0,5}$/u.test(size)) throw invalid(`${where}: ${first}: expected a count from 1 to 999999`);
  return { words: [program, ...args], batch: Number(size) };
}

/** The lines of questions with an empty line after each group of N, and after the last one. */
export function* inGroups(lines: Iterable<string>, batch: number | undefined): Generator<string> {
  if (batch === undefined) {
    yield* lines;
    return;
  }
  let line: string | undefined;
  let asked = 0;
  for (const next of lines) {
    // The empty line goes along with the last question of its group: it asks nothing itself.
    if (line !== undefined) yield asked % batch === 0 ? `${line}\n` : line;
    line = next;
    asked += 1;
  }
  if (line !== undefined) yield `${line}\n`;
}

function invalid(message: string): UsageError {
  return new UsageError(ERROR_CODES.INVALID_OPTION, message);
}
