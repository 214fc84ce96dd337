import { strip } from '../read/whitespace.js';
import { clampScore, quote, scoreComplaint } from './pairs.js';
import { DECIMAL } from './parameters.js';

const SEGMENT_LINE = /^Segment (\d+) score:(.*)$/s;

/**
 * Reads one line of METEOR's output, strictly: Java prints small numbers as `9.1E-4` and may print `NaN`, and a reader that skips
 * what it doesn't know gives the scores to the wrong lines.
 *
 * @param line A line of standard output, without its line end.
 * @param received How many segments were read before it.
 * @param count How many segments METEOR was given.
 * @returns The score of segment number `received + 1`; undefined when the line is no segment line (headers, system
 *   scores); or what is wrong, as the end of a sentence that begins with METEOR.
 */
export function readSegmentLine(line: string, received: number, count: number): number | string | undefined {
  const match = SEGMENT_LINE.exec(line);
  if (match === null) return line.startsWith('Segment ') ? `printed ${quote(line)}` : undefined;
  const [, segment = '', rest = ''] = match;
  const text = strip(rest);
  if (Number(segment) !== received + 1 || received >= count) {
    return `printed the score of segment ${segment}, expected ${received < count ? `segment ${received + 1}` : `the end after ${count} segments`}`;
  }
  const value = Number(text);
  const complaint = DECIMAL.test(text) ? scoreComplaint(value) : `found ${quote(text)}, expected a number from 0 to 1`;
  return complaint === undefined ? clampScore(value) : `gave no score to segment ${segment}: ${complaint}`;
}
