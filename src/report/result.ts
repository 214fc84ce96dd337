import type { GroupResult, Result } from '../measure/summary.js';
import { allGroups, csvOf, gridOf, numbersOf, objectOf } from './columns.js';
import { marksAgainstFirst, TEST_COLUMNS, testRows } from './comparison-columns.js';
import type { AttackSetDocument } from './attack-set-schema.js';
import type { ScoreFormat } from './formats.js';
import { transposed } from './grid.js';
import type { Grid, GridSurroundings } from './grid.js';
import { renderJson } from './json.js';
import { renderGrids } from './render-grids.js';
import { reportSummary } from './reporter.js';
import type { ReportOptions } from './reporter.js';
import { attackView, CLAIM_COLUMNS, groupView, hasClaims, resultColumns } from './result-columns.js';
import { summaryDocument } from './summary-document.js';
import { summaryRemarks } from './summary-grid.js';
import { reportTerse } from './terse.js';

/**
 * Shows the result of a run in one format: one summary as teapot-nlp has it, several attacks side by side, groups as rows.
 *
 * @returns The whole text, ending in a line end.
 */
export async function reportResult(
  result: Result,
  format: Exclude<ScoreFormat, 'junit' | 'html'>,
  options: ReportOptions,
): Promise<string> {
  const { all } = result;
  const isPlain = all !== null && result.by.length === 0;
  switch (format) {
    case 'json':
      return renderJson(resultDocument(result));
    case 'csv':
      return csvOf({ columns: resultColumns(result.by, hasClaims(result)), rows: rowsOf(result) });
    case 'terse':
      return rowsOf(result)
        .map(({ summary }) => reportTerse(summary, options))
        .join('');
    case 'text':
    case 'markdown':
    case 'latex':
      if (isPlain && all.claims === null) return reportSummary(all.summary, format, options);
      if (isPlain && format === 'text') return reportSummary(all.summary, format, options);
      return renderGrids(gridsOf(result, format, options), format, surroundings(result, options));
  }
}

/** The paired tests between several attacks, as a CSV table of one row a test. */
export function reportComparisons(result: Result): string {
  return csvOf({ columns: TEST_COLUMNS, rows: testRows(result.comparisons) });
}

/**
 * The numbers that `--fail-if` may name, for each attack or group and for all of them together.
 *
 * @returns What each row is, by the grouping keys; `null` stands for all groups together, or for the only row.
 */
export function gatedRows(result: Result): readonly {
  readonly group: Readonly<Record<string, string | null>> | null;
  readonly isTotal?: true;
  readonly numbers: ReadonlyMap<string, number | null>;
}[] {
  const { by, groups, all, totals = [] } = result;
  const columns = resultColumns(by, hasClaims(result));
  const named = groups.map((row) => ({
    group: Object.fromEntries(by.map((key, index) => [key, row.values[index] ?? null])),
    numbers: numbersOf(columns, row),
  }));
  const metrics = by.filter((key) => METRIC_KEYS.has(key));
  const ofMetrics = totals.map((row) => ({
    group: Object.fromEntries(metrics.map((key, index) => [key, row.values[index] ?? null])),
    isTotal: true as const,
    numbers: numbersOf(columns, row),
  }));
  if (totals.length > 0) return [...named, ...ofMetrics];
  // A single group and all of them are the same.
  return all === null || groups.length === 1 ? named : [...named, { group: null, numbers: numbersOf(columns, all) }];
}

/** The document of `--format json`: a summary, several attacks, or groups. */
export function resultDocument(result: Result): unknown {
  const { all, by, groups } = result;
  if (all === null && by.every((key) => key === 'attack')) return attackSetDocument(result);
  if (all === null) return metricSetDocument(result);
  if (by.length === 0 && all.claims === null) return summaryDocument(all.summary);
  return {
    schema: 'teapot.result/1',
    by,
    groups: groups.map((group) => ({
      group: Object.fromEntries(by.map((key, index) => [key, group.values[index] ?? null])),
      summary: summaryDocument(group.summary),
      claims: claimsObject(group),
    })),
    all: { summary: summaryDocument(all.summary), claims: claimsObject(all) },
  };
}

/** The keys of `by` that stand for metrics. */
const METRIC_KEYS: ReadonlySet<string> = new Set(['s_src', 's_tgt']);

/** The signatures of a result: one a pair of metrics. */
export function signaturesOf(result: Result): readonly string[] {
  return [...new Set(rowsOf(result).map(({ summary }) => summary.signature))];
}

