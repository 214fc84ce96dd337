import { createHash } from 'node:crypto';
import picocolors from 'picocolors';
import type { NonAnswer, VictimCounters } from '../../victim/cached-victim.js';
import type { RequestCounts } from '../../victim/victim.js';
import type { OutcomeCounts, OutcomeRates, Share } from '../../measure/denominators.js';
import { performanceDropRate } from '../../measure/performance-drop-rate.js';
import { formatFixed, formatPercent } from '../../number-format.js';
import { csvOf, gridOf, numbersOf, objectOf, valueColumns } from '../../report/columns.js';
import type { Column, ValueColumn } from '../../report/columns.js';
import type { TableFormat } from '../../report/formats.js';
import { cellText, transposed } from '../../report/grid.js';
import type { Grid } from '../../report/grid.js';
import { renderJson } from '../../report/json.js';
import { renderGrids } from '../../report/render-grids.js';
import type { PromptOutcome, RankedPrompt } from '../../attack/attack-prompts.js';
import { makeRecord } from '../../record/schema.js';
import type { AttackRecord } from '../../record/schema.js';
import { version } from '../../version.js';
import type { GatedRow } from '../gate.js';
import type { PromptPlan } from './plan.js';
import { diffSegments } from '../../record/diff-segments.js';
import { findEdits } from '../../record/text-edits.js';
import { spelledOut } from '../../visible.js';
import { diffLine } from '../diff-line.js';
import { writeStandardError } from '../terminal.js';

/** The states of answers that are none, in words. */
const WORDS: Readonly<Record<NonAnswer, string>> = {
  refused: 'refused',
  filtered: 'filtered',
  length: 'cut by length',
  tool_call: 'tool calls',
  unreadable: 'unreadable',
  error: 'failed',
};

type Counted = Pick<VictimCounters, 'nonAnswers'>;

/** The states of answers that are none. */
export const NON_ANSWERS = Object.keys(WORDS) as readonly NonAnswer[];

/** What the summary of a run says of requests, and of answers that are none; null where there were none. */
export function victimLines(
  { nonAnswers }: Counted,
  requests: RequestCounts | undefined,
): { readonly requests: string | null; readonly nonAnswers: string | null } {
  const kinds = describeNonAnswers(nonAnswers);
  return {
    requests:
      requests === undefined || requests.requests === 0
        ? null
        : `${requests.requests} / ${requests.retries} / ${requests.rateLimited}`,
    nonAnswers: kinds === '' ? null : kinds,
  };
}

/** The same for JSON. */
export function victimFields({ nonAnswers }: Counted, requests: RequestCounts | undefined): object {
  return {
    non_answers: nonAnswers,
    requests: requests?.requests ?? 0,
    retries: requests?.retries ?? 0,
    rate_limited: requests?.rateLimited ?? 0,
  };
}

/** Why a run is in vain whose every answer is none. */
export function nothingAnswered({ nonAnswers }: Counted): string {
  return `the victim answered nothing: ${describeNonAnswers(nonAnswers)}`;
}

function describeNonAnswers(nonAnswers: Counted['nonAnswers']): string {
  return NON_ANSWERS.flatMap((state) => (nonAnswers[state] > 0 ? [`${nonAnswers[state]} ${WORDS[state]}`] : [])).join(
    ', ',
  );
}

/** The share of right answers among inputs that have a label and were answered. */
export interface Accuracy {
  readonly before: Share;
  readonly underAttack: Share;
}

