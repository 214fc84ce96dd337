import type { AuditReport } from '../../record/audit/audit.js';
import type { Comparison } from '../../record/compare.js';
import { NO_VALUE } from '../../record/grouping.js';
import type { PdrTable } from '../../record/pdr-table.js';
import type { GroupResult, Result, Statistics, Summary } from '../../measure/summary.js';
import { EDIT_KINDS } from '../../record/text-edits.js';
import type { Interval } from '../../measure/intervals.js';
import type { ReferenceCounts } from '../../score/reference-counts.js';
import { formatFixed } from '../../number-format.js';
import type { FigureData, HistogramData, LineSeries, ThresholdData } from '../../report/figures/figure-data.js';
import { cellText, type Grid } from '../../report/grid.js';
import type {
  FigureBlock,
  KeyNumber,
  RecordTable,
  ReportBlock,
  ReportData,
  ReportSection,
} from '../../report/html/report-data.js';
import { shortLabel } from '../../report/html/visible-text.js';
import { dropRateRows, type DropRateRows, type PdrSettings } from '../pdr/document.js';
import { longGrid } from '../pdr/grids.js';
import { groupGrid } from '../../report/result.js';
import { SERIES, type ReportCollector } from './collect.js';
import { decimal, grouped, percent, plural } from './phrases.js';
import { auditSection, comparisonSection, editsSection } from './sections.js';

