import { createHash } from 'node:crypto';

import type { PromptOutcome, RankedPrompt } from '../../attack/attack-prompts.js';
import { makeRecord } from '../../record/schema.js';
import type { AttackRecord } from '../../record/schema.js';
import { formatFixed } from '../../number-format.js';
import { version } from '../../version.js';
import type { VictimCounters } from '../../victim/cached-victim.js';
import type { RequestCounts } from '../../victim/victim.js';
import { victimFields, victimLines } from './victim-summary.js';
import type { PromptPlan } from './prompt-plan.js';

/** What a prompt attack found. */
export interface PromptAttackSummary {
  readonly ranking: readonly RankedPrompt[];
  readonly outcomes: readonly PromptOutcome[];
  readonly plan: PromptPlan;
  readonly model: string;
  readonly counters: VictimCounters;
  /** Requests to an endpoint, where the victim asks one. */
  readonly requests: RequestCounts | undefined;
}

/** One record an attacked or skipped prompt, then one of the kind `clean` a prompt that was ranked only. */
export function* promptRecords({
  ranking,
  outcomes,
  plan,
  model,
  settings,
}: Omit<PromptAttackSummary, 'counters' | 'requests'> & {
  readonly settings: Readonly<Record<string, unknown>>;
}): Generator<AttackRecord> {
  const { task, recipe, seed } = plan;
  const scaled = (fraction: number | null): number | null => (fraction === null ? null : fraction * task.scale);
  const common = {
    run: createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16),
    unit: 'prompt' as const,
    attack: recipe.name,
    model,
    source_model: model,
    dataset: task.name,
    metric: task.metric,
    scale: task.scale,
    provenance: { tool: 'teapot', version: version(), file: null, line: null, settings, seed },
  };
  for (const { original, ...outcome } of outcomes) {
    yield makeRecord({
      ...common,
      id: `attack/${original.rank}`,
      prompt_type: original.type,
      src: original.prompt,
      adv_src: outcome.attackedPrompt,
      original_score: scaled(original.score),
      attacked_score: scaled(outcome.attackedScore),
      result: outcome.result,
      queries: outcome.queries,
      measured: {
        pdr: outcome.pdr,
        ...(outcome.pdr === null && outcome.reason !== null ? { reasons: { pdr: outcome.reason } } : {}),
      },
      extra: {
        kind: 'attack',
        rank: original.rank,
        items: task.items.length,
        unparsed: original.unparsed,
        attacked_unparsed: outcome.attackedUnparsed,
        edits: outcome.edits,
        budget_used: outcome.isBudgetUsed,
        ...(outcome.damaged.length === 0 ? {} : { damaged: outcome.damaged }),
        ...(outcome.reason === null ? {} : { reason: outcome.reason }),
      },
    });
  }
  for (const { rank, prompt, type, score, unparsed } of ranking.slice(outcomes.length)) {
    yield makeRecord({
      ...common,
      id: `ranked/${rank}`,
      prompt_type: type,
      src: prompt,
      original_score: scaled(score),
      extra: { kind: 'clean', rank, items: task.items.length, unparsed, reason: 'not attacked: outside the top k' },
    });
  }
}

/** The table of a run as text: one line an attacked prompt, cells separated by tabs. */
export function promptAttackText({ ranking, outcomes, plan, model, counters, requests }: PromptAttackSummary): string {
  const { task, recipe } = plan;
  const lines = [
    `Attack:\t${recipe.name}`,
    `Model:\t${model}`,
    `Data set:\t${task.name}, ${task.items.length} items, ${task.metric}`,
    `Prompts:\t${ranking.length} ranked, ${outcomes.length} of them attacked`,
    `Calls of the victim / from the cache:\t${counters.calls} / ${counters.cached}`,
  ];
  lines.push(...victimLines(counters, requests).map(([label, text]) => `${label}:\t${text}`));
  if (counters.promptTokens + counters.completionTokens > 0) {
    lines.push(`Tokens in / out:\t${counters.promptTokens} / ${counters.completionTokens}`);
  }
  lines.push('', 'rank\toriginal\tattacked\tPDR\tqueries\tresult');
  for (const { original, attackedScore, pdr, queries, result, reason } of outcomes) {
    const cells = [
      original.rank,
      scoreText(original.score),
      attackedScore === null ? 'n/a' : scoreText(attackedScore),
      pdr === null ? 'n/a' : formatFixed(pdr, 4),
      queries,
      reason === null ? result : `${result}: ${reason}`,
    ];
    lines.push(cells.join('\t'));
  }
  for (const { original, attackedPrompt } of outcomes) {
    lines.push('', `Prompt ${original.rank}:\t${original.prompt}`);
    if (attackedPrompt !== null) lines.push(`Attacked:\t${attackedPrompt}`);
  }
  return `${lines.join('\n')}\n`;
}

function scoreText(fraction: number): string {
  return formatFixed(fraction * 100, 2);
}

/** The run as one JSON document with stable keys; scores are fractions. */
export function promptAttackJson({ ranking, outcomes, plan, model, counters, requests }: PromptAttackSummary): string {
  const { task, recipe } = plan;
  const document = {
    schema: 'teapot.prompt-attack-summary/1',
    attack: recipe.name,
    model,
    dataset: task.name,
    items: task.items.length,
    metric: task.metric,
    seed: plan.seed,
    ranking: ranking.map(({ rank, prompt, type, score, unparsed }) => ({
      rank,
      prompt,
      prompt_type: type,
      score,
      unparsed,
    })),
    attacks: outcomes.map(({ original, ...outcome }) => ({
      rank: original.rank,
      original_prompt: original.prompt,
      original_score: original.score,
      attacked_prompt: outcome.attackedPrompt,
      attacked_score: outcome.attackedScore,
      pdr: outcome.pdr,
      queries: outcome.queries,
      result: outcome.result,
      reason: outcome.reason,
    })),
    victim_calls: counters.calls,
    victim_cached: counters.cached,
    ...victimFields(counters, requests),
    tokens: { prompt: counters.promptTokens, completion: counters.completionTokens },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
