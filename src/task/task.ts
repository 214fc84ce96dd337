import type { PromptType } from '../record/schema.js';
import type { RunOptions } from '../run-options.js';

/** One item of a data set. */
export interface TaskItem {
  /** Stable within the data set: the number of the row, from 1, unless the data has one. */
  readonly id: string;
  /** Column name to text. */
  readonly columns: Readonly<Record<string, string>>;
  /** The right answers, at least one; a label as the model shall write it. */
  readonly answers: readonly string[];
}

/** What a set of outputs is worth. */
export interface TaskScore {
  /** The score of the data set, a fraction in [0, 1]. */
  readonly score: number;
  /** The score of each item, fractions. */
  readonly perItem: Float64Array;
  /** What was read from each output; null where nothing could be read. */
  readonly answers: readonly (string | null)[];
  /** How many outputs could not be read; they score 0. */
  readonly unparsed: number;
}

/** Data, a template, a way to read answers and a metric: what a prompt is evaluated by. */
export interface Task {
  /** What records call `dataset`. */
  readonly name: string;
  /** The labels as the model shall write them; empty for free answers. */
  readonly labels: readonly string[];
  /** Name of the metric. */
  readonly metric: string;
  /** The value that the field prints for a perfect score. */
  readonly scale: 1 | 100;
  readonly items: readonly TaskItem[];
  /** Words and phrases of a prompt that no attack may touch: labels and fixed words. */
  readonly protect: readonly string[];
  /** Everything that can change an input or a score: data, template, examples, rule, metric. A hash. */
  readonly signature: string;
  /** The input of every item under a prompt. */
  inputs(prompt: string): readonly string[];
  /** Scores the outputs of all items, in their order. */
  score(outputs: readonly string[], options?: Pick<RunOptions, 'signal'>): Promise<TaskScore>;
}

/** Few- or zero-shot, task- or role-oriented, as records say it. */
export type PromptStyle = PromptType;

/** A prompt of the list. */
export interface TaskPrompt {
  readonly prompt: string;
  /** null where nobody said. */
  readonly type: PromptStyle | null;
}
