import type * as plotLibrary from '@observablehq/plot';
import type { parseHTML } from 'linkedom';

import { formatFixed } from '../../number-format.js';
import { shortLabel } from '../html/visible-text.js';
import type {
  EditsData,
  FigureData,
  HeatmapData,
  HistogramData,
  ImportanceData,
  LineSeries,
  QueriesData,
  RobustnessData,
  ScatterData,
  ThresholdData,
} from './figure-data.js';
import { DASHES, FILE_PALETTE, type Palette } from './palette.js';
import { serializeSvg, type SvgNode } from './svg.js';

/** How a chart is drawn. */
export interface DrawOptions {
  /** Width of the chart in pixels of 1/96 inch. Default 640. */
  readonly width?: number;
  /** Default: the colours of files. */
  readonly palette?: Palette;
  /** Size of the texts in pixels. Default 11. */
  readonly fontSize?: number;
  /** What the chart shows, for readers who don't see it. */
  readonly label?: string;
}

type Charts = typeof plotLibrary & { readonly parseHTML: typeof parseHTML };
type Mark = NonNullable<NonNullable<Parameters<Charts['plot']>[0]>['marks']>[number];

/** What the drawing of every chart starts from. */
interface Canvas {
  readonly charts: Charts;
  readonly palette: Palette;
  readonly width: number;
  readonly fontSize: number;
}

/** What a chart consists of, beside what all have in common. */
interface Drawing {
  readonly height: number;
  readonly marks: readonly Mark[];
  readonly scales: Readonly<Record<string, unknown>>;
}

/**
 * Draws a chart as SVG.
 *
 * @returns One `svg` element without scripts, styles or references; it is valid XML and may stand in HTML.
 */
export async function drawFigure(data: FigureData, options: DrawOptions = {}): Promise<string> {
  // A name that is no literal: the charts are one file of their own, loaded when the first one is drawn.
  const vendor: string = '#shared/vendor/charts.js';
  const charts = (await import(vendor)) as Charts;
  const { palette = FILE_PALETTE, width = 640, fontSize = 11 } = options;
  const canvas = { charts, palette, width, fontSize };
  const { height, marks, scales } = drawing(data, canvas);
  const { document } = charts.parseHTML('<!doctype html><html><body></body></html>');
  const svg = charts.plot({
    document: document as never,
    width,
    height,
    marks: [...marks],
    ...scales,
    style: {} as never,
  }) as unknown as SvgNode;
  return serializeSvg(svg, {
    role: 'img',
    'aria-label': options.label ?? FIGURE_TITLES[data.kind],
    'font-size': String(fontSize),
    fill: palette.ink,
  });
}

/** How wide a letter is at most on average, as a share of the size of the text: fonts differ from reader to reader. */
const LETTER = 0.6;

/** What each chart is called. */
export const FIGURE_TITLES: Readonly<Record<FigureData['kind'], string>> = {
  scatter: 'Meaning kept against damage done',
  histogram: 'Distribution of the scores',
  threshold: 'Success rate over thresholds',
  'pdr-heatmap': 'Performance drop rate',
  robustness: 'Score against the share of words changed',
  queries: 'Success against queries',
  edits: 'Kinds of edits by attack',
  importance: 'Importance of words',
};

function drawing(data: FigureData, canvas: Canvas): Drawing {
  switch (data.kind) {
    case 'scatter':
      return scatter(data, canvas);
    case 'histogram':
      return histogram(data, canvas);
    case 'threshold':
      return threshold(data, canvas);
    case 'pdr-heatmap':
      return heatmap(data, canvas);
    case 'robustness':
      return robustness(data, canvas);
    case 'queries':
      return queries(data, canvas);
    case 'edits':
      return edits(data, canvas);
    case 'importance':
      return importance(data, canvas);
  }
}

