/** One query of a verbose PromptBench run: the prompt that was evaluated, and its score over the data set. */
export interface LoggedCall {
  /** 1-based line of `Current prompt is:`. */
  readonly line: number;
  readonly prompt: string;
  readonly score: number;
}

/** What a verbose log tells, piece by piece. */
export type LogPiece =
  | { readonly type: 'run'; readonly line: number; readonly protectedWords: string | null }
  | { readonly type: 'call'; readonly call: LoggedCall }
  | { readonly type: 'result'; readonly line: number; readonly text: string }
  | { readonly type: 'cut-off'; readonly line: number };

const PROMPT = 'Current prompt is:  ';
const SCORE = /^Current accuracy is: {2}(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/u;
const RULE = '-'.repeat(50);
const PROTECTED = 'These words (if they appear in the prompt) are not allowed to be attacked:';
/** How a printed result begins: a dict with its first key, or the old tuple with its score. */
const RESULT = /^(?:\{\s*['"]|\(\s*-?[\d.]+(?:e[+-]?\d+)?,\s*['"])/u;

/**
 * Reads what PromptBench prints with `verbose=True`: a rule of 50 dashes, the prompt, its score and a rule again for
 * every query, and the result where the caller printed it.
 *
 * A prompt may hold line ends, and even the log's own words: its score line is the one that a rule follows.
 *
 * @param lines the lines of the log, without line ends.
 * @yields the pieces in order; a query that the end of the file cuts off is one of them.
 */
export function* readPromptBenchLog(lines: readonly string[]): Generator<LogPiece> {
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] ?? '';
    if (line.startsWith(PROMPT)) {
      const end = endOfCall(lines, index);
      const score = SCORE.exec(lines[end] ?? '')?.[1];
      if (score === undefined) {
        yield { type: 'cut-off', line: index + 1 };
        return;
      }
      const prompt = [line.slice(PROMPT.length), ...lines.slice(index + 1, end)].join('\n');
      yield { type: 'call', call: { line: index + 1, prompt, score: Number(score) } };
      index = end + 1;
    } else {
      if (line === PROTECTED) yield { type: 'run', line: index + 1, protectedWords: lines[index + 1] ?? null };
      else if (RESULT.test(line)) yield { type: 'result', line: index + 1, text: line };
      index += 1;
    }
  }
}

/** The index of the score line of the query that starts at `start`; the length where there is none. */
function endOfCall(lines: readonly string[], start: number): number {
  for (let index = start + 1; index < lines.length; index += 1) {
    const next = lines[index + 1];
    if (SCORE.test(lines[index] ?? '') && (next === undefined || next === RULE)) return index;
  }
  return lines.length;
}
