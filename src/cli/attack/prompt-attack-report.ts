import { createHash } from 'node:crypto';

import type { PromptOutcome, RankedPrompt } from '../../attack/attack-prompts.js';
import { makeRecord } from '../../record/schema.js';
import type { AttackRecord } from '../../record/schema.js';
import { csvOf, gridOf, numbersOf, objectOf } from '../../report/columns.js';
import type { Column } from '../../report/columns.js';
import type { TableFormat } from '../../report/formats.js';
import { cellText, type Grid } from '../../report/grid.js';
import { renderJson } from '../../report/json.js';
import { renderGrids } from '../../report/render-grids.js';
import { version } from '../../version.js';
import type { VictimCounters } from '../../victim/cached-victim.js';
import type { GatedRow } from '../gate.js';
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

/** What is said of each attacked prompt, under the names of JSON, CSV and gates. */
export const PROMPT_ATTACK_COLUMNS: readonly Column<PromptOutcome>[] = [
  {
    name: 'rank',
    kind: 'count',
    gate: false,
    describe: 'Its place among the prompts, from 1',
    heading: 'rank',
    value: ({ original }) => original.rank,
  },
  { name: 'original_prompt', kind: 'text', describe: 'The prompt', value: ({ original }) => original.prompt },
  {
    name: 'original_score',
    kind: 'score',
    decimals: 2,
    describe: 'Its score over the data set',
    heading: 'original',
    value: ({ original }) => original.score,
  },
  {
    name: 'attacked_prompt',
    kind: 'text',
    describe: 'The prompt under attack',
    value: ({ attackedPrompt }) => attackedPrompt,
  },
  {
    name: 'attacked_score',
    kind: 'score',
    decimals: 2,
    describe: 'Its score over the data set',
    heading: 'attacked',
    value: ({ attackedScore }) => attackedScore,
  },
  {
    name: 'pdr',
    kind: 'number',
    describe: '1 - attacked_score / original_score',
    heading: 'PDR',
    value: ({ pdr }) => pdr,
  },
  {
    name: 'queries',
    kind: 'count',
    describe: 'Passes over the data set',
    heading: 'queries',
    value: ({ queries }) => queries,
  },
  {
    name: 'result',
    kind: 'text',
    describe: 'successful, failed or skipped',
    heading: 'result',
    value: ({ result }) => result,
    text: ({ result, reason }) => (reason === null ? result : `${result}: ${reason}`),
  },
  { name: 'reason', kind: 'text', describe: 'Why there is no PDR', value: ({ reason }) => reason },
];

/** The run in a format: one row an attacked prompt. */
export async function promptAttackReport(summary: PromptAttackSummary, format: TableFormat): Promise<string> {
  const table = { columns: PROMPT_ATTACK_COLUMNS, rows: summary.outcomes, undefinedText: 'n/a' };
  switch (format) {
    case 'json':
      return renderJson(promptAttackDocument(summary));
    case 'csv':
      return csvOf(table);
    case 'text':
      return promptAttackText(summary, gridOf(table, { scale: 100 }));
    case 'html': {
      const { gridPage } = await import('../report/result-page.js');
      return gridPage('Attack on prompts', gridOf(table, { scale: 100 }));
    }
    case 'markdown':
    case 'latex':
      return renderGrids([gridOf(table, { scale: 100 })], format, {
        remarks: head(summary).map((line) => line.replace('\t', ' ')),
      });
  }
}

/** What the rows have in common, one quantity a line. */
function head({ ranking, outcomes, plan, model, counters, requests }: PromptAttackSummary): readonly string[] {
  const { task, recipe } = plan;
  const tokens = counters.promptTokens + counters.completionTokens;
  const shown = victimLines(counters, requests);
  return [
    `Attack:\t${recipe.name}`,
    `Model:\t${model}`,
    `Data set:\t${task.name}, ${task.items.length} items, ${task.metric}`,
    `Prompts:\t${ranking.length} ranked, ${outcomes.length} of them attacked`,
    `Calls of the victim / from the cache:\t${counters.calls} / ${counters.cached}`,
    ...(shown.requests === null ? [] : [`Requests / retries / too many requests:\t${shown.requests}`]),
    ...(shown.nonAnswers === null ? [] : [`Answers that are none:\t${shown.nonAnswers}`]),
    ...(tokens > 0 ? [`Tokens in / out:\t${counters.promptTokens} / ${counters.completionTokens}`] : []),
  ];
}

/** Cells are separated by tabs, then the prompts themselves follow. */
function promptAttackText(summary: PromptAttackSummary, { columns, rows }: Grid): string {
  const lines = [...head(summary), '', columns.map(({ name }) => name).join('\t')];
  lines.push(...rows.map((row) => row.map(cellText).join('\t')));
  for (const { original, attackedPrompt } of summary.outcomes) {
    lines.push('', `Prompt ${original.rank}:\t${original.prompt}`);
    if (attackedPrompt !== null) lines.push(`Attacked:\t${attackedPrompt}`);
  }
  return `${lines.join('\n')}\n`;
}

function promptAttackDocument({ ranking, outcomes, plan, model, counters, requests }: PromptAttackSummary): unknown {
  const { task, recipe } = plan;
  return {
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
    attacks: outcomes.map((outcome) => objectOf(PROMPT_ATTACK_COLUMNS, outcome)),
    victim_calls: counters.calls,
    victim_cached: counters.cached,
    ...victimFields(counters, requests),
    tokens: { prompt: counters.promptTokens, completion: counters.completionTokens },
  };
}

/** The numbers of each attacked prompt, for gates. */
export function promptAttackRows({ outcomes }: PromptAttackSummary): readonly GatedRow[] {
  return outcomes.map((outcome) => ({
    group: { rank: String(outcome.original.rank) },
    numbers: numbersOf(PROMPT_ATTACK_COLUMNS, outcome),
  }));
}
