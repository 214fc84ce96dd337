import type { Summary } from '../measure/summary.js';

/** How a summary is shown. */
export interface ReportOptions {
  /** Every score is multiplied by it; rates, thresholds and counts are not. teapot-nlp's default is 100. */
  readonly scale: number;
  /** Whether a person reads it on a terminal: pictures are then welcome. */
  readonly terminal: boolean;
  /** Whether ANSI colours may be used. */
  readonly color: boolean;
}

/**
 * Shows a summary in one format.
 *
 * @returns The whole text, ending in a line end.
 */
export type Reporter = (summary: Summary, options: ReportOptions) => string;

/** Every format, and how it is loaded: a run needs one of them. */
const REPORTERS = {
  text: async () => (await import('./text.js')).reportText,
  terse: async () => (await import('./terse.js')).reportTerse,
  json: async () => (await import('./json.js')).reportJson,
  csv: async () => (await import('./csv.js')).reportCsv,
  markdown: async () => (await import('./markdown.js')).reportMarkdown,
  latex: async () => (await import('./latex.js')).reportLatex,
} as const satisfies Record<string, () => Promise<Reporter>>;

/** The name of a format of results. */
export type ReportFormat = keyof typeof REPORTERS;

/** All names of formats. */
export const REPORT_FORMATS = Object.keys(REPORTERS) as readonly ReportFormat[];

const EXTENSIONS: ReadonlyMap<string, ReportFormat> = new Map([
  ['.txt', 'text'],
  ['.json', 'json'],
  ['.csv', 'csv'],
  ['.md', 'markdown'],
  ['.markdown', 'markdown'],
  ['.tex', 'latex'],
]);

/** The extensions that say a format, for messages. */
export const REPORT_EXTENSIONS = [...EXTENSIONS.keys()];

/**
 * The format that a file name says; `.gz` and `.zst` behind it are passed over.
 *
 * @param path For example `results/table.tex`, `results.json.gz`.
 * @returns Undefined when the extension says none.
 */
export function formatOfPath(path: string): ReportFormat | undefined {
  return EXTENSIONS.get(/(\.[^./\\]+?)(?:\.gz|\.zst)?$/i.exec(path)?.[1]?.toLowerCase() ?? '');
}

/** Loads the reporter of a format. */
export async function loadReporter(format: ReportFormat): Promise<Reporter> {
  return REPORTERS[format]();
}
