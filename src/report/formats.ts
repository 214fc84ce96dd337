import { ERROR_CODES, UsageError } from '../errors.js';

/** Every format of results and of data, with the extensions of its files: the first one is proposed in messages. */
const EXTENSIONS = {
  text: ['txt'],
  terse: [],
  json: ['json'],
  csv: ['csv'],
  tsv: ['tsv', 'tab'],
  jsonl: ['jsonl', 'ndjson'],
  parquet: ['parquet'],
  markdown: ['md', 'markdown'],
  latex: ['tex'],
  html: ['html', 'htm'],
  junit: ['xml'],
  svg: ['svg'],
  pdf: ['pdf'],
  png: ['png'],
} as const satisfies Record<string, readonly string[]>;

/** The name of a format. */
export type Format = keyof typeof EXTENSIONS;

/** All names of formats. */
export const FORMATS = Object.keys(EXTENSIONS) as readonly Format[];

/** The formats of a table of results for people and programs. */
export const TABLE_FORMATS = ['text', 'json', 'csv', 'markdown', 'latex', 'html'] as const satisfies readonly Format[];

/** One of {@link TABLE_FORMATS}. */
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** The formats of an explanation. */
export const EXPLAIN_FORMATS = ['text', 'json', 'html'] as const satisfies readonly Format[];

/** The formats of `teapot score`. */
export const SCORE_FORMATS = [
  'text',
  'terse',
  'json',
  'csv',
  'markdown',
  'latex',
  'html',
  'junit',
] as const satisfies readonly Format[];

/** One of {@link SCORE_FORMATS}. */
export type ScoreFormat = (typeof SCORE_FORMATS)[number];

/** The formats of a table of results that gates can be applied to. */
export const GATED_FORMATS = [...TABLE_FORMATS, 'junit'] as const satisfies readonly Format[];

/** One of {@link GATED_FORMATS}. */
export type GatedFormat = (typeof GATED_FORMATS)[number];

/** The formats of one chart. */
export const FIGURE_FORMATS = ['svg', 'pdf', 'png'] as const satisfies readonly Format[];

/** One of {@link FIGURE_FORMATS}. */
export type FigureFormat = (typeof FIGURE_FORMATS)[number];

/** The formats of `teapot report`. */
export const REPORT_FORMATS = ['text', 'html', ...FIGURE_FORMATS] as const satisfies readonly Format[];

/** One of {@link REPORT_FORMATS}. */
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The formats of the files that have one row an item: segments, records, findings. */
export const ROW_FORMATS = ['tsv', 'csv', 'jsonl', 'parquet'] as const satisfies readonly Format[];

/** One of {@link ROW_FORMATS}. */
export type RowFormat = (typeof ROW_FORMATS)[number];

/** The extensions of the formats, for messages: `.tsv, .csv, .jsonl or .parquet`. */
export function extensionsOf(formats: readonly Format[]): string {
  const known = formats.flatMap((format) => EXTENSIONS[format].map((extension) => `.${extension}`));
  return known.length < 2 ? known.join('') : `${known.slice(0, -1).join(', ')} or ${known.at(-1) ?? ''}`;
}

/**
 * The format that a file name says; `.gz` and `.zst` after it are passed over.
 *
 * @param path For example `results/table.tex`, `results.json.gz`.
 * @returns Undefined when the extension says none.
 */
export function formatOfPath(path: string): Format | undefined {
  const extension = /\.([^./\\]+)$/u.exec(path.replace(/\.(?:gz|zst)$/iu, ''))?.[1]?.toLowerCase();
  return FORMATS.find((format) => EXTENSIONS[format].some((known) => known === extension));
}

/** Where the format of an output comes from. */
export interface FormatRequest<F extends Format> {
  /** The formats that this output can have; the first one is that of standard output. */
  readonly formats: readonly [F, ...F[]];
  /** The format that was asked for by name. */
  readonly format?: F | undefined;
  /** Where the output goes: a path, or `-` for standard output. */
  readonly output?: string | undefined;
  /** The option that names the output, for messages. */
  readonly option: string;
}

/**
 * The format of an output: the one that was asked for, else the one of the file's extension, else the first one.
 *
 * @throws {UsageError} `ERR_TEAPOT_INVALID_OPTION` when the extension says none of the formats and none was asked for, or
 *   when both are said and differ.
 */
export function chooseFormat<F extends Format>({ formats, format, output, option }: FormatRequest<F>): F {
  if (output === undefined || output === '-') return format ?? formats[0];
  const said = formatOfPath(output);
  const ofPath = formats.find((known) => known === said);
  if (format === undefined) {
    if (ofPath !== undefined) return ofPath;
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `${option} ${output}: ${said === undefined ? 'the extension says no format' : `${said} is no format of it`}. Expected a name that ends in ${extensionsOf(formats)} (also with .gz or .zst)${formats.length > 1 && option === '--output' ? ', or --format' : ''}.`,
    );
  }
  // A text file may hold anything that is text.
  if (said !== undefined && said !== 'text' && said !== format) {
    throw new UsageError(
      ERROR_CODES.INVALID_OPTION,
      `--format ${format} and ${option} ${output} contradict each other: the extension says ${said}.`,
    );
  }
  return format;
}
