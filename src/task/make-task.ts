import { createHash } from 'node:crypto';

import { ERROR_CODES, UsageError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { answerReader, numberAnswer } from './answer.js';
import type { AnswerRule } from './answer.js';
import { taskMetric } from './metric.js';
import type { TaskMetricName } from './metric.js';
import { rowError } from './rows.js';
import type { DataRow } from './rows.js';
import type { Task, TaskItem } from './task.js';
import { checkTemplate, fillTemplate, parseTemplate } from './template.js';

/** What a task is made of. */
export interface TaskParts {
  readonly name: string;
  readonly rows: readonly DataRow[];
  /** See `template` of the configuration. */
  readonly template: string | undefined;
  /** See `content`. */
  readonly content: string | undefined;
  /** The column of the answer; it may hold a list. */
  readonly answer: string;
  /** What stands in the data → the label; undefined for free answers. */
  readonly labels: ReadonlyMap<string, string> | undefined;
  readonly rule: AnswerRule;
  readonly pattern?: string | undefined;
  readonly metric: TaskMetricName;
  readonly protect: readonly string[];
  /** Few-shot examples, those that are used. */
  readonly examples: readonly Readonly<Record<string, string>>[];
}

const PROMPT_NAMES = ['prompt', 'adv_prompt'];
const DEFAULT_TEMPLATE = '{prompt}\n{examples}{content}';

/**
 * Makes a task.
 *
 * A prompt that holds columns itself (`Is this good or bad? {sentence}`) stands alone where no template was given.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` for a template that names no column, or has no place for the prompt or for the
 *   examples; `ERR_TEAPOT_FORMAT` with file and line for an answer that is missing or no label.
 */
export function makeTask(parts: TaskParts): Task {
  const columns = Object.keys(parts.rows[0]?.values ?? {}).filter((name) => name !== parts.answer);
  const content = parseTemplate(parts.content ?? (columns.includes('content') ? '{content}' : contentOf(columns)));
  checkTemplate(content, columns, 'content');
  const template = parseTemplate(parts.template ?? DEFAULT_TEMPLATE);
  checkTemplate(template, [...PROMPT_NAMES, 'content', 'examples', ...columns], 'template');
  if (!PROMPT_NAMES.some((name) => template.names.has(name))) {
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      'template: there is no place for the prompt: write {prompt} or {adv_prompt} where it belongs',
    );
  }
  if (parts.examples.length > 0 && !template.names.has('examples')) {
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      'template: there is no place for the few-shot examples: write {examples} where they belong',
    );
  }
  const metric = taskMetric(parts.metric);
  const labels = [...new Set(parts.labels?.values() ?? [])];
  const read = answerReader({ rule: parts.rule, labels, pattern: parts.pattern });
  const items = parts.rows.map((row, index) => itemOf(row, index, parts));
  const contents = items.map((item) => fillTemplate(content, (name) => item.columns[name]));
  const examples = examplesText(parts, content);
  const signature = digestOf([
    parts.name,
    items,
    template.source,
    content.source,
    examples,
    labels,
    parts.rule,
    parts.pattern,
    metric.signature,
  ]);

  return {
    name: parts.name,
    labels,
    metric: metric.name,
    scale: metric.scale,
    items,
    protect: [...new Set([...labels, ...parts.protect])],
    signature,
    inputs(prompt) {
      const own = parseTemplate(prompt);
      const standsAlone =
        parts.template === undefined && [...own.names].some((name) => name === 'content' || columns.includes(name));
      return items.map((item, index) => {
        const value = (name: string): string | undefined =>
          name === 'content' ? contents[index] : name === 'examples' ? examples : item.columns[name];
        const filled = fillTemplate(own, value);
        if (standsAlone) return filled;
        return fillTemplate(template, (name) => (PROMPT_NAMES.includes(name) ? filled : value(name)));
      });
    },
    async score(outputs, options) {
      const answers = outputs.map(read);
      const { score, perItem } = await metric.score(
        answers,
        items.map((item) => item.answers),
        options,
      );
      return { score, perItem, answers, unparsed: answers.filter((answer) => answer === null).length };
    },
  };
}

/** Without a content template, the columns one a line. */
function contentOf(columns: readonly string[]): string {
  if (columns.length === 1) return `{${columns[0] ?? ''}}`;
  return columns.map((name) => `${name}: {${name}}`).join('\n');
}

function itemOf({ place, values }: DataRow, index: number, parts: TaskParts): TaskItem {
  const columns: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) if (name !== parts.answer) columns[name] = textOf(value);
  if (!Object.hasOwn(values, parts.answer)) {
    const names = Object.keys(values);
    throw rowError(
      place,
      `there is no column "${parts.answer}" with the answer.${didYouMean(parts.answer, names)} The columns are ${names.join(', ')} (see "answer")`,
    );
  }
  const found = values[parts.answer];
  const answers = (Array.isArray(found) ? found : [found]).map((one) => answerOf(one, place, parts));
  if (answers.length === 0)
    throw rowError(place, `column "${parts.answer}": an empty list, expected at least one answer`);
  const id = values['id'];
  return { id: typeof id === 'string' || typeof id === 'number' ? String(id) : String(index + 1), columns, answers };
}

function answerOf(value: unknown, place: string, { labels, answer, rule }: TaskParts): string {
  if (value === null || value === undefined || typeof value === 'object') {
    throw rowError(place, `column "${answer}": found ${JSON.stringify(value)}, expected an answer`);
  }
  const text = textOf(value);
  if (labels === undefined) return rule === 'number' ? (numberAnswer(text) ?? text) : text;
  const label = labels.get(text);
  if (label !== undefined) return label;
  throw rowError(
    place,
    `column "${answer}": "${text}" is no label, expected one of ${[...labels.keys()].join(', ')} (see "labels")`,
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Each example as content and its answer, a blank line behind it. */
function examplesText({ examples, answer, labels }: TaskParts, content: ReturnType<typeof parseTemplate>): string {
  return examples
    .map((example, index) => {
      const given = example[answer];
      if (given === undefined) {
        throw new UsageError(
          ERROR_CODES.INVALID_OPTION,
          `example ${index + 1}: there is no "${answer}" with the answer`,
        );
      }
      const missing = [...content.names].find((name) => example[name] === undefined);
      if (missing !== undefined) {
        throw new UsageError(ERROR_CODES.INVALID_OPTION, `example ${index + 1}: there is no "${missing}"`);
      }
      return `${fillTemplate(content, (name) => example[name])} ${labels?.get(given) ?? given}\n\n`;
    })
    .join('');
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