/** The two axes, their names and a quiet grid. */
function axes(
  { charts, palette, fontSize }: Canvas,
  x: { readonly label: string; readonly percent?: boolean; readonly ticks?: number },
  y: { readonly label: string; readonly percent?: boolean; readonly ticks?: number },
): { readonly under: readonly Mark[]; readonly over: readonly Mark[] } {
  const common = { fontSize, fill: palette.muted, tickSize: 3, stroke: null, labelArrow: 'none' } as const;
  const tickFormat = (percent: boolean | undefined) => (percent === true ? percentTick : undefined);
  return {
    under: [
      charts.gridX({ ticks: x.ticks ?? 5, stroke: palette.grid, strokeOpacity: 1 }),
      charts.gridY({ ticks: y.ticks ?? 5, stroke: palette.grid, strokeOpacity: 1 }),
    ],
    over: [
      charts.axisX({
        ...common,
        label: x.label,
        labelAnchor: 'center',
        labelOffset: fontSize * 3.1,
        ticks: x.ticks ?? 5,
        ...(x.percent === true && { tickFormat: tickFormat(true) as never }),
      } as never),
      charts.axisY({
        ...common,
        label: y.label,
        labelAnchor: 'top',
        labelOffset: fontSize * 3.9,
        ticks: y.ticks ?? 5,
        ...(y.percent === true && { tickFormat: tickFormat(true) as never }),
      } as never),
    ],
  };
}

function margins({ fontSize }: Canvas, more: Readonly<Record<string, number>> = {}): Record<string, number> {
  return {
    marginLeft: Math.round(fontSize * 4.1),
    marginBottom: Math.round(fontSize * 3.8),
    marginTop: Math.round(fontSize * 2.2),
    marginRight: Math.round(fontSize * 2.1),
    ...more,
  };
}

function scatter({ criterion, threshold: t, points, grid, n }: ScatterData, canvas: Canvas): Drawing {
  const { charts, palette, width, fontSize } = canvas;
  const referenceLess = criterion === 'reference_less';
  const yLabel = referenceLess ? 's_tgt: output kept' : 'd_tgt: damage done';
  const { under, over } = axes(canvas, { label: 's_src: meaning kept by the attacked text' }, { label: yLabel });
  const { region, line } = successRegion(criterion, t);
  const marks: Mark[] = [
    charts.areaY(region, { x: 'x', y1: 'low', y2: 'high', fill: palette.region }),
    ...under,
    charts.line(line, { x: 'x', y: 'y', stroke: palette.ink, strokeDasharray: '4 3', strokeWidth: 1.2 }),
  ];
  const shown = points.toSorted((a, b) => b.count - a.count);
  const title = (point: (typeof points)[number]): string =>
    `s_src ${formatFixed(point.x, 3)}, ${referenceLess ? 's_tgt' : 'd_tgt'} ${formatFixed(point.y, 3)}: ` +
    (point.count === 1
      ? point.successes === 1
        ? 'successful'
        : 'not successful'
      : `${point.count} attacks, ${point.successes} successful`);
  if (grid > 0) {
    const limits = countSteps(shown.map(({ count }) => count));
    marks.push(
      charts.rect(shown, {
        x1: (point: ScatterData['points'][number]) => point.x - grid / 2,
        x2: (point: ScatterData['points'][number]) => point.x + grid / 2,
        y1: (point: ScatterData['points'][number]) => point.y - grid / 2,
        y2: (point: ScatterData['points'][number]) => point.y + grid / 2,
        fill: (point: ScatterData['points'][number]) => palette.steps[stepOf(point.count, limits) + 1],
        inset: 0.25,
        title,
      } as never),
      charts.line(line, { x: 'x', y: 'y', stroke: palette.ink, strokeDasharray: '4 3', strokeWidth: 1.2 }),
    );
  } else {
    const most = Math.max(1, ...shown.map(({ count }) => count));
    const base = n > 600 ? 2 : n > 150 ? 2.6 : 3.4;
    const radius = (point: ScatterData['points'][number]): number =>
      base * (most === 1 ? 1 : Math.min(3, point.count ** 0.4));
    const failures = shown.filter(({ successes }) => successes === 0);
    const successes = shown.filter((point) => point.successes > 0);
    marks.push(
      // Hollow and full circles differ in grey as well.
      charts.dot(failures, {
        x: 'x',
        y: 'y',
        r: radius as never,
        stroke: palette.failure,
        strokeWidth: 1.1,
        fill: palette.paper,
        fillOpacity: 0.35,
        clip: false,
        title,
      } as never),
      charts.dot(successes, {
        x: 'x',
        y: 'y',
        r: radius as never,
        fill: palette.success,
        fillOpacity: 0.8,
        stroke: palette.paper,
        strokeWidth: 0.5,
        title,
      } as never),
    );
  }
  marks.push(
    charts.text([regionLabel(criterion, t)], {
      text: (text: string) => text,
      frameAnchor: 'top-right',
      lineAnchor: 'bottom',
      textAnchor: 'end',
      fontSize,
      fill: palette.success,
      dy: -8,
    } as never),
  );
  const size = Math.min(width, 520);
  return {
    height: Math.round(size * 0.86),
    marks: marks.concat(over),
    scales: {
      ...margins(canvas),
      x: { domain: [0, 1], nice: false },
      y: { domain: [0, 1], nice: false },
      r: { type: 'identity' },
      color: { type: 'identity' },
    },
  };
}

