import { NO_VALUE } from '../../record/grouping.js';
import type { GroupSummary } from '../../record/score-groups.js';
import { formatFixed } from '../../report/fixed.js';
import type { Grid, GridColumn } from '../../report/grid.js';
import type { Share } from '../../measure/denominators.js';
import { groupNumbers } from './document.js';

/** The columns of numbers, each with its denominator: rates that look alike divide by different things. */
const COLUMNS: readonly (readonly [name: string, cell: (group: GroupSummary) => string])[] = [
  ['n', (group) => String(group.records)],
  ['s_src', (group) => mean(group.sSrc.mean)],
  ['d_tgt', (group) => mean(group.dTgt.mean)],
  ['success', (group) => shareText(group.successOverAll)],
  ['success/attacked', (group) => shareText(group.successOverAttacked)],
  ['tool/attacked', (group) => shareText(group.toolRates?.successOverAttacked)],
  ['tool/all', (group) => shareText(group.toolRates?.successOverAll)],
  ['accuracy before', (group) => shareText(group.toolRates?.accuracyBefore)],
  ['under attack', (group) => shareText(group.toolRates?.accuracyUnderAttack)],
  ['errors', (group) => String(group.tool.error)],
];

/** One row a group, and one for all when there are several. */
export function groupsGrid(groups: readonly GroupSummary[], all: GroupSummary, keys: readonly string[]): Grid {
  const row = (names: readonly string[], group: GroupSummary): string[] =>
    names.concat(COLUMNS.map(([, cell]) => cell(group)));
  const rows = groups.map((group) =>
    row(
      group.group.map((value) => value ?? NO_VALUE),
      group,
    ),
  );
  if (groups.length > 1)
    rows.push(
      row(
        keys.map((_, index) => (index === 0 ? 'all' : '')),
        all,
      ),
    );
  const numbers: GridColumn[] = COLUMNS.map(([name]) => ({ name, align: 'right' }));
  return { columns: [...keys.map((name) => ({ name })), ...numbers], rows };
}

/** The groups for programs: full precision, one column for every number. */
export function groupsCsv(groups: readonly GroupSummary[], keys: readonly string[]): Grid {
  const names = groups.length === 0 ? [] : [...groupNumbers(groups[0] as GroupSummary).keys()];
  const rows = groups.map((group) => {
    const numbers = groupNumbers(group);
    const cells = names.map((name) => numbers.get(name) ?? null).map((value) => (value === null ? '' : String(value)));
    return group.group.map((value) => value ?? '').concat(cells);
  });
  return { columns: [...keys, ...names].map((name) => ({ name })), rows };
}

function mean(value: number | null): string {
  return value === null ? '-' : formatFixed(value * 100, 3);
}

/** `4/8 50.00 %`. */
function shareText(share: Share | null | undefined): string {
  if (share === null || share === undefined || share.rate === null) return '-';
  return `${share.numerator}/${share.denominator} ${formatFixed(share.rate * 100, 2)} %`;
}
