import { ERROR_CODES, UsageError } from '../errors.js';
import { readList } from '../read/list.js';
import { quote } from '../score/pairs.js';
import { digest } from '../digest.js';
import { readAnswer } from './read-answer.js';
import { VictimError } from './victim-error.js';
import type { Answer, AnswerOptions, Victim } from './victim.js';

/** The longest recording, in code units: it is held in memory. */
const LONGEST_RECORDING = 4 * 1024 * 1024 * 1024;

/**
 * Loads a victim that gives recorded answers.
 *
 * The file is JSONL: `{"input": "…", "output": "…"}`, with `scores`, `usage` and `repeat` (default 0) where they
 * were recorded; other fields are passed over, so are blank lines. `recordAnswers` writes such files. A `.gz` or `.zst` is
 * decompressed. An input that the file doesn't hold is an error of the question, not of the file.
 *
 * @param path The file; its content is part of the signature.
 * @throws {UsageError} `ERR_TEAPOT_READ` when it can't be opened; `ERR_TEAPOT_FORMAT` with file and line when a line is no such
 *   object or gives an input another answer than an earlier line; `ERR_TEAPOT_EMPTY_INPUT` when it holds no answer.
 */
export async function loadReplayVictim(path: string): Promise<Victim> {
  const recorded = new Map<string, { readonly answer: Answer; readonly line: number }>();
  for await (const lines of readList(path, 'recorded answers', { mostUnits: LONGEST_RECORDING })) {
    for (const { text, line } of lines) {
      if (text.trim() === '') continue;
      const { key, answer } = readRow(text, `${path}:${line}`);
      const earlier = recorded.get(key);
      if (earlier !== undefined && JSON.stringify(earlier.answer) !== JSON.stringify(answer)) {
        throw new UsageError(
          ERROR_CODES.FORMAT,
          `${path}:${line}: another answer to the same input stands in line ${earlier.line}; ` +
            'one of them must go, or be told apart by "repeat": 1',
        );
      }
      recorded.set(key, { answer, line: earlier?.line ?? line });
    }
  }
  if (recorded.size === 0) {
    throw new UsageError(
      ERROR_CODES.EMPTY_INPUT,
      `${path} holds no answer, expected lines {"input": "…", "output": "…"}`,
    );
  }
  return {
    kind: 'replay',
    isFree: true,
    name: path,
    signature: JSON.stringify(['replay', digest([...recorded].map(([key, { answer }]) => [key, answer]))]),
    async answer(inputs: readonly string[], options: AnswerOptions = {}): Promise<readonly Answer[]> {
      options.signal?.throwIfAborted();
      return inputs.map((input, index) => {
        const found = recorded.get(rowKey(input, options.repeat ?? 0))?.answer;
        if (found === undefined) throw missing(path, input, options.repeat ?? 0);
        options.onAnswer?.(index, found);
        options.onProgress?.(index + 1, inputs.length);
        return found;
      });
    },
  };
}

function rowKey(input: string, repeat: number): string {
  return `${repeat} ${input}`;
}

function readRow(text: string, place: string): { readonly key: string; readonly answer: Answer } {
  let row: unknown;
  try {
    row = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(ERROR_CODES.FORMAT, `${place}: found ${quote(text)}, expected {"input": "…", "output": "…"}`, {
      cause,
    });
  }
  const { input, repeat = 0 } = Object(row) as { readonly input?: unknown; readonly repeat?: unknown };
  if (typeof input !== 'string') {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${place}: "input" is missing or no text, expected {"input": "…", "output": "…"}`,
    );
  }
  if (!Number.isSafeInteger(repeat) || (repeat as number) < 0) {
    throw new UsageError(
      ERROR_CODES.FORMAT,
      `${place}: "repeat" is ${JSON.stringify(repeat)}, expected a count from 0`,
    );
  }
  const answer = readAnswer(row);
  if (typeof answer === 'string') throw new UsageError(ERROR_CODES.FORMAT, `${place}: the recorded model ${answer}`);
  return { key: rowKey(input, repeat as number), answer };
}

function missing(path: string, input: string, repeat: number): VictimError {
  return new VictimError(
    'victim',
    `${path} holds no answer to ${quote(input)}${repeat > 0 ? `, repeat ${repeat}` : ''}: ` +
      'add a line {"input": "…", "output": "…"} with it, or record the whole run anew',
  );
}
