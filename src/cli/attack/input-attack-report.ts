import { formatFixed, formatPercent } from '../../number-format.js';
import type { VictimCounters } from '../../victim/cached-victim.js';
import type { RequestCounts } from '../../victim/victim.js';
import { victimFields, victimLines } from './victim-summary.js';
import type { OutcomeCounts, OutcomeRates, Share } from '../../measure/denominators.js';

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
  /** Null when no input has a label. */
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

/** The summary as text: one quantity a line, every rate with its denominator. */
export function inputAttackText(summary: InputAttackSummary): string {
  const { counts, rates, accuracy } = summary;
  const lines: [string, string][] = [
    ['Attack', summary.attack],
    ...(summary.without.length === 0 ? [] : [['Without', summary.without.join(', ')] as [string, string]]),
    ['Goal', summary.goal],
    ['Inputs', String(summary.n)],
    [
      'Successful / failed / skipped / errors',
      `${counts.successful} / ${counts.failed} / ${counts.skipped} / ${counts.error}`,
    ],
    ['Success rate over attacked', shareText(rates.successOverAttacked)],
    ['Success rate over all', shareText(rates.successOverAll)],
    ['Accuracy before', accuracy === null ? 'n/a (no labels)' : shareText(accuracy.before)],
    ['Accuracy under attack', accuracy === null ? 'n/a (no labels)' : shareText(accuracy.underAttack)],
    ['Successful by s_src + d_tgt', `${summary.teapotSuccesses} of ${summary.n}`],
    ['Mean s_src of successful attacks', summary.meanSSrc === null ? 'n/a' : formatFixed(summary.meanSSrc * 100, 3)],
    ['Mean edits of successful attacks', numberText(summary.meanEdits)],
    ['Mean queries of attacked inputs', numberText(summary.meanQueries)],
    ['Calls of the victim / from the cache', `${summary.calls} / ${summary.cached}`],
  ];
  lines.push(...victimLines(summary, summary.requests));
  if (summary.tokens.prompt + summary.tokens.completion > 0) {
    lines.push(['Tokens in / out', `${summary.tokens.prompt} / ${summary.tokens.completion}`]);
  }
  return lines.map(([label, text]) => `${label}:\t${text}\n`).join('');
}

/** The summary as one JSON document with stable keys. */
export function inputAttackJson(summary: InputAttackSummary): string {
  const { counts, rates } = summary;
  const document = {
    schema: 'teapot.attack-summary/1',
    attack: summary.attack,
    goal: summary.goal,
    without: summary.without,
    n: summary.n,
    ...counts,
    success_over_attacked: rates.successOverAttacked,
    success_over_all: rates.successOverAll,
    accuracy_before: summary.accuracy?.before ?? null,
    accuracy_under_attack: summary.accuracy?.underAttack ?? null,
    success_by_criterion: summary.teapotSuccesses,
    s_src_mean: summary.meanSSrc,
    edits_mean: summary.meanEdits,
    queries: summary.queries,
    queries_mean: summary.meanQueries,
    victim_calls: summary.calls,
    victim_cached: summary.cached,
    ...victimFields(summary, summary.requests),
    tokens: summary.tokens,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function shareText({ numerator, denominator, rate }: Share): string {
  return rate === null ? `n/a (0 of 0)` : `${formatPercent(rate)} (${numerator} of ${denominator})`;
}

function numberText(value: number | null): string {
  return value === null ? 'n/a' : formatFixed(value, 2);
}
