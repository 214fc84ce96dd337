import { describe, expect, test } from 'vitest';

import { answerReader } from '../../src/task/answer.js';

const cls = (labels: readonly string[]) => answerReader({ rule: 'cls', labels });

describe('cls', () => {
  // B64: PromptBench maps what it can't read to −1, so that accuracy falls to 0 and the first mutated prompt looks perfect.
  test.each([
    ['Good.', 'good'],
    ['**good**', 'good'],
    ['The answer is bad', 'bad'],
    ['not bad', null],
    ['good or bad', null],
    ['', null],
    ['It is good/bad', null],
    ["It isn't good", null],
    ['This is not a good film.', null],
    ['The film is good, but the end is bad.', 'bad'],
    ['<pad> Good</s>', 'good'],
    ['goodness', null],
    ['GOOD!', 'good'],
    ['I would call it good, since the actors shine.', 'good'],
    ['Good at first, bad later, who knows', null],
    ["'good'", 'good'],
  ])('%s', (output, answer) => {
    expect(cls(['good', 'bad'])(output)).toBe(answer);
  });

  test.each([
    ['not_entailment', 'not_entailment'],
    ['Not entailment.', 'not_entailment'],
    ['not-entailment', 'not_entailment'],
    ['entailment', 'entailment'],
    ['The answer is not entailment', 'not_entailment'],
  ])('labels inside of labels: %s', (output, answer) => {
    expect(cls(['entailment', 'not_entailment'])(output)).toBe(answer);
  });

  test('a rule without its labels is refused', () => {
    expect(() => cls([])).toThrow('needs labels');
  });
});

test.each([
  ['B', 'B'],
  ['(c)', 'C'],
  ['The answer is (B).', 'B'],
  ['Answer: D', 'D'],
  ['option A', 'A'],
  ['B. Because of the rain', 'B'],
  ['I think (C) fits best', 'C'],
  ['A good question has no answer', null],
  ['The answer is a secret', null],
  ['**B**', 'B'],
  ['', null],
])('first_option: %s', (output, answer) => {
  expect(answerReader({ rule: 'first_option', labels: ['A', 'B', 'C', 'D'] })(output)).toBe(answer);
});

test.each([
  ['The answer is 42.', '42'],
  ['3 + 4 = 7', '7'],
  ['1,234.50 litres', '1234.5'],
  ['The answer: −5 of 10', '-5'],
  ['3 / 4', '3/4'],
  ['none', null],
  ['-0', '0'],
])('number: %s', (output, answer) => {
  expect(answerReader({ rule: 'number', labels: [] })(output)).toBe(answer);
});

test.each([
  [' The answer is: the old bridge ', 'the old bridge'],
  ['Unanswerable.', ''],
  ['Answer: Rome', 'Rome'],
])('span: %s', (output, answer) => {
  expect(answerReader({ rule: 'span', labels: [] })(output)).toBe(answer);
});

test('pattern takes the first group, and says when it is no expression', () => {
  expect(answerReader({ rule: 'pattern', labels: [], pattern: '<(\\w+)>' })('so <yes> it is')).toBe('yes');
  expect(() => answerReader({ rule: 'pattern', labels: [], pattern: '(' })).toThrow('no regular expression');
});
