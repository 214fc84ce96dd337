import { readCsv } from '../../read/csv.js';
import { openSource } from '../../read/source-file.js';
import { notEmpty, readRows, readTextLines, rowError } from '../rows.js';
import type { DataRow } from '../rows.js';
import { field, listOf, onlyFile, readDocument, rename, textIn } from './files.js';
import type { ReadRun } from './files.js';
import type { Preset } from './preset.js';

const OPTIONS = ['A', 'B', 'C', 'D'];

/** Columns of a question of MMLU. */
const MMLU_COLUMNS = ['question', ...OPTIONS, 'answer'];

async function readMmlu(path: string, run: ReadRun): Promise<readonly DataRow[]> {
  const rows: DataRow[] = [];
  for await (const batch of readCsv(openSource(path, run).blocks(), { file: path })) {
    for (const { cells, line } of batch) {
      if ((cells.length === 1 && cells[0] === '') || isHeader(cells)) continue;
      const place = `${path}:${line}`;
      if (cells.length !== MMLU_COLUMNS.length) {
        throw rowError(
          place,
          `found ${cells.length} cells, expected 6: question, four options, the letter of the answer`,
        );
      }
      rows.push({ place, values: Object.fromEntries(MMLU_COLUMNS.map((name, index) => [name, cells[index] ?? ''])) });
    }
  }
  return notEmpty(rows, path);
}

/** Copies of the data set have a header: `question,A,B,C,D,answer`, in any case, or other words for the answer's column. */
function isHeader(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  return names.length === MMLU_COLUMNS.length && names[0] === 'question' && !/^[a-d]$/u.test(names.at(-1) ?? '');
}

async function readSquad(path: string, run: ReadRun): Promise<readonly DataRow[]> {
  const document = await readDocument(path, run);
  const rows: DataRow[] = [];
  for (const [a, article] of listOf(document, 'data', path).entries()) {
    for (const [p, paragraph] of listOf(article, 'paragraphs', `${path}: data[${a}]`).entries()) {
      const place = `${path}: data[${a}].paragraphs[${p}]`;
      const context = textIn(paragraph, 'context', place);
      for (const question of listOf(paragraph, 'qas', place)) {
        const texts = listOf(question, 'answers', place).map((one) => textIn(one, 'text', place));
        const isImpossible = field(question, 'is_impossible') === true || texts.length === 0;
        rows.push({
          place,
          values: {
            id: textIn(question, 'id', place),
            context,
            question: textIn(question, 'question', place),
            answers: isImpossible ? [''] : [...new Set(texts)],
          },
        });
      }
    }
  }
  return notEmpty(rows, path);
}

/** DeepMind's mathematics: a line with the question, a line with the answer; or JSONL with both. */
async function readMath(path: string, run: ReadRun): Promise<readonly DataRow[]> {
  if (/\.(?:jsonl|ndjson|parquet)$/iu.test(path)) {
    return rename(await readRows(path, run), { question: 'question', answer: 'answer' });
  }
  const lines = (await readTextLines(path, run)).filter(({ text }) => text !== '');
  const last = lines.at(-1);
  if (lines.length % 2 === 1 && last !== undefined) {
    throw rowError(`${path}:${last.line}`, 'a question without its answer: expected a line each, in turn');
  }
  const rows = lines.flatMap(({ text, line }, index) =>
    index % 2 === 0
      ? [{ place: `${path}:${line}`, values: { question: text, answer: lines[index + 1]?.text ?? '' } }]
      : [],
  );
  return notEmpty(rows, path);
}

