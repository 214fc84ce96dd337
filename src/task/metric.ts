import { runNative } from '../native.js';
import type { MetricOptions } from '../native.js';
import type { RunOptions } from '../run-options.js';

/** Metrics of a task. */
export const TASK_METRICS = ['accuracy', 'exact_match', 'squad_f1', 'squad_em', 'bleu'] as const;

/** One of {@link TASK_METRICS}. */
export type TaskMetricName = (typeof TASK_METRICS)[number];

/** A metric over a data set. */
export interface TaskMetric {
  readonly name: TaskMetricName;
  /** The value that the field prints for a perfect score: SQuAD's scores are percentages, the others fractions. */
  readonly scale: 1 | 100;
  /** Everything that can change a score. */
  readonly signature: string;
  /**
   * Scores N answers; null answers score 0.
   *
   * @param answers What was read from the outputs.
   * @param references One or more references each.
   * @returns The score of the data set and of each item, fractions.
   */
  score(
    answers: readonly (string | null)[],
    references: readonly (readonly string[])[],
    options?: Pick<RunOptions, 'signal'>,
  ): Promise<{ readonly score: number; readonly perItem: Float64Array }>;
}

const NATIVE: Readonly<Record<Exclude<TaskMetricName, 'accuracy'>, MetricOptions>> = {
  exact_match: { kind: 'exact_match', strip: true },
  squad_f1: { kind: 'squad_f1', version: 2 },
  squad_em: { kind: 'squad_em', version: 2 },
  bleu: { kind: 'bleu', tokenizer: '13a', smoothing: 'none', maxOrder: 4, effectiveOrder: false },
};

/**
 * Makes a metric.
 *
 * | metric | score of the data set | scale |
 * | --- | --- | --- |
 * | `accuracy` | share of answers that equal a reference | 1 |
 * | `exact_match` | the same after trailing whitespace is left out | 1 |
 * | `squad_f1`, `squad_em` | mean over the items, SQuAD 2.0's script | 100 |
 * | `bleu` | corpus BLEU, 13a, order 4, no smoothing | 1 |
 *
 * Source: PromptBench 0.0.4 `metrics/eval.py`, whose units these scales are.
 */
export function taskMetric(name: TaskMetricName): TaskMetric {
  if (name === 'accuracy') return ACCURACY;
  const native = NATIVE[name];
  return {
    name,
    scale: name.startsWith('squad') ? 100 : 1,
    signature: JSON.stringify(native),
    async score(answers, references, options = {}) {
      const texts = answers.map((answer) => answer ?? '');
      const counts = references.map((list) => list.length);
      const flat = references.flat();
      const perItem = await runNative(
        (binding, cancellation) => binding.scoreBatch(native, texts, flat, counts, undefined, cancellation),
        options,
      );
      // Nothing was answered where nothing could be read: an empty reference must not reward that.
      for (const [index, answer] of answers.entries()) if (answer === null) perItem[index] = 0;
      if (name !== 'bleu') return { score: mean(perItem), perItem };
      const score = await runNative(
        (binding, cancellation) => binding.corpusScore(native, texts, flat, counts, cancellation),
        options,
      );
      return { score, perItem };
    },
  };
}

const ACCURACY: TaskMetric = {
  name: 'accuracy',
  scale: 1,
  signature: 'accuracy',
  async score(answers, references) {
    const perItem = Float64Array.from(answers, (answer, index) =>
      answer !== null && references[index]?.includes(answer) === true ? 1 : 0,
    );
    return { score: mean(perItem), perItem };
  },
};

function mean(values: Float64Array): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