/** What a report of records is made of, beside the collected numbers. */
export interface RecordsReportOptions {
  readonly title: string | undefined;
  readonly pdr: PdrSettings;
  readonly references: ReferenceCounts;
  readonly version: string;
  readonly inputs: Grid | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Rows of a table that a page shows; the others are left to the commands that print tables. */
const GRID_ROWS = 300;

/** A chart of so few columns takes half the width of the page. */
const NARROW_COLUMNS = 5;

/** Rows and columns of a chart of cells. */
const CHART_ROWS = 40;
const CHART_COLUMNS = 16;

/**
 * Puts together what the page says of records: sentences, numbers, charts and tables. Nothing is measured here.
 */
export async function recordsReport(
  collected: ReportCollector,
  audited: AuditReport,
  comparison: Comparison | undefined,
  options: RecordsReportOptions,
): Promise<ReportData> {
  const finish = {
    references: options.references,
    textRules: ['strip:end'],
    intervals: { ...options.pdr.bootstrap, ...(options.signal && { signal: options.signal }) },
  };
  const byAttack = await collected.summarise('attack', finish);
  const { all } = byAttack;
  const pdrAll = collected.pdr.attack.all.summary(options.pdr.trim);
  const rows = collected.rows();
  const target = collected.criteria.reference_less > collected.criteria.relative_decrease ? 's_tgt' : 'd_tgt';
  const records: RecordTable = { rows, total: collected.total, kinds: EDIT_KINDS, target };
  const pdrTables = await heatmaps(collected, options);
  return {
    title: options.title ?? titleOf(collected),
    story: story(collected, all, pdrAll.n === 0 ? null : pdrAll.mean),
    keyNumbers: keyNumbers(collected, all.summary, pdrTables.all, options),
    sections: [
      await summarySection(collected, byAttack),
      figuresSection(collected, byAttack, await collected.robustness(), target),
      pdrTables.section,
      ...(comparison === undefined ? [] : [comparisonSection(comparison)]),
      editsSection(collected.edits),
      {
        id: 'read',
        title: 'What to read first',
        intro:
          'The clearest successes and failures by their margin (s_src + d_tgt − threshold), and the record that raises the most doubts.',
        blocks:
          rows.length === 0
            ? []
            : [{ kind: 'reading', kinds: EDIT_KINDS, items: collected.reading(rows, audited.rules) }],
      },
      auditSection(audited, rows),
      {
        id: 'inputs',
        title: 'Inputs',
        blocks: options.inputs === undefined ? [] : [{ kind: 'grid', grid: options.inputs }],
      },
    ],
    records: rows.length === 0 ? null : records,
    signatures: [all.summary.signature],
    version: options.version,
  };
}

function titleOf({ distinct }: ReportCollector): string {
  const attack = listed(distinct.attack.names, 'attacks') ?? 'Attack';
  const model = listed(distinct.model.names, 'models');
  const dataset = listed(distinct.dataset.names, 'data sets');
  return `${attack}${model === undefined ? '' : ` on ${model}`}${dataset === undefined ? '' : `, ${dataset}`}`;
}

/** One or two names, or how many there are. */
function listed(names: readonly string[], many: string): string | undefined {
  const [first, second] = names.map((name) => shortLabel(name, 60));
  if (first === undefined) return undefined;
  if (second === undefined) return first;
  return names.length === 2 ? `${first} and ${second}` : `${names.length} ${many}`;
}

function story(
  { distinct, units, criteria, notAttacks }: ReportCollector,
  { summary, claims }: GroupResult,
  pdr: number | null,
): string[] {
  const sentences: string[] = [];
  const { success, n, successThreshold } = summary;
  if (success === null) {
    sentences.push(`${plural(n, 'attack')}, none of which has a verdict: ${reasons(summary)}.`);
  } else {
    const rule =
      criteria.reference_less > criteria.relative_decrease
        ? 'kept more of the meaning of the input than of the output'
        : 'did more damage to the output than to the text';
    sentences.push(
      `${grouped(success.successes)} of ${plural(n, 'attack')} ${rule}: a success rate of ${percent(success.rate)}${between(summary, success.interval)}.`,
    );
    if (success.rateWhereDefined !== null && success.defined < n) {
      sentences.push(
        `Over the ${grouped(success.defined)} attacks whose criterion is defined it is ${percent(success.rateWhereDefined)}; not defined: ${reasons(summary)}.`,
      );
    }
    if (successThreshold !== 1) sentences.push(`The success threshold is ${successThreshold}.`);
  }
  const { sSrc, dTgt, sTgt } = summary;
  const means: string[] = [];
  if (sSrc !== null) means.push(`the attacked texts keep s_src ${decimal(sSrc.mean)} of the original ones`);
  if (dTgt !== null) means.push(`the outputs lose d_tgt ${decimal(dTgt.mean)} of their score`);
  else if (sTgt !== null) means.push(`the outputs keep s_tgt ${decimal(sTgt.mean)}`);
  if (means.length > 0) sentences.push(`On average ${means.join(' and ')}.`);
  if (units.input === 0 && pdr !== null) {
    sentences.push(
      pdr >= 0
        ? `The score of the attacked prompts falls by ${percent(pdr)} on average (PDR).`
        : `The score of the attacked prompts rises by ${percent(-pdr)} on average (PDR ${decimal(pdr)}): the attacks helped.`,
    );
  }
  const tool = claims?.rates?.successOverAttacked;
  if (claims !== null && tool !== undefined && tool.rate !== null) {
    const { both, neither, toolOnly, teapotOnly } = claims.agreement;
    const judged = both + neither + toolOnly + teapotOnly;
    const [only, ...others] = distinct.tool.names;
    const name =
      others.length > 0 ? 'The tools count' : `${only === undefined ? 'The tool' : shortLabel(only, 40)} counts`;
    const agree =
      judged === 0
        ? ''
        : ` Both agree on ${both + neither} of ${judged}; ${toolOnly} are successful for the tool alone, ${teapotOnly} by the criterion alone.`;
    sentences.push(
      `${name} ${tool.numerator} of ${tool.denominator} attacked inputs as successful (${percent(tool.rate)}).${agree}`,
    );
  }
  if (notAttacks > 0)
    sentences.push(
      `${plural(notAttacks, 'clean prompt or candidate', 'clean prompts or candidates')} are no attacks and are left out.`,
    );
  return sentences;
}

/** `, 95 % interval 21.1 % to 38.9 %`; nothing without an interval. */
function between({ intervals }: Summary, interval: Interval | null): string {
  if (interval === null || intervals === null) return '';
  return `, ${percent(intervals.confidence, 0)} interval ${percent(interval.low)} to ${percent(interval.high)}`;
}

function reasons({ undefinedCounts }: Summary): string {
  return undefinedCounts
    .toSorted((a, b) => b.count - a.count)
    .map(({ reason, count: times }) => `${grouped(times)} (${reason})`)
    .join(', ');
}

function keyNumbers(
  { units }: ReportCollector,
  summary: Summary,
  pdr: { readonly mean: number | null; readonly interval: Interval | null; readonly n: number },
  { pdr: { bootstrap } }: RecordsReportOptions,
): KeyNumber[] {
  const { success, n } = summary;
  const bounds = (interval: Interval | null, show: (value: number) => string): string =>
    interval === null ? '' : ` · ${percent(bootstrap.confidence, 0)}: ${show(interval.low)} to ${show(interval.high)}`;
  const missing = summary.undefinedCounts.reduce((sum, { count: times }) => sum + times, 0);
  const numbers: KeyNumber[] = [
    {
      name: 'success_rate',
      label: 'success rate',
      value: success?.rate ?? null,
      text: success === null ? '–' : percent(success.rate),
      detail:
        success === null
          ? 'no verdicts'
          : `${grouped(success.successes)} of ${grouped(n)}${bounds(success.interval, percent)}`,
    },
    { name: 'records', label: 'attacks', value: n, text: grouped(n), detail: unitsText(units) },
    meanNumber('s_src', 's_src, meaning kept', summary.sSrc),
    summary.dTgt === null
      ? meanNumber('s_tgt', 's_tgt, output kept', summary.sTgt)
      : meanNumber('d_tgt', 'd_tgt, damage done', summary.dTgt),
  ];
  if (pdr.n > 0) {
    numbers.push({
      name: 'pdr',
      label: 'performance drop rate',
      value: pdr.mean,
      text: pdr.mean === null ? '–' : decimal(pdr.mean),
      detail: `mean of ${grouped(pdr.n)}${bounds(pdr.interval, decimal)}`,
    });
  }
  numbers.push({
    name: 'undefined',
    label: 'undefined',
    value: missing,
    text: grouped(missing),
    detail: missing === 0 ? 'every criterion is defined' : `of ${grouped(n)}`,
  });
  return numbers;
}

function meanNumber(name: string, label: string, statistics: Statistics | null): KeyNumber {
  if (statistics === null) return { name, label, value: null, text: '–', detail: 'not measured' };
  const { n, mean, std } = statistics;
  return {
    name,
    label,
    value: mean,
    text: decimal(mean),
    detail: `mean of ${grouped(n)}${std === null ? '' : ` · std ${decimal(std)}`}`,
  };
}

function unitsText({ input, prompt }: ReportCollector['units']): string {
  if (prompt === 0) return 'on inputs';
  return input === 0 ? 'on prompts' : `${grouped(input)} on inputs, ${grouped(prompt)} on prompts`;
}

/** The same numbers by attack, model, data set and run, every rate with its denominator. */
async function summarySection(
  collected: ReportCollector,
  byAttack: Result & { readonly all: GroupResult },
): Promise<ReportSection> {
  const blocks: ReportBlock[] = [];
  const add = (title: string, result: Result): void => {
    const grid = groupGrid({ ...result, groups: result.groups.slice(0, GRID_ROWS) }, 100);
    blocks.push({ kind: 'grid', grid: { ...withoutEmptyColumns(grid), title } });
    const more = result.groups.length - GRID_ROWS;
    if (more > 0)
      blocks.push({ kind: 'text', text: `${more} more; teapot score --by ${result.by.join(',')} has all.` });
  };
  add('By attack', byAttack);
  for (const [key, title] of [
    ['model', 'By model'],
    ['dataset', 'By data set'],
    ['run', 'By run'],
  ] as const) {
    const result = await collected.summarise(key, {});
    if (result.groups.length > 1) add(title, result);
  }
  return {
    id: 'summary',
    title: 'Summary',
    intro:
      'Scores are in percent. Rates that look alike divide by different things, so each one shows its count and its denominator.',
    blocks,
  };
}

/** Without the columns in which no row has anything. */
function withoutEmptyColumns(grid: Grid): Grid {
  const kept = grid.columns.map((_, index) =>
    grid.rows.some((row) => !['-', '', '0'].includes(cellText(row[index] ?? ''))),
  );
  return {
    ...grid,
    columns: grid.columns.filter((_, index) => kept[index]),
    rows: grid.rows.map((row) => row.filter((_, index) => kept[index])),
  };
}

function figuresSection(
  collected: ReportCollector,
  byAttack: Result & { readonly all: GroupResult },
  robustness: FigureData | undefined,
  target: 'd_tgt' | 's_tgt',
): ReportSection {
  const blocks: FigureBlock[] = [];
  const scatter = collected.scatter();
  if (scatter !== undefined) {
    const others = collected.criteria.reference_less + collected.criteria.relative_decrease - scatter.n;
    blocks.push({
      kind: 'figure',
      data: scatter,
      narrow: true,
      caption: [
        `Each attack by what it kept of the text (s_src) and ${target === 'd_tgt' ? 'what it took from the output (d_tgt)' : 'what it left of the output (s_tgt)'}.`,
        scatter.grid > 0
          ? `The darker a square, the more of the ${grouped(scatter.n)} attacks are in it.`
          : 'Full circles are successful, hollow ones not; the larger, the more attacks at one place.',
        others === 0 ? '' : `${others} attacks under the other criterion are not shown.`,
      ].join(' '),
    });
  }
  const threshold = thresholdData(byAttack);
  if (threshold !== undefined) {
    const [all] = threshold.series;
    const columns = ['threshold', ...threshold.series.map(({ name }) => name)];
    blocks.push({
      kind: 'figure',
      data: threshold,
      narrow: true,
      caption: 'What share of the attacks is successful when the threshold is another one.',
      table: {
        columns: columns.map((name) => ({ name, align: 'right' })),
        rows: (all?.points ?? []).flatMap(({ x }, index) =>
          index % 2 === 0
            ? [[formatFixed(x, 1), ...threshold.series.map(({ points }) => percent(points[index]?.y ?? 0))]]
            : [],
        ),
      },
    });
  }
  if (robustness?.kind === 'robustness') {
    const { bins, score } = robustness;
    blocks.push({
      kind: 'figure',
      data: robustness,
      narrow: true,
      caption: `How the score falls with the share of words that an attack changed (${score}). At 0 stand the texts before the attack; classes with fewer than five attacks are left out.`,
      table: {
        columns: ['words changed', 'mean', 'low', 'high', 'n'].map((name) => ({ name, align: 'right' })),
        rows: bins.map(({ low, high, mean, interval, n }) => [
          high === 0 ? '0 %' : `${percent(low, 0)} to ${percent(high, 0)}`,
          decimal(mean),
          decimal(interval.low),
          decimal(interval.high),
          String(n),
        ]),
      },
    });
  }
  const queries = collected.queries();
  if (queries !== undefined) {
    blocks.push({
      kind: 'figure',
      data: queries,
      narrow: true,
      caption: 'What share of the attacks had succeeded after so many queries of the victim.',
      table: {
        columns: [
          { name: 'attack' },
          ...['n', 'at the end', 'most queries'].map((name) => ({ name, align: 'right' as const })),
        ],
        rows: queries.series.map(({ name, n, points }) => [
          name,
          String(n),
          percent(points.at(-1)?.y ?? 0),
          String(points.at(-2)?.x ?? 0),
        ]),
      },
    });
  }
  // The scatter chart is as high as two others: with two beside it, no place is left empty.
  const [first, ...others] = blocks;
  if (first?.data.kind === 'scatter' && others.length >= 2) blocks[0] = { ...first, tall: true };
  const histogram = histogramData(byAttack.all.summary);
  if (histogram !== undefined) {
    blocks.push({
      kind: 'figure',
      data: histogram,
      caption: 'How the scores are distributed, in twentieths.',
      table: {
        columns: [
          { name: 'from' },
          { name: 'to' },
          ...histogram.quantities.map(({ name }) => ({ name, align: 'right' as const })),
        ],
        rows: Array.from({ length: 20 }, (_, index) => [
          formatFixed(index / 20, 2),
          formatFixed((index + 1) / 20, 2),
          ...histogram.quantities.map(({ counts }) => String(counts[index] ?? 0)),
        ]),
      },
    });
  }
  return { id: 'figures', title: 'Figures', blocks };
}

/** The share of successes at each threshold: of all attacks, and of those with the most records. */
function thresholdData({ groups, all }: Result & { readonly all: GroupResult }): ThresholdData | undefined {
  const lineOf = (name: string, { thresholdSweep: sweep, n }: Summary): LineSeries[] =>
    sweep === null
      ? []
      : [{ name, n, points: sweep.thresholds.map((x, index) => ({ x, y: sweep.successRates[index] ?? 0 })) }];
  const several = groups.length > 1 ? groups.toSorted((a, b) => b.summary.n - a.summary.n).slice(0, SERIES - 1) : [];
  const series = [
    ...lineOf('all attacks', all.summary),
    ...several.flatMap(({ values, summary }) => lineOf(values[0] ?? NO_VALUE, summary)),
  ];
  return series.length === 0 ? undefined : { kind: 'threshold', threshold: all.summary.successThreshold, series };
}

function histogramData({ sSrc, dTgt, sTgt }: Summary): HistogramData | undefined {
  const quantities = [
    ['s_src', sSrc],
    ['d_tgt', dTgt],
    ['s_tgt', dTgt === null ? sTgt : null],
  ] as const;
  const shown = quantities.flatMap(([name, statistics]) =>
    statistics === null ? [] : [{ name, n: statistics.n, counts: statistics.histogram }],
  );
  return shown.length === 0 ? undefined : { kind: 'histogram', quantities: shown };
}

interface HeatmapChoice {
  readonly table: PdrTable;
  readonly rowKey: string;
  readonly columnKey: string;
  readonly caption: string;
}

async function heatmaps(
  collected: ReportCollector,
  options: RecordsReportOptions,
): Promise<{
  readonly section: ReportSection;
  readonly all: { readonly mean: number | null; readonly interval: Interval | null; readonly n: number };
}> {
  const { pdr, distinct, units } = collected;
  const several = (key: keyof ReportCollector['distinct']): boolean =>
    distinct[key].values.size + (distinct[key].missing > 0 ? 1 : 0) > 1;
  const choices: HeatmapChoice[] = [];
  if (several('model'))
    choices.push({ table: pdr.model, rowKey: 'attack', columnKey: 'model', caption: 'by attack and model' });
  if (several('dataset'))
    choices.push({ table: pdr.dataset, rowKey: 'data set', columnKey: 'attack', caption: 'by data set and attack' });
  if (several('prompt_type'))
    choices.push({
      table: pdr.promptType,
      rowKey: 'attack',
      columnKey: 'prompt type',
      caption: 'by attack and prompt type',
    });
  const rowsOf = async (table: PdrTable): Promise<DropRateRows> =>
    dropRateRows(
      table,
      options.pdr,
      options.signal === undefined ? {} : { signal: options.signal },
      CHART_ROWS * CHART_COLUMNS,
    );
  const byAttack = await rowsOf(pdr.attack);
  const numbers = pdr.attack.all.summary(options.pdr.trim);
  const all = { mean: numbers.mean, interval: byAttack.all.intervals.mean, n: numbers.n };
  if (numbers.n === 0 || (units.prompt === 0 && choices.length === 0)) {
    return {
      section: { id: 'pdr', title: 'Performance drop', blocks: [] },
      all: { ...all, n: units.prompt === 0 ? 0 : all.n },
    };
  }
  const blocks: ReportBlock[] = [];
  const figures: FigureBlock[] = [];
  for (const choice of choices) {
    const rows = await rowsOf(choice.table);
    const data = heatmap(choice, rows);
    figures.push({
      kind: 'figure',
      data,
      title: `Performance drop rate ${choice.caption}`,
      narrow: data.kind === 'pdr-heatmap' && data.columns.length <= NARROW_COLUMNS,
      caption:
        'Means; 0 is no loss, 1 a total one, and where it is below 0 (in a colour of its own) the attack helped.',
      table: limited(longGrid(rows)),
    });
  }
  // Narrow ones first, so that they stand side by side.
  blocks.push(...figures.filter(({ narrow }) => narrow), ...figures.filter(({ narrow }) => narrow !== true));
  blocks.push({
    kind: 'grid',
    grid: { ...limited(longGrid(byAttack)), title: 'Performance drop rate by attack' },
  });
  return {
    section: {
      id: 'pdr',
      title: 'Performance drop',
      intro: `PDR is 1 − attacked ÷ original score. ${negativeText(pdr.attack, options)}`,
      blocks,
    },
    all,
  };
}

function negativeText(table: PdrTable, { pdr }: RecordsReportOptions): string {
  const { n, negative, zero } = table.all.summary(pdr.trim);
  return `${negative} of ${n} attacks helped (PDR below 0), ${zero} changed nothing.`;
}

function heatmap({ rowKey, columnKey }: HeatmapChoice, { cells: all }: DropRateRows): FigureData {
  const cells = all.map(({ group: [row, column], summary: { mean, std, n }, intervals }) => ({
    row: row ?? NO_VALUE,
    column: column ?? NO_VALUE,
    mean,
    std,
    n,
    interval: intervals.mean,
  }));
  const rows = [...new Set(cells.map(({ row }) => row))].slice(0, CHART_ROWS);
  const columns = [...new Set(cells.map(({ column }) => column))].slice(0, CHART_COLUMNS);
  return {
    kind: 'pdr-heatmap',
    rowKey,
    columnKey,
    rows,
    columns,
    cells: cells.filter(({ row, column }) => rows.includes(row) && columns.includes(column)),
  };
}

function limited(grid: Grid): Grid {
  return grid.rows.length <= GRID_ROWS ? grid : { ...grid, rows: grid.rows.slice(0, GRID_ROWS) };
}
