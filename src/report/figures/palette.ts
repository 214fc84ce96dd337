/** The colours of a chart: values of SVG's `fill` and `stroke`. */
export interface Palette {
  readonly ink: string;
  /** Axes' texts and less important marks. */
  readonly muted: string;
  readonly grid: string;
  readonly paper: string;
  readonly success: string;
  readonly failure: string;
  /** The ground of the region of success. */
  readonly region: string;
  /** Lines of several attacks; dashes tell them apart in grey. */
  readonly series: readonly string[];
  /** From little to much; `onSteps` is what is read on each. */
  readonly steps: readonly string[];
  readonly onSteps: readonly string[];
  /** The ground of what is below 0. */
  readonly below: string;
}

/** Dashes of lines, in the order of {@link Palette.series}. */
export const DASHES = ['none', '5 2', '1.5 2', '7 2 1.5 2', '3 1.5', '9 3'] as const;

/**
 * For files: Okabe and Ito's colours, which readers with any colour vision tell apart, and a scale of blues whose lightness
 * falls steadily, so that a print in grey has the same order.
 *
 * @see Okabe and Ito 2008, "Color universal design".
 */
export const FILE_PALETTE: Palette = {
  ink: '#1a1a1a',
  muted: '#555555',
  grid: '#e2e2e2',
  paper: '#ffffff',
  success: '#d55e00',
  failure: '#0072b2',
  region: '#fbeee4',
  series: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'],
  steps: ['#f2f6fa', '#d3e3f0', '#a9cae2', '#74abd0', '#3f88ba', '#17609b', '#083a6b'],
  onSteps: ['#1a1a1a', '#1a1a1a', '#1a1a1a', '#1a1a1a', '#ffffff', '#ffffff', '#ffffff'],
  below: '#efe3c8',
};

/** For pages: the style sheet says the colours, for light and dark. */
export const PAGE_PALETTE: Palette = {
  ink: 'var(--ink)',
  muted: 'var(--muted)',
  grid: 'var(--line)',
  paper: 'var(--paper)',
  success: 'var(--success)',
  failure: 'var(--failure)',
  region: 'var(--region)',
  series: [0, 1, 2, 3, 4, 5].map((index) => `var(--series-${index})`),
  steps: [0, 1, 2, 3, 4, 5, 6].map((index) => `var(--step-${index})`),
  onSteps: [0, 1, 2, 3, 4, 5, 6].map((index) => `var(--on-step-${index})`),
  below: 'var(--below)',
};