/** The document of several metrics: as that of groups, without a row for all of them together. */
function metricSetDocument({ by, groups, totals = [], comparisons }: Result): unknown {
  const rows = (keys: readonly string[], of: readonly GroupResult[]): unknown =>
    of.map((group) => ({
      group: Object.fromEntries(keys.map((key, index) => [key, group.values[index] ?? null])),
      summary: summaryDocument(group.summary),
      claims: claimsObject(group),
    }));
  const metrics = by.filter((key) => METRIC_KEYS.has(key));
  return {
    schema: 'teapot.result/1',
    by,
    groups: rows(by, groups),
    ...(totals.length > 0 && { totals: rows(metrics, totals) }),
    all: null,
    ...(comparisons.length > 0 && { comparisons: comparisonObjects(comparisons) }),
  };
}

function claimsObject({ claims }: GroupResult): unknown {
  return claims === null ? null : objectOf(CLAIM_COLUMNS, claims);
}

/** The document of several attacks; see `schema/attack-set-2.json`. */
function attackSetDocument({ groups, comparisons }: Result): AttackSetDocument {
  return {
    schema: 'teapot.attack-set/2',
    attacks: groups.map(({ values, summary }) => ({ name: values[0] ?? '', summary: summaryDocument(summary) })),
    comparisons: comparisonObjects(comparisons),
  };
}

function comparisonObjects(comparisons: Result['comparisons']): AttackSetDocument['comparisons'] {
  return comparisons.map(({ first, second, means, success }) => ({
    first,
    second,
    means: means.map((mean) => ({
      quantity: mean.quantity,
      difference: mean.difference,
      interval: mean.interval,
      bootstrap_p: mean.bootstrapP,
      bootstrap_p_holm: mean.bootstrapPHolm,
      randomization_p: mean.randomizationP,
      randomization_p_holm: mean.randomizationPHolm,
    })),
    success:
      success === null
        ? null
        : {
            first_only: success.firstOnly,
            second_only: success.secondOnly,
            mcnemar_p: success.p,
            mcnemar_p_holm: success.pHolm,
          },
  }));
}

/** One row an attack or group; where there are none, the one of all segments. */
function rowsOf({ groups, all }: Result): readonly GroupResult[] {
  return groups.length > 0 || all === null ? groups : [all];
}

/** One row a group, and one for all of them when there are several; every rate with its denominator. */
export function groupGrid(result: Result, scale: number): Grid {
  const { by, groups, all, totals = [] } = result;
  const metrics = by.filter((key) => METRIC_KEYS.has(key)).length;
  const names = allGroups(by.slice(0, by.length - metrics));
  const ofAll =
    all === null ? totals.map((row) => ({ ...row, values: [...names, ...row.values] })) : [{ ...all, values: names }];
  // A single group and all of them are the same.
  const isOne = groups.length <= Math.max(1, totals.length);
  return gridOf(
    { columns: groupView(result), rows: isOne ? groups : [...groups, ...ofAll], omitEmpty: true },
    { scale },
  );
}

/** What people see of several attacks, metrics or groups. */
function gridsOf(result: Result, format: 'text' | 'markdown' | 'latex', { scale }: ReportOptions): readonly Grid[] {
  const { by, groups, all, totals, comparisons } = result;
  if (all !== null || totals !== undefined) return [groupGrid(result, scale)];
  const isOfAttacks = by[0] === 'attack';
  const firstAttack = groups[0]?.values[0] ?? '';
  const rows = groups.map((group) => {
    const [, ...metrics] = group.values;
    const marks =
      format === 'text' || !isOfAttacks
        ? NO_MARKS
        : marksAgainstFirst(comparisons, [firstAttack, ...metrics].join(', '), group.values.join(', '));
    return { group, marks };
  });
  // A paper has attacks as rows; on a screen and in a comment there is no room for so many columns.
  const isWide = format !== 'latex' && by.every((key) => key === 'attack');
  const quantities = gridOf(
    {
      columns: attackView(by, isWide),
      rows,
      undefinedText: format === 'latex' ? '-' : '',
      omitEmpty: true,
    },
    { scale },
  );
  const shown = isWide ? transposed(quantities) : quantities;
  const tests = testRows(comparisons);
  if (tests.length === 0) return [shown];
  const title = 'Paired tests over the same lines; p-values corrected for the number of pairs (Holm)';
  return [shown, gridOf({ title, columns: TEST_COLUMNS, rows: tests }, { scale })];
}

const NO_MARKS: ReadonlyMap<string, string> = new Map();

function surroundings(result: Result, { caption, label }: ReportOptions): GridSurroundings {
  const [first] = rowsOf(result);
  if (first === undefined) return {};
  const { summary } = result.all ?? first;
  const signatures = result.all === null ? signaturesOf(result) : [summary.signature];
  const isOfAttacks = result.all === null && result.by[0] === 'attack';
  const best = result.by.length === 1 ? '; the best is bold' : '';
  const marks = isOfAttacks ? [`* and ** mark p below 0.05 and 0.01 against the first attack${best}`] : [];
  return { signatures, remarks: [...summaryRemarks(summary), ...marks], caption, label };
}
