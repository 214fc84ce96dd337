import { formatFixed } from '../../../number-format.js';
import type { Scorer } from '../../../score/scorer.js';
import type { ScoredRecord } from '../../score-records.js';
import type { AttackRecord } from '../../schema.js';
import { findingAt, type AuditRule, type Finding } from '../rule.js';

const MISALIGNED_SOURCE: AuditRule = {
  id: 'misaligned_source',
  severity: 'error',
  description: 'The attacked text fits the original of the line before or behind far better: the files have slid apart',
};

const MISALIGNED_TARGET: AuditRule = {
  id: 'misaligned_target',
  severity: 'error',
  description: 'The output fits the reference of the line before or behind far better: the files have slid apart',
};

/** The rules of {@link checkAlignment}. */
export const ALIGNMENT_RULES: readonly AuditRule[] = [MISALIGNED_SOURCE, MISALIGNED_TARGET];

/** A pair with a higher score is taken as aligned. */
const ALIGNED = 0.5;

/** A neighbour must fit at least this well… */
const FITS = 0.6;

/** …and this much better than the line itself. */
const BETTER = 0.3;

/** Shorter texts (labels) resemble their neighbours by chance. */
const SHORTEST = 12;

interface Pair {
  readonly rule: AuditRule;
  readonly record: AttackRecord;
  readonly own: number;
  readonly hypothesis: string;
  /** What the neighbours have in the place of the reference. */
  readonly neighbours: readonly { readonly record: AttackRecord; readonly text: string }[];
}

/**
 * Compares badly fitting pairs of consecutive examples with their neighbours. Attacked prompts are left out: those of one
 * data set resemble each other.
 *
 * @param window consecutive records; the first and the last one are neighbours only, undefined at the ends of the data.
 * @param similarity a metric that is high for texts with the same words (chrF).
 */
export async function checkAlignment(
  window: readonly (ScoredRecord | undefined)[],
  similarity: Scorer,
  signal?: AbortSignal,
): Promise<Finding[]> {
  const pairs: Pair[] = [];
  for (let index = 1; index < window.length - 1; index += 1) {
    const [before, here, behind] = [window[index - 1], window[index], window[index + 1]];
    if (here === undefined) continue;
    const neighbours = [before?.record, behind?.record].filter((record) => record !== undefined);
    pairs.push(...sourcePair(here, neighbours), ...targetPair(here, neighbours));
  }
  const flat = pairs.flatMap((pair) => pair.neighbours.map((neighbour) => ({ pair, neighbour })));
  if (flat.length === 0) return [];
  const scores = await similarity.score(
    flat.map(({ pair }) => pair.hypothesis),
    flat.map(({ neighbour }) => neighbour.text),
    signal === undefined ? {} : { signal },
  );
  const best = new Map<Pair, { readonly score: number; readonly record: AttackRecord }>();
  for (const [index, { pair, neighbour }] of flat.entries()) {
    const score = scores[index] ?? 0;
    if (score > (best.get(pair)?.score ?? 0)) best.set(pair, { score, record: neighbour.record });
  }
  return pairs.flatMap((pair) => {
    const other = best.get(pair);
    if (other === undefined || other.score < FITS || other.score < pair.own + BETTER) return [];
    const message = `similarity ${formatFixed(pair.own, 2)} to its own line, ${formatFixed(other.score, 2)} to ${JSON.stringify(other.record.id)}`;
    return [findingAt(pair.rule, pair.record, message)];
  });
}

function sourcePair({ record, measured }: ScoredRecord, neighbours: readonly AttackRecord[]): Pair[] {
  const own = measured?.s_src ?? null;
  if (record.unit !== 'input' || record.adv_src === null || own === null || own >= ALIGNED) return [];
  if (record.adv_src.length < SHORTEST) return [];
  const texts = neighbours.flatMap(({ src }, index) => {
    const neighbour = neighbours[index];
    return src === null || neighbour === undefined || src === record.src ? [] : [{ record: neighbour, text: src }];
  });
  return [{ rule: MISALIGNED_SOURCE, record, own, hypothesis: record.adv_src, neighbours: texts }];
}

function targetPair({ record, measured }: ScoredRecord, neighbours: readonly AttackRecord[]): Pair[] {
  const own = measured?.s_tgt_base ?? null;
  if (record.unit !== 'input' || record.out === null || own === null || own >= ALIGNED) return [];
  if (record.out.length < SHORTEST) return [];
  const texts = neighbours.flatMap((neighbour) => {
    const ref = Array.isArray(neighbour.ref) ? neighbour.ref[0] : neighbour.ref;
    return ref === null || ref === undefined || ref === record.ref ? [] : [{ record: neighbour, text: ref }];
  });
  return [{ rule: MISALIGNED_TARGET, record, own, hypothesis: record.out, neighbours: texts }];
}
