import type { InputOutcome } from '../../attack/attack-inputs.js';
import type { AttackRecipe } from '../../attack/recipe.js';
import { makeRecord } from '../../record/schema.js';
import type { AttackRecord } from '../../record/schema.js';
import { scoreBatch } from '../../record/score-records.js';
import { outcomeRates, share } from '../../summarise/denominators.js';
import { version } from '../../version.js';
import type { VictimCounters } from '../../victim/cached-victim.js';
import { interruptSignal } from '../interrupt.js';
import type { Accuracy, InputAttackSummary } from './input-attack-report.js';

/** Records scored at a time. */
const SCORED_RECORDS = 256;

/** The record of an outcome. */
export function recordOf(
  outcome: InputOutcome,
  recipe: AttackRecipe,
  model: string,
  settings: { readonly seed: number },
): AttackRecord {
  const { input, item } = outcome;
  return makeRecord({
    id: String(item + 1),
    unit: 'input',
    attack: recipe.name,
    model,
    source_model: model,
    src: input.text,
    adv_src: outcome.advSrc,
    out: outcome.out,
    adv_out: outcome.advOut,
    ref: input.ref === undefined ? null : typeof input.ref === 'string' ? input.ref : [...input.ref],
    result: outcome.result,
    queries: outcome.queries,
    provenance: {
      tool: 'teapot',
      version: version(),
      file: null,
      line: null,
      settings: { ...settings },
      seed: settings.seed,
    },
    extra: {
      edits: outcome.edits,
      goal_score_original: outcome.originalScore,
      goal_score_attacked: outcome.attackedScore,
      ...(outcome.reason === null ? {} : { reason: outcome.reason }),
    },
  });
}

type Scoring = Omit<Parameters<typeof scoreBatch>[1], 'signal'>;

/** The records with what was measured of them. */
export async function measure(records: readonly AttackRecord[], scoring: Scoring): Promise<AttackRecord[]> {
  const measured: AttackRecord[] = [];
  for (let from = 0; from < records.length; from += SCORED_RECORDS) {
    const batch = await scoreBatch(records.slice(from, from + SCORED_RECORDS), { ...scoring, signal: interruptSignal });
    for (const one of batch) {
      if (one.measured !== null) one.record.measured = Object.assign<Record<string, unknown>, object>({}, one.measured);
      measured.push(one.record);
    }
  }
  return measured;
}

/** The counts, rates and means of a run. */
export function summarise(
  outcomes: readonly InputOutcome[],
  records: readonly AttackRecord[],
  counters: VictimCounters,
  settings: { readonly attack: string; readonly goal: string; readonly without: readonly string[] },
): InputAttackSummary {
  const count = (result: InputOutcome['result']): number => outcomes.filter((one) => one.result === result).length;
  const counts = {
    successful: count('successful'),
    failed: count('failed'),
    skipped: count('skipped'),
    error: count('error'),
  };
  const attacked = outcomes.filter(({ result }) => result === 'successful' || result === 'failed');
  const won = records.filter(({ result }) => result === 'successful');
  return {
    attack: settings.attack,
    goal: settings.goal,
    without: settings.without,
    n: outcomes.length,
    counts,
    rates: outcomeRates(counts),
    accuracy: accuracyOf(outcomes),
    queries: attacked.reduce((sum, { queries }) => sum + queries, 0),
    meanQueries: mean(attacked.map(({ queries }) => queries)),
    meanEdits: mean(outcomes.filter(({ result }) => result === 'successful').map(({ edits }) => edits.length)),
    meanSSrc: mean(won.flatMap(({ measured }) => (typeof measured?.s_src === 'number' ? [measured.s_src] : []))),
    teapotSuccesses: records.filter(({ measured }) => measured?.success === true).length,
    calls: counters.calls,
    cached: counters.cached,
    tokens: { prompt: counters.promptTokens, completion: counters.completionTokens },
  };
}

/** Computed from the labels, so that it holds for every goal (not only where a wrong answer is what an attack wants). */
function accuracyOf(outcomes: readonly InputOutcome[]): Accuracy | null {
  const labelled = outcomes.filter(
    ({ input, out, advOut }) => input.ref !== undefined && out !== null && advOut !== null,
  );
  if (labelled.length === 0) return null;
  const right = (output: (one: InputOutcome) => string | null): number =>
    labelled.filter((one) => [one.input.ref ?? []].flat().includes(output(one) ?? '')).length;
  return {
    before: share(
      right(({ out }) => out),
      labelled.length,
    ),
    underAttack: share(
      right(({ advOut }) => advOut),
      labelled.length,
    ),
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
