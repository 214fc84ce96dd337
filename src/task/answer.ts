import { ERROR_CODES, UsageError } from '../errors.js';
import { firstOption } from './first-option.js';
import { labelAnswer } from './label-answer.js';

/** How the answer is taken out of what a model says. */
export const ANSWER_RULES = ['cls', 'first_option', 'number', 'span', 'text', 'pattern'] as const;

/** One of {@link ANSWER_RULES}. */
export type AnswerRule = (typeof ANSWER_RULES)[number];

/** A rule and what it needs. */
export interface AnswerExtraction {
  /**
   * - `cls`: one of the labels, see {@link labelAnswer};
   * - `first_option`: the letter of an option, see {@link firstOption};
   * - `number`: the number behind the last "answer", else the last number, without separators of thousands;
   * - `span`: the whole text without tokens of the model and without "The answer is"; "unanswerable" is the empty answer;
   * - `text`: the whole text, trimmed;
   * - `pattern`: the first group (or all) of the first match of a regular expression.
   */
  readonly rule: AnswerRule;
  /** `cls` and `first_option`: the labels or letters. */
  readonly labels: readonly string[];
  /** `pattern`: the regular expression. */
  readonly pattern?: string | undefined;
}

/** Tokens that a model's tokenizer may leave in its output. */
const MODEL_TOKENS = /<pad>|<\/?s>|<\|[a-z_]+\|>/gu;
const NUMBER = /[-+−]?\d[\d,]*(?:\.\d+)?(?:\s*\/\s*\d+)?/gu;

/**
 * Makes the function that takes the answer out of an output.
 *
 * @returns A function that gives the answer, or null when the output holds none: such an output is counted as unparsed and is
 *   wrong for the metric, never a guess.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the rule lacks its labels or its pattern is no regular expression.
 */
export function answerReader(extraction: AnswerExtraction): (output: string) => string | null {
  const { rule, labels, pattern } = extraction;
  if ((rule === 'cls' || rule === 'first_option') && labels.length === 0) {
    throw new UsageError(ERROR_CODES.INVALID_OPTION, `the answer rule ${rule} needs labels: list them under "labels"`);
  }
  switch (rule) {
    case 'cls':
      return (output) => labelAnswer(withoutTokens(output), labels);
    case 'first_option':
      return (output) => firstOption(withoutTokens(output), labels);
    case 'number':
      return (output) => numberAnswer(withoutTokens(output));
    case 'span':
      return (output) => spanAnswer(withoutTokens(output));
    case 'text':
      return (output) => withoutTokens(output).trim();
    default:
      return patternReader(pattern);
  }
}

function withoutTokens(output: string): string {
  return output.replaceAll(MODEL_TOKENS, '');
}

/**
 * A number as it is compared: no separators of thousands, no plus, no zeros at the end of the fraction, no fraction bar with spaces.
 *
 * @returns null when the text holds no number.
 */
export function numberAnswer(output: string): string | null {
  const behind = [...output.matchAll(/answer(?:\s+is)?\s*[:=]?/giu)].at(-1);
  const tail = behind === undefined ? '' : output.slice(behind.index + behind[0].length);
  const found = NUMBER.exec(tail)?.[0] ?? output.match(NUMBER)?.at(-1);
  NUMBER.lastIndex = 0;
  if (found === undefined) return null;
  const plain = found.replaceAll('−', '-').replaceAll(/[,\s+]/gu, '');
  if (plain.includes('/')) return plain;
  const value = Number(plain);
  return Number.isSafeInteger(value) || plain.includes('.') ? String(value === 0 ? 0 : value) : plain;
}

function spanAnswer(output: string): string {
  const text = output.trim().replace(/^(?:the\s+)?answer(?:\s+is|\s*:)\s*:?\s*/iu, '');
  return /^["'*]*unanswerable["'*.]*$/iu.test(text) ? '' : text;
}

function patternReader(pattern: string | undefined): (output: string) => string | null {
  if (pattern === undefined) {
    throw new UsageError(ERROR_CODES.INVALID_OPTION, 'the answer rule pattern needs a regular expression: "pattern"');
  }
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, 'u');
  } catch (cause) {
    throw new UsageError(ERROR_CODES.INVALID_OPTION, `the pattern ${pattern} is no regular expression`, { cause });
  }
  return (output) => {
    const match = expression.exec(output);
    return match === null ? null : (match[1] ?? match[0]);
  };
}
