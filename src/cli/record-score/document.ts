import { share, type Share } from '../../measure/denominators.js';
import type { GroupResult, Result, Statistics, Summary } from '../../measure/summary.js';
import type { RecordInput } from '../../record/record-files.js';

/** The JSON document of scored records (`teapot.record-score/1`). */
export function groupsDocument(
  result: Result & { readonly all: GroupResult },
  inputs: readonly RecordInput[],
): unknown {
  const { by, groups, all } = result;
  const { sSrcMetric, sTgtMetric, successThreshold, version } = all.summary;
  return {
    schema: 'teapot.record-score/1',
    by,
    groups: groups.map((group) =>
      Object.assign(Object.fromEntries(by.map((key, index) => [key, group.values[index] ?? null])), groupObject(group)),
    ),
    all: groupObject(all),
    settings: {
      s_src: sSrcMetric?.signature ?? null,
      s_tgt: sTgtMetric?.signature ?? null,
      success_threshold: successThreshold,
    },
    version,
    inputs,
  };
}

function groupObject({ summary, claims }: GroupResult): Record<string, unknown> {
  const { over_all, where_defined } = shares(summary);
  return {
    records: summary.n,
    s_src: moments(summary.sSrc),
    s_tgt_base: moments(summary.base),
    s_tgt: moments(summary.attacked ?? summary.sTgt),
    d_tgt: moments(summary.dTgt),
    success: { where_defined, over_all, over_attacked: claims?.successOverAttacked ?? null },
    tool: {
      ...claims?.tool,
      success_over_attacked: claims?.rates?.successOverAttacked ?? null,
      success_over_all: claims?.rates?.successOverAll ?? null,
      accuracy_before: claims?.rates?.accuracyBefore ?? null,
      accuracy_under_attack: claims?.rates?.accuracyUnderAttack ?? null,
    },
    agreement: {
      both: claims?.agreement.both ?? 0,
      tool_only: claims?.agreement.toolOnly ?? 0,
      teapot_only: claims?.agreement.teapotOnly ?? 0,
      neither: claims?.agreement.neither ?? 0,
    },
    undefined: Object.fromEntries(summary.undefinedCounts.map(({ reason, count }) => [reason, count])),
  };
}

/** Successes with their denominators; the rates are null where no record has both sides. */
export function shares({ success, n }: Summary): { readonly over_all: Share; readonly where_defined: Share } {
  if (success === null) return { over_all: { ...share(0, n), rate: null }, where_defined: share(0, 0) };
  return {
    over_all: share(success.successes, n),
    where_defined: share(success.successesWhereDefined, success.defined),
  };
}

/** The numbers of a group by name, for `--fail-if` and CSV; null for what is undefined. */
const NUMBERS: readonly (readonly [name: string, value: (group: GroupResult) => number | null | undefined])[] = [
  ['records', ({ summary }) => summary.n],
  ...quantity('s_src', ({ sSrc }) => sSrc),
  ...quantity('s_tgt_base', ({ base }) => base),
  ...quantity('s_tgt', ({ attacked, sTgt }) => attacked ?? sTgt),
  ...quantity('d_tgt', ({ dTgt }) => dTgt),
  ['success_rate', ({ summary }) => summary.success?.rate],
  ['success_rate_where_defined', ({ summary }) => summary.success?.rateWhereDefined],
  ['success_rate_over_attacked', ({ claims }) => claims?.successOverAttacked?.rate],
  ['successes', ({ summary }) => summary.success?.successes],
  ['tool_successful', ({ claims }) => claims?.tool.successful],
  ['tool_failed', ({ claims }) => claims?.tool.failed],
  ['tool_skipped', ({ claims }) => claims?.tool.skipped],
  ['tool_error', ({ claims }) => claims?.tool.error],
  ['tool_success_over_attacked', ({ claims }) => claims?.rates?.successOverAttacked.rate],
  ['tool_success_over_all', ({ claims }) => claims?.rates?.successOverAll.rate],
  ['accuracy_before', ({ claims }) => claims?.rates?.accuracyBefore.rate],
  ['accuracy_under_attack', ({ claims }) => claims?.rates?.accuracyUnderAttack.rate],
  ['agree_success', ({ claims }) => claims?.agreement.both],
  ['tool_only', ({ claims }) => claims?.agreement.toolOnly],
  ['teapot_only', ({ claims }) => claims?.agreement.teapotOnly],
  ['agree_failure', ({ claims }) => claims?.agreement.neither],
  ['undefined', ({ summary }) => summary.undefinedCounts.reduce((sum, { count }) => sum + count, 0)],
];

/** The names of the numbers that `--fail-if` may compare. */
export const NUMBER_NAMES = NUMBERS.map(([name]) => name);

/** The numbers of a group by name; null for what is undefined. */
export function groupNumbers(group: GroupResult): Map<string, number | null> {
  return new Map(NUMBERS.map(([name, value]) => [name, value(group) ?? null]));
}

function quantity(name: string, of: (summary: Summary) => Statistics | null): (typeof NUMBERS)[number][] {
  return [
    [`${name}_n`, ({ summary }) => of(summary)?.n ?? 0],
    [`${name}_mean`, ({ summary }) => of(summary)?.mean],
    [`${name}_std`, ({ summary }) => of(summary)?.std],
  ];
}

function moments(statistics: Statistics | null): { n: number; mean: number | null; std: number | null } {
  return { n: statistics?.n ?? 0, mean: statistics?.mean ?? null, std: statistics?.std ?? null };
}