/** What `teapot attack` says about a run on inputs. Rates and scores are fractions. */
export interface InputAttackSummary {
  readonly attack: string;
  readonly goal: string;
  /** Constraints of the original attack that were not checked. */
  readonly without: readonly string[];
  /** Inputs. */
  readonly n: number;
  readonly counts: OutcomeCounts;
  readonly rates: OutcomeRates;
  /** Whether an input has a label. */
  readonly hasLabels: boolean;
  /** Null when no input has a label and both answers. */
  readonly accuracy: Accuracy | null;
  /** The same inputs with corrected texts; null without --autocorrect. */
  readonly autocorrect: Accuracy | null;
  /** Queries of all attacked inputs. */
  readonly queries: number;
  /** Per attacked input (successful or failed); null when none was. */
  readonly meanQueries: number | null;
  /** Per successful attack; null when there is none. */
  readonly meanEdits: number | null;
  /** s_src of the successful attacks; null when there is none. */
  readonly meanSSrc: number | null;
  /** Of inputs of several columns, the same by column; null of other inputs. */
  readonly sSrcColumns: Readonly<Record<string, number>> | null;
  /** Attacks that are successful by s_src + d_tgt > threshold. */
  readonly teapotSuccesses: number;
  /** Texts that the victim itself answered. */
  readonly calls: number;
  /** Questions answered from the cache. */
  readonly cached: number;
  readonly tokens: { readonly prompt: number; readonly completion: number };
  /** Answers that are none, by state. */
  readonly nonAnswers: VictimCounters['nonAnswers'];
  /** Requests to an endpoint, where the victim asks one. */
  readonly requests: RequestCounts | undefined;
}

/** What is said of a run, under the names of JSON, CSV and gates. */
export const INPUT_ATTACK_COLUMNS: readonly Column<InputAttackSummary>[] = [
  text('attack', 'Name of the attack', 'Attack', ({ attack }) => attack),
  {
    ...text('without', 'Constraints of the original attack that were not checked', 'Without', () => null),
    value: ({ without }) => (without.length === 0 ? null : without.join(', ')),
  },
  text('goal', 'What the attack wanted', 'Goal', ({ goal }) => goal),
  count('n', 'Inputs', ({ n }) => n, 'Inputs'),
  {
    ...count('successful', 'The attack reached its goal', ({ counts }) => counts.successful),
    heading: 'Successful / failed / skipped / errors',
    text: ({ counts: { successful, failed, skipped, error } }) => `${successful} / ${failed} / ${skipped} / ${error}`,
  },
  count('failed', 'The answer stayed', ({ counts }) => counts.failed),
  count('skipped', 'Not attacked: the answer was wrong before', ({ counts }) => counts.skipped),
  count('error', 'The attack broke down', ({ counts }) => counts.error),
  ...share('success_over_attacked', 'Success rate over attacked', ({ rates }) => rates.successOverAttacked),
  ...share('success_over_all', 'Success rate over all', ({ rates }) => rates.successOverAll),
  ...share('accuracy_before', 'Accuracy before', ({ accuracy }) => accuracy?.before),
  ...share('accuracy_under_attack', 'Accuracy under attack', ({ accuracy }) => accuracy?.underAttack),
  ...share(
    'autocorrect.accuracy_before',
    'Accuracy before, autocorrected',
    ({ autocorrect }) => autocorrect?.before,
    null,
  ),
  ...share(
    'autocorrect.accuracy_under_attack',
    'Accuracy under attack, autocorrected',
    ({ autocorrect }) => autocorrect?.underAttack,
    null,
  ),
  {
    ...count('successes', 'Successful by s_src + d_tgt > T', ({ teapotSuccesses }) => teapotSuccesses),
    heading: 'Successful by s_src + d_tgt',
    text: ({ teapotSuccesses, n }) => `${teapotSuccesses} of ${n}`,
  },
  {
    name: 'success_rate',
    kind: 'rate',
    describe: 'successes / n',
    value: ({ teapotSuccesses, n }) => (n === 0 ? null : teapotSuccesses / n),
  },
  {
    name: 'of_successful.s_src.mean',
    kind: 'score',
    describe: 'Mean s_src of the successful attacks',
    heading: 'Mean s_src of successful attacks',
    value: ({ meanSSrc }) => meanSSrc,
  },
  {
    name: 'of_successful.s_src_columns',
    kind: 'json',
    value: ({ sSrcColumns }) => sSrcColumns,
    schema: (z) =>
      z
        .record(z.string(), z.number())
        .nullable()
        .describe('Mean s_src of the successful attacks by input column; null of inputs of one column'),
  },
  {
    name: 'of_successful.mean_edits',
    kind: 'number',
    decimals: 2,
    describe: 'Edits a successful attack',
    heading: 'Mean edits of successful attacks',
    value: ({ meanEdits }) => meanEdits,
  },
  count('queries', 'Queries of all attacked inputs', ({ queries }) => queries),
  {
    name: 'mean_queries',
    kind: 'number',
    decimals: 2,
    describe: 'Queries an attacked input',
    heading: 'Mean queries of attacked inputs',
    value: ({ meanQueries }) => meanQueries,
  },
  {
    ...count('victim_calls', 'Texts that the victim itself answered', ({ calls }) => calls),
    heading: 'Calls of the victim / from the cache',
    text: ({ calls, cached }) => `${calls} / ${cached}`,
  },
  count('victim_cached', 'Questions answered from the cache', ({ cached }) => cached),
  {
    ...count('requests', 'Requests to an endpoint', ({ requests }) => requests?.requests ?? 0),
    heading: 'Requests / retries / too many requests',
    text: (summary) => victimLines(summary, summary.requests).requests,
  },
  count('retries', 'Requests made again', ({ requests }) => requests?.retries ?? 0),
  count('rate_limited', 'Requests that the endpoint put off', ({ requests }) => requests?.rateLimited ?? 0),
  ...NON_ANSWERS.map((state, index): ValueColumn<InputAttackSummary> => ({
    ...count(`non_answers.${state}`, `Answers that are none: ${state}`, ({ nonAnswers }) => nonAnswers[state]),
    ...(index === 0 && {
      heading: 'Answers that are none',
      text: (summary: InputAttackSummary) => victimLines(summary, summary.requests).nonAnswers,
    }),
  })),
  {
    ...count('tokens.prompt', 'Tokens sent', ({ tokens }) => tokens.prompt),
    heading: 'Tokens in / out',
    text: ({ tokens: { prompt, completion } }) => (prompt + completion === 0 ? null : `${prompt} / ${completion}`),
  },
  count('tokens.completion', 'Tokens received', ({ tokens }) => tokens.completion),
];