/** Where attacks are successful: the region, and the line that bounds it (on which they are not). */
function successRegion(
  criterion: ScatterData['criterion'],
  threshold: number,
): {
  readonly region: readonly { readonly x: number; readonly low: number; readonly high: number }[];
  readonly line: readonly { readonly x: number; readonly y: number }[];
} {
  const within = (value: number): number => Math.min(1, Math.max(0, value));
  if (criterion === 'relative_decrease') {
    const corners = [0, threshold - 1, threshold, 1].filter((x) => x >= 0 && x <= 1).toSorted((a, b) => a - b);
    return {
      region: corners.map((x) => ({ x, low: within(threshold - x), high: 1 })),
      line: corners.map((x) => ({ x, y: threshold - x })).filter(({ y }) => y >= 0 && y <= 1),
    };
  }
  const corners = [0, threshold, 1].filter((x) => x >= 0 && x <= 1).toSorted((a, b) => a - b);
  const bound = (x: number): number => (threshold === 0 ? 1 : x / threshold);
  return {
    region: corners.map((x) => ({ x, low: 0, high: within(bound(x)) })),
    line: corners.map((x) => ({ x, y: bound(x) })).filter(({ y }) => y <= 1),
  };
}

function regionLabel(criterion: ScatterData['criterion'], threshold: number): string {
  if (criterion === 'relative_decrease') return `successful: s_src + d_tgt > ${threshold}`;
  return `successful: s_src > ${threshold === 1 ? '' : `${threshold} · `}s_tgt`;
}

function histogram({ quantities }: HistogramData, canvas: Canvas): Drawing {
  const { charts, palette, width, fontSize } = canvas;
  const bars = quantities.flatMap(({ name, n, counts }) =>
    counts.map((count, index) => ({
      name,
      low: index / counts.length,
      high: (index + 1) / counts.length,
      share: n === 0 ? 0 : count / n,
      count,
      n,
    })),
  );
  const sideBySide = width >= 420;
  const facet = sideBySide ? { fx: 'name' } : { fy: 'name' };
  return {
    height: sideBySide ? Math.round(fontSize * 18) : Math.round(fontSize * 15 * quantities.length),
    marks: [
      charts.gridY({ ticks: 4, stroke: palette.grid, strokeOpacity: 1 }),
      charts.rectY(bars, {
        x1: 'low',
        x2: 'high',
        y: 'share',
        ...facet,
        fill: palette.failure,
        fillOpacity: 0.85,
        insetLeft: 0.5,
        insetRight: 0.5,
        title: (bar: (typeof bars)[number]) =>
          `${bar.name} ${formatFixed(bar.low, 2)} to ${formatFixed(bar.high, 2)}: ${bar.count} of ${bar.n}`,
      } as never),
      charts.ruleY([0], { stroke: palette.muted }),
      charts.axisX({ fontSize, fill: palette.muted, stroke: null, tickSize: 3, ticks: 5, label: null } as never),
      charts.axisY({
        fontSize,
        fill: palette.muted,
        stroke: null,
        tickSize: 3,
        ticks: 4,
        label: 'share of the attacks',
        labelArrow: 'none',
        labelAnchor: 'top',
        labelOffset: fontSize * 3.9,
        tickFormat: percentTick,
      } as never),
      charts.text(quantities, {
        ...facet,
        frameAnchor: 'top',
        text: (quantity: (typeof quantities)[number]) => `${quantity.name} (n = ${quantity.n})`,
        dy: -fontSize * 1.4,
        fontSize,
        fill: palette.ink,
      } as never),
    ],
    scales: {
      ...margins(canvas, { marginTop: Math.round(fontSize * 3.4), marginBottom: Math.round(fontSize * 2.2) }),
      x: { domain: [0, 1] },
      y: { zero: true, nice: true },
      fx: { axis: null, padding: 0.12, domain: quantities.map(({ name }) => name) },
      fy: { axis: null, padding: 0.25, domain: quantities.map(({ name }) => name) },
    },
  };
}

