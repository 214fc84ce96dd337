import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { areValid, booleanExpressions, parentheses } from '../../src/task/presets/generated.js';
import { findPreset, PRESETS } from '../../src/task/presets/index.js';
import { loadTask } from '../../src/task/load-task.js';
import { protectedSpans } from '../../src/task/protected-text.js';
import { temporaryFolder } from '../helpers/cli.js';

/* Samples written by hand in the published formats. */

const folder = temporaryFolder();
const SAMPLES: Readonly<
  Record<string, { files: Readonly<Record<string, string>>; inputs: string; answers: string[][] }>
> = {
  sst2: {
    files: { 'sst2.tsv': 'sentence\tlabel\na "warm film \t1\ndull\t0\n' },
    inputs: 'P\nSentence: a "warm film \nAnswer:',
    answers: [['positive'], ['negative']],
  },
  cola: {
    files: { 'cola.tsv': 'gj04\t1\t\tThe boat sank.\ngj04\t0\t*\tThe boat sank the.\n' },
    inputs: 'P\nSentence: The boat sank.\nAnswer:',
    answers: [['acceptable'], ['unacceptable']],
  },
  qqp: {
    files: { 'qqp.tsv': 'id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n7\t1\t2\tHow?\tIn what way?\t1\n' },
    inputs: 'P\nQuestion 1: How?\nQuestion 2: In what way?\nAnswer:',
    answers: [['equivalent']],
  },
  mrpc: {
    files: { 'mrpc.txt': 'Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n0\t1\t2\tIt rained .\tShe said " no .\n' },
    inputs: 'P\nSentence 1: It rained .\nSentence 2: She said " no .\nAnswer:',
    answers: [['not_equivalent']],
  },
  mnli: {
    files: {
      'mnli.tsv':
        'index\tgenre\tsentence1\tsentence2\tlabel1\tgold_label\n0\tx\tIt rains.\tIt is wet.\tneutral\tentailment\n',
    },
    inputs: 'P\nPremise: It rains.\nHypothesis: It is wet.\nAnswer:',
    answers: [['entailment']],
  },
  qnli: {
    files: { 'qnli.tsv': 'index\tquestion\tsentence\tlabel\n0\tWho?\tAnn did.\tnot_entailment\n' },
    inputs: 'P\nQuestion: Who?\nContext: Ann did.\nAnswer:',
    answers: [['not_entailment']],
  },
  rte: {
    files: { 'rte.jsonl': '{"sentence1": "A", "sentence2": "B", "label": 1, "idx": 0}\n' },
    inputs: 'P\nSentence 1: A\nSentence 2: B\nAnswer:',
    answers: [['not_entailment']],
  },
  wnli: {
    files: { 'wnli.tsv': 'index\tsentence1\tsentence2\tlabel\n0\tA\tB\t1\n' },
    inputs: 'P\nSentence 1: A\nSentence 2: B\nAnswer:',
    answers: [['entailment']],
  },
  mmlu: {
    files: { 'mmlu.csv': '"What, then?",one,two,three,four,C\n' },
    inputs: 'P\nQuestion: What, then?\nA: one\nB: two\nC: three\nD: four\nAnswer:',
    answers: [['C']],
  },
  squad_v2: {
    files: {
      'squad.json': JSON.stringify({
        version: 'v2.0',
        data: [
          {
            title: 'Bridge',
            paragraphs: [
              {
                context: 'The bridge is old.',
                qas: [
                  {
                    id: 'a',
                    question: 'How is it?',
                    answers: [
                      { text: 'old', answer_start: 14 },
                      { text: 'old', answer_start: 14 },
                    ],
                    is_impossible: false,
                  },
                  { id: 'b', question: 'Who built it?', answers: [], is_impossible: true },
                ],
              },
            ],
          },
        ],
      }),
    },
    inputs: 'P\nContext: The bridge is old.\nQuestion: How is it?\nAnswer:',
    answers: [['old'], ['']],
  },
  math: {
    files: { 'math.txt': 'What is 2 + 2?\n4\nHalve 3.\n1.50\n' },
    inputs: 'P\nQuestion: What is 2 + 2?\nAnswer:',
    answers: [['4'], ['1.5']],
  },
  iwslt: {
    files: {
      'tst.de-en.de.xml': '<?xml version="1.0"?>\n<doc>\n<seg id="1"> Tee &amp; Milch am Abend </seg>\n</doc>\n',
      'tst.de-en.en.xml': '<doc>\n<seg id="1">Tea &amp; milk at night</seg>\n</doc>\n',
    },
    inputs: 'P\nGerman: Tee & Milch am Abend\nEnglish:',
    answers: [['Tea & milk at night']],
  },
  un_multi: {
    files: { 'testset.en': 'The session opened.\n', 'testset.fr': 'La séance est ouverte.\n' },
    inputs: 'P\nEnglish: The session opened.\nFrench:',
    answers: [['La séance est ouverte.']],
  },
  bool_logic: {
    files: { 'bool.json': '{"examples": [{"input": "not True is", "target": "False"}]}' },
    inputs: 'P\nExpression: not True is\nAnswer:',
    answers: [['False']],
  },
  valid_parentheses: {
    files: { 'parens.jsonl': '{"input": "( ] } (", "target_scores": {"Valid": 0, "Invalid": 1}}\n' },
    inputs: 'P\nParentheses: ( ] } (\nAnswer:',
    answers: [['Invalid']],
  },
};