/** Quantities that are left out where there are none; the others are shown as n/a. */
const OPTIONAL = new Set([
  'without',
  'requests',
  `non_answers.${NON_ANSWERS[0]}`,
  'tokens.prompt',
  'autocorrect.accuracy_before.rate',
  'autocorrect.accuracy_under_attack.rate',
]);

/** The summary in a format; text has one quantity a line, every rate with its denominator. */
export async function inputAttackReport(summary: InputAttackSummary, format: TableFormat): Promise<string> {
  if (format === 'json') {
    return renderJson({ schema: 'teapot.attack-summary/2', ...objectOf(INPUT_ATTACK_COLUMNS, summary) });
  }
  const fixed = valueColumns(INPUT_ATTACK_COLUMNS);
  const all = fixed.toSpliced(
    fixed.findIndex(({ name }) => name === 'of_successful.s_src.mean') + 1,
    0,
    ...scoresOfColumns(summary),
  );
  if (format === 'csv') return csvOf({ columns: all, rows: [summary] });
  const columns = all.filter(
    ({ name, text: shown, value }) =>
      !OPTIONAL.has(name) || (shown === undefined ? value(summary) : shown(summary, STYLE)) !== null,
  );
  const grid = gridOf({ columns, rows: [summary], undefinedText: 'n/a' }, STYLE);
  if (format === 'html') return (await import('../report/result-page.js')).gridPage('Attack', transposed(grid));
  if (format !== 'text') return renderGrids([transposed(grid)], format);
  return grid.columns.map(({ name }, index) => `${name}:\t${cellText(grid.rows[0]?.[index] ?? '')}\n`).join('');
}

const STYLE = { scale: 100 };

