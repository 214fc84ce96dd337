import { readRows, rowError } from '../rows.js';
import type { DataRow } from '../rows.js';
import { field, listOf, onlyFile, readDocument, textIn } from './files.js';
import type { ReadRun } from './files.js';
import type { Preset } from './preset.js';

/** Draws whole numbers: mulberry32, seeded for each item, so that an item does not depend on how many come before it. */
function drawer(seed: number, item: number): (below: number) => number {
  let state = (Math.imul(seed >>> 0, 0x9e3779b1) ^ Math.imul(item + 1, 0x85ebca6b)) >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

interface Expression {
  readonly text: string;
  readonly value: boolean;
}

/** An expression of `size` leaves and some negations. */
function expression(size: number, draw: (below: number) => number): Expression {
  if (size <= 1) {
    const value = draw(2) === 0;
    return negated({ text: value ? 'True' : 'False', value }, draw(3) === 0 ? 1 + draw(2) : 0);
  }
  const leftSize = 1 + draw(size - 1);
  const [left, right] = [expression(leftSize, draw), expression(size - leftSize, draw)];
  const isAnd = draw(2) === 0;
  const text = `( ${left.text} ${isAnd ? 'and' : 'or'} ${right.text} )`;
  return negated({ text, value: isAnd ? left.value && right.value : left.value || right.value }, draw(4) === 0 ? 1 : 0);
}

function negated({ text, value }: Expression, times: number): Expression {
  return { text: 'not '.repeat(times) + text, value: times % 2 === 0 ? value : !value };
}

/** Boolean expressions, true and false ones in turn. */
export function booleanExpressions(seed: number, count: number): readonly DataRow[] {
  return Array.from({ length: count }, (_, item) => {
    const draw = drawer(seed, item);
    const made = expression(2 + draw(4), draw);
    const wanted = item % 2 === 0;
    const { text, value } = made.value === wanted ? made : negated({ text: `( ${made.text} )`, value: made.value }, 1);
    return {
      place: `bool_logic item ${item + 1}`,
      values: { expression: `${text} is`, answer: value ? 'True' : 'False' },
    };
  });
}

const OPEN = ['(', '[', '{'];
const CLOSE = [')', ']', '}'];

/** Strings of parentheses, valid and invalid ones in turn; an invalid one differs from a valid one by a few marks. */
export function parentheses(seed: number, count: number): readonly DataRow[] {
  return Array.from({ length: count }, (_, item) => {
    const draw = drawer(seed, item);
    const marks = validMarks(2 + draw(5), draw);
    const isValid = item % 2 === 0;
    if (!isValid) spoil(marks, draw);
    return {
      place: `valid_parentheses item ${item + 1}`,
      values: { parentheses: marks.join(' '), answer: isValid ? 'Valid' : 'Invalid' },
    };
  });
}

function validMarks(pairs: number, draw: (below: number) => number): string[] {
  const marks: string[] = [];
  const open: number[] = [];
  let left = pairs;
  while (left > 0 || open.length > 0) {
    if (left > 0 && (open.length === 0 || draw(2) === 0)) {
      const kind = draw(OPEN.length);
      marks.push(OPEN[kind] ?? '(');
      open.push(kind);
      left -= 1;
    } else marks.push(CLOSE[open.pop() ?? 0] ?? ')');
  }
  return marks;
}

/** Changes marks until the string is invalid. */
function spoil(marks: string[], draw: (below: number) => number): void {
  do {
    const place = draw(marks.length);
    const all = [...OPEN, ...CLOSE];
    marks[place] = all[draw(all.length)] ?? '(';
  } while (areValid(marks));
}

/** Whether every mark is closed by its own kind, in order. */
export function areValid(marks: readonly string[]): boolean {
  const open: string[] = [];
  for (const mark of marks) {
    const kind = OPEN.indexOf(mark);
    if (kind >= 0) open.push(CLOSE[kind] ?? '');
    else if (open.pop() !== mark) return false;
  }
  return open.length === 0;
}

/** BIG-bench's task.json (`examples`), or its rows as JSONL: `input` with `target` or `target_scores`. */
async function readBigBench(path: string, column: string, run: ReadRun): Promise<readonly DataRow[]> {
  const isLines = /\.(?:jsonl|ndjson)$/iu.test(path);
  const found = isLines
    ? (await readRows(path, run)).map(({ place, values }) => ({ place, value: values as unknown }))
    : listOf(await readDocument(path, run), 'examples', path).map((value, index) => ({
        place: `${path}: examples[${index}]`,
        value,
      }));
  return found.map(({ place, value }) => ({
    place,
    values: { [column]: textIn(value, 'input', place), answer: targetOf(value, place) },
  }));
}

function targetOf(value: unknown, place: string): string {
  const target = field(value, 'target');
  if (typeof target === 'string') return target;
  const scores = Object.entries(field(value, 'target_scores') ?? {});
  const best = scores.find(([, score]) => score === 1)?.[0];
  if (best === undefined) throw rowError(place, 'expected "target", or "target_scores" in which one label has 1');
  return best;
}

/** Data sets that are made with a seed, or read from BIG-bench's files. */
export const GENERATED_PRESETS: readonly Preset[] = [
  {
    name: 'bool_logic',
    aliases: ['boolean_expressions'],
    description: 'Is a Boolean expression True or False? Generated with the seed',
    files: "none needed; or BIG-bench's JSON, or JSONL with input and target",
    content: 'Expression: {expression}\nAnswer:',
    answer: 'answer',
    labels: new Map([
      ['True', 'True'],
      ['False', 'False'],
    ]),
    rule: 'cls',
    metric: 'accuracy',
    protect: ['bool', 'boolean'],
    examples: [
      { expression: 'not ( True and False ) is', answer: 'True' },
      { expression: 'False or not True is', answer: 'False' },
      { expression: '( True or False ) is', answer: 'True' },
    ],
    taskPrompts: [
      "Evaluate the expression and answer 'True' or 'False'.",
      "What is the value of the expression? Reply 'True' or 'False'.",
      "Work out the logic and write 'False' or 'True'.",
    ],
    rolePrompts: [
      "You are a logic circuit. Output 'True' or 'False' for the expression.",
      "As a teacher of logic, give the value of the expression: 'True' or 'False'.",
      "Act as an interpreter and print what the expression gives, 'True' or 'False'.",
    ],
    read: (paths, run) => readBigBench(onlyFile(paths, 'bool_logic'), 'expression', run),
    generate: booleanExpressions,
  },
  {
    name: 'valid_parentheses',
    description: 'Is every parenthesis closed in order? Generated with the seed',
    files: "none needed; or BIG-bench's JSON, or JSONL with input and target_scores",
    content: 'Parentheses: {parentheses}\nAnswer:',
    answer: 'answer',
    labels: new Map([
      ['Valid', 'Valid'],
      ['Invalid', 'Invalid'],
    ]),
    rule: 'cls',
    metric: 'accuracy',
    protect: ['matched'],
    examples: [
      { parentheses: '( [ ] )', answer: 'Valid' },
      { parentheses: '( [ ) ]', answer: 'Invalid' },
      { parentheses: '{ } ( )', answer: 'Valid' },
    ],
    taskPrompts: [
      "Is every parenthesis closed by its own kind and in order? Answer 'Valid' or 'Invalid'.",
      "Check the string of parentheses and reply 'Valid' or 'Invalid'.",
      "Write 'Invalid' if a parenthesis is open, missing or crossed, else 'Valid'.",
    ],
    rolePrompts: [
      "You are the parser of a programming language. Say 'Valid' or 'Invalid' for the parentheses.",
      "As a reviewer of code, judge the parentheses: 'Valid' or 'Invalid'.",
      "Act as a stack machine that prints 'Valid' or 'Invalid'.",
    ],
    read: (paths, run) => readBigBench(onlyFile(paths, 'valid_parentheses'), 'parentheses', run),
    generate: parentheses,
  },
];
