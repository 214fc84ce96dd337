import { NO_VALUE } from '../../record/grouping.js';
import { formatFixed } from '../../number-format.js';
import { csvRecord } from '../../report/delimited.js';
import type { Grid, GridColumn } from '../../report/grid.js';
import type { Share } from '../../measure/denominators.js';
import type { GroupResult, Result } from '../../measure/summary.js';
import { groupNumbers, NUMBER_NAMES, shares } from './document.js';

/** The columns of numbers, each with its denominator: rates that look alike divide by different things. */
const COLUMNS: readonly (readonly [name: string, cell: (group: GroupResult) => string])[] = [
  ['n', ({ summary }) => String(summary.n)],
  ['s_src', ({ summary }) => mean(summary.sSrc?.mean)],
  ['d_tgt', ({ summary }) => mean(summary.dTgt?.mean)],
  ['success', ({ summary }) => shareText(shares(summary).over_all)],
  ['success/attacked', ({ claims }) => shareText(claims?.successOverAttacked)],
  ['tool/attacked', ({ claims }) => shareText(claims?.rates?.successOverAttacked)],
  ['tool/all', ({ claims }) => shareText(claims?.rates?.successOverAll)],
  ['accuracy before', ({ claims }) => shareText(claims?.rates?.accuracyBefore)],
  ['under attack', ({ claims }) => shareText(claims?.rates?.accuracyUnderAttack)],
  ['errors', ({ claims }) => String(claims?.tool.error ?? 0)],
];

/** One row a group, and one for all when there are several. */
export function groupsGrid({ by: keys, groups, all }: Result): Grid {
  const row = (names: readonly string[], group: GroupResult): string[] =>
    names.concat(COLUMNS.map(([, cell]) => cell(group)));
  const rows = groups.map((group) =>
    row(
      group.values.map((value) => value ?? NO_VALUE),
      group,
    ),
  );
  if (groups.length > 1 && all !== null)
    rows.push(
      row(
        keys.map((_, index) => (index === 0 ? 'all' : '')),
        all,
      ),
    );
  const numbers: GridColumn[] = COLUMNS.map(([name]) => ({ name, align: 'right' }));
  return { columns: [...keys.map((name) => ({ name })), ...numbers], rows };
}

/** The groups for programs, as CSV: full precision, one column for every number. */
export function groupsCsv({ by: keys, groups }: Result): string {
  const rows = groups.map((group) => {
    const numbers = groupNumbers(group);
    const cells = NUMBER_NAMES.map((name) => numbers.get(name) ?? null).map((value) =>
      value === null ? '' : String(value),
    );
    return group.values.map((value) => value ?? '').concat(cells);
  });
  return [[...keys, ...NUMBER_NAMES], ...rows].map(csvRecord).join('');
}

function mean(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : formatFixed(value * 100, 3);
}

/** `4/8 50.00 %`. */
function shareText(share: Share | null | undefined): string {
  if (share === null || share === undefined || share.rate === null) return '-';
  return `${share.numerator}/${share.denominator} ${formatFixed(share.rate * 100, 2)} %`;
}