/** Data sets of questions. */
export const QUESTION_PRESETS: readonly Preset[] = [
  {
    name: 'mmlu',
    description: 'Questions of school and university with four options',
    files: "MMLU's SUBJECT_test.csv (question, four options, letter; no header)",
    content: 'Question: {question}\nA: {A}\nB: {B}\nC: {C}\nD: {D}\nAnswer:',
    answer: 'answer',
    labels: new Map(OPTIONS.map((option) => [option, option])),
    rule: 'first_option',
    metric: 'accuracy',
    protect: [],
    examples: [
      { question: 'What do bees make?', A: 'silk', B: 'honey', C: 'milk', D: 'wool', answer: 'B' },
      { question: 'How many sides has a hexagon?', A: '6', B: '5', C: '8', D: '7', answer: 'A' },
      { question: 'Which of these is a metal?', A: 'oxygen', B: 'sulfur', C: 'neon', D: 'zinc', answer: 'D' },
    ],
    taskPrompts: [
      "Choose the right option and write its letter, 'A', 'B', 'C' or 'D'.",
      "Which option answers the question? Reply with 'A', 'B', 'C' or 'D' only.",
      "Solve the question and end with the letter of your option: 'A', 'B', 'C' or 'D'.",
    ],
    rolePrompts: [
      "You sit an exam where one of 'A', 'B', 'C' and 'D' is right. Write that letter.",
      "As an expert of the subject, tell a student which option is right: 'A', 'B', 'C' or 'D'.",
      "Act as an answer sheet: print 'A', 'B', 'C' or 'D'.",
    ],
    read: (paths, run) => readMmlu(onlyFile(paths, 'mmlu'), run),
  },
  {
    name: 'squad_v2',
    aliases: ['squad'],
    description: 'Find the answer in a text, or say that it is not there',
    files: "SQuAD 2.0's dev-v2.0.json",
    content: 'Context: {context}\nQuestion: {question}\nAnswer:',
    answer: 'answers',
    labels: undefined,
    rule: 'span',
    metric: 'squad_f1',
    protect: ['unanswerable'],
    examples: [
      {
        context: 'The ferry leaves at nine from pier four.',
        question: 'Where does the ferry leave?',
        answers: 'pier four',
      },
      { context: 'The ferry leaves at nine from pier four.', question: 'Who owns the ferry?', answers: 'unanswerable' },
      { context: 'Ann keeps bees on the roof.', question: 'What does Ann keep?', answers: 'bees' },
    ],
    taskPrompts: [
      "Copy the words of the context that answer the question, or write 'unanswerable' if there are none.",
      "Answer the question by a few words taken from the context; if it does not say, reply 'unanswerable'.",
      "Find the answer in the context. No answer there means 'unanswerable'.",
    ],
    rolePrompts: [
      "You mark passages for a lawyer. Give the words that answer the question, or 'unanswerable'.",
      "As a research assistant who trusts the context alone, answer in its words or with 'unanswerable'.",
      "Act as a reader that points at the answer in the context and says 'unanswerable' when it is not there.",
    ],
    read: (paths, run) => readSquad(onlyFile(paths, 'squad_v2'), run),
  },
  {
    name: 'math',
    description: 'Questions of school mathematics with a short answer',
    files:
      'a file of the mathematics dataset (a line with the question, a line with the answer), or JSONL with question and answer',
    content: 'Question: {question}\nAnswer:',
    answer: 'answer',
    labels: undefined,
    rule: 'number',
    metric: 'exact_match',
    protect: ['math'],
    examples: [
      { question: 'What is 12 plus 30?', answer: '42' },
      { question: 'Solve 3*x = 27 for x.', answer: '9' },
      { question: 'What is the remainder when 17 is divided by 5?', answer: '2' },
    ],
    taskPrompts: [
      'Work the question out and give the answer as a number.',
      'What is the answer? Write the number and nothing else.',
      'Solve it step by step if you must, and finish with "The answer is" and the number.',
    ],
    rolePrompts: [
      'You teach mathematics. Write the result that you expect from your class.',
      'As a careful bookkeeper, compute the answer and write the number.',
      'Act as a calculator that reads English and prints the result.',
    ],
    read: (paths, run) => readMath(onlyFile(paths, 'math'), run),
  },
];