/** s_src of each column of inputs of several columns. */
function scoresOfColumns({ sSrcColumns }: InputAttackSummary): readonly ValueColumn<InputAttackSummary>[] {
  return Object.keys(sSrcColumns ?? {}).map((name) => ({
    name: `of_successful.s_src_columns.${name}`,
    kind: 'score',
    describe: `Mean s_src of the column ${name} of the successful attacks`,
    heading: `Mean s_src of successful attacks, ${name}`,
    value: (summary) => summary.sSrcColumns?.[name] ?? null,
  }));
}

function text(
  name: string,
  describe: string,
  heading: string,
  value: (summary: InputAttackSummary) => string | null,
): ValueColumn<InputAttackSummary> {
  return { name, kind: 'text', describe, heading, value };
}

function count(
  name: string,
  describe: string,
  value: (summary: InputAttackSummary) => number,
  heading?: string,
): ValueColumn<InputAttackSummary> {
  return { name, kind: 'count', describe, value, ...(heading !== undefined && { heading }) };
}

function share(
  name: string,
  heading: string,
  of: (summary: InputAttackSummary) => Share | undefined,
  missing: string | null = 'n/a (no labels)',
): readonly ValueColumn<InputAttackSummary>[] {
  return [
    { name: `${name}.numerator`, kind: 'count', describe: heading, value: (row) => of(row)?.numerator ?? null },
    { name: `${name}.denominator`, kind: 'count', describe: heading, value: (row) => of(row)?.denominator ?? null },
    {
      name: `${name}.rate`,
      kind: 'rate',
      describe: `${heading}; null of nothing`,
      heading,
      value: (row) => of(row)?.rate ?? null,
      text: (row) => {
        const shown = of(row);
        if (shown === undefined) return missing;
        const { numerator, denominator, rate } = shown;
        return rate === null ? 'n/a (0 of 0)' : `${formatPercent(rate)} (${numerator} of ${denominator})`;
      },
    },
  ];
}

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

/** Makes the records of a run: one an attacked or skipped prompt, and one of the kind `clean` a prompt that was ranked only. */
export function promptRecordsOf({
  plan,
  model,
  attack,
  settings,
}: Pick<PromptAttackSummary, 'plan' | 'model'> & {
  readonly attack: string | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
}): {
  readonly attacked: (outcome: PromptOutcome) => AttackRecord;
  readonly ranked: (prompt: RankedPrompt) => AttackRecord;
} {
  const { task, recipe, seed } = plan;
  const scaled = (fraction: number | null): number | null => (fraction === null ? null : fraction * task.scale);
  const common = {
    run: createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16),
    unit: 'prompt' as const,
    attack: attack ?? recipe.name,
    model,
    source_model: model,
    dataset: task.name,
    metric: task.metric,
    scale: task.scale,
    provenance: { tool: 'teapot', version: version(), file: null, line: null, settings, seed },
  };
  return {
    attacked: ({ original, ...outcome }) =>
      makeRecord({
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
      }),
    ranked: ({ rank, prompt, type, score, unparsed }) =>
      makeRecord({
        ...common,
        id: `ranked/${rank}`,
        prompt_type: type,
        src: prompt,
        original_score: scaled(score),
        extra: { kind: 'clean', rank, items: task.items.length, unparsed, reason: 'not attacked: outside the top k' },
      }),
  };
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

/**
 * The log of a prompt attack as OpenCompass writes it: the ranking, then a block for each of the first k prompts.
 *
 * Prompts stand there as they are, line ends included; attacked ones as Python's `repr` of their UTF-8 bytes. Scores are
 * percentages with two decimals, ties to the even digit, as Python's `format` rounds.
 *
 * Source: `opencompass/tasks/openicl_attack.py` of open-compass/opencompass.
 */
export function attackLog(ranking: readonly RankedPrompt[], outcomes: readonly PromptOutcome[]): string {
  return [...ranking.map(rankedLine), ...outcomes.map(block)].join('');
}

function rankedLine({ prompt, score }: RankedPrompt): string {
  return `Prompt: ${prompt}, acc: ${percent(score)}%\n`;
}

