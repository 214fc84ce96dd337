import { isRelativeDecreaseDefined, relativeDecrease } from '../measure/relative-decrease.js';
import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import type { Scorer } from '../score/scorer.js';
import { answerAll } from '../victim/answer-all.js';
import type { Answer, Victim } from '../victim/victim.js';
import type { Judge, Verdict } from './asking.js';
import { countWords, nativeWords } from './candidate-source.js';
import type { InputColumns } from './input-columns.js';
import { nonAnswerRule } from './non-answers.js';
import type { NonAnswerOptions } from './non-answers.js';

/** What an attack on an input wants. */
export const GOALS = [
  'untargeted',
  'targeted',
  'input-reduction',
  'non-overlapping-output',
  'minimise-metric',
  'maximise-d-tgt',
] as const;

/** One of {@link GOALS}. */
export type GoalName = (typeof GOALS)[number];

/** A goal and its parameters. */
export interface Goal {
  readonly name: GoalName;
  /** `targeted`: the label that the victim shall give. */
  readonly target?: string | undefined;
  /** `minimise-metric`, `maximise-d-tgt`: what compares outputs with the reference. */
  readonly scorer?: Scorer | undefined;
  /**
   * `minimise-metric`: reached when the score is not above it; `maximise-d-tgt`: when d_tgt is not below it; `untargeted`: when 1 −
   * p(label) is not below it, instead of when the output is another label. A fraction.
   */
  readonly threshold?: number | undefined;
}

/** One input under attack. */
export interface AttackedInput {
  /** What the victim is asked. */
  readonly text: string;
  /** The texts that `text` is joined of, for an input of several columns. */
  readonly columns?: InputColumns | undefined;
  /** The right label, or reference texts; without one, the victim's own answer to the original takes its place. */
  readonly ref?: string | readonly string[] | undefined;
}

/**
 * Checks the name of a goal.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION`, with the nearest name.
 */
export function goalName(name: string): GoalName {
  const known = GOALS.find((goal) => goal === name);
  if (known !== undefined) return known;
  throw new UsageError(
    ERROR_CODES.INVALID_OPTION,
    `the option \`goal\` ${name}: no such goal.${didYouMean(name, GOALS)} Expected one of ${GOALS.join(', ')}`,
  );
}

/**
 * Makes the judge of one input: it asks the victim and says how far each answer serves the goal.
 *
 * | goal | score | reached |
 * | --- | --- | --- |
 * | `untargeted` | 1 − p(label), or 1 and 0 where the victim gives no probabilities | the output is another label |
 * | `targeted` | p(target), or 1 and 0 | the output is the target; an input whose label is the target has nothing to reach |
 * | `input-reduction` | share of words removed + p(label) / number of words while the label stays; 0 otherwise | one word is left (words of the word rule: punctuation is none) |
 * | `non-overlapping-output` | share of the reference's words that the output has not at the same place, of those that both have | 1: no word is at its place |
 * | `minimise-metric` | 1 − score(output, reference) | score ≤ threshold (0) |
 * | `maximise-d-tgt` | d_tgt, 0 when the base score is 0 | d_tgt ≥ threshold (1) |
 *
 * The label is that of the data (with several references any of them is right); without one, the victim's own answer to the
 * original. The first text that a judge sees must be the original: every search asks that first. There, input reduction of a wrong
 * answer and a decrease from a base score of 0 are said to be pointless. Answers that are none reach no goal, see {@link nonAnswerRule}.
 *
 * Source: TextAttack 0.3.11 `goal_functions` for the first four; Michel et al. 2019 for d_tgt.
 */
export function judgeOf(input: AttackedInput, victim: Victim, goal: Goal, options: NonAnswerOptions = {}): Judge {
  const judged = new InputJudge(input, goal);
  const rule = nonAnswerRule(options);
  let isFirst = true;
  return async (texts, run) => {
    const answers = await answerAll(victim, texts, run);
    const verdicts = await judged.verdicts(texts, answers, run.signal);
    const hasOriginal = isFirst;
    isFirst = false;
    return answers.map((answer, index) => rule(verdicts[index] ?? NO_VERDICT, answer, hasOriginal && index === 0));
  };
}

const NO_VERDICT: Verdict = { score: 0, reached: false };

