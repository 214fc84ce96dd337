import type { InputOutcome } from '../../attack/attack-inputs.js';
import { columnsAfter, columnsBefore } from '../../attack/input-columns.js';
import type { AttackRecipe } from '../../attack/recipe.js';
import { makeRecord } from '../../record/schema.js';
import type { AttackRecord } from '../../record/schema.js';

/**
 * The record of an outcome.
 *
 * @param metric What compares outputs, as `--s-tgt` names it: the records are scored by it later.
 */
export function recordOf(
  outcome: InputOutcome,
  recipe: AttackRecipe,
  model: string,
  settings: { readonly seed: number; readonly version: string },
  metric: string,
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
    columns:
      input.columns === undefined
        ? null
        : {
            original: columnsBefore(input.columns),
            perturbed: outcome.advSrc === null ? null : columnsAfter(input.columns, outcome.edits),
          },
    metric,
    result: outcome.result,
    queries: outcome.queries,
    provenance: {
      tool: 'teapot',
      version: settings.version,
      file: null,
      line: null,
      settings: { ...settings },
      seed: settings.seed,
    },
    extra: {
      edits: outcome.edits,
      out_state: outcome.outState,
      adv_out_state: outcome.advOutState,
      goal_score_original: outcome.originalScore,
      goal_score_attacked: outcome.attackedScore,
      ...(outcome.reason === null ? {} : { reason: outcome.reason }),
    },
  });
}