function threshold({ threshold: t, series }: ThresholdData, canvas: Canvas): Drawing {
  const last = Math.max(...series.flatMap(({ points }) => points.map(({ x }) => x)), 1);
  return lines(canvas, series, {
    x: { label: 'success threshold', domain: [0, last] },
    y: 'success rate',
    names: 'list',
    rule: { x: t, text: `applied: ${t}` },
  });
}

function queries({ series, maximum }: QueriesData, canvas: Canvas): Drawing {
  return lines(canvas, series, {
    x: { label: 'queries of the victim, at most', domain: [0, Math.max(1, maximum)] },
    y: 'share of the attacks that had succeeded',
    names: 'ends',
    curve: 'step-after',
  });
}

/** How the lines of a chart are named. */
interface LineSettings {
  readonly x: { readonly label: string; readonly domain: readonly [number, number] };
  readonly y: string;
  readonly curve?: string;
  /** Where the names stand: beside the ends of the lines, or one below the other from the top. */
  readonly names: 'ends' | 'list';
  readonly rule?: { readonly x: number; readonly text: string };
}

/** Lines of rates, each named where it ends. */
function lines(canvas: Canvas, series: readonly LineSeries[], settings: LineSettings): Drawing {
  const { charts, palette, width, fontSize } = canvas;
  const height = Math.round(Math.min(340, Math.max(fontSize * 18, width * 0.5)));
  const color = (index: number): string => palette.series[index % palette.series.length] ?? palette.ink;
  const { under, over } = axes(canvas, { label: settings.x.label }, { label: settings.y, percent: true });
  const names = series.map(({ name }) => shortLabel(name, 18));
  const many = series.length > 1;
  const longest = Math.max(0, ...names.map(({ length }) => length));
  const box = margins(canvas, many ? { marginRight: Math.round(longest * fontSize * LETTER + fontSize * 2.8) } : {});
  const [from, to] = settings.x.domain;
  const inner = height - (box['marginTop'] ?? 0) - (box['marginBottom'] ?? 0);
  const gap = (fontSize * 1.25) / inner;
  const ends =
    settings.names === 'list'
      ? series.map((_, index) => 1 - gap * (index + 0.5))
      : spread(
          series.map(({ points }) => points.at(-1)?.y ?? 0),
          gap,
        );
  const marks: Mark[] = [...under];
  if (settings.rule !== undefined) {
    const { x, text } = settings.rule;
    const left = x > from + (to - from) * 0.6;
    marks.push(
      charts.ruleX([x], { stroke: palette.muted, strokeDasharray: '2 2' }),
      charts.text([{ x, y: 1, text }], {
        x: 'x',
        y: 'y',
        text: 'text',
        textAnchor: left ? 'end' : 'start',
        dx: left ? -4 : 4,
        dy: -fontSize * 0.75,
        fontSize: fontSize * 0.95,
        fill: palette.muted,
      } as never),
    );
  }
  for (const [index, { points }] of series.entries()) {
    marks.push(
      charts.line(points, {
        x: 'x',
        y: 'y',
        stroke: color(index),
        strokeWidth: 1.8,
        strokeDasharray: DASHES[index % DASHES.length] ?? 'none',
        ...(settings.curve !== undefined && { curve: settings.curve as never }),
      }),
    );
  }
  if (many) {
    const across = width - (box['marginLeft'] ?? 0) - (box['marginRight'] ?? 0);
    const beside = (pixels: number): number => to + ((to - from) * pixels) / across;
    for (const [index, y] of ends.entries()) {
      const sample = [beside(fontSize * 0.5), beside(fontSize * 2)].map((x) => ({ x, y }));
      marks.push(
        charts.line(sample, {
          x: 'x',
          y: 'y',
          stroke: color(index),
          strokeWidth: 1.8,
          strokeDasharray: DASHES[index % DASHES.length] ?? 'none',
        }),
      );
    }
    marks.push(
      charts.text(
        names.map((text, index) => ({
          text,
          y: ends[index] ?? 0,
          title: series[index]?.name ?? '',
          color: color(index),
        })),
        {
          x: () => to,
          y: 'y',
          text: 'text',
          fill: 'color',
          textAnchor: 'start',
          dx: fontSize * 2.3,
          fontSize,
        } as never,
      ),
    );
  }
  return {
    height,
    marks: marks.concat(over),
    scales: { ...box, x: { domain: [from, to] }, y: { domain: [0, 1] }, color: { type: 'identity' } },
  };
}

