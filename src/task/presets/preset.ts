import type { RunOptions } from '../../run-options.js';
import type { AnswerRule } from '../answer.js';
import type { TaskMetricName } from '../metric.js';
import type { DataRow } from '../rows.js';

/** A known data set: how its published files are read and what its task is. */
export interface Preset {
  /** Its name in PromptBench. */
  readonly name: string;
  /** Other spellings. */
  readonly aliases?: readonly string[];
  /** One sentence: what is asked. */
  readonly description: string;
  /** Which files it reads, in words. */
  readonly files: string;
  /** See the configuration of a data set. */
  readonly content: string;
  readonly answer: string;
  /** What stands in the data → the label. */
  readonly labels: ReadonlyMap<string, string> | undefined;
  readonly rule: AnswerRule;
  readonly metric: TaskMetricName;
  /** Fixed words on top of the labels. */
  readonly protect: readonly string[];
  /** Few-shot examples, written for this project. */
  readonly examples: readonly Readonly<Record<string, string>>[];
  /** Task-oriented prompts, written for this project. */
  readonly taskPrompts: readonly string[];
  /** Role-oriented prompts, written for this project. */
  readonly rolePrompts: readonly string[];
  /**
   * Reads the published files.
   *
   * @throws {UsageError} `ERR_TEAPOT_FORMAT` with file and line when they have another format.
   */
  read(paths: readonly string[], options: Pick<RunOptions, 'signal'>): Promise<readonly DataRow[]>;
  /** Makes the data, for data sets that need no file. */
  generate?(seed: number, count: number): readonly DataRow[];
}
