import { readPrinted, type Printed } from '../../printed.js';
import { decodePythonBytes, PythonLiteralError } from '../common/python-bytes.js';

/** A prompt of the ranking: its score over the data set before any attack. */
export interface RankedPrompt {
  readonly line: number;
  readonly prompt: string;
  readonly score: Printed;
}

/** One attacked prompt. */
export interface LoggedAttack {
  readonly line: number;
  readonly originalPrompt: string;
  readonly attackedPrompt: string;
  readonly original: Printed;
  readonly attacked: Printed;
  readonly dropped: Printed;
}

/** A prompt that was not attacked since its score is 0. */
export interface SkippedPrompt {
  readonly line: number;
  readonly prompt: string;
  readonly score: Printed;
}

/** One run: OpenCompass appends runs to one file without a heading. */
export interface LoggedRun {
  /** The line at which it starts. */
  readonly line: number;
  readonly ranking: RankedPrompt[];
  readonly attacks: LoggedAttack[];
  readonly skipped: SkippedPrompt[];
}

/** What the parser could not read. */
export interface LogProblem {
  readonly line: number;
  readonly message: string;
}

const NUMBER = String.raw`(-?\d+(?:\.\d+)?)`;
const RANKED = 'Prompt: ';
/** The number behind the last separator: `, acc:` may occur in a prompt. */
const RANKED_END = new RegExp(`, acc: ${NUMBER}%$`, 'u');
const SKIP = 'Init acc is 0, skip this prompt';
const ORIGINAL = 'Original prompt: ';
const ATTACKED = 'Attacked prompt: ';
const SCORES = new RegExp(`^Original acc: ${NUMBER}%, attacked acc: ${NUMBER}%, dropped acc: ${NUMBER}%[ \t]*$`, 'u');
const SKIPPED_SCORE = new RegExp(`^Original acc: ${NUMBER}%[ \t]*$`, 'u');

/**
 * Reads an `attacklog.txt` of OpenCompass: a ranking of prompts, then a block for each attacked or skipped prompt, for
 * every run that was appended.
 *
 * The format writes prompts with their line ends and has no quoting, so a prompt may hold the log's own words. What
 * decides: in the ranking, the last `, acc:` of a line that a known beginning follows; in the blocks, the text of a ranked
 * prompt, and only for a prompt that was never ranked the first line that reads like the end of a block.
 *
 * A new run starts where a ranking follows a block, repeats a prompt, or rises: OpenCompass ranks every prompt once, in
 * descending order of score.
 *
 * @param lines the lines of the file, without line ends.
 * @param onProblem called for each line that can't be read; when it returns, reading goes on.
 * @param onOddity called for each block that was read but may be several, or is not written as the tool does.
 * @returns the runs in the order of the file.
 */
export function readOpenCompassLog(
  lines: readonly string[],
  onProblem: (problem: LogProblem) => void,
  onOddity: (problem: LogProblem) => void = () => {},
): LoggedRun[] {
  return new LogReader(lines, onProblem, onOddity).read();
}

/** Reads one file; every line is looked at a few times at most, whatever the file holds. */
class LogReader {
  readonly #lines: readonly string[];
  readonly #runs: LoggedRun[] = [];
  readonly #onProblem: (problem: LogProblem) => void;
  readonly #onOddity: (problem: LogProblem) => void;
  /** Ranked prompts of the last run, by the first line that a block with them has. */
  #ranked = new Map<string, (readonly string[])[]>();
  #rankedTexts = new Set<string>();
  /** From here on no line ends a ranked prompt, or a block: it need not be looked for again. */
  #noRankedEnd = Infinity;
  #noBlockEnd = Infinity;

  constructor(
    lines: readonly string[],
    onProblem: (problem: LogProblem) => void,
    onOddity: (problem: LogProblem) => void,
  ) {
    this.#lines = lines;
    this.#onProblem = onProblem;
    this.#onOddity = onOddity;
  }