function heatmap(data: HeatmapData, canvas: Canvas): Drawing {
  const { palette } = canvas;
  const step = (mean: number | null): number => (mean === null ? 0 : stepOf(mean, [0.1, 0.25, 0.4, 0.55, 0.7, 0.85]));
  return grid(
    canvas,
    data,
    data.cells.map((cell) => {
      const { mean, std, interval, n } = cell;
      const below = mean !== null && mean < 0;
      const spread = std === null ? '' : ` ± ${formatFixed(std, 2)}`;
      const between =
        interval === null ? '' : `, interval ${formatFixed(interval.low, 3)} to ${formatFixed(interval.high, 3)}`;
      return {
        row: cell.row,
        column: cell.column,
        fill: mean === null ? 'none' : below ? palette.below : (palette.steps[step(mean)] ?? palette.paper),
        ink:
          mean === null
            ? palette.muted
            : below
              ? (palette.onSteps[0] ?? palette.ink)
              : (palette.onSteps[step(mean)] ?? palette.ink),
        text: mean === null ? '–' : formatFixed(mean, 2),
        title:
          mean === null
            ? `${cell.row}, ${cell.column}: undefined`
            : `${cell.row}, ${cell.column}: PDR ${formatFixed(mean, 3)}${spread}${between}, n = ${n}`,
      };
    }),
  );
}

function edits({ attacks, kinds, cells }: EditsData, canvas: Canvas): Drawing {
  const { palette } = canvas;
  const rows = attacks.map(({ name }) => name);
  const columns = kinds.map((kind) => kind.replaceAll('_', ' '));
  return grid(
    canvas,
    { rows, columns },
    cells.map(({ attack, edit, share, edits: count }) => {
      const step = share === 0 ? 0 : stepOf(share, [0.05, 0.2, 0.4, 0.6, 0.75, 0.9]);
      return {
        row: attack,
        column: edit.replaceAll('_', ' '),
        fill: share === 0 ? 'none' : (palette.steps[Math.max(1, step)] ?? palette.paper),
        ink: share === 0 ? palette.muted : (palette.onSteps[Math.max(1, step)] ?? palette.ink),
        text: share === 0 ? '·' : share < 0.005 ? '< 1' : formatFixed(share * 100, 0),
        title: `${attack}: ${edit.replaceAll('_', ' ')} in ${formatFixed(share * 100, 1)} % of the texts, ${count} edits`,
      };
    }),
  );
}

interface GridCell {
  readonly row: string;
  readonly column: string;
  readonly fill: string;
  readonly ink: string;
  readonly text: string;
  readonly title: string;
}

