import type { Scorer } from '../score/scorer.js';
import { recordKind } from './kind.js';
import type { AttackRecord } from './schema.js';
import { findEdits, foldTexts, type EditKind, type Folding, type TextEdits } from './text-edits.js';

/** The foldings under which s_src is taken beside the raw one. */
export const FOLDINGS = {
  confusables: { confusables: true },
  case: { case: true },
  whitespace: { whitespace: true },
  all: { confusables: true, case: true, whitespace: true },
} as const satisfies Readonly<Record<string, Folding>>;

/** One of {@link FOLDINGS}. */
export type FoldingName = keyof typeof FOLDINGS;

/** What an attack did to the text of one record. */
export interface RecordEdits {
  readonly record: AttackRecord;
  /** Null for a record without both texts, and for clean prompts and candidates. */
  readonly edits: EditAnalysis | null;
}

/** The edits of a pair of texts, and how close they are to a metric and to a reader. */
export interface EditAnalysis extends TextEdits {
  /** How many edits there are of each kind that occurs. */
  readonly counts: Readonly<Partial<Record<EditKind, number>>>;
  /** s_src of the texts as they are. */
  readonly sSrc: number;
  /** s_src of the folded texts. */
  readonly sSrcFolded: Readonly<Record<FoldingName, number>>;
}

/** How many records are looked at at a time. */
const BATCH = 512;

/**
 * Finds what attacks did to texts, record by record, and scores the pairs raw and folded.
 *
 * A homoglyph attack that no reader sees has a low raw s_src and a folded one of 1: the metric calls the meaning destroyed,
 * a reader doesn't.
 *
 * @param sSrc the metric of the source side.
 */
export async function* analyseEdits(
  records: AsyncIterable<AttackRecord> | Iterable<AttackRecord>,
  sSrc: Scorer,
  signal?: AbortSignal,
): AsyncGenerator<RecordEdits, void, undefined> {
  let batch: AttackRecord[] = [];
  for await (const record of records) {
    batch.push(record);
    if (batch.length < BATCH) continue;
    yield* await analyseBatch(batch, sSrc, signal);
    batch = [];
  }
  if (batch.length > 0) yield* await analyseBatch(batch, sSrc, signal);
}

async function analyseBatch(
  records: readonly AttackRecord[],
  sSrc: Scorer,
  signal: AbortSignal | undefined,
): Promise<RecordEdits[]> {
  const options = signal === undefined ? {} : { signal };
  const pairs = records.flatMap((record) => {
    const { src, adv_src: advSrc } = record;
    return src === null || advSrc === null || recordKind(record) !== 'attack' ? [] : [{ record, src, advSrc }];
  });
  const sources = pairs.map(({ src }) => src);
  const attacked = pairs.map(({ advSrc }) => advSrc);
  if (pairs.length === 0) return records.map((record) => ({ record, edits: null }));
  const reports = await findEdits(sources, attacked, options);
  const raw = await sSrc.score(attacked, sources, options);
  const folded = new Map<FoldingName, Float64Array>();
  for (const [name, folding] of Object.entries(FOLDINGS) as [FoldingName, Folding][]) {
    const [foldedSources, foldedAttacked] = [
      await foldTexts(sources, folding, options),
      await foldTexts(attacked, folding, options),
    ];
    folded.set(name, await sSrc.score(foldedAttacked, foldedSources, options));
  }
  const analysed = new Map<AttackRecord, EditAnalysis>();
  for (const [index, { record }] of pairs.entries()) {
    const report = reports[index];
    if (report === undefined) continue;
    const scoreOf = (name: FoldingName): number => folded.get(name)?.[index] ?? Number.NaN;
    analysed.set(record, {
      ...report,
      counts: countKinds(report),
      sSrc: raw[index] ?? Number.NaN,
      sSrcFolded: {
        confusables: scoreOf('confusables'),
        case: scoreOf('case'),
        whitespace: scoreOf('whitespace'),
        all: scoreOf('all'),
      },
    });
  }
  return records.map((record) => ({ record, edits: analysed.get(record) ?? null }));
}

function countKinds({ edits }: TextEdits): Partial<Record<EditKind, number>> {
  const counts: Partial<Record<EditKind, number>> = {};
  for (const { kind } of edits) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
