import type { Share } from '../measure/denominators.js';
import type { Claims, GroupResult, Result, Summary } from '../measure/summary.js';
import { formatPercent } from '../number-format.js';
import { groupColumns, liftColumns } from './columns.js';
import type { Column, ValueColumn } from './columns.js';
import {
  CORPUS_LEVEL,
  METRIC_COLUMNS,
  statisticsView,
  successIntervalText,
  SUMMARY_COLUMNS,
} from './summary-columns.js';
import type { QuantityName } from './summary-columns.js';

/** How a group without a value is shown to people. */
const NO_VALUE = '(none)';

/** What the tool that made attack records said, under the names of JSON, CSV and gates. */
export const CLAIM_COLUMNS: readonly Column<Claims>[] = [
  ...shareColumns<Claims>(
    'success_over_attacked',
    "teapot's successes / records that the tool attacked",
    ({ successOverAttacked }) => successOverAttacked,
    'success/attacked',
  ),
  ...(['successful', 'failed', 'skipped', 'error', 'unknown'] as const).map((result): ValueColumn<Claims> => ({
    name: `tool.${result}`,
    kind: 'count',
    describe: `Records of which the tool said: ${result}`,
    value: ({ tool }) => tool[result],
  })),
  ...shareColumns<Claims>(
    'tool.success_over_attacked',
    'successful / attacked, by the tool',
    ({ rates }) => rates?.successOverAttacked,
    'tool/attacked',
  ),
  ...shareColumns<Claims>(
    'tool.success_over_all',
    'successful / all, by the tool',
    ({ rates }) => rates?.successOverAll,
    'tool/all',
  ),
  ...shareColumns<Claims>(
    'tool.accuracy_before',
    'Right answers before the attack, by the tool',
    ({ rates }) => rates?.accuracyBefore,
    'accuracy before',
  ),
  ...shareColumns<Claims>(
    'tool.accuracy_under_attack',
    'Right answers under attack, by the tool',
    ({ rates }) => rates?.accuracyUnderAttack,
    'under attack',
  ),
  ...shareColumns<Claims>(
    'people.success',
    "Successes with the people's rating in the place of s_src / rated records",
    ({ people }) => people?.success,
    'by people',
  ).map((column) => Object.assign(column, { optional: true as const })),
  ...shareColumns<Claims>(
    'people.success_by_rule',
    "teapot's successes / rated records",
    ({ people }) => people?.successByRule,
    'by rule, same',
  ).map((column) => Object.assign(column, { optional: true as const })),
  ...(
    [
      ['both', 'Successful to the tool and to teapot', ({ agreement }) => agreement.both],
      ['tool_only', 'Successful to the tool alone', ({ agreement }) => agreement.toolOnly],
      ['teapot_only', 'Successful to teapot alone', ({ agreement }) => agreement.teapotOnly],
      ['neither', 'Successful to neither', ({ agreement }) => agreement.neither],
    ] as const satisfies readonly (readonly [string, string, (claims: Claims) => number])[]
  ).map(([name, describe, value]): ValueColumn<Claims> => ({
    name: `agreement.${name}`,
    kind: 'count',
    describe,
    value,
  })),
];

/** The three numbers of a share; people read them in one cell. */
export function shareColumns<Row>(
  name: string,
  describe: string,
  of: (row: Row) => Share | null | undefined,
  heading: string,
): readonly ValueColumn<Row>[] {
  return [
    { name: `${name}.numerator`, kind: 'count', describe, value: (row) => of(row)?.numerator ?? null },
    { name: `${name}.denominator`, kind: 'count', describe, value: (row) => of(row)?.denominator ?? null },
    {
      name: `${name}.rate`,
      kind: 'rate',
      describe: `${describe}; null of nothing`,
      heading,
      value: (row) => of(row)?.rate ?? null,
      text: (row) => shareText(of(row)),
    },
  ];
}

/** `4/8 50.00 %`; null where there is no rate. */
export function shareText(share: Share | null | undefined): string | null {
  if (share === null || share === undefined || share.rate === null) return null;
  return `${share.numerator}/${share.denominator} ${formatPercent(share.rate)}`;
}

/** What was measured first, long texts last. */
const ORDERED: readonly Column<Summary>[] = [
  ...named(['mode', 'criterion']),
  ...METRIC_COLUMNS,
  ...SUMMARY_COLUMNS.filter(({ name }) => !['mode', 'criterion', 'version', 'signature'].includes(name)),
  ...named(['version', 'signature']),
];

function named(names: readonly string[]): readonly Column<Summary>[] {
  return SUMMARY_COLUMNS.filter(({ name }) => names.includes(name));
}

/** Whether a result is of attack records, of which a tool claimed something. */
export function hasClaims({ groups, all }: Result): boolean {
  return [...groups, all].some((group) => group !== null && group.claims !== null);
}

/**
 * All columns of CSV and gates for the rows of a result.
 *
 * @param by What it is grouped by.
 * @param withClaims Whether it is of attack records.
 */
export function resultColumns(by: readonly string[], withClaims: boolean): readonly Column<GroupResult>[] {
  return [
    ...groupColumns<GroupResult>(by, ({ values }) => values, NO_VALUE),
    ...liftColumns<GroupResult, Summary>(ORDERED, ({ summary }) => summary),
    ...(withClaims ? liftColumns<GroupResult, Claims>(CLAIM_COLUMNS, ({ claims }) => claims) : []),
  ];
}