/** A table of coloured cells, each with its number. */
function grid(
  canvas: Canvas,
  { rows, columns }: { readonly rows: readonly string[]; readonly columns: readonly string[] },
  cells: readonly GridCell[],
): Drawing {
  const { charts, palette, width, fontSize } = canvas;
  const letter = fontSize * LETTER;
  const allowed = Math.max(8, Math.floor((width * 0.3) / letter));
  const rowLabels = new Map(rows.map((row) => [row, shortLabel(row, allowed)]));
  const marginLeft = Math.round(
    letter * Math.max(4, ...[...rowLabels.values()].map(({ length }) => length)) + fontSize * 1.2,
  );
  const inner = width - marginLeft - fontSize;
  const columnWidth = Math.min(fontSize * 12, inner / Math.max(1, columns.length));
  const longest = Math.max(1, ...columns.map((column) => shortLabel(column, 22).length));
  // Names that don't fit above their column stand upright.
  const turned = longest * letter > columnWidth - 2;
  const columnLabels = new Map(columns.map((column) => [column, shortLabel(column, 22)]));
  const marginTop = Math.round(turned ? longest * letter * 0.94 + fontSize * 1.4 : fontSize * 2.2);
  const marginRight = Math.max(fontSize, Math.round(width - marginLeft - columnWidth * columns.length));
  const rowHeight = Math.round(fontSize * 2.1);
  const small = columnWidth < fontSize * 3 ? Math.max(6, columnWidth / 3.1) : fontSize;
  return {
    height: marginTop + rowHeight * rows.length + fontSize,
    marks: [
      charts.axisY({
        fontSize,
        fill: palette.ink,
        stroke: null,
        tickSize: 0,
        tickPadding: 6,
        label: null,
        tickFormat: (row: string) => rowLabels.get(row) ?? row,
      } as never),
      charts.text(columns, {
        x: (column: string) => column,
        text: (column: string) => columnLabels.get(column) ?? column,
        frameAnchor: 'top',
        fontSize,
        dy: -7,
        ...(turned ? { rotate: -90, textAnchor: 'start', lineAnchor: 'middle' } : { lineAnchor: 'bottom' }),
      } as never),
      charts.cell(cells, {
        x: 'column',
        y: 'row',
        fill: 'fill',
        stroke: palette.grid,
        strokeWidth: 0.5,
        inset: 0.75,
        title: 'title',
      } as never),
      charts.text(cells, {
        x: 'column',
        y: 'row',
        text: 'text',
        fill: 'ink',
        fontSize: small,
        pointerEvents: 'none',
      } as never),
    ],
    scales: {
      marginLeft,
      marginTop,
      marginRight,
      marginBottom: Math.round(fontSize),
      x: { domain: columns, type: 'band', padding: 0, axis: null },
      y: { domain: rows, type: 'band', padding: 0 },
      color: { type: 'identity' },
    },
  };
}

function robustness({ score, bins, confidence }: RobustnessData, canvas: Canvas): Drawing {
  const { charts, palette, width, fontSize } = canvas;
  const points = bins.map((bin) => ({
    ...bin,
    x: (bin.low + bin.high) / 2,
    low: bin.interval.low,
    high: bin.interval.high,
  }));
  const { under, over } = axes(
    canvas,
    { label: 'share of words changed', percent: true },
    { label: `${score} (band: ${formatFixed(confidence * 100, 0)} % interval)` },
  );
  const last = Math.max(0.1, ...bins.map(({ high }) => high));
  return {
    height: Math.round(Math.min(340, Math.max(fontSize * 18, width * 0.5))),
    marks: [
      ...under,
      charts.areaY(points, { x: 'x', y1: 'low', y2: 'high', fill: palette.failure, fillOpacity: 0.18 }),
      charts.line(points, { x: 'x', y: 'mean', stroke: palette.failure, strokeWidth: 1.8 }),
      charts.dot(points, {
        x: 'x',
        y: 'mean',
        r: 3,
        fill: palette.failure,
        title: (point: (typeof points)[number]) =>
          `${point.x === 0 ? 'nothing changed' : `about ${formatFixed(point.x * 100, 0)} % of the words`}: ` +
          `${formatFixed(point.mean, 3)} (${formatFixed(point.low, 3)} to ${formatFixed(point.high, 3)}), n = ${point.n}`,
      } as never),
      ...over,
    ],
    scales: { ...margins(canvas), x: { domain: [0, last] }, y: { domain: [0, 1] } },
  };
}

