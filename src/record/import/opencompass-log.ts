import { readPrinted, type Printed } from '../printed.js';
import { decodePythonBytes, PythonLiteralError } from './python-bytes.js';

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

/** A log, read. */
export interface OpenCompassLog {
  readonly runs: readonly LoggedRun[];
  readonly problems: readonly LogProblem[];
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
 * @returns the runs in the order of the file, and the lines that could not be read.
 */
export function readOpenCompassLog(lines: readonly string[]): OpenCompassLog {
  const runs: LoggedRun[] = [];
  const problems: LogProblem[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] ?? '';
    if (isBlank(line)) {
      index += 1;
    } else if (line.startsWith(RANKED)) {
      const end = endOfRanked(lines, index);
      if (end === undefined) {
        problems.push({
          line: index + 1,
          message: 'the ranking line has no ", acc: N%" at its end: the file is cut off or damaged',
        });
        index += 1;
      } else {
        const prompt = rankedPrompt(lines, index, end);
        runFor(runs, prompt).ranking.push(prompt);
        index = end + 1;
      }
    } else if (line === SKIP || line.startsWith(ORIGINAL)) {
      index = readBlock(lines, index, runs, problems);
    } else {
      problems.push({
        line: index + 1,
        message: `expected "Prompt: …", "Original prompt: …" or "${SKIP}", found ${shown(line)}`,
      });
      index += 1;
    }
  }
  return { runs, problems };
}

/** The line that ends the ranked prompt starting at `start`: it ends in a score and something known follows. */
function endOfRanked(lines: readonly string[], start: number): number | undefined {
  for (let index = start; index < lines.length; index += 1) {
    if (RANKED_END.test(lines[index] ?? '') && startsEntry(lines, index + 1)) return index;
  }
  return undefined;
}

/** Whether an entry, or the end of the file, comes at `index`, perhaps behind blank lines. */
function startsEntry(lines: readonly string[], index: number): boolean {
  let next = index;
  while (next < lines.length && isBlank(lines[next] ?? '')) next += 1;
  const line = lines[next];
  return line === undefined || line === SKIP || line.startsWith(RANKED) || line.startsWith(ORIGINAL);
}

function rankedPrompt(lines: readonly string[], start: number, end: number): RankedPrompt {
  const whole = lines.slice(start, end + 1).join('\n');
  const match = RANKED_END.exec(whole);
  const prompt = whole.slice(RANKED.length, whole.length - (match?.[0].length ?? 0));
  return { line: start + 1, prompt, score: readPrinted(match?.[1] ?? '') };
}

/** The run that a ranked prompt belongs to: the last one, or a new one. */
function runFor(runs: LoggedRun[], next: RankedPrompt): LoggedRun {
  const run = runs.at(-1);
  const last = run?.ranking.at(-1);
  const goesOn =
    run !== undefined &&
    run.attacks.length === 0 &&
    run.skipped.length === 0 &&
    (last === undefined || next.score.value <= last.score.value) &&
    run.ranking.every(({ prompt }) => prompt !== next.prompt);
  return goesOn ? run : openRun(runs, next.line);
}

function openRun(runs: LoggedRun[], line: number): LoggedRun {
  const run: LoggedRun = { line, ranking: [], attacks: [], skipped: [] };
  runs.push(run);
  return run;
}

/** Reads the block at `start` into the last run and returns the index behind it. */
function readBlock(lines: readonly string[], start: number, runs: LoggedRun[], problems: LogProblem[]): number {
  const first = lines[start] === SKIP ? start + 1 : start;
  const run = runs.at(-1) ?? openRun(runs, start + 1);
  const end = endOfPrompt(lines, first, run.ranking);
  if (end === undefined) {
    const message = `the block that starts here has no "${ATTACKED}b'…'" and "Original acc: …" lines: the file is cut off or damaged`;
    problems.push({ line: start + 1, message });
    return start + 1;
  }
  const prompt = lines.slice(first, end).join('\n').slice(ORIGINAL.length);
  const skipped = SKIPPED_SCORE.exec(lines[end] ?? '');
  if (skipped !== null) {
    run.skipped.push({ line: start + 1, prompt, score: readPrinted(skipped[1] ?? '') });
    return end + 1;
  }
  const scores = SCORES.exec(lines[end + 1] ?? '');
  const attackedPrompt = decode(lines[end] ?? '');
  if (scores === null || typeof attackedPrompt !== 'string') {
    const reason = typeof attackedPrompt === 'string' ? 'no "Original acc: …" line follows' : attackedPrompt.reason;
    problems.push({ line: end + 1, message: `attacked prompt: ${reason}` });
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

/** The index of the line behind the original prompt that starts at `first`. */
function endOfPrompt(lines: readonly string[], first: number, ranking: readonly RankedPrompt[]): number | undefined {
  if (!(lines[first] ?? '').startsWith(ORIGINAL)) return undefined;
  return endByRanking(lines, first, ranking) ?? endByForm(lines, first);
}

/** By the text of a ranked prompt; the longest that fits wins. */
function endByRanking(lines: readonly string[], first: number, ranking: readonly RankedPrompt[]): number | undefined {
  let best: number | undefined;
  for (const { prompt } of ranking) {
    const texts = `${ORIGINAL}${prompt}`.split('\n');
    const end = first + texts.length;
    const fits = texts.every((text, offset) => lines[first + offset] === text) && endsPrompt(lines[end] ?? '');
    if (fits && (best === undefined || end > best)) best = end;
  }
  return best;
}

function endsPrompt(line: string): boolean {
  return line.startsWith(`${ATTACKED}b`) || SKIPPED_SCORE.test(line);
}

/** By the form of a block: the first line that can end it, with nothing or a blank line behind. */
function endByForm(lines: readonly string[], first: number): number | undefined {
  for (let index = first + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (SKIPPED_SCORE.test(line) && isBlank(lines[index + 1] ?? '')) return index;
    if (line.startsWith(`${ATTACKED}b`) && SCORES.test(lines[index + 1] ?? '') && isBlank(lines[index + 2] ?? ''))
      return index;
  }
  return undefined;
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
