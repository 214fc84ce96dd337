import { setImmediate as nextTurn } from 'node:timers/promises';

import { ERROR_CODES, UsageError } from '../errors.js';
import type { Answer, AnswerOptions, Victim } from './victim.js';

/** Pairs of labels (negative, positive) that data sets of sentiment use. */
const KNOWN_LABELS: readonly (readonly [negative: string, positive: string])[] = [
  ['negative', 'positive'],
  ['0', '1'],
  ['neg', 'pos'],
  ['bad', 'good'],
  ['-1', '1'],
];

/**
 * Longer words are cut to their first 256 code points. None in the lexicon is as long, and the package's time grows with the cube of a
 * run of capitals (1,600 of them: a second; 10,000 would be minutes).
 */
const LONG_WORD = /(\S{256})\S+/gu;

/** Texts between two looks at the signal; a sentence takes about a quarter of a millisecond. */
const TEXTS_PER_TURN = 32;

/**
 * The default victim: sentiment by the VADER lexicon (Hutto & Gilbert 2014), in the process, without model, server or key.
 *
 * With VADER's compound valence `c` in [−1, 1], P(positive) = (1 + c) / 2 and P(negative) = 1 − P(positive); the output is the
 * label with the larger one. A text without a word of the lexicon has 0.5 for both and is called negative: on the sentiment
 * data of the TEAPOT paper that is right more often (accuracy .659, against .625 for positive).
 *
 * The labels come from the name (`lexicon:bad,good`, negative first), or else from the labels of the data, where they are one of
 * the known pairs negative/positive, 0/1, neg/pos, bad/good, −1/1 in any letter case, or else are `negative` and `positive`. So data with
 * labels 0 and 1 are attacked as they are.
 *
 * @param name Two labels with a comma between them; empty or `vader`: as above.
 * @param labels The labels of the data, in any order; an empty list is no knowledge.
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the name is no pair of labels, or the labels of the data are none of
 *   the known pairs.
 */
export function createLexiconVictim(name: string, labels: readonly string[] = []): Victim {
  const [negative, positive] = chooseLabels(name, labels);
  return {
    kind: 'lexicon',
    name: 'vader',
    isFree: true,
    signature: JSON.stringify(['lexicon', 'vader-sentiment 1.1', negative, positive]),
    async answer(inputs: readonly string[], options: AnswerOptions = {}): Promise<readonly Answer[]> {
      const { SentimentIntensityAnalyzer: analyzer } = await import('vader-sentiment');
      const answers: Answer[] = [];
      for (const [index, input] of inputs.entries()) {
        if (index > 0 && index % TEXTS_PER_TURN === 0) await nextTurn();
        options.signal?.throwIfAborted();
        const probability = (1 + analyzer.polarity_scores(input.replaceAll(LONG_WORD, '$1')).compound) / 2;
        const answer: Answer = {
          output: probability > 0.5 ? positive : negative,
          scores: { [negative]: 1 - probability, [positive]: probability },
        };
        options.onAnswer?.(index, answer);
        answers.push(answer);
        options.onProgress?.(answers.length, inputs.length);
      }
      return answers;
    },
  };
}

function chooseLabels(name: string, labels: readonly string[]): readonly [negative: string, positive: string] {
  if (name !== '' && name !== 'vader') {
    const [negative = '', positive = '', ...more] = name.split(',').map((label) => label.trim());
    if (negative === '' || positive === '' || negative === positive || more.length > 0) {
      throw new UsageError(
        ERROR_CODES.INVALID_OPTION,
        `the option \`model\` lexicon:${name}: expected two different labels, the negative one first, for example lexicon:0,1`,
      );
    }
    return [negative, positive];
  }
  const distinct = [...new Set(labels)];
  if (distinct.length === 0) return ['negative', 'positive'];
  for (const pair of KNOWN_LABELS) {
    const spelled = pair.map((label) => distinct.find((one) => one.toLowerCase() === label));
    const [negative = pair[0], positive = pair[1]] = spelled;
    const fitting = spelled.filter((label) => label !== undefined).length;
    if (fitting === distinct.length) return [negative, positive];
  }
  throw new UsageError(
    ERROR_CODES.INVALID_OPTION,
    `The lexicon victim knows negative and positive only, and can't tell which is which of the labels ` +
      `${distinct
        .slice(0, 5)
        .map((label) => JSON.stringify(label))
        .join(', ')}${distinct.length > 5 ? ', …' : ''}: ` +
      'name them, the negative one first (the option `model` lexicon:0,1), or attack another model',
  );
}
