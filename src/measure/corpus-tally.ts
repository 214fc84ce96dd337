import type { MetricOptions } from '../native.js';
import { corpusSignature, corpusSimilarity } from '../score/corpus-counts.js';
import type { CountSums, ScoreBatch } from '../score/score-batch.js';
import type { ReferenceCounts } from '../score/reference-counts.js';
import { relativeDecrease } from './relative-decrease.js';
import type { CorpusLevel } from './summary.js';

/** A metric with a corpus level. */
export interface CorpusMetric {
  readonly metric: MetricOptions;
  /** The signature of its segments. */
  readonly signature: string;
}

/** The metrics of both sides that have a corpus level; null for others and for a side that isn't measured. */
export interface CorpusMetrics {
  readonly s_src: CorpusMetric | null;
  readonly s_tgt: CorpusMetric | null;
}

const QUANTITIES = ['s_src', 's_tgt_base', 's_tgt_attacked', 's_tgt'] as const;

/** Summed counts by quantity; empty where nothing was counted. */
export type CorpusState = Readonly<Record<(typeof QUANTITIES)[number], readonly number[]>>;

/** Adds up what metrics count for their corpus level. Sums of integers: any order gives the same bits. */
export class CorpusTally {
  readonly #sums: Record<(typeof QUANTITIES)[number], number[]> = {
    s_src: [],
    s_tgt_base: [],
    s_tgt_attacked: [],
    s_tgt: [],
  };

  /** Adds a batch; its target side counts as in the means: with both scores, or without references. */
  add({ counts, base, attacked }: ScoreBatch): void {
    if (counts === undefined) return;
    const add = (quantity: (typeof QUANTITIES)[number], sums: CountSums | undefined): void => {
      if (sums !== undefined) this.#add(quantity, sums());
    };
    add('s_src', counts.sSrc);
    if (attacked === undefined) return;
    if (base === undefined) add('s_tgt', counts.attacked);
    else {
      add('s_tgt_base', counts.base);
      add('s_tgt_attacked', counts.attacked);
    }
  }

  /** Adds what {@link CorpusTally.toJSON} of another one gave. */
  addState(state: CorpusState): void {
    for (const quantity of QUANTITIES) this.#add(quantity, state[quantity]);
  }

  toJSON(): CorpusState {
    return structuredClone(this.#sums);
  }

  /** The scores of all segments that were added. */
  corpusLevel({ s_src: source, s_tgt: target }: CorpusMetrics, references?: ReferenceCounts): CorpusLevel {
    const score = (of: CorpusMetric | null, quantity: (typeof QUANTITIES)[number]): number | null =>
      of === null || this.#sums[quantity].length === 0 ? null : corpusSimilarity(of.metric, this.#sums[quantity]);
    const sSrc = score(source, 's_src');
    const base = score(target, 's_tgt_base');
    const attacked = score(target, 's_tgt_attacked');
    const sTgt = score(target, 's_tgt');
    const sign = (of: CorpusMetric): string => corpusSignature(of.signature, of.metric);
    return {
      sSrc,
      base,
      attacked,
      dTgt: base === null || attacked === null ? null : relativeDecrease(base, attacked),
      sTgt,
      sSrcSignature: source === null || sSrc === null ? null : sign(source),
      sTgtSignature:
        target === null || (attacked ?? sTgt) === null ? null : (references?.sign(sign(target)) ?? sign(target)),
    };
  }

  #add(quantity: (typeof QUANTITIES)[number], counts: readonly number[]): void {
    const sums = this.#sums[quantity];
    for (const [index, count] of counts.entries()) sums[index] = (sums[index] ?? 0) + count;
  }
}
