import { ERROR_CODES, UsageError } from '../../../errors.js';
import { readCsv } from '../../../read/csv.js';
import { repeatsHeader } from '../../../read/table-rows.js';
import type { SourceFile } from '../../../read/source-file.js';
import { makeRecord } from '../../schema.js';
import type { AttackRecord } from '../../schema.js';
import { badRow } from '../common/bad-row.js';
import { fileName } from '../common/values.js';
import { defineImporter } from '../importer.js';
import type { ImportOptions } from '../importer.js';

/** The columns of the files that WMT publishes; there are more in some years. */
const NEEDED = ['system', 'seg_id', 'rater', 'source', 'target', 'category', 'severity'] as const;

type Column = (typeof NEEDED)[number];

/**
 * The weight of an error, as WMT counts: major 5, minor 1, minor errors of punctuation 0.1, no translation at all 25.
 *
 * Source: Freitag et al. 2021, Experts, Errors, and Context, section 3.3.
 */
function weightOf(category: string, severity: string): number {
  if (/^non-translation/iu.test(category)) return 25;
  if (/^major$/iu.test(severity)) return 5;
  if (!/^minor$/iu.test(severity)) return 0;
  return /^fluency\/punctuation/iu.test(category) ? 0.1 : 1;
}

/** One error that a rater marked, or the row that says there is none. */
interface Row {
  readonly cells: Readonly<Record<Column, string>>;
  readonly line: number;
}

/**
 * Reads the MQM ratings of WMT (TSV, one error a row, no quoting): a record a system and segment, with the people's score in
 * `extra.human`: the weights of its errors added up, averaged over the raters (0 is perfect, higher is worse).
 *
 * Source: google/wmt-mqm-human-evaluation.
 */
export const wmtMqm = defineImporter({
  name: 'wmt-mqm',
  description: 'WMT: MQM ratings as TSV, one error a row',
  detect: (head) => {
    const names = head.split(/\r?\n/u, 1)[0]?.split('\t') ?? [];
    return NEEDED.every((name) => names.includes(name)) ? 1 : 0;
  },
  import: readMqm,
});

async function* readMqm(source: SourceFile, options: ImportOptions): AsyncGenerator<AttackRecord> {
  const segments = new Map<string, Row[]>();
  let header: readonly string[] | undefined;
  const csv = readCsv(source.blocks(), { file: source.name, delimiter: '\t', quotes: 'none' });
  for await (const rows of csv) {
    options.signal?.throwIfAborted();
    for (const { cells, line } of rows) {
      if (header === undefined) header = checkedHeader(cells, source.name, line);
      else if (repeatsHeader(cells, header)) {
        const message = 'the row repeats the header: it was left out';
        options.onWarning?.({ file: source.name, line, code: 'repeated-header', message });
      } else if (cells.length === header.length) {
        const names = header;
        const row = Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])) as Row['cells'];
        const key = JSON.stringify([row.system, row.seg_id]);
        segments.set(key, [...(segments.get(key) ?? []), { cells: row, line }]);
      } else if (cells.length > 1 || cells[0] !== '') {
        badRow(options, source.name, line, `found ${cells.length} cells, expected ${header.length} as in the header`);
      }
    }
  }
  for (const rows of segments.values()) yield segmentRecord(rows, source.name);
}

function checkedHeader(cells: readonly string[], file: string, line: number): readonly string[] {
  const missing = NEEDED.filter((name) => !cells.includes(name));
  if (missing.length === 0) return cells;
  throw new UsageError(ERROR_CODES.FORMAT, `${file}:${line}: no MQM ratings: no column ${missing.join(', ')}`);
}

function segmentRecord(rows: readonly Row[], file: string): AttackRecord {
  const [first] = rows;
  const cells = first?.cells;
  const raters = new Map<string, number>();
  for (const { cells: row } of rows) {
    raters.set(row.rater, (raters.get(row.rater) ?? 0) + weightOf(row.category, row.severity));
  }
  const sum = [...raters.values()].reduce((total, score) => total + score, 0);
  return makeRecord({
    id: `${cells?.system}/${cells?.seg_id}`,
    run: fileName(file),
    unit: 'input',
    model: cells?.system ?? null,
    src: withoutMarks(cells?.source ?? ''),
    out: withoutMarks(cells?.target ?? ''),
    provenance: { tool: 'wmt-mqm', version: null, file, line: first?.line ?? null },
    extra: {
      kind: 'clean',
      human: { mqm: sum / raters.size, raters: Object.fromEntries(raters) },
      ratings: rows.map(({ cells: row }) => row),
    },
  });
}

/** The span of an error is marked in the text that it is in. */
function withoutMarks(text: string): string {
  return text.replaceAll(/<\/?v>/gu, '');
}
