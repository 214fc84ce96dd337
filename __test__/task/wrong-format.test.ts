import { join } from 'node:path';

import { expect, test } from 'vitest';

import { UsageError } from '../../src/errors.js';
import { loadTask } from '../../src/task/load-task.js';
import { PRESETS } from '../../src/task/presets/index.js';
import { temporaryFolder } from '../helpers/cli.js';

/* Files that are nearly in the published format: the message names file and line, what was found and what was expected. */

const folder = temporaryFolder();

type Case = readonly [preset: string, files: Readonly<Record<string, string>>, message: RegExp];

const CASES: readonly Case[] = [
  ['sst2', { 'a.tsv': 'sentence\tscore\nfine\t1\n' }, /a\.tsv:2: there is no column "label"; .* sentence, score/u],
  [
    'sst2',
    { 'a.tsv': 'sentence\tlabel\nfine\t1\ndull 0\n' },
    /a\.tsv:3: found 1 columns .* expected 2: sentence, label/u,
  ],
  [
    'sst2',
    { 'a.tsv': 'sentence\tlabel\nfine\t-1\n' },
    /a\.tsv:2: column "label": "-1" is no label, expected one of 0, 1/u,
  ],
  ['sst2', { 'a.tsv': 'sentence\tlabel\n' }, /a\.tsv: the data set has no row/u],
  ['sst2', { 'a.jsonl': '{"text": "fine", "label": 1}\n' }, /a\.jsonl:1: there is no column "sentence"/u],
  ['sst2', { 'a.tsv': '', 'b.tsv': '' }, /sst2 reads one file, found 2/u],
  ['cola', { 'a.tsv': 'gj04\t1\t\tA boat sank.\nA boat sank.\t1\n' }, /a\.tsv:2: found 2 columns .* expected 4/u],
  ['cola', { 'a.tsv': 'sentence\tlabel\tx\ty\n' }, /a\.tsv:1: column "label": "label" is no label/u],
  ['qqp', { 'a.tsv': 'id\tquestion1\tquestion2\n1\tHow?\tWhy?\n' }, /a\.tsv:2: there is no column "is_duplicate"/u],
  ['qqp', { 'a.tsv': 'question1\tquestion2\tis_duplicate\nHow?\tWhy?\tno\n' }, /a\.tsv:2: .*"no" is no label/u],
  ['mrpc', { 'a.txt': 'label\tsentence1\tsentence2\n1\tA\tB\n' }, /a\.txt:2: there is no column "#1 String"/u],
  ['mnli', { 'a.tsv': 'sentence1\tsentence2\tlabel1\nA\tB\tneutral\n' }, /a\.tsv:2: there is no column "gold_label"/u],
  ['mnli', { 'a.tsv': 'sentence1\tsentence2\tgold_label\nA\tB\t-\n' }, /a\.tsv:2: .*"-" is no label, .*contradiction/u],
  ['qnli', { 'a.tsv': 'question\tsentence\tlabel\nWho?\tAnn\tmaybe\n' }, /a\.tsv:2: .*"maybe" is no label/u],
  [
    'rte',
    { 'a.jsonl': '{"premise": "A", "hypothesis": "B", "label": 1}\n' },
    /a\.jsonl:1: there is no column "sentence1"/u,
  ],
  [
    'rte',
    { 'a.jsonl': '{"sentence1": "A", "sentence2": "B", "label": null}\n' },
    /a\.jsonl:1: column "label": found null/u,
  ],
  ['wnli', { 'a.tsv': 'index\tsentence1\tsentence2\n0\tA\tB\n' }, /a\.tsv:2: there is no column "label"/u],
  ['mmlu', { 'a.csv': 'Why?,one,two,three,B\n' }, /a\.csv:1: found 5 cells, expected 6: question, four options/u],
  [
    'mmlu',
    { 'a.csv': 'Why?,a,b,c,d,A\nHow?,a,b,c,d,E\n' },
    /a\.csv:2: column "answer": "E" is no label, .* A, B, C, D/u,
  ],
  ['squad_v2', { 'a.json': '{"version": "v2.0", "rows": []}' }, /a\.json: "data" must be a list, found null/u],
  [
    'squad_v2',
    { 'a.json': '{"data": [{"paragraphs": [{"qas": []}]}]}' },
    /data\[0\]\.paragraphs\[0\]: "context" must be/u,
  ],
  [
    'squad_v2',
    { 'a.json': '{"data": [{"paragraphs": [{"context": "c", "qas": [{"id": "q", "question": "?"}]}]}]}' },
    /data\[0\]\.paragraphs\[0\]: "answers" must be a list/u,
  ],
  ['squad_v2', { 'a.json': '{"data": [' }, /a\.json:1: not one JSON document/u],
  ['squad_v2', { 'a.json': '{"data": []}' }, /a\.json: the data set has no row/u],
  ['math', { 'a.txt': 'What is 1 + 1?\n2\nWhat is 3?\n' }, /a\.txt:3: a question without its answer/u],
  ['math', { 'a.jsonl': '{"question": "1 + 1?", "solution": "2"}\n' }, /a\.jsonl:1: there is no column "answer"/u],
  [
    'iwslt',
    { 't.de.xml': '<doc>\n<p>Tee</p>\n</doc>\n', 't.en.xml': '<doc></doc>\n' },
    /t\.de\.xml: there is no <seg>/u,
  ],
  [
    'iwslt',
    { 't.de.xml': '<seg id="1"> Tee </seg>\n<seg id="2"> Milch\n', 't.en.xml': '<seg id="1"> Tea </seg>\n' },
    /t\.de\.xml:2: a <seg> without its end/u,
  ],
  [
    'iwslt',
    { 'a.jsonl': '{"translation": {"de": "Tee"}}\n' },
    /a\.jsonl:1: expected "translation" with two languages/u,
  ],
  [
    'un_multi',
    { 'a.en': 'One.\nTwo.\n', 'a.fr': 'Un.\n' },
    /a\.en has 2 segments, .*a\.fr has 1: they must be aligned/u,
  ],
  ['un_multi', { 'a.en': '', 'a.fr': '', 'a.de': '' }, /un_multi reads one or two files, found 3/u],
  ['bool_logic', { 'a.json': '{"examples": [{"input": "True is"}]}' }, /examples\[0\]: expected "target"/u],
  ['bool_logic', { 'a.jsonl': '{"input": "True is", "target": "yes"}\n' }, /a\.jsonl:1: .*"yes" is no label/u],
  [
    'valid_parentheses',
    { 'a.jsonl': '{"input": "( )", "target_scores": {"Valid": 0, "Invalid": 0}}\n' },
    /a\.jsonl:1: expected "target", or "target_scores" in which one label has 1/u,
  ],
  ['valid_parentheses', { 'a.json': '{"rows": []}' }, /a\.json: "examples" must be a list/u],
];

test.each(CASES)('%s: %j', async (preset, files, message) => {
  const name = String(CASES.findIndex((one) => one[1] === files));
  folder.write(Object.fromEntries(Object.entries(files).map(([file, text]) => [join(name, file), text])));
  const data = Object.keys(files).map((file) => join(name, file));
  const failure: unknown = await loadTask({ preset, data }, { folder: folder.path }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UsageError);
  expect(String(failure)).toMatch(message);
});

test('every preset is among them', () => {
  expect(new Set(CASES.map(([preset]) => preset))).toEqual(new Set(PRESETS.map(({ name }) => name)));
});