class InputJudge {
  readonly #input: AttackedInput;
  readonly #goal: Goal;
  #references: readonly string[] | undefined;
  #base: number | undefined;
  /** Words of the original. */
  #words = 0;
  #hasBegun = false;

  constructor(input: AttackedInput, goal: Goal) {
    this.#input = input;
    this.#goal = goal;
  }

  async verdicts(
    texts: readonly string[],
    answers: readonly Answer[],
    signal: AbortSignal | undefined,
  ): Promise<readonly Verdict[]> {
    const { ref } = this.#input;
    const own = answers[0]?.output ?? '';
    this.#references ??= ref === undefined ? [own] : [ref].flat();
    const { name } = this.#goal;
    if (name === 'minimise-metric' || name === 'maximise-d-tgt') return this.#measured(answers, signal);
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    const counts = name === 'input-reduction' ? countWords(texts) : [];
    if (isFirst) this.#words = counts[0] ?? 0;
    return answers.map((answer, index) => this.#classified(counts[index] ?? 0, answer, isFirst && index === 0));
  }

  #classified(words: number, answer: Answer, isOriginal: boolean): Verdict {
    const { output } = answer;
    const labels = this.#references ?? [];
    const isRight = labels.includes(output);
    const probability = (of: string): number => answer.scores?.[of] ?? (output === of ? 1 : 0);
    const right = Math.max(0, ...labels.map(probability));
    switch (this.#goal.name) {
      case 'targeted': {
        const target = this.#goal.target ?? '';
        const served = isOriginal && labels.includes(target) ? { pointless: 'the label is the target' } : {};
        return { score: probability(target), reached: output === target, output, ...served };
      }
      case 'input-reduction': {
        const before = this.#words;
        const removed = before === 0 ? 0 : Math.max(0, before - words) / before;
        const score = isRight && before > 0 ? Math.min(1, removed + right / before) : 0;
        const wrong = isOriginal && !isRight ? { pointless: 'the answer to the original is not the label' } : {};
        return { score, reached: isRight && words <= 1, output, ...wrong };
      }
      case 'non-overlapping-output': {
        const score = Math.min(...labels.map((label) => shareDiffering(output, label)));
        return { score, reached: score === 1, output };
      }
      default: {
        const score = 1 - right;
        const { threshold } = this.#goal;
        // With a threshold the label has to lose so much; without one, to another label.
        return { score, reached: threshold === undefined ? !isRight : score >= threshold, output };
      }
    }
  }

  async #measured(answers: readonly Answer[], signal: AbortSignal | undefined): Promise<readonly Verdict[]> {
    const { scorer, name, threshold } = this.#goal;
    const references = this.#references ?? [];
    if (scorer === undefined)
      throw new UsageError(ERROR_CODES.INVALID_OPTION, `the option \`goal\` ${name} needs the option \`sTgt\``);
    const outputs = answers.map(({ output }) => output);
    const scores = await scorer.score(
      outputs,
      outputs.map(() => references),
      signal === undefined ? {} : { signal },
    );
    const isFirst = this.#base === undefined;
    const base = this.#base ?? scores[0] ?? 0;
    this.#base = base;
    return outputs.map((output, index) => {
      const score = scores[index] ?? 0;
      if (name === 'minimise-metric') return { score: 1 - score, reached: score <= (threshold ?? 0), output };
      const decrease = relativeDecrease(base, score);
      const verdict = { score: decrease, reached: decrease >= (threshold ?? 1), output };
      if (!isFirst || index > 0 || isRelativeDecreaseDefined(base)) return verdict;
      return Object.assign(verdict, { pointless: 'the base score is 0: d_tgt stays 0' });
    });
  }
}

/**
 * Seq2Sick's score (TextAttack 0.3.11, `NonOverlappingOutput`): words that differ at the same place, among as many as the shorter text has,
 * as a share of the reference's words. 0 when one has none.
 */
function shareDiffering(output: string, reference: string): number {
  const [left = [], right = []] = [output, reference].map((text) => wordsOf()(text).map((word) => word.text));
  const common = Math.min(left.length, right.length);
  let differing = 0;
  for (let place = 0; place < common; place += 1) if (left[place] !== right[place]) differing += 1;
  return right.length === 0 ? 0 : differing / right.length;
}

let words: ReturnType<typeof nativeWords> | undefined;

function wordsOf(): ReturnType<typeof nativeWords> {
  words ??= nativeWords();
  return words;
}