  read(): LoggedRun[] {
    let index = 0;
    while (index < this.#lines.length) {
      const line = this.#lines[index] ?? '';
      if (isBlank(line)) index += 1;
      else if (line.startsWith(RANKED)) index = this.#readRanked(index);
      else if (line === SKIP || line.startsWith(ORIGINAL)) index = this.#readBlock(index);
      else {
        this.#problem(index, `expected "Prompt: …", "Original prompt: …" or "${SKIP}", found ${shown(line)}`);
        index += 1;
      }
    }
    return this.#runs;
  }

  #readRanked(start: number): number {
    const end = this.#endOfRanked(start);
    if (end === undefined) {
      this.#problem(start, 'the ranking line has no ", acc: N%" at its end: the file is cut off or damaged');
      return start + 1;
    }
    const whole = this.#lines.slice(start, end + 1).join('\n');
    const match = RANKED_END.exec(whole);
    const prompt = whole.slice(RANKED.length, whole.length - (match?.[0].length ?? 0));
    const ranked = { line: start + 1, prompt, score: readPrinted(match?.[1] ?? '') };
    this.#runFor(ranked).ranking.push(ranked);
    this.#rankedTexts.add(prompt);
    const texts = `${ORIGINAL}${prompt}`.split('\n');
    const sameStart = this.#ranked.get(texts[0] ?? '') ?? [];
    this.#ranked.set(texts[0] ?? '', [...sameStart, texts]);
    return end + 1;
  }

  /** The line that ends the ranked prompt starting at `start`: it ends in a score and something known follows. */
  #endOfRanked(start: number): number | undefined {
    if (start >= this.#noRankedEnd) return undefined;
    for (let index = start; index < this.#lines.length; index += 1) {
      if (RANKED_END.test(this.#lines[index] ?? '') && startsEntry(this.#lines, index + 1)) return index;
    }
    this.#noRankedEnd = start;
    return undefined;
  }

  /** The run that a ranked prompt belongs to: the last one, or a new one. */
  #runFor(next: RankedPrompt): LoggedRun {
    const run = this.#runs.at(-1);
    const last = run?.ranking.at(-1);
    const goesOn =
      run !== undefined &&
      run.attacks.length === 0 &&
      run.skipped.length === 0 &&
      (last === undefined || next.score.value <= last.score.value) &&
      !this.#rankedTexts.has(next.prompt);
    return goesOn ? run : this.#openRun(next.line);
  }

  #openRun(line: number): LoggedRun {
    const run: LoggedRun = { line, ranking: [], attacks: [], skipped: [] };
    this.#runs.push(run);
    this.#ranked = new Map();
    this.#rankedTexts = new Set();
    return run;
  }

  /** Reads the block at `start` into the last run and returns the index behind it. */
  #readBlock(start: number): number {
    const lines = this.#lines;
    const first = lines[start] === SKIP ? start + 1 : start;
    const run = this.#runs.at(-1) ?? this.#openRun(start + 1);
    if (this.#readOneLine(first, run)) return first + 2;
    const end = this.#endOfPrompt(first);
    if (end === undefined) {
      const what = `the block that starts here has no "${ATTACKED}b'…'" and "Original acc: …" lines`;
      this.#problem(start, `${what}: the file is cut off or damaged`);
      return start + 1;
    }
    const prompt = lines.slice(first, end).join('\n').slice(ORIGINAL.length);
    const inner = lines.slice(first + 1, end).findIndex(startsBlockPart);
    if (inner >= 0) {
      const message = `the prompt that starts at line ${first + 1} holds this line, which reads like another block: it may be several`;
      this.#onOddity({ line: first + 2 + inner, message });
    }
    const skipped = SKIPPED_SCORE.exec(lines[end] ?? '');
    if (skipped !== null) {
      run.skipped.push({ line: start + 1, prompt, score: readPrinted(skipped[1] ?? '') });
      return end + 1;
    }
    const scores = SCORES.exec(lines[end + 1] ?? '');
    const attackedPrompt = decode(lines[end] ?? '');
    if (scores === null || typeof attackedPrompt !== 'string') {
      const reason = typeof attackedPrompt === 'string' ? 'no "Original acc: …" line follows' : attackedPrompt.reason;
      this.#problem(end, `attacked prompt: ${reason}`);
      return scores === null ? end + 1 : end + 2;
    }
    const [, original = '', attacked = '', dropped = ''] = scores;
    run.attacks.push({
      line: start + 1,
      originalPrompt: prompt,
      attackedPrompt,
      original: readPrinted(original),
      attacked: readPrinted(attacked),
      dropped: readPrinted(dropped),
    });
    return end + 2;
  }

  /** Reads a block whose two prompts stand on one line, where only the scores on the next line leave no doubt. */
  #readOneLine(first: number, run: LoggedRun): boolean {
    const line = this.#lines[first] ?? '';
    const at = line.startsWith(ORIGINAL) ? line.lastIndexOf(` ${ATTACKED}b`) : -1;
    const scores = at < 0 ? null : SCORES.exec(this.#lines[first + 1] ?? '');
    if (scores === null || this.#endByRanking(first) !== undefined) return false;
    const attackedPrompt = decode(line.slice(at + 1));
    if (typeof attackedPrompt !== 'string') return false;
    const [, original = '', attacked = '', dropped = ''] = scores;
    run.attacks.push({
      line: first + 1,
      originalPrompt: line.slice(ORIGINAL.length, at),
      attackedPrompt,
      original: readPrinted(original),
      attacked: readPrinted(attacked),
      dropped: readPrinted(dropped),
    });
    this.#onOddity({ line: first + 1, message: 'original and attacked prompt stand on one line; each was read' });
    return true;
  }

  /** The index of the line behind the original prompt that starts at `first`. */
  #endOfPrompt(first: number): number | undefined {
    if (!(this.#lines[first] ?? '').startsWith(ORIGINAL)) return undefined;
    return this.#endByRanking(first) ?? this.#endByForm(first);
  }

  /** By the text of a ranked prompt; the longest that fits wins. */
  #endByRanking(first: number): number | undefined {
    let best: number | undefined;
    for (const texts of this.#ranked.get(this.#lines[first] ?? '') ?? []) {
      const end = first + texts.length;
      const fits = texts.every((text, offset) => this.#lines[first + offset] === text);
      if (fits && endsPrompt(this.#lines[end] ?? '') && (best === undefined || end > best)) best = end;
    }
    return best;
  }

  /** By the form of a block: the first line that can end it, with nothing or a blank line behind. */
  #endByForm(first: number): number | undefined {
    if (first >= this.#noBlockEnd) return undefined;
    for (let index = first + 1; index < this.#lines.length; index += 1) {
      if (endsBlock(this.#lines, index)) return index;
    }
    this.#noBlockEnd = first;
    return undefined;
  }

  #problem(index: number, message: string): void {
    this.#onProblem({ line: index + 1, message });
  }
}

/** Whether an entry, or the end of the file, comes at `index`, perhaps behind blank lines. */
function startsEntry(lines: readonly string[], index: number): boolean {
  let next = index;
  while (next < lines.length && isBlank(lines[next] ?? '')) next += 1;
  const line = lines[next];
  return line === undefined || line === SKIP || line.startsWith(RANKED) || line.startsWith(ORIGINAL);
}

function endsPrompt(line: string): boolean {
  return line.startsWith(`${ATTACKED}b`) || SKIPPED_SCORE.test(line);
}

/** Whether a line inside of a prompt reads like a part of a block of its own. */
function startsBlockPart(line: string): boolean {
  return line === SKIP || line.startsWith(ORIGINAL) || line.startsWith(`${ATTACKED}b`) || SCORES.test(line);
}

function endsBlock(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? '';
  if (SKIPPED_SCORE.test(line)) return isBlank(lines[index + 1] ?? '');
  return line.startsWith(`${ATTACKED}b`) && SCORES.test(lines[index + 1] ?? '') && isBlank(lines[index + 2] ?? '');
}

function decode(line: string): string | { readonly reason: string } {
  try {
    const { text, end } = decodePythonBytes(line, ATTACKED.length);
    return isBlank(line.slice(end))
      ? text
      : { reason: `unexpected text behind the bytes literal: ${shown(line.slice(end))}` };
  } catch (error) {
    if (error instanceof PythonLiteralError) return { reason: error.message };
    throw error;
  }
}

function isBlank(line: string): boolean {
  return /^[ \t\r]*$/u.test(line);
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
