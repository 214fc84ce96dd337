import type { AttackRecord } from '../schema.js';
import { csvCell, refuseHalfPairs } from './cells.js';

/** The columns of TextAttack's CSV log, in its order. */
const COLUMNS = [
  'original_text',
  'perturbed_text',
  'original_score',
  'perturbed_score',
  'original_output',
  'perturbed_output',
  'ground_truth_output',
  'num_queries',
  'result_type',
] as const;

/** The column of our own: what of the record the others can't hold, as JSON. */
export const RECORD_COLUMN = 'teapot_record';

/** What TextAttack writes for a line end in a text. */
const LINE_END = '<SPLIT>';

/**
 * Writes records as TextAttack's CSV log (`--csv-coloring-style plain`), with one more column that holds the rest of each
 * record: `import textattack` gives the same records again.
 *
 * @yields Text of the file, in order.
 */
export async function* exportTextAttack(records: AsyncIterable<AttackRecord>): AsyncGenerator<string> {
  let header = `${[...COLUMNS, RECORD_COLUMN].map((name) => csvCell(name)).join(',')}\n`;
  for await (const record of records) {
    // Only now: a first record that can't be read leaves standard output empty.
    if (header !== '') yield header;
    header = '';
    refuseHalfPairs(record, Object.entries(textAttackCells(record)), "TextAttack's CSV");
    const cells = [...Object.values(textAttackCells(record)), JSON.stringify(remainder(record))];
    yield `${cells.map(csvCell).join(',')}\n`;
  }
  if (header !== '') yield header;
}

type Cells = Readonly<Record<(typeof COLUMNS)[number], string | number | null>>;

function textAttackCells(record: AttackRecord): Cells {
  return {
    original_text: textCell(record.src),
    perturbed_text: textCell(record.adv_src),
    original_score: record.original_score,
    perturbed_score: record.attacked_score,
    original_output: labelCell(record.out),
    perturbed_output: labelCell(record.adv_out),
    ground_truth_output: labelCell(Array.isArray(record.ref) ? (record.ref[0] ?? null) : record.ref),
    num_queries: record.queries,
    result_type: resultType(record),
  };
}

/** Everything of a record that its cells don't say. */
function remainder(record: AttackRecord): Record<string, unknown> {
  const { src, adv_src, out, adv_out, ref, original_score, attacked_score, queries, result, ...rest } = record;
  const kept = Object.entries(rest).filter(([, value]) => value !== null);
  const unsaid = Object.entries({ src, adv_src }).filter(([, text]) => text === null || text.includes(LINE_END));
  const labels = Object.entries({ out, adv_out, ref }).filter(([, label]) => typeof label !== 'string' || label === '');
  const scores = Object.entries({ original_score, attacked_score, queries }).filter(([, value]) => value === null);
  return Object.fromEntries([...kept, ...unsaid, ...labels, ...scores, ['result', result]]);
}

function textCell(text: string | null): string {
  return (text ?? '').replaceAll('\n', LINE_END);
}

/** Whole numbers stand without quotes, as TextAttack writes labels. */
function labelCell(label: string | null): string | number | null {
  return label !== null && /^(?:0|[1-9]\d{0,14})$/u.test(label) ? Number(label) : label;
}

function resultType({ result, extra }: AttackRecord): string | null {
  const said = extra['result_type'];
  if (typeof said === 'string') return said;
  return result === null ? null : result.charAt(0).toUpperCase() + result.slice(1);
}