function block({ original, attackedPrompt, attackedScore }: PromptOutcome): string {
  const { prompt, score } = original;
  if (attackedPrompt === null || attackedScore === null) {
    // The log knows one reason only; a prompt that was not asked for lack of budget has no block.
    if (score > 0) return '';
    return `Init acc is 0, skip this prompt\nOriginal prompt: ${prompt}\nOriginal acc: ${percent(score)}% \n\n`;
  }
  const dropped = score - attackedScore;
  return (
    `Original prompt: ${prompt}\nAttacked prompt: ${pythonBytes(attackedPrompt)}\n` +
    `Original acc: ${percent(score)}%, attacked acc: ${percent(attackedScore)}%, dropped acc: ${percent(dropped)}%\n\n`
  );
}

function percent(fraction: number): string {
  return formatFixed(fraction * 100, 2, true);
}

const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x09, String.raw`\t`],
  [0x0a, String.raw`\n`],
  [0x0d, String.raw`\r`],
  [0x5c, String.raw`\\`],
]);

/**
 * Python's `repr(text.encode('utf-8'))`: `b'…'`, or `b"…"` for a text with `'` and without `"`; what is no printable ASCII is `\xNN`.
 */
export function pythonBytes(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let literal = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const escape = ESCAPES.get(byte);
    if (escape !== undefined) literal += escape;
    else if (byte === quote.charCodeAt(0)) literal += `\\${quote}`;
    else if (byte >= 0x20 && byte < 0x7f) literal += String.fromCharCode(byte);
    else literal += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `b${quote}${literal}${quote}`;
}

/** What became of one input or prompt, as `--verbose` shows it. */
export interface ShownOutcome {
  readonly id: string;
  readonly result: string | null;
  readonly queries: number | null;
  readonly src: string | null;
  readonly advSrc: string | null;
  /** Outputs, labels or scores before and under attack. */
  readonly before: string | null;
  readonly after: string | null;
}

/** UTF-16 units of a text that are shown. */
const SHOWN = 1000;

/**
 * Prints an outcome on standard error as it comes: its result, its queries, what became of the output, and the text as a
 * difference.
 */
export async function showOutcome(outcome: ShownOutcome, color: boolean): Promise<void> {
  const { id, result, queries, src, advSrc, before, after } = outcome;
  const { bold, dim } = picocolors.createColors(color);
  const answer = [before, after].flatMap((text) => (text === null ? [] : [spelledOut(text.slice(0, 60))])).join(' -> ');
  const head = [
    `${spelledOut(id)} ${bold(result ?? 'no result')}`,
    queries === null ? '' : `${queries} queries`,
    answer,
  ].filter((part) => part !== '');
  writeStandardError(`${head.join(dim(' · '))}\n  ${await textOf(src, advSrc, color)}\n`);
}

async function textOf(src: string | null, advSrc: string | null, color: boolean): Promise<string> {
  if (src === null || advSrc === null) return spelledOut((advSrc ?? src ?? '').slice(0, SHOWN));
  const [report] = await findEdits([src], [advSrc]);
  return diffLine(diffSegments(src, advSrc, report?.edits ?? []), color, SHOWN);
}

/** A score or drop rate of a prompt, for the line of progress. */
export function shownScore(value: number | null): string {
  return value === null ? 'n/a' : formatFixed(value, 3);
}

/** What came of one victim and one attack of a matrix. Rates and scores are fractions. */
export interface MatrixRow {
  readonly model: string;
  readonly attack: string;
  /** Why the pair has no results; null when it has. */
  readonly error: string | null;
  /** Inputs, or prompts that were ranked. */
  readonly n: number;
  readonly successful: number;
  readonly failed: number;
  readonly skipped: number;
  readonly errors: number;
  /** Mean score of what was attacked: accuracy of inputs with a label, scores of prompts over the data set; null where there is none. */
  readonly original: number | null;
  readonly attacked: number | null;
  /** 1 - attacked / original; null where it is undefined. */
  readonly pdr: number | null;
  readonly queries: number;
}

