import { expect, test } from 'vitest';

import { paraphraseRequest, paraphrasesOf, readParaphrases } from '../../src/attack/paraphrase.js';
import { ERROR_CODES } from '../../src/errors.js';
import { lostSpans } from '../../src/task/protected-text.js';
import type { Victim } from '../../src/victim/victim.js';

const PROMPT = "Is {text} 'good' or 'bad'?";
const LABELS = ['good', 'bad', 'mixed'];

test('the request names the words that must stay, and only those of the prompt', () => {
  expect(paraphraseRequest(PROMPT, LABELS)).toBe(
    'Write the instruction below in 20 other ways. Each must ask for the same thing. These words must stay exactly as they are: ' +
      "{text}, good, bad. Write one version a line and nothing else.\n\nInstruction: Is {text} 'good' or 'bad'?",
  );
  expect(paraphraseRequest('Rate it.', LABELS)).not.toContain('must stay');
});

test('wordings are read from lists of any kind; those that lost a label or are no news are left out', () => {
  const output = [
    'Here are the versions:',
    '1. Would you call {text} good or bad?',
    '2) "Bad or good: {text}"',
    "- Say 'bad' or 'good' about {text}",
    'c. “Tell if {text} is good, or bad.”',
    '',
    `  ${PROMPT}`,
    '3. Would you call {text} good or bad?',
    'Would you call {text} fine or bad?',
    'Would you call it good or bad?',
    'Would you call {text} Good or bad?\r',
    'good or bad, {text} {text}?',
  ].join('\n');
  expect(readParaphrases(output, PROMPT, LABELS)).toEqual([
    'Would you call {text} good or bad?',
    "Say 'bad' or 'good' about {text}",
    'Tell if {text} is good, or bad.',
    'good or bad, {text} {text}?',
  ]);
  expect(readParaphrases('', PROMPT, LABELS)).toEqual([]);
  const many = Array.from({ length: 30 }, (_, index) => `Say good or bad ${index} {text}`).join('\n');
  expect(readParaphrases(many, PROMPT, LABELS)).toHaveLength(20);
});

test('spans may change their order, not their number', () => {
  expect(lostSpans(PROMPT, 'bad or good {text}', LABELS)).toEqual([]);
  expect(lostSpans('good, good, bad', 'bad and good', LABELS)).toEqual(['good']);
  expect(lostSpans('', '', LABELS)).toEqual([]);
});

function model(output: string): Victim {
  return {
    kind: 'module',
    name: 'writer',
    signature: 'writer',
    answer: async (inputs) => inputs.map(() => ({ output })),
  };
}

test('a model is asked once for a prompt; one that writes nothing that can be used is an error', async () => {
  const source = await paraphrasesOf(model('Say good or bad of {text}\nbad or good, {text}?'), LABELS)(PROMPT);
  expect(source.texts(0, source.propose(0))).toEqual(['Say good or bad of {text}', 'bad or good, {text}?']);
  await expect(paraphrasesOf(model('Sorry, no.'), LABELS)(PROMPT)).rejects.toMatchObject({
    code: ERROR_CODES.RESOURCE,
    message: expect.stringContaining('module:writer wrote no other wording of the prompt'),
  });
});