/** What people see of groups: one row a group, every rate with its denominator. */
export function groupView(result: Result): readonly Column<GroupResult>[] {
  const { by } = result;
  const summary: readonly ValueColumn<Summary>[] = [
    { name: 'n', kind: 'count', describe: 'Segments', heading: 'n', value: ({ n }) => n },
    ...mean('s_src', 's_src'),
    ...mean('d_tgt', 'd_tgt'),
    ...mean('s_tgt', 's_tgt'),
    ...corpusView(),
    {
      name: 'success_rate',
      kind: 'rate',
      describe: 'Successful / all segments',
      heading: 'success',
      value: ({ success }) => success?.rate ?? null,
      text: ({ success, n }) =>
        success === null ? null : shareText({ numerator: success.successes, denominator: n, rate: success.rate }),
    },
    {
      name: 'success_rate_interval',
      kind: 'rate',
      describe: 'Interval of the success rate',
      heading: 'interval',
      value: () => null,
      text: successIntervalText,
    },
  ];
  return [
    ...groupColumns<GroupResult>(by, ({ values }) => values, NO_VALUE).map((column) =>
      Object.assign(column, { heading: METRIC_HEADINGS[column.name] ?? column.name }),
    ),
    ...liftColumns<GroupResult, Summary>(summary, (group) => group.summary),
    ...(hasClaims(result) ? liftColumns<GroupResult, Claims>([...CLAIM_COLUMNS, ERRORS], ({ claims }) => claims) : []),
  ];
}

const ERRORS: ValueColumn<Claims> = {
  name: 'tool.error',
  kind: 'count',
  describe: 'Attacks that broke down',
  heading: 'errors',
  value: ({ tool }) => tool.error,
};

function mean(name: QuantityName, heading: string): readonly ValueColumn<Summary>[] {
  const [first, ...rest] = statisticsView(name, heading, ['mean', 'interval']);
  return first === undefined ? rest : [{ ...first, heading }, ...rest];
}

/** An attack of several, with what its tests against the first one say. */
export interface AttackRow {
  readonly group: GroupResult;
  /** `*` and `**` by quantity: the difference to the first attack is significant. */
  readonly marks: ReadonlyMap<string, string>;
}

/**
 * What people see of several attacks or metrics: one row each. The best of each column is the strongest attack; scores of different
 * metrics have no best one.
 *
 * @param by What the rows differ by: `attack`, `s_src`, `s_tgt`.
 * @param wide Whether deviations and percentiles are shown: there is room where attacks are columns.
 */
export function attackView(by: readonly string[], wide: boolean): readonly Column<AttackRow>[] {
  const isOfAttacks = by.every((key) => key === 'attack');
  const parts = wide ? (['mean', 'std', 'range', 'interval'] as const) : (['mean', 'interval'] as const);
  const quantities = (
    [
      ['s_src', 's_src', 'highest'],
      ['s_tgt_base', 's_tgt base', undefined],
      ['s_tgt_attacked', 's_tgt attacked', 'lowest'],
      ['d_tgt', 'd_tgt', 'highest'],
      ['s_tgt', 's_tgt', 'lowest'],
    ] as const
  ).flatMap(([name, heading, best]) =>
    statisticsView(name, heading, parts).map((column) =>
      lifted(column, name, isOfAttacks && column.name.endsWith('.mean') ? best : undefined),
    ),
  );
  const rate: ValueColumn<Summary> = {
    name: 'success_rate',
    kind: 'rate',
    describe: 'Successful / all segments',
    heading: 'success rate',
    value: ({ success }) => success?.rate ?? null,
  };
  const interval: ValueColumn<Summary> = {
    ...rate,
    heading: 'success rate interval',
    value: () => null,
    text: successIntervalText,
  };
  const pdr: ValueColumn<Summary> = {
    name: 'micro_pdr',
    kind: 'number',
    describe: '1 - sum of attacked / sum of base',
    heading: 'PDR',
    value: ({ pdr: value }) => value,
    text: ({ pdr: value }) => (value === null ? null : formatPercent(value)),
  };
  const n: ValueColumn<Summary> = {
    name: 'n',
    kind: 'count',
    describe: 'Segments',
    heading: 'n',
    value: (summary) => summary.n,
  };
  return [
    ...by.map((key, index): ValueColumn<AttackRow> => ({
      name: key,
      kind: 'text',
      describe: `The ${key} of the row`,
      heading: wide ? '' : (METRIC_HEADINGS[key] ?? key),
      value: ({ group }) => group.values[index] ?? null,
    })),
    ...quantities,
    ...corpusView().map((column) => lifted(column, 'none', undefined)),
    lifted(rate, 'success', isOfAttacks ? 'highest' : undefined),
    lifted(interval, 'none', undefined),
    lifted(pdr, 'none', isOfAttacks ? 'highest' : undefined),
    lifted(n, 'none', undefined),
  ];
}

/** What people read above the metrics, which have the names of the scores. */
const METRIC_HEADINGS: Readonly<Record<string, string>> = { s_src: 's_src metric', s_tgt: 's_tgt metric' };

/** The scores of the corpus level, where they were asked for. */
function corpusView(): readonly ValueColumn<Summary>[] {
  return CORPUS_LEVEL.map(([name, describe, value]) => ({
    name: `corpus_level.${name}`,
    kind: 'score',
    describe,
    heading: `corpus ${name.replace('s_tgt_', 's_tgt ')}`,
    value: ({ corpusLevel }) => (corpusLevel === null ? null : value(corpusLevel)),
  }));
}

function lifted(
  column: ValueColumn<Summary>,
  quantity: string,
  best: ValueColumn<AttackRow>['best'],
): ValueColumn<AttackRow> {
  const { text, value, mark: _, ...rest } = column;
  return {
    ...rest,
    value: ({ group }) => value(group.summary),
    ...(text !== undefined && { text: ({ group }, style) => text(group.summary, style) }),
    ...(best !== undefined && { best, mark: ({ marks }) => marks.get(quantity) ?? '' }),
  };
}