/** What a matrix says of an attack on inputs: the accuracy is that of the inputs with a label and both answers. */
export function inputRow({
  n,
  counts,
  accuracy,
  queries,
}: InputAttackSummary): Omit<MatrixRow, 'model' | 'attack' | 'error'> {
  const { successful, failed, skipped, error: errors } = counts;
  const [original, attacked] = [accuracy?.before.rate ?? null, accuracy?.underAttack.rate ?? null];
  return { n, successful, failed, skipped, errors, original, attacked, pdr: dropOf(original, attacked), queries };
}

/** What a matrix says of an attack on prompts: means over the prompts that were attacked. */
export function promptRow({ ranking, outcomes }: PromptAttackSummary): Omit<MatrixRow, 'model' | 'attack' | 'error'> {
  const attacked = outcomes.filter(({ attackedScore }) => attackedScore !== null);
  const meanOf = (value: (outcome: PromptOutcome) => number): number | null =>
    attacked.length === 0 ? null : attacked.reduce((sum, one) => sum + value(one), 0) / attacked.length;
  const count = (result: PromptOutcome['result']): number => outcomes.filter((one) => one.result === result).length;
  const scores = [meanOf(({ original }) => original.score), meanOf(({ attackedScore }) => attackedScore ?? 0)] as const;
  return {
    n: ranking.length,
    successful: count('successful'),
    failed: count('failed'),
    skipped: count('skipped'),
    errors: 0,
    original: scores[0],
    attacked: scores[1],
    pdr: dropOf(...scores),
    queries: outcomes.reduce((sum, { queries }) => sum + queries, 0),
  };
}

function dropOf(original: number | null, attacked: number | null): number | null {
  return original === null || attacked === null ? null : performanceDropRate(original, attacked);
}

const matrixCount = (
  name: 'n' | 'successful' | 'failed' | 'skipped' | 'errors' | 'queries',
  describe: string,
  heading: string,
): ValueColumn<MatrixRow> => ({ name, kind: 'count', describe, heading, value: (row) => row[name] });

/** What is said of each pair of a matrix, under the names of JSON, CSV and gates. */
export const MATRIX_COLUMNS: readonly ValueColumn<MatrixRow>[] = [
  { name: 'model', kind: 'text', describe: 'Name of the victim', heading: 'model', value: ({ model }) => model },
  { name: 'attack', kind: 'text', describe: 'Name of the attack', heading: 'attack', value: ({ attack }) => attack },
  matrixCount('n', 'Inputs, or prompts that were ranked', 'n'),
  matrixCount('successful', 'Attacks that reached their goal', 'successful'),
  matrixCount('failed', 'Attacks that did not', 'failed'),
  matrixCount('skipped', 'Inputs or prompts that were not attacked', 'skipped'),
  matrixCount('errors', 'Inputs at which the victim failed', 'errors'),
  {
    name: 'success_rate',
    kind: 'rate',
    describe: 'successful / (successful + failed); null of nothing',
    heading: 'success rate',
    value: ({ successful, failed }) => (successful + failed === 0 ? null : successful / (successful + failed)),
  },
  {
    name: 'original_score',
    kind: 'score',
    decimals: 2,
    describe: 'Accuracy of the inputs, or mean score of the attacked prompts, before the attack',
    heading: 'original',
    value: ({ original }) => original,
  },
  {
    name: 'attacked_score',
    kind: 'score',
    decimals: 2,
    describe: 'The same under attack',
    heading: 'attacked',
    value: ({ attacked }) => attacked,
  },
  {
    name: 'pdr',
    kind: 'number',
    describe: '1 - attacked_score / original_score',
    heading: 'PDR',
    value: ({ pdr }) => pdr,
  },
  matrixCount('queries', 'Queries of all inputs, or passes over the data of all prompts', 'queries'),
  {
    name: 'error',
    kind: 'text',
    describe: 'Why the pair has no results',
    heading: 'error',
    value: ({ error }) => error,
  },
];