describe.each(PRESETS.map((preset) => [preset.name, preset] as const))('%s', (name, preset) => {
  const sample = SAMPLES[name] ?? { files: {}, inputs: '', answers: [] };
  folder.write(Object.fromEntries(Object.entries(sample.files).map(([file, text]) => [`${name}/${file}`, text])));
  const data = Object.keys(sample.files).map((file) => join(name, file));
  const options = { folder: folder.path };

  test('reads its published format', async () => {
    const { task } = await loadTask({ preset: name, data }, options);
    expect(task.inputs('P')[0]).toBe(sample.inputs);
    expect(task.items.map(({ answers }) => answers)).toEqual(sample.answers);
  });

  test('scores its own answers 1', async () => {
    const { task } = await loadTask({ preset: name, data }, options);
    const outputs = task.items.map(({ answers }) => answers[0] ?? '');
    const { score, unparsed } = await task.score(outputs);
    expect({ score, unparsed }).toEqual({ score: 1, unparsed: 0 });
  });

  test('says where another format is wrong', async () => {
    folder.write({
      [`${name}/wrong.txt`]: 'some\ttext\nthat is, no, data of this\n{',
      [`${name}/wrong.en`]: 'a\nb\nc\nd\n',
    });
    const wrong = data.length === 2 ? [data[0] ?? '', join(name, 'wrong.en')] : [join(name, 'wrong.txt')];
    await expect(loadTask({ preset: name, data: wrong }, options)).rejects.toThrow(/wrong|aligned/u);
  });

  test('has prompts of both types that hold its labels, and three examples', async () => {
    const { task, prompts } = await loadTask({ preset: name, data }, { ...options, shot: 3 });
    expect(prompts.map(({ type }) => type)).toEqual([...Array(3).fill('fs-task'), ...Array(3).fill('fs-role')]);
    expect(new Set(prompts.map(({ prompt }) => prompt)).size).toBe(6);
    for (const { prompt } of prompts) {
      const found = new Set(protectedSpans(prompt, task.labels).map(({ text }) => text));
      expect([...task.labels].filter((label) => !found.has(label))).toEqual([]);
    }
    expect(preset.examples).toHaveLength(3);
  });
});

test('generated data is seeded, balanced and right', () => {
  expect(booleanExpressions(1, 20)).toEqual(booleanExpressions(1, 30).slice(0, 20));
  expect(booleanExpressions(1, 20)).not.toEqual(booleanExpressions(2, 20));
  for (const { values } of booleanExpressions(7, 200)) {
    const source = String(values['expression'])
      .replace(/ is$/u, '')
      .replaceAll('not', '!')
      .replaceAll('and', '&&')
      .replaceAll('or', '||')
      .replaceAll('True', 'true')
      .replaceAll('False', 'false');
    // Python's "not" binds weaker than a comparison, but there are none: JavaScript reads the same.
    expect(new Function(`return ${source}`)()).toBe(values['answer'] === 'True');
  }
  for (const { values } of parentheses(7, 200)) {
    expect(areValid(String(values['parentheses']).split(' '))).toBe(values['answer'] === 'Valid');
  }
});

test('names are found in any spelling, and near ones suggested', () => {
  expect(findPreset('SST-2').name).toBe('sst2');
  expect(() => findPreset('colla')).toThrow('Did you mean "cola"?');
});

test('F50: the header of a copy of MMLU is no question', async () => {
  for (const header of ['question,A,B,C,D,answer', 'Question,a,b,c,d,Target']) {
    folder.write({ 'header_test.csv': `${header}\nWhat is hot?,ice,tea,snow,frost,B\n` });
    const { task } = await loadTask({ preset: 'mmlu', data: ['header_test.csv'] }, { folder: folder.path });
    expect(task.items).toHaveLength(1);
  }
});

test("A3: presets protect PromptBench's label words and no captions", () => {
  const protectedBy = new Map(PRESETS.map(({ name, protect }) => [name, protect]));
  expect(Object.fromEntries([...protectedBy].filter(([, words]) => words.length > 0))).toEqual({
    squad_v2: ['unanswerable'],
    iwslt: ['translate'],
    un_multi: ['translate'],
    math: ['math'],
    bool_logic: ['bool', 'boolean'],
    valid_parentheses: ['matched'],
  });
});
