import type { Interval } from '../../measure/intervals.js';

/** The charts, by the names of `--figure`. */
export const FIGURES = [
  'scatter',
  'histogram',
  'threshold',
  'pdr-heatmap',
  'robustness',
  'queries',
  'edits',
  'importance',
] as const;

/** One of {@link FIGURES}. */
export type FigureName = (typeof FIGURES)[number];

/** s_src of attacks against what they did to the target side, all of them under one criterion. */
export interface ScatterData {
  readonly kind: 'scatter';
  /** `relative_decrease`: y is d_tgt. `reference_less`: y is s_tgt of the two outputs. */
  readonly criterion: 'relative_decrease' | 'reference_less';
  readonly threshold: number;
  /** Attacks that stand at one place, all of them counted. */
  readonly points: readonly ScatterPoint[];
  /** The width of a square of the grid to which places are rounded; 0 where every attack has its own place. */
  readonly grid: number;
  readonly n: number;
}

/** Attacks at one place of a {@link ScatterData}. */
export interface ScatterPoint {
  /** A fraction in [0, 1]: the middle of the square, where there is a grid. */
  readonly x: number;
  readonly y: number;
  readonly count: number;
  readonly successes: number;
}

/** How often scores lie in each twentieth of [0, 1]. */
export interface HistogramData {
  readonly kind: 'histogram';
  readonly quantities: readonly { readonly name: string; readonly n: number; readonly counts: readonly number[] }[];
}

/** The share of successes at each threshold, a line an attack. */
export interface ThresholdData {
  readonly kind: 'threshold';
  /** The threshold of the criterion that was applied. */
  readonly threshold: number;
  readonly series: readonly LineSeries[];
}

/** A named line of a chart. */
export interface LineSeries {
  readonly name: string;
  readonly n: number;
  /** Rising in x. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** Performance drop rates by two keys. */
export interface HeatmapData {
  readonly kind: 'pdr-heatmap';
  readonly rowKey: string;
  readonly columnKey: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly cells: readonly HeatmapCell[];
}

/** A cell of a {@link HeatmapData}. */
export interface HeatmapCell {
  readonly row: string;
  readonly column: string;
  /** May be negative; null where it is undefined. */
  readonly mean: number | null;
  readonly std: number | null;
  readonly interval: Interval | null;
  readonly n: number;
}

/** The score under attack by the share of words that the attack changed. */
export interface RobustnessData {
  readonly kind: 'robustness';
  /** What the score is, for example `accuracy`. */
  readonly score: string;
  /** Rising in x; the first one is the score of the texts before the attack where it is known. */
  readonly bins: readonly RobustnessBin[];
  readonly confidence: number;
}

/** Attacks that changed about the same share of words. */
export interface RobustnessBin {
  /** Shares of words: above `low`, up to `high`; both 0 for the texts before the attack. */
  readonly low: number;
  readonly high: number;
  readonly mean: number;
  readonly interval: Interval;
  readonly n: number;
}

/** Which share of the attacks had succeeded after so many queries, a line an attack. */
export interface QueriesData {
  readonly kind: 'queries';
  readonly series: readonly LineSeries[];
  readonly maximum: number;
}

/** In which share of the texts of each attack a kind of edit occurs. */
export interface EditsData {
  readonly kind: 'edits';
  readonly attacks: readonly { readonly name: string; readonly n: number }[];
  /** The kinds that occur, in the order of reports. */
  readonly kinds: readonly string[];
  readonly cells: readonly {
    readonly attack: string;
    readonly edit: string;
    readonly share: number;
    readonly edits: number;
  }[];
}

/** How much the answer depends on each word of one text. */
export interface ImportanceData {
  readonly kind: 'importance';
  /** In the order of the text. */
  readonly words: readonly { readonly word: string; readonly importance: number | null }[];
}

/** Everything that a chart shows: numbers that were computed elsewhere, nothing is computed in `figures/`. */
export type FigureData =
  | ScatterData
  | HistogramData
  | ThresholdData
  | HeatmapData
  | RobustnessData
  | QueriesData
  | EditsData
  | ImportanceData;
