import { makeRecord } from '../../schema.js';
import type { AttackRecord, AttackResult } from '../../schema.js';
import { fileName } from '../common/values.js';
import type { CleanPair } from './pair.js';

/** What the two scores of TextAttack measure. */
export const GOAL_FUNCTION_SCORE = 'goal function score';

/** What TextAttack calls its results; Maximized stands for success of an attack that goes on to the end. */
const RESULT_TYPES: Readonly<Record<string, AttackResult>> = {
  successful: 'successful',
  failed: 'failed',
  skipped: 'skipped',
  maximized: 'successful',
};

/** One result of TextAttack, read from any of its logs; null for what that log doesn't tell. */
export interface TextAttackResult {
  /** 1-based, in the order of the log. */
  readonly number: number;
  readonly run: string;
  readonly line: number;
  readonly texts: Pick<CleanPair, 'original' | 'changed'> & {
    readonly perturbed: string | null;
    readonly columns: AttackRecord['columns'];
  };
  readonly resultType: string | null;
  readonly out: string | null;
  readonly advOut: string | null;
  readonly ref: string | null;
  readonly originalScore: number | null;
  readonly perturbedScore: number | null;
  readonly queries: number | null;
  readonly settings?: Record<string, unknown> | undefined;
  readonly extra: Record<string, unknown>;
}

/**
 * What a name of a result type means.
 *
 * @returns undefined for a name that TextAttack doesn't have.
 */
export function resultOf(resultType: string): AttackResult | undefined {
  const key = resultType.trim().toLowerCase();
  return Object.hasOwn(RESULT_TYPES, key) ? RESULT_TYPES[key] : undefined;
}

/** Makes the record of one result. The two scores are those of the goal function: higher means nearer to the goal. */
export function resultRecord(result: TextAttackResult, file: string): AttackRecord {
  const { texts } = result;
  const extra: Record<string, unknown> = { ...result.extra };
  if (result.resultType !== null) extra['result_type'] = result.resultType;
  if (texts.changed.length > 0) extra['changed_words'] = texts.changed;
  const hasScores = result.originalScore !== null || result.perturbedScore !== null;
  return makeRecord({
    id: String(result.number),
    run: result.run,
    unit: 'input',
    src: texts.original,
    adv_src: texts.perturbed,
    out: result.out,
    adv_out: result.advOut,
    ref: result.ref,
    columns: texts.columns,
    original_score: result.originalScore,
    attacked_score: result.perturbedScore,
    metric: hasScores ? GOAL_FUNCTION_SCORE : null,
    scale: hasScores ? 1 : null,
    result: result.resultType === null ? null : (resultOf(result.resultType) ?? null),
    queries: result.queries,
    provenance: {
      tool: 'textattack',
      version: null,
      file,
      line: result.line,
      ...(result.settings === undefined ? {} : { settings: result.settings }),
    },
    extra,
  });
}

/** The run of a file that doesn't name it. */
export function runName(file: string): string {
  return fileName(file);
}
