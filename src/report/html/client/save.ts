import type { RecordRow } from '../report-data.js';

/** The columns of an export: names as in teapot's files. */
const COLUMNS: readonly (readonly [name: string, of: (row: RecordRow) => string | number | boolean | null])[] = [
  ['id', ({ id }) => id],
  ['run', ({ run }) => run],
  ['attack', ({ attack }) => attack],
  ['model', ({ model }) => model],
  ['dataset', ({ dataset }) => dataset],
  ['result', ({ result }) => result],
  ['success', ({ success }) => success],
  ['s_src', ({ sSrc }) => sSrc],
  ['s_tgt_base', ({ sTgtBase }) => sTgtBase],
  ['s_tgt_attacked', ({ sTgtBase, sTgt }) => (sTgtBase === null ? null : sTgt)],
  ['s_tgt', ({ sTgtBase, sTgt }) => (sTgtBase === null ? sTgt : null)],
  ['d_tgt', ({ dTgt }) => dTgt],
  ['pdr', ({ pdr }) => pdr],
  ['margin', ({ margin }) => margin],
  ['queries', ({ queries }) => queries],
  ['edit_kinds', ({ kinds }) => kinds.join(' ')],
  ['audit', ({ rules }) => rules.join(' ')],
  ['src', ({ src }) => src],
  ['adv_src', ({ advSrc }) => advSrc],
  ['out', ({ out }) => out],
  ['adv_out', ({ advOut }) => advOut],
  ['ref', ({ ref }) => ref],
  ['place', ({ place }) => place],
];

/** The rows as CSV (RFC 4180), or as JSON a line. */
export function exported(rows: readonly RecordRow[], format: 'csv' | 'jsonl'): string {
  if (format === 'jsonl') {
    return rows
      .map((row) => `${JSON.stringify(Object.fromEntries(COLUMNS.map(([name, of]) => [name, of(row)])))}\n`)
      .join('');
  }
  const line = (cells: readonly string[]): string => `${cells.map(csvField).join(',')}\r\n`;
  const head = line(COLUMNS.map(([name]) => name));
  return head + rows.map((row) => line(COLUMNS.map(([, of]) => String(of(row) ?? '')))).join('');
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Offers a text as a file. */
export function save(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