/** The JSON document of a matrix, also the bytes of `matrix.json`. */
export function matrixDocument(rows: readonly MatrixRow[], unit: 'input' | 'prompt'): string {
  const pairs = rows.map((row) => objectOf(MATRIX_COLUMNS, row));
  return renderJson({ schema: 'teapot.attack-matrix/1', unit, pairs, version: version() });
}

/** A matrix in a format: the drop rates, an attack a row and a victim a column; then one row a pair. */
export async function matrixReport(rows: readonly MatrixRow[], format: Exclude<TableFormat, 'json'>): Promise<string> {
  if (format === 'csv') return csvOf({ columns: MATRIX_COLUMNS, rows });
  const shown = rows.some(({ error }) => error !== null)
    ? MATRIX_COLUMNS
    : MATRIX_COLUMNS.filter(({ name }) => name !== 'error');
  const pairs = gridOf({ title: 'Pairs', columns: shown, rows, undefinedText: 'n/a' }, { scale: 100 });
  const grids = [dropGrid(rows), pairs];
  if (format === 'html') return (await import('../report/result-page.js')).gridsPage('Attacks on models', grids);
  return renderGrids(grids, format);
}

function dropGrid(rows: readonly MatrixRow[]): Grid {
  const models = [...new Set(rows.map(({ model }) => model))];
  const attacks = [...new Set(rows.map(({ attack }) => attack))];
  return {
    title: 'PDR',
    columns: [{ name: 'attack' }, ...models.map((model) => ({ name: model, align: 'right' as const }))],
    rows: attacks.map((attack) => {
      const drops = models.map((model) => {
        const row = rows.find((one) => one.model === model && one.attack === attack);
        if (row === undefined || row.error !== null) return 'error';
        return row.pdr === null ? 'n/a' : formatFixed(row.pdr, 4);
      });
      return [attack].concat(drops);
    }),
  };
}

/** The most that a pair of a matrix may cost. */
export interface MatrixEstimate {
  readonly model: string;
  readonly attack: string;
  /** Inputs, or items of the data set. */
  readonly items: number;
  /** Queries of all inputs, or passes over the data; null without a budget. */
  readonly queries: number | null;
  /** Texts that the victim is asked about. */
  readonly calls: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
}

/** What a matrix may cost at most: one row a pair. */
export function matrixEstimateReport(pairs: readonly MatrixEstimate[], format: 'text' | 'json'): string {
  if (format === 'json') {
    const rows = pairs.map((pair) => objectOf(ESTIMATE_COLUMNS, pair));
    return renderJson({ schema: 'teapot.attack-matrix-estimate/1', pairs: rows });
  }
  const table = { columns: ESTIMATE_COLUMNS, rows: pairs, undefinedText: 'no limit', omitEmpty: true };
  return renderGrids([gridOf(table, { scale: 1 })], 'text');
}

/** What `--dry-run` says of each pair. */
export const ESTIMATE_COLUMNS: readonly ValueColumn<MatrixEstimate>[] = [
  { name: 'model', kind: 'text', describe: 'Name of the victim', heading: 'model', value: ({ model }) => model },
  { name: 'attack', kind: 'text', describe: 'Name of the attack', heading: 'attack', value: ({ attack }) => attack },
  {
    name: 'items',
    kind: 'count',
    describe: 'Inputs, or items of the data set',
    heading: 'items',
    value: ({ items }) => items,
  },
  {
    name: 'queries',
    kind: 'count',
    describe: 'Queries of all inputs, or passes over the data, at most; null without a budget',
    heading: 'queries, at most',
    value: ({ queries }) => queries,
  },
  {
    name: 'calls',
    kind: 'count',
    describe: 'Calls of the victim, at most',
    heading: 'calls, at most',
    value: ({ calls }) => calls,
  },
  {
    name: 'input_tokens',
    kind: 'count',
    describe: 'Input tokens, about, at most',
    heading: 'input tokens, about',
    value: ({ input_tokens }) => input_tokens,
  },
  {
    name: 'output_tokens',
    kind: 'count',
    describe: 'Output tokens, at most',
    heading: 'output tokens',
    value: ({ output_tokens }) => output_tokens,
  },
];
