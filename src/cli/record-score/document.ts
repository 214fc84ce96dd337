import type { GroupSummary, QuantitySummary } from '../../record/score-groups.js';
import type { RecordInput } from '../../record/record-files.js';
import type { Share } from '../../measure/denominators.js';

/** What the numbers of scored records depend on. */
export interface GroupSettings {
  readonly keys: readonly string[];
  /** Signature of the metric of the source side. */
  readonly sSrc: string;
  readonly sTgt: string;
  readonly successThreshold: number;
  readonly version: string;
}

/** The JSON document of scored records (`teapot.record-score/1`). */
export function groupsDocument(
  groups: readonly GroupSummary[],
  all: GroupSummary,
  settings: GroupSettings,
  inputs: readonly RecordInput[],
): unknown {
  return {
    schema: 'teapot.record-score/1',
    by: settings.keys,
    groups: groups.map((group) => ({
      ...Object.fromEntries(settings.keys.map((key, index) => [key, group.group[index] ?? null])),
      ...groupObject(group),
    })),
    all: groupObject(all),
    settings: { s_src: settings.sSrc, s_tgt: settings.sTgt, success_threshold: settings.successThreshold },
    version: settings.version,
    inputs,
  };
}

function groupObject(group: GroupSummary): Record<string, unknown> {
  const { toolRates } = group;
  return {
    records: group.records,
    s_src: group.sSrc,
    s_tgt_base: group.sTgtBase,
    s_tgt: group.sTgt,
    d_tgt: group.dTgt,
    success: {
      where_defined: group.success,
      over_all: group.successOverAll,
      over_attacked: group.successOverAttacked,
    },
    tool: {
      ...group.tool,
      success_over_attacked: toolRates?.successOverAttacked ?? null,
      success_over_all: toolRates?.successOverAll ?? null,
      accuracy_before: toolRates?.accuracyBefore ?? null,
      accuracy_under_attack: toolRates?.accuracyUnderAttack ?? null,
    },
    agreement: {
      both: group.agreement.both,
      tool_only: group.agreement.toolOnly,
      teapot_only: group.agreement.teapotOnly,
      neither: group.agreement.neither,
    },
    undefined: Object.fromEntries(group.undefined),
  };
}

/** The numbers of a group by name, for `--fail-if` and CSV; null for what is undefined. */
export function groupNumbers(group: GroupSummary): Map<string, number | null> {
  const { toolRates, tool, agreement } = group;
  return new Map<string, number | null>([
    ['records', group.records],
    ...quantity('s_src', group.sSrc),
    ...quantity('s_tgt_base', group.sTgtBase),
    ...quantity('s_tgt', group.sTgt),
    ...quantity('d_tgt', group.dTgt),
    ['success_rate', group.successOverAll.rate],
    ['success_rate_where_defined', group.success.rate],
    ['success_rate_over_attacked', rate(group.successOverAttacked)],
    ['successes', group.successOverAll.numerator],
    ['tool_successful', tool.successful],
    ['tool_failed', tool.failed],
    ['tool_skipped', tool.skipped],
    ['tool_error', tool.error],
    ['tool_success_over_attacked', rate(toolRates?.successOverAttacked)],
    ['tool_success_over_all', rate(toolRates?.successOverAll)],
    ['accuracy_before', rate(toolRates?.accuracyBefore)],
    ['accuracy_under_attack', rate(toolRates?.accuracyUnderAttack)],
    ['agree_success', agreement.both],
    ['tool_only', agreement.toolOnly],
    ['teapot_only', agreement.teapotOnly],
    ['agree_failure', agreement.neither],
    ['undefined', [...group.undefined.values()].reduce((sum, count) => sum + count, 0)],
  ]);
}

function quantity(name: string, { n, mean, std }: QuantitySummary): [string, number | null][] {
  return [
    [`${name}_n`, n],
    [`${name}_mean`, mean],
    [`${name}_std`, std],
  ];
}

function rate(share: Share | null | undefined): number | null {
  return share?.rate ?? null;
}
