import type { VictimCounters } from '../../victim/cached-victim.js';
import type { RequestCounts } from '../../victim/victim.js';
import { NON_ANSWERS, victimLines } from './victim-summary.js';
import type { OutcomeCounts, OutcomeRates, Share } from '../../measure/denominators.js';
import { formatPercent } from '../../number-format.js';
import { csvOf, gridOf, objectOf, valueColumns } from '../../report/columns.js';
import type { Column, ValueColumn } from '../../report/columns.js';
import type { TableFormat } from '../../report/formats.js';
import { cellText, transposed } from '../../report/grid.js';
import { renderJson } from '../../report/json.js';
import { renderGrids } from '../../report/render-grids.js';

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
  /** Queries of all attacked inputs. */
  readonly queries: number;
  /** Per attacked input (successful or failed); null when none was. */
  readonly meanQueries: number | null;
  /** Per successful attack; null when there is none. */
  readonly meanEdits: number | null;
  /** s_src of the successful attacks; null when there is none. */
  readonly meanSSrc: number | null;
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
const OPTIONAL = new Set(['without', 'requests', `non_answers.${NON_ANSWERS[0]}`, 'tokens.prompt']);

/** The summary in a format; text has one quantity a line, every rate with its denominator. */
export async function inputAttackReport(summary: InputAttackSummary, format: TableFormat): Promise<string> {
  if (format === 'json') {
    return renderJson({ schema: 'teapot.attack-summary/2', ...objectOf(INPUT_ATTACK_COLUMNS, summary) });
  }
  if (format === 'csv') return csvOf({ columns: INPUT_ATTACK_COLUMNS, rows: [summary] });
  const columns = valueColumns(INPUT_ATTACK_COLUMNS).filter(
    ({ name, text: shown, value }) =>
      !OPTIONAL.has(name) || (shown === undefined ? value(summary) : shown(summary, STYLE)) !== null,
  );
  const grid = gridOf({ columns, rows: [summary], undefinedText: 'n/a' }, STYLE);
  if (format === 'html') return (await import('../report/result-page.js')).gridPage('Attack', transposed(grid));
  if (format !== 'text') return renderGrids([transposed(grid)], format);
  return grid.columns.map(({ name }, index) => `${name}:\t${cellText(grid.rows[0]?.[index] ?? '')}\n`).join('');
}

const STYLE = { scale: 100 };

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
        if (shown === undefined) return 'n/a (no labels)';
        const { numerator, denominator, rate } = shown;
        return rate === null ? 'n/a (0 of 0)' : `${formatPercent(rate)} (${numerator} of ${denominator})`;
      },
    },
  ];
}
