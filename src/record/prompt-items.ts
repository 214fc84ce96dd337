import { ERROR_CODES, UsageError } from '../errors.js';
import { parseJson } from '../read/json.js';
import { openSource } from '../read/source-file.js';
import type { SourceOptions } from '../read/source-file.js';
import { isBlank } from './read.js';
import type { AttackRecord } from './schema.js';

/** The scores of the items of a data set under one prompt, before and under attack: fractions, aligned. */
export interface PromptItems {
  readonly originals: readonly number[];
  readonly attacked: readonly number[];
}

/** The scores of a prompt's items, or why they aren't known. */
export type PromptItemsOrReason = PromptItems | { readonly reason: string };

/** What the mean of item scores may differ by from the score of the prompt, relative to its scale: rounding. */
const TOLERANCE = 1e-9;

interface AskedPrompt {
  readonly ids: string[];
  readonly scores: number[];
}

/** What a model answered to every item under every prompt of a run: `predictions.jsonl` of an attack's work folder. */
export class PromptPredictions {
  readonly #prompts = new Map<string, AskedPrompt>();

  /**
   * Reads a file of predictions: one object an item and prompt, with `role`, `rank`, `prompt`, `id` and `score`.
   *
   * Memory grows with the number of lines (an id and a number each).
   *
   * @throws {UsageError} `ERR_TEAPOT_FORMAT` naming file and line; what reading throws.
   */
  static async read(path: string, options: SourceOptions = {}): Promise<PromptPredictions> {
    const predictions = new PromptPredictions();
    const source = openSource(path, options);
    for await (const lines of source.lines()) {
      for (const { text, line } of lines) if (!isBlank(text)) predictions.#add(text, `${source.name}:${line}`);
    }
    return predictions;
  }

  /**
   * The scores of the items under an attacked prompt and under its original.
   *
   * @param record An attack on a prompt, of the same run.
   */
  itemsOf(record: AttackRecord): PromptItemsOrReason {
    const { src, adv_src: advSrc, original_score: original, attacked_score: attacked, scale, extra } = record;
    const rank = extra['rank'];
    const before = this.#prompts.get(keyOf('original', rank, src));
    const under = this.#prompts.get(keyOf('attacked', rank, advSrc));
    if (before === undefined) return { reason: 'the predictions hold no item of the prompt' };
    if (under === undefined) {
      return {
        reason: src === advSrc ? 'the attack changed nothing' : 'the predictions hold no item of the attacked prompt',
      };
    }
    if (before.ids.length !== under.ids.length || before.ids.some((id, item) => id !== under.ids[item])) {
      return { reason: 'the predictions have other items before and under attack' };
    }
    if (!isMean(before.scores, original, scale) || !isMean(under.scores, attacked, scale)) {
      return { reason: 'the score of the prompt is not the mean of its items' };
    }
    return { originals: before.scores, attacked: under.scores };
  }

  #add(text: string, place: string): void {
    const parsed = parseJson(text);
    const value = 'problem' in parsed ? undefined : parsed.value;
    const fields: Readonly<Record<string, unknown>> = typeof value === 'object' ? { ...value } : {};
    const { role, rank, prompt, id, score } = fields;
    if (
      typeof role !== 'string' ||
      typeof prompt !== 'string' ||
      typeof score !== 'number' ||
      !(score >= 0 && score <= 1)
    ) {
      throw new UsageError(
        ERROR_CODES.FORMAT,
        `${place}: expected a prediction of teapot attack: an object with role, rank, prompt, id and a score from 0 to 1.`,
      );
    }
    const key = keyOf(role, rank, prompt);
    let asked = this.#prompts.get(key);
    if (asked === undefined) this.#prompts.set(key, (asked = { ids: [], scores: [] }));
    asked.ids.push(JSON.stringify(id) ?? '');
    asked.scores.push(score);
  }
}

function keyOf(role: string, rank: unknown, prompt: string | null): string {
  return JSON.stringify([role, rank ?? null, prompt]);
}

function isMean(scores: readonly number[], score: number | null, scale: number | null): boolean {
  if (score === null || scale === null) return false;
  const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length;
  return Math.abs(mean - score / scale) <= TOLERANCE;
}
