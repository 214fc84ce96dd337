import { describe, expect, test } from 'vitest';

import { promptsOfJson, promptsOfPython } from '../../src/task/prompt-source.js';

describe('prompts of Python files', () => {
  test('the list of a configuration of OpenCompass', () => {
    const source = `
from mmengine.config import read_base  # original_prompt_list = ['not this']
text = "original_prompt_list = ['nor this']"
original_prompt_list = [
    # A comment with 'quotes'.
    'Act as a judge: "{sentence}"',
    "Two parts "
    'of one prompt.\\nAnd a line',
    """Three
lines with 'quotes' and "more" \\"
of them""",
    r'raw \\n',
    ('in brackets',),
]`;
    // A tuple is no text: the list is none.
    expect(promptsOfPython(source, 'sst2')).toContain('holds no list of prompts');
    expect(promptsOfPython(source.replace("('in brackets',)", "('in '\n 'brackets')"), 'sst2')).toStrictEqual([
      'Act as a judge: "{sentence}"',
      'Two parts of one prompt.\nAnd a line',
      'Three\nlines with \'quotes\' and "more" "\nof them',
      String.raw`raw \n`,
      'in brackets',
    ]);
  });

  test('the list of a script with PromptBench', () => {
    const source = `
import promptbench as pb
prompts = pb.Prompt(["Classify the sentence as positive or negative: {content}",
                     "Determine the emotion of the following sentence as positive or negative: {content}"
                     ])
labels = ['positive', 'negative']`;
    expect(promptsOfPython(source, 'sst2')).toStrictEqual([
      'Classify the sentence as positive or negative: {content}',
      'Determine the emotion of the following sentence as positive or negative: {content}',
    ]);
    expect(promptsOfPython("Prompt(prompts=['a'])", 'sst2')).toStrictEqual(['a']);
  });

  test('the lists of data sets', () => {
    const source = `PROMPTS = {'sst2': ['One', 'Two'], "cola": ['Three']}`;
    expect(promptsOfPython(source, 'cola')).toStrictEqual(['Three']);
    expect(promptsOfPython(source, 'cole')).toContain(
      '(sst2, cola) and none for the data set cole. Did you mean "cola"?',
    );
  });

  test.each([
    ['', 'holds no list'],
    ['prompts = [', 'holds no list'],
    ["prompts = ['open", 'holds no list'],
    ["prompts = [f'{x}']", 'holds no list'],
    ['prompts = [1, 2]', 'holds no list'],
    ['prompts = []', 'holds no list'],
    ["a = ['x']\nb = ['y']", 'several lists of prompts (a, b)'],
  ])('%j: %s', (source, problem) => {
    expect(promptsOfPython(source, 'sst2')).toContain(problem);
  });
});

test('prompts of JSON documents', () => {
  expect(promptsOfJson('["a", "b"]', 'x')).toStrictEqual(['a', 'b']);
  expect(promptsOfJson('{"prompts": ["a"], "labels": ["b"]}', 'x')).toStrictEqual(['a']);
  expect(promptsOfJson('{"original_prompt_list": ["a"]}', 'x')).toStrictEqual(['a']);
  expect(promptsOfJson('{"x": ["a"], "y": ["b"]}', 'y')).toStrictEqual(['b']);
  expect(promptsOfJson('{"a": 1}', 'x')).toContain('holds no list');
  expect(promptsOfJson('"a"', 'x')).toContain('holds no list');
  expect(promptsOfJson('{"prompt": "a"}\n{"prompt": "b"}\n', 'x')).toContain('is no JSON document');
});