function importance({ words }: ImportanceData, canvas: Canvas): Drawing {
  const { charts, palette, width, fontSize } = canvas;
  const shown = words
    .map((word, index) => ({ ...word, place: `${index}`, label: shortLabel(word.word, 20) }))
    .filter(({ importance: value }) => value !== null);
  const letter = fontSize * LETTER;
  const marginLeft = Math.round(letter * Math.max(4, ...shown.map(({ label }) => label.length)) + fontSize * 1.4);
  const values = shown.map(({ importance: value }) => value ?? 0);
  const reach = Math.max(1e-9, ...values.map(Math.abs));
  const lowest = Math.min(0, ...values);
  return {
    height: Math.round(shown.length * fontSize * 1.5 + fontSize * 4.6),
    marks: [
      charts.gridX({ ticks: 5, stroke: palette.grid, strokeOpacity: 1 }),
      charts.barX(shown, {
        y: 'place',
        x: 'importance',
        fill: (word: (typeof shown)[number]) => ((word.importance ?? 0) >= 0 ? palette.success : palette.failure),
        title: (word: (typeof shown)[number]) =>
          `${shortLabel(word.word, 80)}: ${formatFixed(word.importance ?? 0, 4)}`,
      } as never),
      charts.ruleX([0], { stroke: palette.muted }),
      charts.axisY({
        fontSize,
        fill: palette.ink,
        stroke: null,
        tickSize: 0,
        label: null,
        tickFormat: (place: string) => shown.find((word) => word.place === place)?.label ?? '',
      } as never),
      charts.axisX({
        fontSize,
        fill: palette.muted,
        stroke: null,
        tickSize: 3,
        ticks: width < 400 ? 3 : 5,
        label: 'fall of the score when the word is removed',
        labelArrow: 'none',
        labelAnchor: 'center',
        labelOffset: fontSize * 3.1,
      } as never),
    ],
    scales: {
      ...margins(canvas, { marginLeft, marginTop: fontSize }),
      x: { domain: [lowest < 0 ? -reach : 0, reach], nice: true },
      y: { domain: shown.map(({ place }) => place), type: 'band', padding: 0.25 },
      color: { type: 'identity' },
    },
  };
}

function percentTick(value: number): string {
  return `${formatFixed(value * 100, 0)} %`;
}

/** The index of the first limit above a value: 0 to `limits.length`. */
function stepOf(value: number, limits: readonly number[]): number {
  const index = limits.findIndex((limit) => value < limit);
  return index === -1 ? limits.length : index;
}

/** Limits between the shades of counts: powers of the largest count, since counts differ by orders of magnitude. */
function countSteps(counts: readonly number[]): readonly number[] {
  const most = Math.max(2, ...counts);
  return [1, 2, 3, 4, 5].map((step) => most ** (step / 6) + 1e-9);
}

/** Moves the places of labels apart until none is nearer to the next than `gap`, and keeps all in [0, 1]. */
function spread(places: readonly number[], gap: number): number[] {
  const order = places.map((place, index) => ({ place, index })).toSorted((a, b) => a.place - b.place);
  for (let round = 0; round < 50; round += 1) {
    for (let index = 1; index < order.length; index += 1) {
      const [low, high] = [order[index - 1], order[index]];
      if (low === undefined || high === undefined) continue;
      const missing = gap - (high.place - low.place);
      if (missing <= 1e-6) continue;
      low.place = Math.max(0, low.place - missing / 2);
      high.place = Math.min(1, high.place + missing / 2);
    }
  }
  const moved: number[] = places.map(() => 0);
  for (const { place, index } of order) moved[index] = place;
  return moved;
}
